"""Calls that cannot go wrong by their order, and scripts beside the package that keep its rules (`test_house.py`)."""

import ast
import inspect
from pathlib import Path

import pytest

import modecontrol as mc

PACKAGE = Path(mc.__file__).resolve().parent
MOST_LINES, MOST_POSITIONAL = 80, 6
STATE = {"q", "v", "q0", "v0", "t", "tau", "Q", "V"}
CUSTOMARY = {
    "Builder.pin": "two bodies and a point, as joints",
    "planar": "x, y and angle",
    "LagrangianModel": "coordinates, T, V",
    "Polytope": "A, b, C, d of the papers; labels",
    "Polytope.box": "lower, upper; labels",
    "Polytope.from_vertices": "points, rays, lines",
    "DynamicResponse.friction_interval": "torque, mode, contact",
    "DynamicResponse.unambiguous": "mode and margin",
    "study": "model, points, quantities",
    "Names.default": "four numbers of things, in the order of the names",
}
"""Public calls with more than two positional parameters beside the state, and what they are."""


def functions(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def positional(node):
    names = [argument.arg for argument in node.args.posonlyargs + node.args.args]
    return [name for name in names if name not in ("self", "cls")]


def lines_of_code(node):
    first = node.body[1] if ast.get_docstring(node) is not None and len(node.body) > 1 else node.body[0]
    return node.end_lineno - first.lineno + 1


ROOT = PACKAGE.parent
LISTS_OF_CASES = {
    f"campaigns/hostility/{name}"
    for name in (
        "experiments.py:constructions",
        "experiments.py:observations",
        "experiments.py:runs",
        "instants.py:subjects",
    )
}
"""Without arguments or branches: one call after the other that is to be attacked."""


def functions_outside_the_package():
    """Functions and methods of scripts, examples, documentation and helpers of the tests; tests take fixtures by name."""
    for folder in ("benchmarks", "campaigns", "docs", "examples", "tests"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            if "_build" in file.parts:
                continue
            tree = ast.parse(file.read_text(encoding="utf-8"))
            owners = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
            for node in (node for owner in owners for node in owner.body):
                if isinstance(node, ast.FunctionDef) and not node.name.startswith(("_", "test_")):
                    yield f"{file.relative_to(ROOT)}:{node.name}", node


def test_the_same_holds_outside_the_package():
    found = list(functions_outside_the_package())
    assert len(found) > 500
    long = {where for where, node in found if lines_of_code(node) > MOST_LINES}
    assert long <= LISTS_OF_CASES
    assert not {where for where, node in found if len(positional(node)) > MOST_POSITIONAL}


def public_calls():
    for name in mc.__all__:
        thing = getattr(mc, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing):
            if "__init__" in vars(thing) and not hasattr(thing, "__dataclass_fields__"):
                yield name, thing.__init__
            for member, value in vars(thing).items():
                plain = getattr(value, "__func__", value)
                if inspect.isfunction(plain) and not member.startswith("_"):
                    yield f"{name}.{member}", plain


@pytest.mark.parametrize(("name", "call"), list(public_calls()), ids=[name for name, _ in public_calls()])
def test_what_order_could_confuse_goes_by_name(name, call):
    taken = [
        parameter.name
        for parameter in inspect.signature(call).parameters.values()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and parameter.name not in ("self", "cls")
    ]
    beside_the_state = [parameter for parameter in taken if parameter not in STATE]
    assert len(beside_the_state) <= 2 or name in CUSTOMARY, taken
    assert not {"physical", "task", "margin", "guarantee"} & set(taken[2:])


def test_physical_and_task_cannot_be_swapped():
    for call in (mc.dynamic_response, mc.MaximalThrust.__init__, mc.BlindThrust.__init__):
        kinds = inspect.signature(call).parameters
        assert {kinds[name].kind for name in ("physical", "task")} == {inspect.Parameter.KEYWORD_ONLY}
