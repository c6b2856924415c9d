"""Linear expressions in accelerations, contact forces and inputs, by name.

| name                                         | quantity                                         |
|----------------------------------------------|--------------------------------------------------|
| `alpha` (or `alpha_dd`)                      | acceleration of the coordinate `alpha`           |
| `body.normal`, `body.tangent`                | force of the contact `body`                      |
| `body.normal_acceleration`, `body.tangent_acceleration` | `xdd` of the contact point            |
| `knee.stop`, `knee.friction`, `knee.drive`   | force in the joint with the coordinate `knee`    |
| `rope.tension`                               | force of the cable `rope`                        |
| `wheel.rolling`                              | moment that resists rolling of the contact `wheel` |
| `tau1`                                       | the input `tau1`                                 |

A name that is both an input and a coordinate means the input; write `name_dd` for the acceleration.
Text such as `"2*body.normal - 3*tau1 >= 20"` is read with `ast`; nothing is ever executed.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from modecontrol.dynamics.contact_entries import CABLE, kind_of
from modecontrol.dynamics.snapshot import Snapshot
from modecontrol.validation import check_number, did_you_mean, is_number, shown

FORCES = ("normal", "tangent")
ENTRY_FORCES = {"stop": 0, "friction": 1, "drive": 1, "rolling": 1}
"""The one force of an entry: `knee.stop` is a normal one, the others are tangential."""
RATES = ("normal_acceleration", "tangent_acceleration")


@dataclass(frozen=True)
class Linear:
    """`sum coefficient * quantity + constant`; add, subtract, scale and compare to make constraints."""

    coefficients: Mapping[str, float]
    constant: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "coefficients", MappingProxyType(dict(self.coefficients)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Linear, (dict(self.coefficients), self.constant)

    @staticmethod
    def of(thing: Linear | str | float) -> Linear:
        """From an expression, its text, or a number."""
        if isinstance(thing, Linear):
            return thing
        if isinstance(thing, str):
            return _read(_parse(thing), thing)
        return Linear({}, _number(thing))

    def __add__(self, other: Linear | float) -> Linear:
        other = Linear.of(other)
        names = [*self.coefficients, *(name for name in other.coefficients if name not in self.coefficients)]
        return Linear(
            {name: self.coefficients.get(name, 0.0) + other.coefficients.get(name, 0.0) for name in names},
            self.constant + other.constant,
        )

    def __mul__(self, factor: float) -> Linear:
        factor = _number(factor)
        return Linear(
            {name: factor * value for name, value in self.coefficients.items()}, factor * self.constant
        )

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Linear:
        return self * -1.0

    def __sub__(self, other: Linear | float) -> Linear:
        return self + -Linear.of(other)

    def __rsub__(self, other: Linear | float) -> Linear:
        return Linear.of(other) + -self

    def __truediv__(self, divisor: float) -> Linear:
        return self * (1.0 / _number(divisor))

    def __ge__(self, other: Linear | float) -> Rule:
        return Rule(self - other, ">=")

    def __le__(self, other: Linear | float) -> Rule:
        return Rule(Linear.of(other) - self, ">=")

    def equals(self, other: Linear | float) -> Rule:
        """The equality `self = other` (a method: `==` compares objects)."""
        return Rule(self - other, "=")

    def __str__(self) -> str:
        terms = [
            (value, f"{abs(value):.12g} {name}".removeprefix("1 "))
            for name, value in self.coefficients.items()
        ]
        if self.constant or not terms:
            terms.append((self.constant, f"{abs(self.constant):.12g}"))
        text = " ".join(f"{'-' if value < 0 else '+'} {term}" for value, term in terms)
        return text.removeprefix("+ ") if text[0] == "+" else "-" + text[2:]

    def __repr__(self) -> str:
        return f"Linear({self})"

    def row(self, snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
        """Coefficients on `(qdd, f, tau)` and the constant, at one instant (contact accelerations need its J
        and d).
        """
        names = snapshot.names
        assert names is not None
        P_q, P_f, P_tau = (
            np.zeros(size) for size in (len(names.coordinates), 2 * len(names.contacts), len(names.inputs))
        )
        constant = self.constant
        for name, value in self.coefficients.items():
            value = check_number(value, f"the coefficient of {name}")
            head, _, tail = name.rpartition(".")
            if tail in FORCES and head in names.contacts:
                P_f[2 * names.contacts.index(head) + FORCES.index(tail)] += value
            elif name in names.contacts and tail in ENTRY_FORCES:
                P_f[2 * names.contacts.index(name) + ENTRY_FORCES[tail]] += value
            elif tail == "tension" and head in names.contacts and snapshot.laws is not None:
                P_f[2 * names.contacts.index(head)] += value
            elif tail in RATES and head in names.contacts:
                i = 2 * names.contacts.index(head) + RATES.index(tail)
                P_q += value * snapshot.jacobian[i]
                constant += value * snapshot.drift[i]
            elif name in names.inputs:
                P_tau[names.inputs.index(name)] += value
            elif name in names.coordinates:
                P_q[names.coordinates.index(name)] += value
            elif name.removesuffix("_dd") in names.coordinates:
                P_q[names.coordinates.index(name.removesuffix("_dd"))] += value
            else:
                raise ValueError(_unknown(name, snapshot))
        return P_q, P_f, P_tau, constant


@dataclass(frozen=True)
class Rule:
    """`expression >= 0` or `expression = 0`."""

    expression: Linear
    sense: str

    def __str__(self) -> str:
        left = Linear(self.expression.coefficients)
        return f"{left} {self.sense} {-self.expression.constant + 0.0:.12g}"

    def __repr__(self) -> str:
        return f"Rule({self})"

    def __bool__(self) -> bool:
        # `1 <= q <= 2` means `(1 <= q) and (q <= 2)` to Python, which would silently forget the first half
        raise TypeError(
            f"the rule {self} is neither true nor false; write a chain such as 1 <= q <= 2 as text "
            "('1 <= tau1 <= 2') or as two rules"
        )


def quantity(name: str) -> Linear:
    """A quantity by its name, to build expressions and rules from.

    Parameters
    ----------
    name
        The name of an acceleration, a contact force, a loop force or an input, such as `"alpha"`, `"body.normal"` or
        `"tau1"`.

    Examples
    --------
    >>> print(quantity("body.normal") - 2 * quantity("tau1") >= 5)
    body.normal - 2 tau1 >= 5
    """
    if not isinstance(name, str):
        raise TypeError(f"found {shown(name)}; expected the name of a quantity such as 'alpha'")
    return Linear({name: 1.0})


def rules(text: str) -> list[Rule]:
    """Read `"a >= b"`, `"a <= b"`, `"a == b"` (or `=`), or a chain such as `"10 <= body.normal <= 20"`."""
    source = text.strip()
    if "=" in source and not any(sign in source for sign in ("==", ">=", "<=", "!=", "=>", "=<")):
        source = source.replace("=", "==")
    tree = _parse(source)
    if not isinstance(tree, ast.Compare):
        raise ValueError(f"constraint {text!r} compares nothing; expected for example 'body.normal >= 20'")
    sides = [_read(side, text) for side in (tree.left, *tree.comparators)]
    found = []
    for left, sign, right in zip(sides, tree.ops, sides[1:], strict=False):
        if isinstance(sign, ast.GtE):
            found.append(left >= right)
        elif isinstance(sign, ast.LtE):
            found.append(left <= right)
        elif isinstance(sign, ast.Eq):
            found.append(left.equals(right))
        else:
            raise ValueError(f"constraint {text!r} has a comparison of another kind; expected >=, <= or ==")
    return found


_TOUCH = re.compile(r"\b([A-Za-z_]\w*)\.([0-9]+)(?=\.)")
"""The touch of a contact (`foot.2.normal`), which is no word to Python."""


def _parse(text: str) -> ast.expr:
    if not text.strip():
        raise ValueError("found an empty text; expected names, numbers, + - * / and one of >= <= ==")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # remarks on numbers that run into words
            return ast.parse(_TOUCH.sub(r"\1.touch_\2", text.strip()), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        why = getattr(error, "msg", str(error)) or "nested too deeply"
        raise ValueError(
            f"cannot read {shown(text)}: {why}; expected names, numbers, + - * / and one of >= <= =="
        ) from None


def _number(thing: float) -> float:
    if not is_number(thing):
        raise TypeError(f"{shown(thing)} is not a number; quantities can be added, and multiplied by numbers")
    return check_number(thing, "a number in an expression")


def _read(node: ast.expr, text: str) -> Linear:
    match node:
        case ast.Constant(value=bool() | str() | bytes() | None):
            pass
        case ast.Constant(value=int() | float() as value):
            return Linear({}, check_number(value, f"a number in {shown(text)}"))
        case ast.Name(id=name):
            return Linear({name: 1.0})
        case ast.Attribute() if (name := ast.unparse(node)).replace(".", "").isidentifier():
            return Linear({name.replace(".touch_", "."): 1.0})
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_read(inner, text)
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _read(inner, text)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _read(left, text) + _read(right, text)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _read(left, text) - _read(right, text)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            a, b = _read(left, text), _read(right, text)
            if not a.coefficients:
                return b * a.constant
            if not b.coefficients:
                return a * b.constant
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            divisor = _read(right, text)
            if not divisor.coefficients and divisor.constant != 0:
                return _read(left, text) / divisor.constant
    raise ValueError(
        f"{ast.unparse(node)!r} in {text!r} is not linear in named quantities; "
        "expected names, numbers, + - and products with numbers"
    )


def _unknown(name: str, snapshot: Snapshot) -> str:
    names = snapshot.names
    assert names is not None
    of_joints = [c for c in names.contacts if c.rpartition(".")[2] in ENTRY_FORCES]
    cables = [c for i, c in enumerate(names.contacts) if kind_of(c, snapshot.laws, i) == CABLE]
    known = [
        *names.coordinates,
        *names.inputs,
        *of_joints,
        *(f"{c}.tension" for c in cables),
        *(
            f"{c}.{part}"
            for c in names.contacts
            if c not in (*of_joints, *cables)
            for part in (*FORCES, *RATES)
        ),
    ]
    hint = did_you_mean(name, known) or "."
    contacts = [c for c in names.contacts if c not in (*of_joints, *cables)]
    said = [
        f"accelerations {', '.join(names.coordinates)}",
        f"inputs {', '.join(names.inputs)}",
    ]
    if contacts or not (of_joints or cables):
        rates = ".normal, .tangent, .normal_acceleration, .tangent_acceleration"
        said.append(f"contacts {', '.join(contacts)} with {rates}")
    said += [f"joints {', '.join(of_joints)}"] if of_joints else []
    said += [f"cables {', '.join(cables)} with .tension"] if cables else []
    return f"unknown quantity {name!r}{hint} Known: {'; '.join(said)}"
