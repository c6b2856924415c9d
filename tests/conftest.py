"""This file puts `tests/` on the path, so that test modules share helpers such as `random_mechanisms`."""
