"""Gatekeeping: arrays of the right shape, finite, read-only; or an error that says what is wrong where."""

from __future__ import annotations

import numpy as np

from modecontrol.polytopes.labels import as_labels
from modecontrol.polytopes.scaling import row_size
from modecontrol.tolerances import FEASIBLE, LARGEST, PRODUCT_ROUNDING, TINY
from modecontrol.validation import as_numbers, as_tuple, check_count, coefficients, real_array

__all__ = [
    "a_set",
    "box_rows",
    "finite",
    "frozen",
    "matrix",
    "plain",
    "points",
    "rows",
    "rows_hold",
    "same_space",
    "variables",
    "vector",
]


def frozen(array: np.ndarray) -> np.ndarray:
    """A read-only, C-contiguous float64 array: the same one where possible."""
    array = np.ascontiguousarray(array, dtype=float)
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


def plain(array: np.ndarray) -> np.ndarray:
    """The same numbers as a writable C-contiguous array, which is what kernels are compiled for.

    The memory behind a frozen array is handed out where it can be; kernels never write to their arguments.

    Returns
    -------
    numpy.ndarray
        The array, the one it is a view of, or a copy.
    """
    if array.flags.c_contiguous and array.flags.writeable:
        return array
    base = array.base
    if (
        isinstance(base, np.ndarray)
        and base.shape == array.shape
        and base.flags.c_contiguous
        and base.flags.writeable
        and base.dtype == array.dtype
    ):
        return base
    return np.array(array, dtype=float, order="C")


def _numbers(value, what: str) -> np.ndarray:
    """Numbers, infinite ones among them: a bound may be none; those so small that they have no inverse are zero."""
    array = real_array(value, what, infinite=True)
    array[np.abs(array) < TINY] = 0.0
    return array


def _is_rectangular(value) -> bool:
    try:
        return np.ndim(value) == 2
    except ValueError:
        return False


def finite(array: np.ndarray, what: str) -> np.ndarray:
    """The array, or a ValueError that names the first entry that is NaN or infinite.

    Parameters
    ----------
    array : numpy.ndarray
        What to look through.
    what : str
        Its name in the message.

    Returns
    -------
    numpy.ndarray
        The same array.
    """
    if not np.all(np.isfinite(array)):
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        place = ", ".join(map(str, where))
        raise ValueError(f"{what}[{place}] is {array[where]}; expected finite numbers")
    return array


def matrix(value, what: str, columns: int | None = None) -> np.ndarray:
    """A finite two-dimensional float array.

    Parameters
    ----------
    value : array_like
        What the user gave.
    what : str
        Its name in messages.
    columns : int, optional
        How many columns it must have.

    Returns
    -------
    numpy.ndarray
        A copy.
    """
    array = _numbers(value, what)
    if array.ndim == 1 and array.size == 0 and columns is not None:
        array = array.reshape(0, columns)
    if array.ndim != 2:
        raise ValueError(f"{what} has shape {array.shape}; expected two dimensions, one row per constraint")
    if columns is not None and array.shape[1] != columns:
        raise ValueError(f"{what} has {array.shape[1]} columns; expected {columns}, one per variable")
    finite(array, what)
    return coefficients(array, what, by_row=True)


def vector(value, size: int, what: str) -> np.ndarray:
    """A finite float array of the given length.

    Parameters
    ----------
    value : array_like
        What the user gave.
    size : int
        Its length.
    what : str
        Its name in messages.

    Returns
    -------
    numpy.ndarray
        A C-contiguous copy.
    """
    array = _numbers(value, what)
    if array.shape != (size,):
        raise ValueError(f"{what} has shape {array.shape}; expected ({size},)")
    return finite(array, what)


def points(x, n: int) -> np.ndarray:
    """One point (n,) or many (N, n)."""
    array = as_numbers(x, "x")
    if array.ndim not in (1, 2) or array.shape[-1] != n:
        raise ValueError(f"x has shape {array.shape}; expected ({n},) for one point or (N, {n}) for many")
    if np.any(np.isnan(array)):
        raise ValueError("x holds NaN; expected numbers")
    if np.any((np.abs(array) > LARGEST) & np.isfinite(array)):
        raise ValueError(f"x holds {np.abs(array).max()}; expected numbers up to {LARGEST:g}")
    return array


