"""Rules of the house that a machine can keep: numbers that decide, lengths of functions, numbers of parameters."""

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "modecontrol"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "models" not in path.parts)
CORE = sorted([*(PACKAGE / "_core").rglob("*.cpp"), *(PACKAGE / "_core").rglob("*.hpp")])
SMALL = 1e-5
"""A literal up to this decides what counts as zero or equal; steps in time and default settings are larger."""


def name(path):
    return str(path.relative_to(PACKAGE))


def small_numbers(text):
    """Lines and values of literals so small that they can only be tolerances."""
    return [
        (node.lineno, node.value)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and 0 < abs(node.value) <= SMALL
    ]


def small_numbers_of_core(text):
    code = re.sub(r"//[^\n]*", "", text)
    return [found for found in re.findall(r"(?<![\w.])\d+\.?\d*e-\d+", code) if float(found) <= SMALL]


def functions(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def lines_of_code(function):
    """Lines of a function without its arguments and its docstring."""
    first = function.body[0]
    text = isinstance(first, ast.Expr) and isinstance(getattr(first, "value", None), ast.Constant)
    return function.end_lineno - (first.end_lineno if text else first.lineno - 1)


def test_the_search_for_small_numbers_finds_them():
    assert small_numbers("a = 1e-9 * b\nstep = 1e-3") == [(1, 1e-9)]
    assert small_numbers_of_core("x < 1e-12; // 1e-13\ndouble h = 1e-3;") == ["1e-12"]


DECIDING = [path for path in MODULES if path.name != "tolerances.py" and path.parent.name != "view"]
"""Pictures are left out: there a small number moves a line by less than a pixel."""


@pytest.mark.parametrize("path", DECIDING, ids=name)
def test_numbers_that_decide_stand_in_tolerances(path):
    assert small_numbers(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", CORE, ids=name)
def test_the_core_reads_its_numbers_from_the_same_place(path):
    assert small_numbers_of_core(path.read_text(encoding="utf-8")) == []


def test_no_tolerance_has_two_values():
    tree = ast.parse((PACKAGE / "tolerances.py").read_text(encoding="utf-8"))
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    names = [part.id for target in targets for part in getattr(target, "elts", [target])]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_functions_are_short_and_take_few_arguments_by_position(path):
    for function in functions(path):
        where = f"{name(path)}:{function.lineno} {function.name}"
        assert lines_of_code(function) <= 80, f"{where} is too long"
        positional = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        taken = len(positional) - (positional[:1] in (["self"], ["cls"]))
        assert taken <= 6, f"{where} takes {taken} arguments by position"


KEYWORDS = {"if", "for", "while", "switch", "catch", "return", "sizeof", "alignof", "decltype", "defined"}
MOST_LINES, MOST_PARAMETERS = 80, 6
WIDER = {
    "timestepping/detection.cpp write_law": "a contact, its place, whether it is a claw, and the step that its law is scaled by",
    "timestepping/first_impact.cpp first_impact": "the objects of a step, which belong to the stepper one by one",
}
"""Functions of the core that take more parameters, and why."""


def without_words(text):
    """C++ without comments, texts and preprocessor lines; every line stays in its place."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    return re.sub(
        r"^[ \t]*#(?:.*\\\n)*.*", lambda found: "\n" * found[0].count("\n"), text, flags=re.MULTILINE
    )


def closing(code, start):
    """Where the bracket at `start` is closed."""
    depth = 0
    for i in range(start, len(code)):
        depth += code[i] in "({[<" and not (code[i] == "<" and code[start] != "<")
        depth -= code[i] in ")}]>" and not (code[i] == ">" and code[start] != "<")
        if depth == 0:
            return i
    raise ValueError("a bracket is not closed")


def parameters(text):
    """How many commas on the first level separate parameters."""
    depth, count = 0, 1 if text.strip() else 0
    for letter in text:
        depth += letter in "({[<"
        depth -= letter in ")}]>"
        count += letter == "," and depth == 0
    return count


def functions_of_core(text):
    """(name, line, lines of the body, parameters) of every function that is defined with a body."""
    code, found = without_words(text), []
    for name in re.finditer(r"([A-Za-z_]\w*|operator\S{1,2})\s*\(", code):
        if name[1] in KEYWORDS or re.search(
            r"(?:\.|->|(?<!:):|\breturn|\bnew|[=,(!&|?+<-])\s*$", code[: name.start()]
        ):
            continue
        end = closing(code, name.end() - 1)
        body = re.match(
            r"\)\s*(?:const|noexcept|override|final|\s)*(?:->\s*[\w:<>]+\s*)?(?::(?!:)[^{;]*?)?\{", code[end:]
        )
        if body is None:
            continue
        start = end + body.end() - 1
        lines = code.count("\n", start, closing(code, start))
        found.append(
            (name[1], code.count("\n", 0, name.start()) + 1, lines, parameters(code[name.end() : end]))
        )
    return found


def test_functions_of_the_core_are_found():
    text = (
        "int f(int a, std::map<int, int> b) {\n  if (a) { g(1); }\n  return a;\n}\nT::T(int a) : a_(a) {}\n"
    )
    assert functions_of_core(text) == [("f", 1, 3, 2), ("T", 5, 0, 1)]


@pytest.mark.parametrize("path", CORE, ids=name)
def test_functions_of_the_core_are_short_and_take_few_parameters(path):
    """What a binding takes are the arguments of a call from Python, which checks their number and names."""
    for function, line, lines, count in functions_of_core(path.read_text(encoding="utf-8")):
        where = f"{name(path)}:{line} {function}"
        assert lines <= MOST_LINES, f"{where} is too long"
        exempt = (
            path.name.startswith("binding") or f"{path.relative_to(PACKAGE / '_core')} {function}" in WIDER
        )
        assert count <= MOST_PARAMETERS or exempt, f"{where} takes {count} parameters"


def test_the_citation_has_the_version_of_the_package():
    from modecontrol import __version__

    cited = (PACKAGE.parent / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", cited, re.MULTILINE)[1] == __version__
