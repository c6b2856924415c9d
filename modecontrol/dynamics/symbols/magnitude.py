"""`abs(x)` of real expressions, in symbols that say nothing of being real: differentiated it is the sign of `x`."""

from __future__ import annotations

from typing import Any

import sympy as sp


class sign(sp.sign):  # noqa: N801 - printed by its name
    """The sign of a real expression, constant on both sides of zero."""

    def _eval_derivative(self, symbol: Any) -> Any:
        return sp.S.Zero


class Abs(sp.Abs):
    """The absolute value of a real expression."""

    def _eval_derivative(self, symbol: Any) -> Any:
        return self.args[0].diff(symbol) * sign(self.args[0])
