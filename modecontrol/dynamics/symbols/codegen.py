"""Symbolic arrays as one quick numeric function: common subexpressions are computed once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Numbers = Sequence[float] | np.ndarray
MATRICES = frozenset({"mass", "actuation", "contact_jacobian", "loop_jacobian", "coriolis_matrix"})
"""Arrays that stay two-dimensional when they have one column."""


@dataclass(frozen=True, eq=False)
class Evaluator:
    """`(q, v, p) -> arrays`, compiled from symbolic arrays by `compile_arrays`.

    Entries that are numbers are stored, all others come out of one generated Python function in which each
    common subexpression stands once; it works on Python floats with the `math` module, which for single
    states is several times quicker than arrays of length one.
    """

    shapes: Mapping[str, tuple[int, ...]]
    constants: np.ndarray
    """All arrays one after the other, NaN where the function fills in."""
    variable: np.ndarray
    """Places that the function fills in."""
    function: Any
    """Generated: `function(q, v, p)` with lists of floats returns the variable entries."""

    def __call__(self, q: Numbers, v: Numbers, p: Numbers = ()) -> dict[str, np.ndarray]:
        """The arrays at one state, read-only.

        Parameters
        ----------
        q, v
            Configuration and velocity, in the order of the symbols.
        p
            Values of the parameters, likewise.

        """
        flat = self.constants.copy()
        if len(self.variable):
            try:
                flat[self.variable] = self.function(_floats(q), _floats(v), _floats(p))
            except (ArithmeticError, ValueError, TypeError) as error:
                raise ValueError(
                    f"the equations have no value at q = {_floats(q)}, v = {_floats(v)} "
                    f"({error}); expected a state where they are finite and real"
                ) from None
        flat.setflags(write=False)
        arrays, start = {}, 0
        for name, shape in self.shapes.items():
            end = start + math.prod(shape)
            arrays[name] = flat[start:end].reshape(shape)
            start = end
        return arrays


def compile_arrays(
    arrays: Mapping[str, Any], q: Sequence[Any], v: Sequence[Any], p: Sequence[Any] = ()
) -> Evaluator:
    """One function for several symbolic arrays.

    Parameters
    ----------
    arrays
        Matrices and scalar expressions; a single column becomes a vector unless its name is in `MATRICES`.
    q, v, p
        The symbols that may occur: coordinates, velocities, parameters.

    Returns
    -------
    Evaluator
        Called with numbers for `q, v, p` it returns a dict with the same names.

    """
    import sympy as sp

    shapes: dict[str, tuple[int, ...]] = {}
    entries: list[Any] = []
    for name, array in arrays.items():
        shape: tuple[int, ...] = getattr(array, "shape", ())
        shapes[name] = shape if len(shape) < 2 or shape[1] != 1 or name in MATRICES else shape[:1]
        entries.extend(array if shape else [array])
    known = {*q, *v, *p}
    for entry in entries:
        strange = entry.free_symbols - known
        if strange:
            raise ValueError(
                f"the expression {entry} contains {', '.join(sorted(map(str, strange)))}; "
                f"expected only {', '.join(sorted(map(str, known)))}"
            )
    constants = np.array([float(entry) if entry.is_number else math.nan for entry in entries])
    variable = [i for i, entry in enumerate(entries) if not entry.is_number]
    try:
        function = sp.lambdify(
            [list(q), list(v), list(p)],
            [entries[i] for i in variable],
            modules="math",
            cse=lambda expressions: sp.cse(expressions, order="none", list=False),
        )
    except Exception as error:  # the printers raise many kinds
        raise ValueError(f"the equations cannot be turned into numbers: {error}") from None
    return Evaluator(shapes, constants, np.array(variable, dtype=np.intp), function)


def _floats(values: Numbers) -> list[float]:
    return values.tolist() if isinstance(values, np.ndarray) else [float(value) for value in values]
