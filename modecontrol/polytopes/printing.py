"""Sets in print: `x1 + 2 x2 <= 3   [front friction]`, variables by their names where they have any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from modecontrol.polytopes.labels import spoken

if TYPE_CHECKING:
    from modecontrol.polytopes.polytope import Polytope

__all__ = ["latex", "one_line", "row_text", "text"]

_MOST_ROWS = 60


def row_text(a: np.ndarray, h: float, sign: str, variables: Sequence[str], space: str = " ") -> str:
    """One row as words: `x1 + 2 x2 <= 3`.

    Parameters
    ----------
    a : numpy.ndarray
        Coefficients.
    h : float
        Right-hand side.
    sign : str
        What stands between them.
    variables : sequence of str
        What each variable is called.
    space : str
        What stands between a number and its variable.

    Returns
    -------
    str
        Zero coefficients are left out; a row of zeros reads `0 <= 3`.
    """
    words = []
    for name, value in zip(variables, a, strict=True):
        if value != 0:
            size = f"{abs(value):.6g}"
            term = name if size == "1" else f"{size}{space}{name}"
            words.append(f"{'-' if value < 0 else '+'} {term}")
    left = " ".join(words) or "+ 0"
    left = left[2:] if left.startswith("+") else "-" + left[2:]
    return f"{left} {sign} {h + 0.0:.6g}"


def one_line(P: Polytope) -> str:
    """`<Polytope in R^3: 4 inequalities, 1 equality>`; nothing is computed for it."""
    m, p = len(P.b), len(P.d)
    return f"<Polytope in R^{P.n}: {m} inequalit{'y' if m == 1 else 'ies'}, {p} equalit{'y' if p == 1 else 'ies'}>"


def text(P: Polytope) -> str:
    """Every row on a line of its own, labels in brackets.

    Returns
    -------
    str
        Equalities first.
    """
    x = P.names or tuple(f"x{j + 1}" for j in range(P.n))
    lines = [(row_text(a, h, "=", x), label) for a, h, label in zip(P.C, P.d, P.equality_labels, strict=True)]
    lines += [(row_text(a, h, "<=", x), label) for a, h, label in zip(P.A, P.b, P.labels, strict=True)]
    if not lines:
        return f"all of R^{P.n}"
    width = max(len(line) for line, _ in lines)
    shown = [f"{line:<{width}}   [{spoken(label)}]" if label else line for line, label in lines[:_MOST_ROWS]]
    if len(lines) > _MOST_ROWS:
        shown.append(f"... and {len(lines) - _MOST_ROWS} more rows")
    return "\n".join(shown)


def latex(P: Polytope) -> str:
    """The set as LaTeX for notebooks.

    Returns
    -------
    str
        Between dollar signs.
    """
    x = [f"x_{{{j + 1}}}" for j in range(P.n)]
    if P.names is not None:
        x = [rf"\text{{{name}}}".replace("_", r"\_") for name in P.names]
    rows = [row_text(a, h, "&=", x, r"\,") for a, h in zip(P.C, P.d, strict=True)]
    rows += [row_text(a, h, r"&\le", x, r"\,") for a, h in zip(P.A, P.b, strict=True)]
    words = [spoken(label) for label in P.equality_labels + P.labels]
    lines = [f"{row} & \\text{{{word}}}" if word else row for row, word in zip(rows, words, strict=True)]
    if not lines:
        return rf"$\mathbb{{R}}^{{{P.n}}}$"
    if len(lines) > _MOST_ROWS:
        lines = [*lines[:_MOST_ROWS], r"&\dots"]
    body = r" \\ ".join(lines)
    return rf"$\left\{{ x \in \mathbb{{R}}^{{{P.n}}} : \begin{{aligned}} {body} \end{{aligned}} \right\}}$"
