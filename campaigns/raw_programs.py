"""Linear programs by HiGHS, an independent solver: the oracle of the campaigns on modes and thrust.

Through `highspy` where it is installed (cvxpy brings it), which costs a fifth of `scipy.optimize.linprog`; else through that.
"""

import numpy as np

try:
    import highspy
except ImportError:  # pragma: no cover - depends on what is installed
    highspy = None

_solver = None
BARE = 1e-9
"""By so much a row may be missed that no unknown is in."""


def greatest(c, A, b, C, e):
    """Greatest `c x` over `A x <= b`, `C x = e`: -inf when the set is empty, inf without bound, nan when HiGHS does not know."""
    bare, empty = ~np.any(A, axis=1), ~np.any(C, axis=1)  # HiGHS passes over rows that no unknown is in
    if np.any(b[bare] < -BARE) or np.any(np.abs(e[empty]) > BARE):
        return -np.inf
    if not len(c):
        return 0.0
    A, b, C, e = A[~bare], b[~bare], C[~empty], e[~empty]
    if highspy is None:
        from scipy.optimize import linprog

        found = linprog(-c, A, b, C, e, bounds=(None, None))
        return {0: -(found.fun or 0.0), 2: -np.inf, 3: np.inf}.get(found.status, np.nan)
    return _by_highspy(c, A, b, C, e)


def written(c, A, b, C, e):
    """The program as HiGHS reads it: least `-c x` over `A x <= b`, `C x = e`."""
    rows, n = np.vstack([A, C]), len(c)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = n, len(rows)
    lp.col_cost_ = np.asarray(-c, float)
    lp.col_lower_, lp.col_upper_ = np.full(n, -np.inf), np.full(n, np.inf)
    lp.row_lower_ = np.concatenate([np.full(len(b), -np.inf), e])
    lp.row_upper_ = np.concatenate([b, e])
    where = rows != 0
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.concatenate([[0], np.cumsum(where.sum(axis=1))])
    lp.a_matrix_.index_ = np.nonzero(where)[1]
    lp.a_matrix_.value_ = rows[where]
    return lp


def _by_highspy(c, A, b, C, e):
    global _solver
    if _solver is None:
        _solver = highspy.Highs()
        _solver.setOptionValue("output_flag", False)
        _solver.setOptionValue("threads", 1)
    lp = written(c, A, b, C, e)
    _solver.passModel(lp)
    _solver.run()
    status = _solver.getModelStatus()
    if status == highspy.HighsModelStatus.kUnboundedOrInfeasible:
        status = _without_presolve()
    if (
        status == highspy.HighsModelStatus.kInfeasible
        and np.any(c)
        and _by_highspy(0.0 * c, A, b, C, e) == 0.0
    ):  # an unbounded program that presolve took for an empty one, or a set so thin that both answers are rounding
        _solver.passModel(lp)
        status = _without_presolve()
        if status == highspy.HighsModelStatus.kInfeasible:
            return np.nan
    if status == highspy.HighsModelStatus.kOptimal:
        return -_solver.getInfo().objective_function_value
    known = {highspy.HighsModelStatus.kInfeasible: -np.inf, highspy.HighsModelStatus.kUnbounded: np.inf}
    return known.get(status, np.nan)


def _without_presolve():
    _solver.setOptionValue("presolve", "off")
    _solver.run()
    _solver.setOptionValue("presolve", "choose")
    return _solver.getModelStatus()
