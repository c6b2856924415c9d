"""A linear complementarity problem, its solution, and the check that stands between the two.

    w = M z + q,    z >= 0,   w >= 0,   z . w = 0,        w_i = 0 and z_i free on equality rows

Bounds and products of an answer hold exactly; all of its error is in the rows `w = M z + q`, and measured.
"""

from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np
from numpy.typing import ArrayLike

from modecontrol._core import lcp as core
from modecontrol.validation import as_numbers


@dataclass(frozen=True, eq=False)
class LCP:
    """`w = M z + q, z >= 0, w >= 0, z . w = 0`; on rows in `equalities` `w_i = 0` and `z_i` is free.

    Parameters
    ----------
    M : array (n, n)
        The matrix.
    q : array (n,)
        The constant.
    equalities : int or bool array (n,)
        Bilateral rows: the first so many, or a mask.

    Attributes
    ----------
    scales : two arrays (n,)
        Positive diagonals `R`, `C`, powers of two, for which `R M C` has entries of about one.

    """

    M: np.ndarray
    q: np.ndarray
    equalities: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))
    scales: tuple[np.ndarray, np.ndarray] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        M, q = as_numbers(self.M, "M"), as_numbers(self.q, "q")
        if M.ndim != 2 or M.shape[0] != M.shape[1]:
            raise ValueError(f"M has shape {M.shape}; a square matrix is needed")
        if q.shape != (M.shape[0],):
            raise ValueError(f"q has shape {q.shape}, but M has {M.shape[0]} rows: q must be ({M.shape[0]},)")
        row, column, sound = core.readied(M, q)
        if not sound:
            _refuse(M, q)
        object.__setattr__(self, "scales", (row, column))
        for name, value in (("M", M), ("q", q), ("equalities", _mask(self.equalities, q.size))):
            value.setflags(write=False)
            object.__setattr__(self, name, value)

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.q.size

    def check(self, z: ArrayLike) -> tuple[np.ndarray, np.ndarray, float]:
        """`(z, w, residual)`: how well `z` solves the problem, by plain sums that no solver shares.

        Parameters
        ----------
        z : array (n,)
            A candidate. Negative entries are raised to zero first, and `w` is `M z + q` with negative
            entries, and entries whose `z` is positive, set to zero. The bounds and products of what is
            returned hold exactly.

        Returns
        -------
        z, w : arrays (n,)
            The candidate and its slack.
        residual : float
            Largest row of `abs(M z + q - w)`, relative to the terms of the row, at least
            `tolerances.ROW_FLOOR` of the largest scaled row.

        """
        z = as_numbers(z, "z")
        if z.shape != self.q.shape:
            raise ValueError(f"z has shape {z.shape}; expected {self.q.shape}, one number per row")
        return core.check(self.M, self.q, z, self.equalities, self.scales[0])


@dataclass(frozen=True, eq=False)
class LCPSolution:
    """What `solve_lcp` found.

    Attributes
    ----------
    z, w : arrays (n,)
        The answer; not-a-number when there is none.
    status : str
        `"solved"`, `"no solution: ..."` or `"not solved: ..."`, with the reason.
    residual : float
        Largest relative row error of `w = M z + q`; bounds and products hold exactly.
    pivots : int
        Pivots (bases, sweeps) of the method that answered, or of all together when none did.
    method : str
        The method that answered, `""` when none did.
    active : bool array (n,)
        The complementary basis (rows with `w = 0`): the `guess` for the next problem of a sequence.
    problem : LCP
        The data.

    """

    z: np.ndarray
    w: np.ndarray
    status: str
    residual: float
    pivots: int
    method: str
    active: np.ndarray
    problem: LCP

    def __post_init__(self) -> None:
        for value in (self.z, self.w, self.active):
            value.setflags(write=False)

    def __bool__(self) -> bool:
        return self.solved

    def __repr__(self) -> str:
        if not self.solved:
            return f"LCPSolution({self.status})"
        z = np.array2string(self.z, precision=6, threshold=12, edgeitems=3)
        return f"LCPSolution(solved by {self.method}, residual {self.residual:.3g}, z = {z})"

    @property
    def solved(self) -> bool:
        """Whether `z` and `w` are an answer."""
        return self.status == "solved"

    @property
    def reason(self) -> str:
        """How the problem came out, in a sentence."""
        return f"solved by {self.method}, rows hold to {self.residual:.1e}" if self.solved else self.status


def _refuse(M: np.ndarray, q: np.ndarray) -> NoReturn:
    """Say which number is not finite, or that the sizes are too uneven."""
    for name, array in (("M", M), ("q", q)):
        for where in np.argwhere(~np.isfinite(array))[:1]:
            place = where.tolist()
            raise ValueError(f"{name}{place} is {array[tuple(place)]}; every entry must be finite")
    raise ValueError(
        f"M holds {np.abs(M).max():.3g} at most and q {np.abs(q).max():.3g}, so that answers leave double "
        "precision; expected numbers of more even size: choose other units"
    )


def _mask(value: int | ArrayLike, n: int) -> np.ndarray:
    if type(value) is int and value == 0:
        return np.zeros(n, bool)
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if array.dtype == bool and array.shape == (n,):
        return array.copy()
    if array.dtype == bool and array.size == 0:
        return np.zeros(n, bool)
    if array.dtype.kind in "iu" and array.ndim == 0 and 0 <= array <= n:
        return np.arange(n) < array
    raise ValueError(
        f"equalities is {value!r}; give how many of the first rows, 0 to {n}, or a mask of {n} booleans"
    )
