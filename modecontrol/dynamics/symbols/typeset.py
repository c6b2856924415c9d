"""Equations to read: a summary by name for the terminal, LaTeX for notebooks and papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from modecontrol.dynamics.symbols.equations import Equations

TITLE = "M(q) qdd + C(q, v) v + g(q) = S tau + J(q)^T f + G(q)^T lam + passive(q, v)"
LONGEST = 160
"""Characters of an entry that are printed before it is cut."""
MOST = 40
"""Entries of an array that are printed before the rest is counted."""
TYPESET = 10000
"""Nodes of expressions up to which a notebook typesets all arrays; beyond, it shows the counts only."""


def text_of(e: Equations) -> str:
    """The nonzero entries of all arrays, each with the names of its row and column."""
    q = [symbol.name for symbol in e.coordinates]
    v = [symbol.name for symbol in e.velocities]
    contacts = [f"{contact}.{row}" for contact in e.contacts for row in ("normal", "tangent")]
    pins = list(e.loop_rows) or [f"{pin}.{axis}" for pin in e.pins for axis in "xy"]
    rows = {
        "friction": list(e.contacts),
        "contact_position": contacts,
        "contact_jacobian": contacts,
        "contact_drift": contacts,
        "loop": pins,
        "loop_jacobian": pins,
        "loop_drift": pins,
    }
    columns = {"mass": q, "contact_jacobian": q, "loop_jacobian": q, "actuation": list(e.inputs)}
    lines = [
        f"Equations of {e.name!r}: {TITLE}",
        f"  coordinates {_listed(q)}",
        f"  velocities {_listed(v)}",
        f"  parameters {_listed([f'{symbol} = {value:g}' for symbol, value in e.values.items()])}",
    ]
    for name, array in e.arrays().items():
        if hasattr(array, "shape"):
            lines += _table(name, array, rows.get(name, q), columns.get(name))
        else:
            lines += [f"{name} = {_cut(array)}"]
    return "\n".join(lines)


def latex_of(e: Equations) -> str:
    """All arrays that have a nonzero entry, one `aligned` line each."""
    import sympy as sp

    letters = {
        "mass": "M",
        "coriolis": r"C\dot q",
        "gravity": "g",
        "passive": r"Q_{\mathrm{passive}}",
        "actuation": "S",
        "contact_position": "h",
        "contact_jacobian": "J",
        "contact_drift": r"\dot J\dot q",
        "friction": r"\mu",
        "loop": "c",
        "loop_jacobian": "G",
        "loop_drift": r"\dot G\dot q",
        "kinetic_energy": "T",
        "potential_energy": "V",
    }
    dotted = {v: rf"\dot{{{sp.latex(q)}}}" for q, v in zip(e.coordinates, e.velocities, strict=True)}
    lines = [
        rf"{letters[name]} &= {sp.latex(array, symbol_names=dotted)}"
        for name, array in e.arrays().items()
        if any(x != 0 for x in _entries(array))
    ]
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def notebook_of(e: Equations) -> str | None:
    """LaTeX in dollars, or None for equations too long to be typeset while somebody waits."""
    size = 0
    for array in e.arrays().values():
        for entry in _entries(array):
            size += _size(entry, TYPESET)
            if size >= TYPESET:
                return None
    return f"$\\displaystyle {latex_of(e)}$"


def _entries(array: Any) -> list[Any]:
    return list(array) if hasattr(array, "shape") else [array]


def _table(name: str, array: Any, rows: list[str], columns: list[str] | None) -> list[str]:
    """The nonzero entries of an array, one line each."""
    symmetric = name == "mass"
    filled = [
        (i, j)
        for i in range(array.shape[0])
        for j in range(i if symmetric else 0, array.shape[1])
        if array[i, j] != 0
    ]
    shape = f"{array.shape[0]} x {array.shape[1]}{', symmetric' if symmetric else ''}"
    if not array.shape[0] or not array.shape[1]:
        return []
    if not filled:
        return [f"{name} ({shape}) = 0"]
    lines = [f"{name} ({shape})"]
    for i, j in filled[:MOST]:
        place = rows[i] if columns is None else f"{rows[i]}, {columns[j]}"
        lines.append(f"  [{place}] {_cut(array[i, j])}")
    return lines + ([f"  ... and {len(filled) - MOST} more"] if len(filled) > MOST else [])


def _cut(expression: Any) -> str:
    """The expression as text; of a long one its beginning, without sorting all of it (slow)."""
    if _size(expression, LONGEST * 3) < LONGEST * 3:
        text = str(expression)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]} ... ({len(text)} characters)"
    if not expression.is_Add:
        return f"... (more than {LONGEST * 3} operations)"
    begin = " + ".join(str(term) for term in expression.args[:3] if _size(term, LONGEST) < LONGEST)
    return f"{begin[:LONGEST]} + ... ({len(expression.args)} terms)"


def _size(expression: Any, limit: int) -> int:
    """Number of nodes of an expression, counted up to a limit."""
    count, rest = 0, [expression]
    while rest and count < limit:
        count += 1
        rest.extend(rest.pop().args)
    return count


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "none"
