"""Arithmetic written as text, read and never executed.

`Expression("l/2 * cos(theta)")` is parsed once into a syntax tree; only numbers, names, `+ - * / **`, signs
and the functions in `FUNCTIONS` may stand in it. The same tree is walked with floats (`evaluate`) and with
any number-like objects, such as the symbols of a computer algebra system (`apply`).
"""

from __future__ import annotations

import ast
import math
import numbers
import operator
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from modecontrol import tolerances
from modecontrol.validation import meant

LONGEST = 2000
"""Characters an expression may have."""
DEEPEST = 60
"""Levels of nesting an expression may have."""
HIGHEST_POWER = 1000
"""Largest exponent that may be written as a number."""

FUNCTIONS: Mapping[str, Callable[..., float]] = MappingProxyType(
    {
        "sin": math.sin,
        "cos": math.cos,
        "tan": math.tan,
        "sqrt": math.sqrt,
        "asin": math.asin,
        "acos": math.acos,
        "atan": math.atan,
        "atan2": math.atan2,
        "abs": abs,
        "min": min,
        "max": max,
        "exp": math.exp,
        "log": math.log,
    }
)
"""The functions that an expression may call; `atan2` takes two arguments, `min` and `max` two or more."""
CONSTANTS: Mapping[str, float] = MappingProxyType({"pi": math.pi})


def _power(base: Any, exponent: Any) -> Any:
    value = base**exponent
    if isinstance(value, complex):
        raise ValueError(f"{base:g} to the power {exponent:g} is not real")
    return value


_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: _power,
}
_UNARY: dict[type, Callable[[Any], Any]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}


@dataclass(frozen=True)
class Expression:
    """An arithmetic expression in named quantities.

    Parameters
    ----------
    text
        The expression, for instance `"m*l**2/12"`.

    Raises
    ------
    ValueError
        If the text is anything but arithmetic; the message names the offending piece.

    """

    text: str
    tree: ast.expr = field(init=False, repr=False, compare=False)
    names: frozenset[str] = field(init=False, repr=False, compare=False)
    """The names that need a value (`pi` is not one of them)."""

    def __post_init__(self) -> None:
        tree, names = _read(self.text) if isinstance(self.text, str) else (_parse(self.text), frozenset())
        object.__setattr__(self, "tree", tree)
        object.__setattr__(self, "names", names)

    def __str__(self) -> str:
        return self.text

    def evaluate(self, values: Mapping[str, float]) -> float:
        """The value as a float.

        Parameters
        ----------
        values
            A number for each of `names`; more is allowed.

        Raises
        ------
        ValueError
            If a name has no value, or the result is not a real number (infinite only if a value is).

        """
        missing = sorted(self.names - values.keys())
        if missing:
            known = f"known are {', '.join(sorted(values))}" if values else "no name is known here"
            raise ValueError(
                f"expression '{self.text}': unknown name '{missing[0]}'{meant(missing[0], values)}; {known}"
            )
        used = {name: float(values[name]) for name in self.names}
        try:
            value = _walk(self.tree, used, FUNCTIONS, float)
        except (ArithmeticError, ValueError) as error:
            raise ValueError(f"expression '{self.text}' has no value: {error}") from None
        endless = not all(map(math.isfinite, used.values()))
        if math.isnan(value) or (math.isinf(value) and not endless):
            raise ValueError(f"expression '{self.text}' gives {value}; a finite real number was expected")
        return float(value)

    def apply(
        self,
        names: Mapping[str, Any],
        functions: Mapping[str, Callable[..., Any]],
        number: Callable[[float], Any] | None = None,
    ) -> Any:
        """The value in any arithmetic, for instance with `sympy` symbols and `sympy.sin`.

        Parameters
        ----------
        names
            An object for each of `names`; may also hold one for `pi` (a float otherwise).
        functions
            A function for each function the expression calls.
        number
            Turns a number that is written in the expression (an `int` when it is whole, else a `float`)
            into an object; by default it stays as it is.

        """
        missing = sorted((self.names - names.keys()) | (_called(self.tree) - functions.keys()))
        if missing:
            raise ValueError(f"expression '{self.text}': nothing was given for '{missing[0]}'")
        return _walk(self.tree, names, functions, _whole if number is None else lambda x: number(_whole(x)))

    def is_linear_in(self, names: Iterable[str]) -> bool:
        """Whether the expression is an affine function of the named quantities, the others held.

        Parameters
        ----------
        names
            Names to look at.

        """
        return _degree(self.tree, frozenset(names)) <= 1


def _degree(node: ast.expr, names: frozenset[str]) -> int:
    """Degree in the named quantities: 0 constant, 1 affine, 2 anything else."""
    match node:
        case ast.Constant():
            return 0
        case ast.Name(id=name):
            return int(name in names)
        case ast.UnaryOp(operand=operand):
            return _degree(operand, names)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            return max(_degree(left, names), _degree(right, names))
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return min(2, _degree(left, names) + _degree(right, names))
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _degree(left, names) if _degree(right, names) == 0 else 2
    inner = [child for child in ast.walk(node) if isinstance(child, ast.Name) and child.id in names]
    return 2 if inner else 0


