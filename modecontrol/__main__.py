"""`python -m modecontrol` is the command `modecontrol`."""

import sys

from modecontrol.cli import main

if __name__ == "__main__":
    sys.exit(main())
