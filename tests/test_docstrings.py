"""Every argument of the public API stands in a docstring.

The walk goes over `modecontrol.__all__` and `modecontrol.interop.__all__`: functions, classes with their
fields and constructors, and the methods that users can call. A parameter counts as documented when the
section "Parameters" (or "Attributes", or "Other Parameters") of the function, or of the class for its
constructor and fields, lists its name, or when the field has a docstring of its own.
"""

import ast
import inspect
import re
import textwrap
from dataclasses import fields, is_dataclass
from itertools import pairwise

import pytest

import modecontrol as mc
import modecontrol.interop as interop

OURS = ("modecontrol", __name__)
SECTION = re.compile(
    r"^(Parameters|Other Parameters|Attributes)\n-{3,}\n(.*?)(?=^\S[^\n]*\n-{3,}$|\Z)",
    re.MULTILINE | re.DOTALL,
)


def listed(docstring):
    """Names that the sections on parameters and attributes list, without types and stars."""
    found = set()
    for _, body in SECTION.findall(inspect.cleandoc(docstring or "") + "\n"):
        for line in re.sub(r"\\\n\s*", "", body).splitlines():
            if line and not line[0].isspace():
                found |= {name.strip().lstrip("*") for name in line.partition(" : ")[0].split(",")}
    return found


def annotated(cls):
    """Fields of a class that a string right below them documents."""
    body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0].body
    return {
        first.target.id
        for first, second in pairwise(body)
        if isinstance(first, ast.AnnAssign)
        and isinstance(first.target, ast.Name)
        and isinstance(second, ast.Expr)
        and isinstance(second.value, ast.Constant)
        and isinstance(second.value.value, str)
    }


def arguments(function):
    return [
        name
        for name in inspect.signature(function).parameters
        if name not in ("self", "cls") and not name.startswith("_")
    ]


def missing_of_function(name, function, documented=frozenset()):
    known = listed(function.__doc__) | documented
    return [f"{name}({argument})" for argument in arguments(function) if argument not in known]


def missing_of_class(name, cls):
    known = listed(cls.__doc__) | annotated(cls)
    for base in cls.__mro__[1:]:
        if base.__module__.startswith(OURS):
            known |= listed(base.__doc__) | annotated(base)
    found = []
    if is_dataclass(cls):
        found += [
            f"{name}.{f.name}" for f in fields(cls) if not f.name.startswith("_") and f.name not in known
        ]
    elif hasattr(cls, "_fields"):
        found += [f"{name}.{field}" for field in cls._fields if field not in known]
    elif "__init__" in vars(cls) and not getattr(cls, "_is_protocol", False):
        found += missing_of_function(name, cls.__init__, known)
    for base in cls.__mro__:
        if not base.__module__.startswith(OURS):
            continue
        for member, value in vars(base).items():
            plain = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            if inspect.isfunction(plain) and (not member.startswith("_") or member == "__call__"):
                # a method that overrides another need not say the same again
                above = set().union(
                    *(
                        listed(getattr(getattr(parent, member, None), "__doc__", ""))
                        for parent in base.__mro__
                    )
                )
                found += missing_of_function(f"{name}.{member}", plain, above)
    return list(dict.fromkeys(found))


PUBLIC = [
    (package.__name__, name) for package in (mc, interop) for name in package.__all__ if name != "__version__"
]


@pytest.mark.parametrize(("package", "name"), PUBLIC, ids=[f"{package}.{name}" for package, name in PUBLIC])
def test_every_argument_is_documented(package, name):
    try:
        thing = getattr(mc if package == "modecontrol" else interop, name)
    except ModuleNotFoundError as error:
        pytest.skip(str(error))
    if inspect.isclass(thing) and issubclass(thing, Exception):
        assert inspect.getdoc(thing)
        return
    missing = missing_of_class(name, thing) if inspect.isclass(thing) else missing_of_function(name, thing)
    assert not missing, f"not in a section Parameters: {', '.join(missing)}"


def test_the_walk_finds_what_is_missing():
    """The test of the test: documented, undocumented and inherited arguments."""

    class Base:
        """Base.

        Parameters
        ----------
        a, b
            Both.
        """

        def __init__(self, a, b, c):
            pass

        def method(self, x, *rest, **words):
            """Method.

            Parameters
            ----------
            x : int
                One.
            **words
                Others.
            """

    assert missing_of_class("Base", Base) == ["Base(c)", "Base.method(rest)"]
    assert listed("Title.\n\nParameters\n----------\nx, *y\n    Text.\n\nReturns\n-------\nz\n    Text.") == {
        "x",
        "y",
    }