def number(value: Any) -> float | Expression:
    """A float, or an `Expression` if the value is text that contains names.

    Parameters
    ----------
    value
        A number or a text, as a model file has it.

    Raises
    ------
    ValueError
        If it is neither, is not a number (NaN), or the text is not arithmetic.

    """
    if isinstance(value, Expression):
        return value
    if isinstance(value, str):
        expression = Expression(value)
        return expression if expression.names else expression.evaluate({})
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ValueError(f"found {shown(value)}; a number or an expression in quotes was expected")
    try:
        found = float(value)
    except OverflowError:
        found = math.nan
    if math.isnan(found):
        raise ValueError(f"found {shown(value)}; a number was expected")
    return found


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[ast.expr, frozenset[str]]:
    """Tree and names of a text, made once: a study reads the same texts for every model."""
    tree = _parse(text)
    names: set[str] = set()
    _check(tree, text, names, 0)
    return tree, frozenset(names)


def _parse(text: str) -> ast.expr:
    if not isinstance(text, str):
        raise ValueError(f"found {shown(text)}; an expression as text was expected")
    if not text.strip():
        raise ValueError("found an empty expression; arithmetic such as 'l/2' was expected")
    if len(text) > LONGEST:
        raise ValueError(f"expression '{_short(text)}' has {len(text)} characters; expected {LONGEST}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip(), mode="eval").body
    except (RecursionError, MemoryError):
        raise ValueError(f"expression '{_short(text)}' is nested too deeply") from None
    except (SyntaxError, ValueError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise ValueError(f"expression '{_short(text)}' cannot be read: {reason}") from None


def _check(node: ast.expr, text: str, names: set[str], depth: int) -> None:
    """Refuse everything that is not plain arithmetic; collect the names."""
    if depth > DEEPEST:
        raise ValueError(f"expression '{_short(text)}' is nested more than {DEEPEST} deep")
    match node:
        case ast.Constant(value=bool() | str() | bytes() | complex() | None):
            raise _refusal(node, text)
        case ast.Constant(value=int() | float() as value):
            if abs(value) > tolerances.LARGEST_WRITTEN:
                raise ValueError(f"expression '{_short(text)}': a number exceeds 1e300; expected less")
        case ast.Name(id=name):
            if name in FUNCTIONS:
                raise ValueError(f"expression '{_short(text)}': '{name}' is a function; write {name}(...)")
            if name not in CONSTANTS:
                names.add(name)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            _check(operand, text, names, depth + 1)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            _check(left, text, names, depth + 1)
            _check(right, text, names, depth + 1)
            if isinstance(op, ast.Pow):
                _check_power(node, right, text)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            least, most = {"atan2": (2, 2), "min": (2, 99), "max": (2, 99)}.get(name, (1, 1))
            if not least <= len(arguments) <= most:
                raise ValueError(
                    f"expression '{_short(text)}': {name} has {len(arguments)} arguments; "
                    f"{least}{' or more' if most > least else ''} expected"
                )
            for argument in arguments:
                _check(argument, text, names, depth + 1)
        case _:
            raise _refusal(node, text)


def _check_power(node: ast.expr, exponent: ast.expr, text: str) -> None:
    """Numbers raised to numbers stay small, so that exact arithmetic cannot be made to run for ever."""
    for piece, bound in ((exponent, float(HIGHEST_POWER)), (node, tolerances.LARGEST_WRITTEN)):
        if any(isinstance(part, ast.Name) and part.id not in FUNCTIONS for part in ast.walk(piece)):
            continue
        try:
            value = abs(_walk(piece, {}, FUNCTIONS, float))
        except OverflowError:
            value = math.inf
        except (ZeroDivisionError, ValueError):
            value = 0.0  # evaluate will say that it has no value
        if not value <= bound:
            raise ValueError(
                f"expression '{_short(text)}': the power '{ast.unparse(node)}' is too large; "
                f"exponents up to {HIGHEST_POWER} and values up to 1e300 were expected"
            )


def _refusal(node: ast.expr, text: str) -> ValueError:
    try:
        piece = ast.unparse(node)
    except (RecursionError, ValueError):
        piece = type(node).__name__
    return ValueError(
        f"expression '{_short(text)}': '{_short(piece)}' is not allowed; only numbers, "
        f"names, + - * / ** and {', '.join(FUNCTIONS)} were expected"
    )


def _walk(
    node: ast.expr,
    names: Mapping[str, Any],
    functions: Mapping[str, Callable[..., Any]],
    literal: Callable[[float], Any],
) -> Any:
    match node:
        case ast.Constant(value=value):
            return literal(value)  # type: ignore[arg-type]
        case ast.Name(id=name):
            return names[name] if name in names else CONSTANTS[name]
        case ast.UnaryOp(op=op, operand=operand):
            return _UNARY[type(op)](_walk(operand, names, functions, literal))
        case ast.BinOp(left=left, op=op, right=right):
            first, second = (_walk(side, names, functions, literal) for side in (left, right))
            return _BINARY[type(op)](first, second)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return functions[name](*[_walk(argument, names, functions, literal) for argument in arguments])
    raise TypeError(f"{type(node).__name__} in a checked expression")


def _called(tree: ast.expr) -> set[str]:
    return {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def _whole(value: float) -> float:
    return int(value) if float(value).is_integer() else float(value)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:77] + "..."


def shown(value: Any) -> str:
    """A wrong value and its type, in one short line."""
    return f"{_short(repr(value))} ({type(value).__name__})"
