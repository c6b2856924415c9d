"""Rules of the house that a machine can keep: numbers that decide, lengths of functions, numbers of parameters."""

import ast
import contextlib
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "modecontrol"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "models" not in path.parts)
CORE = sorted([*(PACKAGE / "_core").rglob("*.cpp"), *(PACKAGE / "_core").rglob("*.hpp")])
SMALL, HUGE = 1e-5, 1e10
"""A literal up to the first, or from the second on, decides what counts as zero, equal or endless; steps in time and
default settings are between them."""
COMPARED, FAR_APART = 0.01, 100.0
"""Up to the first, or from the second on, a literal decides where something is compared with it; so does a name of a module
that stands for such a number."""
MACHINE = {"finfo", "ulp", "nextafter", "spacing", "epsilon"}
"""Names by which the precision of the machine is asked for."""


def name(path):
    return str(path.relative_to(PACKAGE))


ARITHMETIC = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)


def number(node):
    """The float that an expression of numbers alone stands for, also as text in `float("1e-9")`; otherwise None."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "float" and len(node.args) == 1:
        text = node.args[0]
        with contextlib.suppress(ValueError):
            return float(text.value) if isinstance(text, ast.Constant) else None
    if not all(isinstance(part, ARITHMETIC) for part in ast.walk(node)):
        return None
    with contextlib.suppress(TypeError, ValueError, ArithmeticError):
        value = eval(ast.unparse(node), {})
        return value if isinstance(value, float) else None


def deciding_numbers(text):
    """Lines and expressions of numbers that can only be tolerances: tiny, huge, small where they are compared, or taken
    from the precision of the machine."""
    tree = ast.parse(text)
    named = named_numbers(tree)
    compared = {
        id(part) for node in ast.walk(tree) if isinstance(node, ast.Compare) for part in ast.walk(node)
    }
    found = []
    for node in ast.walk(tree):
        value = abs(number(node) or 0.0) if isinstance(node, ast.expr) else 0.0
        decides = 0 < value <= SMALL or HUGE <= value < float("inf")
        if id(node) in compared:
            value = named.get(node.id, 0.0) if isinstance(node, ast.Name) else value
            decides = decides or 0 < value <= COMPARED or FAR_APART <= value < float("inf")
        if decides or (isinstance(node, ast.Attribute) and node.attr in MACHINE):
            found.append((node.lineno, ast.unparse(node)))
    return found


def named_numbers(tree):
    """Sizes of the floats that a module gives names to; whole numbers are counts."""
    found = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            names, values = getattr(target, "elts", [target]), [node.value]
            if len(names) > 1:
                values = getattr(node.value, "elts", [])
            for name, value in zip(names, values, strict=False):
                if isinstance(name, ast.Name) and number(value) is not None:
                    found[name.id] = abs(number(value))
    return found


LITERAL = re.compile(r"(?<![\w.])(0x[\da-f.]+p[+-]?\d+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)", re.IGNORECASE)


def deciding_numbers_of_core(text):
    """The same for C++: literals that are tiny or huge, however they are written."""
    code = re.sub(r"//[^\n]*", "", text)
    texts = [found for found in LITERAL.findall(code) if not found.isdigit()]
    values = {found: float.fromhex(found) if found[:2] in ("0x", "0X") else float(found) for found in texts}
    named = re.findall(r"constexpr (?:double|float) \w+ = -?(" + LITERAL.pattern + r");", code, LITERAL.flags)
    limits = [found[0] for found in named if SMALL < values.get(found[0], 0.0) <= COMPARED]
    return [found for found in texts if 0 < values[found] <= SMALL or values[found] >= HUGE] + limits


def functions(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def lines_of_code(function):
    """Lines of a function without its arguments and its docstring."""
    first = function.body[0]
    text = isinstance(first, ast.Expr) and isinstance(getattr(first, "value", None), ast.Constant)
    return function.end_lineno - (first.end_lineno if text else first.lineno - 1)


def test_the_search_for_deciding_numbers_finds_them():
    assert deciding_numbers("a = 1e-9 * b\nstep = 1e-3") == [(1, "1e-09")]
    for hidden in (
        "0.000001",
        "10.0**-9",
        "10**-9",
        "1 / 1e9",
        "2.0**-40",
        "-1e-7",
        "float('1e-8')",
        "1e12",
        "np.finfo(x)",
    ):
        assert deciding_numbers(f"near = {hidden}"), hidden
    for compared in ("a < 0.001", "0.01 * size >= gap", "a == 1e-4"):
        assert deciding_numbers(compared), compared
    named = (
        "LOADED = 1e3\na > LOADED * b",
        "NEAR, FAR = 0.01, 2.0\na < NEAR",
        "NEAR: float = 1e-3\na <= b * NEAR",
    )
    for compared in (*named, "a > 1e3 * b", "a <= 250.0"):
        assert deciding_numbers(compared), compared
    for harmless in (
        "MOST = 100_000_000\nn > MOST",
        "STEP = 1e-3\nh = STEP",
        "NEAR, FAR = 0.01, 2.0\na > FAR",
    ):
        assert deciding_numbers(harmless) == [], harmless
    for harmless in ("h = 1e-3", "a < 0.5", "n = 10**9", "x = float('inf')", "float(text)", "a < b - 1"):
        assert deciding_numbers(harmless) == [], harmless
    assert deciding_numbers_of_core("x < 1e-12; // 1e-13\ndouble h = 1e-3; v1e_9 = 3; a.x9 = 1;") == ["1e-12"]
    for hidden in ("1E-9", ".5e-9", "0.0000001", "0x1p-40", "1e200", "1.e-7"):
        assert deciding_numbers_of_core(f"return x < {hidden};") == [hidden]
    assert deciding_numbers_of_core("constexpr double ENOUGH = 1e-3;  // 1e-4\ndouble h = 1e-3;") == ["1e-3"]


DECIDING = [path for path in MODULES if path.name != "tolerances.py" and path.parent.name != "view"]
"""Pictures are left out: there a small number moves a line by less than a pixel."""


@pytest.mark.parametrize("path", DECIDING, ids=name)
def test_numbers_that_decide_stand_in_tolerances(path):
    assert deciding_numbers(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", CORE, ids=name)
def test_the_core_reads_its_numbers_from_the_same_place(path):
    assert deciding_numbers_of_core(path.read_text(encoding="utf-8")) == []


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


MOST_IN_A_MODULE, MOST_OF_CODE = 400, 280
"""Lines of a module in all, and without docstrings, comments and blank lines."""


@pytest.mark.parametrize("path", [path for path in MODULES if path.name != "tolerances.py"], ids=name)
def test_modules_are_one_idea_long(path):
    text = path.read_text(encoding="utf-8")
    written = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, node.end_lineno + 1)
    }
    lines = text.splitlines()
    code = [
        n for n, line in enumerate(lines, 1) if line.strip() and n not in written and line.strip()[0] != "#"
    ]
    assert len(lines) <= MOST_IN_A_MODULE
    assert len(code) <= MOST_OF_CODE


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


def private_writes(text):
    """Lines that set a private field, or an entry of the `__dict__`, of another object than `self`."""
    found = []
    for node in ast.walk(ast.parse(text)):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            found += [node.lineno for target in targets if is_private(target)]
    return found


def is_private(target):
    if isinstance(target, ast.Subscript):
        target = target.value
        return isinstance(target, ast.Attribute) and target.attr == "__dict__" and not is_own(target.value)
    private = isinstance(target, ast.Attribute) and target.attr.startswith("_")
    return private and not is_own(target.value)


def is_own(node):
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def test_writes_to_private_fields_are_found():
    assert private_writes("x._a = 1\ny.b._c += 2\nz.__dict__['d'] = 3") == [1, 2, 3]
    assert private_writes("self._a = 1\ncls._b = 2\nx.c = 3\nself.__dict__['d'] = 4\nx[0] = _e = 5") == []


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if path.parent.name != "polytopes"],  # its modules are the methods of one class
    ids=name,
)
def test_no_module_writes_private_fields_of_others(path):
    assert private_writes(path.read_text(encoding="utf-8")) == []


ONE_HOME = {
    "best-first search, in Python": (r"\bheapq\b", {"thrust/best_first.py"}),
    "best-first search, of pieces and of prefixes": (
        r"std::push_heap",
        {"_core/thrust/piece_queue.cpp", "_core/thrust/prefix_heap.cpp"},
    ),
    "the nearest known word": (r"\bget_close_matches\b", {"validation.py"}),
    "the code of a letter": (
        r"\bFIXED = 'F'|^FIXED, \w+, \w+, \w+ =",
        {"_core/layout.hpp", "modes/letters.py"},
    ),
    "letters of old files": (r"b\"SLRF\"", {"timestepping/trajectory_files.py"}),
    "statuses": (r"^enum (class )?(Status|Choice|LcpStatus|ContactMethod)\b", {"_core/layout.hpp"}),
    "retries of a contact problem": (r"tolerances::SOFTER\b", {"_core/timestepping/contact_problem.cpp"}),
    "paths of Lemke's method": (r"^LcpOutcome lemke\(.*\{$", {"_core/lcp/lemke.cpp"}),
    "the rule of ambiguity": (r"^def (clashes_with|counts_against)\(", {"regions/ambiguity.py"}),
    "the rule of ambiguity, in the core": (r"^Relation relation\(.*\{$", {"_core/regions/clash.cpp"}),
    "rows of Coulomb's law": (r"^Law coulomb\(.*\{$", {"_core/modes/laws.cpp"}),
    "Householder step of the affine set": (r"^double reflect\(.*\{$", {"_core/modes/affine_set.cpp"}),
    "vertices by cdd": (r"^\s*import cdd\b", {"polytopes/vertices.py"}),
    "whether a model has bodies": (r"hasattr\(model, \"frames\"\)", {"page/scene.py"}),
}
"""Facts, by what only their home says."""


@pytest.mark.parametrize("fact", ONE_HOME)
def test_a_fact_has_one_home(fact):
    pattern, homes = ONE_HOME[fact]
    found = {
        name(path)
        for path in [*MODULES, *CORE]
        if re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert found == homes


NAMED_AFTER_THEIR_TYPE = {"model", "response", "responses", "trajectory", "snapshot", "session"}
ANYTHING = {
    "dynamics/admissible.py",  # names of a response stand in for a model
    "dynamics/protocol.py",
    "studies",  # the name of a model, its file, or a model
    "trials/rhex/run.py",
}
"""Where something of one of these names may be of several kinds."""


TYPED = [path for path in MODULES if not ANYTHING & {name(path), path.parent.name}]


@pytest.mark.parametrize("path", TYPED, ids=name)
def test_what_is_named_after_its_type_has_that_type(path):
    loose = [
        f"{function.name}({argument.arg})"
        for function in functions(path)
        for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        if argument.arg in NAMED_AFTER_THEIR_TYPE
        and argument.annotation is not None
        and ast.unparse(argument.annotation) == "Any"
    ]
    assert loose == []


ROOT = PACKAGE.parent


def test_every_word_that_make_promises_has_a_rule():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    promised = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)[1].split()
    rules = {word for heads in re.findall(r"^([\w -]+):(?!=)", text, re.MULTILINE) for word in heads.split()}
    assert {"flip", "test", "lint"} <= set(promised)
    assert set(promised) <= rules


def test_what_other_engines_write_is_not_kept():
    assert "MUJOCO_LOG.TXT" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()
