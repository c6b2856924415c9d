"""The equations of motion of a mechanism in symbols: read, printed, substituted, evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from modecontrol.dynamics.mechanism import Mechanism
from modecontrol.dynamics.state import read_state
from modecontrol.validation import counted, is_number, shown

if TYPE_CHECKING:
    from modecontrol.dynamics.symbols.codegen import Evaluator


@dataclass(frozen=True, eq=False)
class Equations:
    """`M qdd + C v + g = S tau + J^T f + G^T lam + passive`, with sympy matrices.

    Attributes
    ----------
    name
        Name of the mechanism.
    coordinates, velocities
        Symbols of `q` and `v`, in order.
    inputs, contacts, pins
        Names of the columns of `S`, of the contacts (two rows each, normal first) and of the loops.
    values
        Values of the parameters, by symbol.
    mass
        `M(q)`.
    coriolis
        `C(q, v) v`, a column; `coriolis_matrix` is `C` itself.
    gravity
        `g(q)`, the gradient of the potential of gravity (of all of `V` where a user gave `V`).
    passive
        Forces of springs, dampers, pushes and of the medium.
    actuation
        `S`.
    contact_position, contact_jacobian, contact_drift
        `h(q)`, `J(q)` and `Jdot v`, rows normal first. `h` is NaN where a tangential velocity is not the rate
        of any function of `q` (disc on disc).
    friction
        Coulomb coefficients, a column.
    loop, loop_jacobian, loop_drift
        Loop closures `c(q) = 0`, `G = dc/dq` and `Gdot v`; rows x and y of each pin, then those of other closures.
    kinetic_energy, potential_energy
        `T(q, v)` and `V(q)`, springs included.

    """

    name: str
    coordinates: tuple[Any, ...]
    velocities: tuple[Any, ...]
    inputs: tuple[str, ...]
    contacts: tuple[str, ...]
    pins: tuple[str, ...]
    values: Mapping[Any, float]
    mass: Any
    coriolis: Any
    gravity: Any
    passive: Any
    actuation: Any
    contact_position: Any
    contact_jacobian: Any
    contact_drift: Any
    friction: Any
    loop: Any
    loop_jacobian: Any
    loop_drift: Any
    kinetic_energy: Any
    potential_energy: Any
    coriolis_source: Callable[[], Any] = field(repr=False)
    """Makes `coriolis_matrix` when it is asked for."""
    loop_rows: tuple[str, ...] = ()
    """Names of the rows of `loop`."""

    def __post_init__(self) -> None:
        used = set().union(*(array.free_symbols for array in self.arrays().values()))
        values = {symbol: value for symbol, value in self.values.items() if symbol in used}
        object.__setattr__(self, "values", MappingProxyType(values))

    @property
    def parameters(self) -> tuple[Any, ...]:
        """Symbols of the parameters that occur."""
        return tuple(self.values)

    @property
    def gap(self) -> Any:
        """`h_n(q)`: distance of each contact, a column."""
        return self.contact_position[::2, :]

    @property
    def bias(self) -> Any:
        """`b = C v + g - passive`, as in `M qdd + b = S tau + J^T f`."""
        return self.coriolis + self.gravity - self.passive

    @cached_property
    def coriolis_matrix(self) -> Any:
        """`C_ij = sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k / 2`, so that `Mdot - 2 C` is skew."""
        return self.coriolis_source()

    @cached_property
    def evaluator(self) -> Evaluator:
        """`(q, v, p) -> arrays`: all arrays of this class, `gap` and `bias`, as one numeric function."""
        from modecontrol.dynamics.symbols.codegen import compile_arrays

        arrays = {**self.arrays(), "gap": self.gap, "bias": self.bias}
        return compile_arrays(arrays, self.coordinates, self.velocities, self.parameters)

    def evaluate(self, q: Any, v: Any = None, **parameters: float) -> dict[str, np.ndarray]:
        """Numbers of all arrays at one state, by name.

        Parameters
        ----------
        q, v
            State: a sequence, or a dict by coordinate name (others zero); `v = None` means at rest.
        **parameters
            Values that differ from `values`, by name.

        """
        names = self._by("coordinates")
        values = dict(self.values)
        for name, value in parameters.items():
            symbol = self._symbol(name)
            if symbol not in values:
                raise ValueError(
                    f"{name!r} is no parameter; expected one of {', '.join(self._by('parameters')) or 'none'}"
                )
            values[symbol] = float(value)
        return self.evaluator(
            read_state(q, names, "q"), read_state({} if v is None else v, names, "v"), list(values.values())
        )

    def subs(
        self,
        replacements: Mapping[Any, Any] | None = None,
        *,
        q: Mapping[str, Any] | None = None,
        v: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> Equations:
        """The equations with symbols replaced by numbers or expressions, all at once.

        Parameters
        ----------
        replacements
            By symbol or by the name of a symbol.
        q, v
            Coordinates and velocities, by coordinate name.
        **parameters
            Parameters, by name.

        """
        given_by_name = {**(replacements or {}), **parameters}
        wanted = {self._symbol(key): _replacement(key, value) for key, value in given_by_name.items()}
        for given, symbols in ((q, self.coordinates), (v, self.velocities)):
            by_name = {c.name: symbol for c, symbol in zip(self.coordinates, symbols, strict=True)}
            for name, value in (given or {}).items():
                if name not in by_name:
                    raise ValueError(f"unknown coordinate {name!r}; expected one of {', '.join(by_name)}")
                wanted[by_name[name]] = _replacement(name, value)
        return self._mapped(lambda x: x.subs(wanted, simultaneous=True))

    def simplify(self) -> Equations:
        """The equations with every entry simplified; takes its time on long ones."""
        import sympy as sp

        return self._mapped(lambda x: x if x is sp.nan else sp.simplify(x))

    def latex(self) -> str:
        """All arrays that have a nonzero entry, one `aligned` line each."""
        from modecontrol.dynamics.symbols.typeset import latex_of

        return latex_of(self)

    def _repr_latex_(self) -> str | None:
        from modecontrol.dynamics.symbols.typeset import notebook_of

        return notebook_of(self)

    def __str__(self) -> str:
        from modecontrol.dynamics.symbols.typeset import text_of

        return text_of(self)

    def __repr__(self) -> str:
        return (
            f"Equations({self.name!r}: {counted(len(self.coordinates), 'coordinate')}, {counted(len(self.inputs), 'input')}, "
            f"{counted(len(self.contacts), 'contact')}, {counted(len(self.pins), 'pin')})"
        )

    def __getstate__(self) -> dict[str, Any]:
        """For process pools: functions cannot be pickled, so the matrix `C` goes along."""
        state = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "coriolis_source"}
        return {**state, "values": dict(self.values), "coriolis_source": self.coriolis_matrix}

    def __setstate__(self, state: dict[str, Any]) -> None:
        matrix = state["coriolis_source"]
        self.__dict__.update(state, values=MappingProxyType(state["values"]), coriolis_source=lambda: matrix)

    def arrays(self) -> dict[str, Any]:
        """All matrices and energies by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)[7:-2]}

    def _by(self, what: str) -> list[str]:
        return [symbol.name for symbol in getattr(self, what)]

    def _symbol(self, key: Any) -> Any:
        if not isinstance(key, str):
            return key
        for symbol in (*self.coordinates, *self.velocities, *self.parameters):
            if symbol.name == key:
                return symbol
        known = [*self._by("coordinates"), *self._by("velocities"), *self._by("parameters")]
        raise ValueError(f"unknown symbol {key!r}; expected one of {', '.join(known)}")

    def _mapped(self, change: Callable[[Any], Any]) -> Equations:
        arrays = {
            name: array.applyfunc(change) if hasattr(array, "applyfunc") else change(array)
            for name, array in self.arrays().items()
        }
        return replace(self, **arrays, coriolis_source=lambda: self.coriolis_matrix.applyfunc(change))


