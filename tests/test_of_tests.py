"""Tests that cannot fail are found by reading them: what each asserts must not hang on a condition.

A test states something when one of its statements does so whatever the case: an `assert`, a `with pytest.raises`, a call of
a function that asserts, in loops and `with` blocks too; of an `if`, both branches have to. Nor may a test return before it has
stated something: cases that do not count are left out by `assume`, or by what the test is drawn from.
"""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
FILES = sorted(TESTS.rglob("*.py"))
EXPECTS = {"raises", "warns", "deprecated_call", "fail"}


def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def called(node):
    """Name of the function that a call names, or None."""
    if not isinstance(node, ast.Call):
        return None
    return getattr(node.func, "attr", getattr(node.func, "id", None))


def functions(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def states(body, helpers):
    """Whether some statement of a list says something in every case."""
    return any(states_something(statement, helpers) for statement in body)


def states_something(statement, helpers):
    match statement:
        case ast.Assert():
            return True
        case ast.If(body=body, orelse=orelse):
            return states(body, helpers) and states(orelse, helpers)
        case ast.With(items=items, body=body):
            return any(called(item.context_expr) in EXPECTS for item in items) or states(body, helpers)
        case ast.For(body=body) | ast.While(body=body):
            return states(body, helpers)
        case ast.Try(body=body, orelse=orelse, finalbody=last):
            return states([*body, *orelse, *last], helpers)
        case ast.Expr(value=value) | ast.Assign(value=value):
            return any(called(node) in helpers for node in ast.walk(value))
    return False


def silent_ends(body, helpers):
    """Lines of `return` that are reached before anything was stated."""
    for statement in body:
        if isinstance(statement, ast.Return):
            yield statement.lineno
        for part in ("body", "orelse", "finalbody"):
            if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
                yield from silent_ends(getattr(statement, part, []), helpers)
        if states_something(statement, helpers):
            return


def asserting_functions(trees):
    """Names of helpers that state something themselves, directly or through each other; numpy's count too."""
    helpers = EXPECTS | {name for name in dir(__import__("numpy").testing) if name.startswith("assert")}
    made = [function for tree in trees for function in functions(tree)]
    while True:
        more = {function.name for function in made if states(function.body, helpers)} - helpers
        if not more:
            return helpers
        helpers |= more


HELPERS = asserting_functions([parsed(path) for path in FILES])


def faults(tree, helpers=None):
    """(line, what is wrong) of every test in a file."""
    found = []
    for test in functions(tree):
        if test.name.startswith("test"):
            if not states(test.body, HELPERS if helpers is None else helpers):
                found.append((test.lineno, f"{test.name} asserts under a condition only, or nothing"))
            found += [
                (line, f"{test.name} ends before it states anything; `assume` says which cases count")
                for line in silent_ends(test.body, HELPERS if helpers is None else helpers)
            ]
    return found


def test_such_tests_are_found():
    text = "def test_a():\n    if x:\n        assert y\n\ndef test_b():\n    if x:\n        return\n    assert y\n"
    assert [line for line, _ in faults(ast.parse(text), set())] == [1, 7]
    assert (
        faults(ast.parse("def test_c():\n    for x in y:\n        with raises(E):\n            f(x)\n")) == []
    )
    assert (
        faults(ast.parse("def test_d():\n    if x:\n        assert y\n    else:\n        assert z\n")) == []
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TESTS)))
def test_every_test_states_something_in_every_case(path):
    assert faults(parsed(path)) == []


@pytest.mark.parametrize(("rule", "code"), [("", 0), ("forbidden", 1)])
@pytest.mark.parametrize("workers", [[], ["-n", "1"]])
def test_a_run_that_skips_fails_where_skips_are_forbidden(tmp_path, rule, code, workers):
    text = "import pytest\n\ndef test_a():\n    pytest.importorskip('no_such_package_here')\n\ndef test_b():\n    assert True\n"
    (tmp_path / "test_file.py").write_text(text, encoding="utf-8")
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "skips",
        *workers,
        "--rootdir",
        str(tmp_path),
    ]
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "MODECONTROL_SKIPS": rule}
    done = subprocess.run(
        [*words, str(tmp_path)], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout
    assert "1 skipped" in done.stdout
