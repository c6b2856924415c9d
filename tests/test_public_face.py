"""What editors, type checkers and callers see of the package."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
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


def test_the_typed_script_uses_every_public_name():
    text = (Path(__file__).parent / "typed" / "user_script.py").read_text(encoding="utf-8")
    used = {
        node.attr
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "mc"
    }
    assert used >= set(mc.__all__)


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


def test_every_answer_has_a_truth_a_status_and_a_reason():
    """One protocol: true when it is an answer, a word, and a sentence."""
    model = mc.load("two_link")
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-5.0, 5.0)])
    square = mc.Polytope([[1.0], [-1.0]], [1.0, 1.0])
    stepper = mc.Stepper(mc.load("block"))
    yes = [
        mc.maximize(response, "gamma"),
        mc.solve_lcp([[1.0]], [-1.0]),
        mc.simulate(mc.load("block"), duration=0.01),
        square.maximize([1.0]),
        response.explain(response.modes[0]),
        stepper.step([0.0]),
    ]
    no = [
        mc.maximize(response, "gamma", margin=1e3),
        mc.solve_lcp([[-1.0]], [-1.0]),
        mc.Polytope([[1.0], [-1.0]], [-1.0, -1.0]).maximize([1.0]),
        mc.Polytope([[1.0]], [1.0]).maximize([-1.0]),
        response.explain("SFS"),
    ]
    for answer, found in [(answer, True) for answer in yes] + [(answer, False) for answer in no]:
        assert bool(answer) is found, answer
        assert answer.status.strip()
        assert " " in answer.reason or answer.reason == "optimal"


def test_answers_show_themselves_in_one_line():
    model = mc.load("rhex")
    response = mc.dynamic_response(model.snapshot(model.start))
    controller = mc.MaximalThrust(model, "alpha")
    controller(0.0, model.start, model.start_velocity)
    best = mc.maximize(response, "alpha")
    shown = {
        "RFLL: 86.26": best,
        "none: no contact mode": mc.maximize(
            mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 1000"), "alpha"
        ),
        "solved by": mc.solve_lcp(np.eye(40), -np.ones(40)),
        "no solution": mc.solve_lcp(-np.eye(2), [-1.0, 1.0]),
        "mode RFLL": controller.decisions[0],
        "MaximalThrust('rhex', 'alpha')": controller,
        "FFFF: possible": response.explain("FFFF"),
        "Affine(alpha of 3 inputs, 2 ambiguity variables)": response["FFFF"].acceleration["alpha"],
        "Builder('arm')": mc.Builder("arm"),
        "x - 3": mc.quantity("x") - 3,
        "x >= 1": mc.quantity("x") >= 1,
    }
    for words, answer in shown.items():
        assert words in repr(answer), repr(answer)
        assert "\n" not in repr(answer)
        assert len(repr(answer)) < 200
    assert "tau1 = -11 N m" in repr(best)


def test_a_name_that_is_nearly_known_is_meant():
    with pytest.raises(AttributeError, match="no attribute 'polytope_'; did you mean 'Polytope'"):
        _ = mc.polytope_  # type: ignore[attr-defined]


def test_folders_are_found_without_an_import_of_their_own():
    ask = "import modecontrol as mc; print(mc.studies.grid({'mu': [0.2]}), mc.interop.from_urdf.__name__)"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True)
    assert (done.stderr, done.stdout.split()[-1]) == ("", "from_urdf")
