"""Lagrange's equations of a user's own energies and contact maps.

With `p = dT/dv` the equations `d/dt dT/dv - dT/dq + dV/dq = Q` read

    M = dp/dv          C v = dp/dq v - dT/dq          g = dV/dq

for any `T` that is quadratic in `v`; Christoffel's matrix `C` belongs to the quadratic part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modecontrol.dynamics.symbols.equations import Equations, column_of, matrix_of, plain_expression
from modecontrol.dynamics.symbols.segments import velocity_name
from modecontrol.validation import as_mapping, as_tuple, shown


def lagrange_equations(
    name: str,
    coordinates: Sequence[Any],
    T: Any,
    V: Any,
    *,
    velocities: Sequence[Any] | None,
    contacts: Mapping[str, Any],
    inputs: Mapping[str, Any],
    loops: Mapping[str, Any],
    forces: Any,
    parameters: Mapping[Any, float],
) -> Equations:
    """`Equations` from energies and maps; the arguments are those of `LagrangianModel`."""
    import sympy as sp

    reader = _Reader(coordinates, velocities, parameters)
    contacts = as_mapping(contacts, "contacts", "{'tip': (normal, tangential, mu)}")
    inputs = as_mapping(inputs, "inputs", "{'tau': 'q'}")
    loops = as_mapping(loops, "loops", "{'pin': (x, y)}")
    q, v = reader.q, reader.v
    T, V = reader.read(T, "T"), reader.read(V, "V", still=True)
    p = [T.diff(x) for x in v]
    M = _mass(p, v)
    if any(entry.has(*v) for entry in M):
        raise ValueError(f"T is {T}; expected a polynomial of degree two in the velocities {_listed(v)}")
    rows = [reader.contact(contact, given) for contact, given in contacts.items()]
    loop = [reader.loop(pin, given) for pin, given in loops.items()]
    flat = [x for pair in loop for x in pair]
    G = _slopes(flat, q)
    return Equations(
        name=name,
        coordinates=q,
        velocities=v,
        inputs=tuple(map(str, inputs)),
        contacts=tuple(map(str, contacts)),
        pins=tuple(map(str, loops)),
        values=reader.values,
        mass=M,
        coriolis=column_of(
            [
                sp.Add(*(p[i].diff(a) * b for a, b in zip(q, v, strict=True))) - T.diff(q[i])
                for i in range(len(q))
            ]
        ),
        gravity=column_of([V.diff(x) for x in q]),
        passive=column_of(reader.force(forces, "forces", moving=True)),
        actuation=matrix_of([reader.force(given, f"input {i!r}") for i, given in inputs.items()], len(q)).T,
        contact_position=column_of([x for position, _, _ in rows for x in position]),
        contact_jacobian=matrix_of([row for _, J, _ in rows for row in J], len(q)),
        contact_drift=column_of([_drift(row, q, v) for _, J, _ in rows for row in J]),
        friction=column_of([mu for _, _, mu in rows]),
        loop=column_of(flat),
        loop_jacobian=matrix_of(G, len(q)),
        loop_drift=column_of([_drift(row, q, v) for row in G]),
        kinetic_energy=T,
        potential_energy=V,
        coriolis_source=lambda: christoffel(M, q, v),
    )


def christoffel(M: Any, q: Sequence[Any], v: Sequence[Any]) -> Any:
    """`C_ij = 1/2 sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k`."""
    import sympy as sp

    n = len(q)
    slope = [[[M[i, j].diff(x) for x in q] for j in range(n)] for i in range(n)]
    return sp.ImmutableMatrix(
        n,
        n,
        lambda i, j: (
            sp.Add(*((slope[i][j][k] + slope[i][k][j] - slope[j][k][i]) * v[k] for k in range(n))) / 2
        ),
    )


class _Reader:
    """Turns what a user may write (names, symbols, functions of time) into expressions in plain symbols."""

    def __init__(
        self, coordinates: Sequence[Any], velocities: Sequence[Any] | None, parameters: Mapping[Any, float]
    ) -> None:
        import sympy as sp
        from sympy.core.function import AppliedUndef

        if isinstance(coordinates, (str, sp.Basic)) or not len(
            as_tuple(coordinates, "coordinates", "names or symbols")
        ):
            raise ValueError(f"coordinates is {coordinates!r}; expected a sequence of names or symbols")
        self.q = tuple(
            c if isinstance(c, sp.Symbol) else sp.Symbol(str(c.func) if isinstance(c, AppliedUndef) else c)
            for c in coordinates
        )
        self.v = (
            tuple(sp.Symbol(velocity_name(x.name)) for x in self.q)
            if velocities is None
            else tuple(
                x if isinstance(x, sp.Symbol) else sp.Symbol(str(x))
                for x in as_tuple(velocities, "velocities", "names or symbols")
            )
        )
        if len(self.v) != len(self.q) or len({*self.q, *self.v}) != 2 * len(self.q):
            raise ValueError(
                f"coordinates are {_listed(self.q)} and velocities {_listed(self.v)}; expected "
                "as many velocities as coordinates, all different"
            )
        moving = [
            (c, q, v)
            for c, q, v in zip(coordinates, self.q, self.v, strict=True)
            if isinstance(c, AppliedUndef)
        ]
        self.rates = {sp.Derivative(c, *c.args): v for c, _, v in moving}
        self.functions = {c: q for c, q, _ in moving}
        self.by_name = {x.name: x for x in self.q}
        self.values: dict[Any, float] = {}
        if not isinstance(parameters, Mapping):
            raise ValueError(
                f"parameters is {shown(parameters)}; expected values by name, such as {{'m': 1.0}}"
            )
        for key, value in parameters.items():
            symbol = key if isinstance(key, sp.Symbol) else sp.Symbol(str(key))
            if symbol in (*self.q, *self.v):
                raise ValueError(f"parameters: {symbol} is a coordinate or a velocity; expected another name")
            self.values[symbol] = _number(value, f"parameter {symbol}")

    def read(self, expression: Any, what: str, *, still: bool = False) -> Any:
        """An expression in known symbols; `still` forbids velocities."""
        import sympy as sp

        if isinstance(expression, str):
            raise ValueError(f"{what} is the text {expression!r}; expected a sympy expression")
        found = plain_expression(expression)
        if found is None:
            raise ValueError(f"{what} is {shown(expression)}; expected a sympy expression")
        found = found.xreplace(self.rates).xreplace(self.functions)
        # Symbols are told apart by their assumptions too; users mean the name.
        known = {x.name: x for x in (*self.q, *self.v, *self.values)}
        found = found.xreplace({x: known[x.name] for x in found.free_symbols if x.name in known})
        strange = sorted(x.name for x in found.free_symbols if x.name not in known)
        if strange or found.has(sp.Derivative):
            raise ValueError(
                f"{what} contains {', '.join(strange) or 'time derivatives'}; expected "
                f"coordinates, velocities and parameters "
                f"({_listed([*self.q, *self.v, *self.values])})"
            )
        if still and found.has(*self.v):
            raise ValueError(f"{what} is {found}; expected a function of the coordinates, without velocities")
        return found

    def force(self, given: Any, what: str, *, moving: bool = False) -> list[Any]:
        """A generalised force: None, a coordinate, a dict by coordinate, or one expression per coordinate."""
        import sympy as sp

        if given is None:
            return [sp.S.Zero for _ in self.q]
        if isinstance(given, (str, sp.Symbol)) or (isinstance(given, sp.Basic) and given in self.functions):
            given = {given: 1}
        if isinstance(given, Mapping):
            found = [sp.S.Zero for _ in self.q]
            for key, value in given.items():
                name = str(self.functions.get(key, key))
                if name not in self.by_name:
                    raise ValueError(f"{what} acts on {name!r}; expected a coordinate ({_listed(self.q)})")
                found[self.q.index(self.by_name[name])] += self.read(value, what, still=not moving)
            return found
        values = as_tuple(given, what, "expressions, one per coordinate")
        if len(values) != len(self.q):
            raise ValueError(f"{what} has {len(values)} entries; expected {len(self.q)}, one per coordinate")
        return [self.read(value, what, still=not moving) for value in values]

    def contact(self, name: str, given: Any) -> tuple[tuple[Any, Any], tuple[list[Any], list[Any]], Any]:
        """Positions, rows of the Jacobian, and friction of a contact."""
        import sympy as sp

        keys = ("normal", "tangential", "mu")
        values = (
            tuple(given.get(key, 0) for key in keys)
            if isinstance(given, Mapping)
            else as_tuple(given, f"contact {name!r}", "normal, tangential, mu")
        )
        if len(values) != 3 or (isinstance(given, Mapping) and not {"normal"} <= set(given) <= set(keys)):
            raise ValueError(f"contact {name!r} is {given!r}; expected (normal, tangential, mu)")
        normal = self.read(values[0], f"normal of contact {name!r}", still=True)
        tangential = self.read(values[1], f"tangential of contact {name!r}")
        mu = self.read(values[2], f"mu of contact {name!r}", still=True)
        if tangential.has(*self.v):
            row = [tangential.diff(v) for v in self.v]
            rest = tangential - sp.Add(*(a * v for a, v in zip(row, self.v, strict=True)))
            if any(entry.has(*self.v) for entry in row) or sp.expand(rest) != 0:
                raise ValueError(
                    f"tangential of contact {name!r} is {tangential}; a velocity must be linear "
                    f"in {_listed(self.v)}, without a constant"
                )
            return (normal, sp.nan), (_slopes([normal], self.q)[0], row), mu
        across, along = _slopes([normal, tangential], self.q)
        return (normal, tangential), (across, along), mu

    def loop(self, name: str, given: Any) -> tuple[Any, Any]:
        """The two expressions of a loop."""
        import sympy as sp

        if (
            isinstance(given, (str, sp.Expr))
            or len(as_tuple(given, f"loop {name!r}", "two expressions")) != 2
        ):
            raise ValueError(f"loop {name!r} is {given!r}; expected two expressions (x, y) that vanish")
        x, y = (self.read(value, f"loop {name!r}", still=True) for value in given)
        return x, y


def _mass(p: list[Any], v: tuple[Any, ...]) -> Any:
    """`M = dp/dv`, exactly symmetric; free of `v` if and only if `T` is quadratic in `v`."""
    import sympy as sp

    upper = {(i, j): p[i].diff(v[j]) for i in range(len(v)) for j in range(i, len(v))}
    # Higher powers may still cancel.
    upper = {place: sp.expand(entry) if entry.has(*v) else entry for place, entry in upper.items()}
    return sp.ImmutableMatrix(len(v), len(v), lambda i, j: upper[min(i, j), max(i, j)])


def _slopes(expressions: list[Any], q: Sequence[Any]) -> list[list[Any]]:
    return [[expression.diff(x) for x in q] for expression in expressions]


def _drift(row: list[Any], q: Sequence[Any], v: Sequence[Any]) -> Any:
    """`d/dt (row) v`."""
    import sympy as sp

    return sp.Add(
        *(entry.diff(a) * b * c for entry, c in zip(row, v, strict=True) for a, b in zip(q, v, strict=True))
    )


def _number(value: Any, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if number != number or abs(number) == float("inf"):
        raise ValueError(f"{what} is {value!r}; expected a finite number")
    return number


def _listed(symbols: Sequence[Any]) -> str:
    return ", ".join(map(str, symbols)) or "none"
