"""What editors, type checkers and callers see of the package."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import modecontrol as mc
from modecontrol import errors

INIT = Path(mc.__file__)


def test_every_public_name_is_seen_without_running_anything():
    block = next(
        node
        for node in ast.parse(INIT.read_text(encoding="utf-8")).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    seen = {alias.asname for node in block.body for alias in node.names}
    assert seen == set(mc._WHERE)


@pytest.mark.parametrize("name", sorted(mc._WHERE))
def test_every_public_name_can_be_imported(name):
    assert getattr(mc, name) is not None


def test_typed_marker_is_part_of_the_package():
    assert (INIT.parent / "py.typed").is_file()


def test_every_exception_has_one_base():
    found = [
        kind for _, kind in inspect.getmembers(errors, inspect.isclass) if kind.__module__ == errors.__name__
    ]
    assert len(found) >= 5
    assert all(issubclass(kind, mc.ModeControlError) for kind in found)


def test_import_loads_nothing_heavy():
    ask = (
        "import sys, modecontrol; heavy = {'sympy', 'cvxpy', 'matplotlib', 'scipy', 'numpy'} & set(sys.modules); "
        "print(*heavy)"
    )
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")