def rows(A, b, C, d, labels, equality_labels) -> dict:
    """The fields of a `Polytope` from what the user wrote.

    Parameters
    ----------
    A, b, C, d : array_like or None
        The set.
    labels, equality_labels : sequence or None
        Why each row is there.

    Returns
    -------
    dict
        Field name to checked, read-only value.
    """
    if (C is None) != (d is None):
        given, missing = ("d", "C") if C is None else ("C", "d")
        raise ValueError(f"{given} is given without {missing}; expected both or neither")
    if (A is None) != (b is None):
        given, missing = ("b", "A") if A is None else ("A", "b")
        raise ValueError(f"{given} is given without {missing}; expected both or neither")
    if A is None and C is None:
        raise ValueError(
            "neither A nor C is given, so the number of variables is unknown; use Polytope.whole(n) for all of space"
        )
    if A is not None and C is not None and (none := as_numbers(A, "A")).size == 0 and none.ndim < 2:
        A, b = None, None  # an empty list: no inequalities
    columns = np.shape(A)[1] if A is not None and _is_rectangular(A) else None
    C = None if C is None else matrix(C, "C", columns)
    A = matrix(A, "A") if A is not None else np.zeros((0, C.shape[1]))
    C = np.zeros((0, A.shape[1])) if C is None else C
    b = _numbers(b, "b") if b is not None else np.zeros(0)
    d = vector(d, len(C), "d") if d is not None else np.zeros(0)
    if b.shape != (len(A),):
        raise ValueError(f"b has shape {b.shape}; expected ({len(A)},), one entry per row of A")
    labels = as_labels(labels, len(A), "labels")
    bounded = b != np.inf
    if not np.all(bounded):  # `a x <= inf` says nothing
        A, b = A[bounded], b[bounded]
        labels = tuple(label for label, stays in zip(labels, bounded, strict=True) if stays)
    finite(b, "b")
    return {
        "A": frozen(A),
        "b": frozen(b),
        "C": frozen(C),
        "d": frozen(d),
        "labels": labels,
        "equality_labels": as_labels(equality_labels, len(C), "equality_labels"),
    }


def box_rows(lower, upper, names):
    """`A, b, labels` of the box `lower <= x <= upper`."""
    lower, upper = np.atleast_1d(_numbers(lower, "lower")), np.atleast_1d(_numbers(upper, "upper"))
    if lower.ndim != 1 or lower.shape != upper.shape:
        raise ValueError(f"lower has shape {lower.shape} and upper {upper.shape}; expected (n,) for both")
    n = len(lower)
    names = None if names is None else as_tuple(names, "labels", "names")
    if names is not None and len(names) != n:
        raise ValueError(f"labels has {len(names)} entries; expected {n}, one name per variable")
    labels = (
        None
        if names is None
        else [f"{w} <= {v:g}" for w, v in zip(names, upper, strict=True)]
        + [f"{w} >= {v:g}" for w, v in zip(names, lower, strict=True)]
    )
    return np.vstack([np.eye(n), -np.eye(n)]), np.concatenate([upper, -lower]), labels


def variables(n) -> int:
    """A number of variables."""
    return check_count(n, "n, the number of variables,", greatest=10_000)


def a_set(other) -> None:
    """A TypeError for what is neither a Polytope nor a Region."""
    from modecontrol.polytopes.operators import Operators

    if not isinstance(other, Operators):
        raise TypeError(f"found {type(other).__name__}; expected a Polytope or a Region")


def same_space(P, Q) -> None:
    """A ValueError when two sets have different numbers of variables."""
    if P.n != Q.n:
        raise ValueError(f"the sets have {P.n} and {Q.n} variables; expected the same number")


def rows_hold(rows, x: np.ndarray, margin: np.ndarray) -> np.ndarray:
    """Which of the points x satisfy `A x <= b - margin` and `C x = d`, to `FEASIBLE` after scaling each row.

    Parameters
    ----------
    rows : tuple of four numpy.ndarray
        The set `(A, b, C, d)`, in units in which its size is about one.
    x : numpy.ndarray
        One point per row, in the same units.
    margin : numpy.ndarray
        What to keep from each inequality.

    Returns
    -------
    numpy.ndarray of bool
        One entry per point.
    """
    A, b, C, d = rows
    inside = np.all(np.isfinite(x), axis=1)
    x = np.where(inside[:, None], x, 0.0)
    # A cone has no size of its own: there it is that of the point.
    cone = not (np.any(b) or np.any(d))
    unit = np.abs(x).max(axis=1, initial=0.0)[:, None] if cone else 1.0
    for G, h, room in ((A, b - margin, margin), (C, d, None)):
        size = row_size(G)
        G, h = G / size[:, None], h / size
        excess = x @ G.T - h
        level = np.abs(h) if room is None else np.abs(h + room / size)
        # The second term is the rounding of the products themselves.
        slack = FEASIBLE * np.maximum(unit, level) + PRODUCT_ROUNDING * (np.abs(x) @ np.abs(G).T)
        inside &= np.all((np.abs(excess) if room is None else excess) <= slack, axis=1)
    return inside