def equations_of(mechanism: Mechanism) -> Equations:
    """`M qdd + C v + g = S tau + J^T f + G^T lam + passive` of a mechanism, in symbols.

    Derived from the Lagrangian of the tree as a sum over bodies, with the parameters kept as symbols.

    Parameters
    ----------
    mechanism
        Not evaluated: its expressions become sympy expressions. Plain numbers stay numbers.

    """
    from modecontrol.dynamics.symbols.derivation import derive

    return derive(mechanism)


def matrix_of(rows: list[list[Any]], columns: int) -> Any:
    """A sympy matrix with a stated number of columns, so that one without rows keeps its shape."""
    import sympy as sp

    return sp.ImmutableMatrix(len(rows), columns, [x for row in rows for x in row])


def plain_expression(value: Any) -> Any:
    """A sympy expression or a number as one; None for anything else.

    `sympify` evaluates texts as code, also those inside of lists and arrays, so it is shown numbers only.
    """
    import sympy as sp

    if is_number(value) and not isinstance(value, sp.Basic):
        return sp.sympify(value.item() if isinstance(value, np.generic | np.ndarray) else value)
    return value if isinstance(value, sp.Expr) else None


def _replacement(key: Any, value: Any) -> Any:
    found = plain_expression(value)
    if found is None:
        raise ValueError(f"{key} is replaced by {shown(value)}; expected a number or a sympy expression")
    return found


def column_of(values: list[Any]) -> Any:
    """A sympy column."""
    return matrix_of([[value] for value in values], 1)
