"""The first answer of a new process needs numpy and the core, nothing heavier."""

import subprocess
import sys

HEAVY = ("sympy", "scipy", "matplotlib", "cvxpy", "cdd", "numba")


def loaded(lines):
    code = f"import sys\nimport modecontrol as mc\n{lines}\nprint(*[name for name in {HEAVY} if name in sys.modules])"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()


def test_a_snapshot_loads_nothing_heavy():
    assert loaded("m = mc.load('rhex'); s = m.snapshot(m.start); assert s.mass.shape == (6, 6)") == []


def test_a_response_loads_nothing_heavy():
    assert (
        loaded("m = mc.load('two_link'); r = mc.dynamic_response(m.snapshot(m.start)); assert r.modes") == []
    )


def test_the_probe_sees_what_is_loaded():
    assert loaded("import sympy") == ["sympy"]
