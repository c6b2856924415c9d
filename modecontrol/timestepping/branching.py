"""Branching on complementary pairs: a complete search for LCPs too large to enumerate.

    node:  minimise sum(z + w) over the undecided pairs,  w = M z + q >= 0,  z >= 0,
           with w = 0 on `on` and z = 0 on `off`

A node whose linear program is infeasible (and proved so) has no answer below it; one whose optimum is
complementary is an answer; any other is split on the pair that violates complementarity most. Contact
problems without solution, such as a massless leg driven beyond what its friction can hold, take some tens of
nodes, where enumeration would take 2^n and pivoting methods can only give up.
"""

import numpy as np

from modecontrol import tolerances
from modecontrol.timestepping.attempts import Attempt
from modecontrol.timestepping.certificates import infeasible, scaled

BRANCHES = 2000
"""Most nodes that are looked at."""


def branching(M: np.ndarray, q: np.ndarray, most: int = BRANCHES) -> Attempt:
    """An answer, a proof that there is none, or the reason why neither was found.

    Parameters
    ----------
    M, q : arrays
        The problem.
    most : int
        Most nodes to look at.

    """
    A, b, _, column = scaled(M, q)
    n = q.size
    nodes = open_ends = 0
    stack = [(np.zeros(n, bool), np.zeros(n, bool))]
    while stack:
        if nodes == most:
            return Attempt(None, None, nodes, f"undecided after {nodes} nodes")
        nodes += 1
        on, off = stack.pop()
        z = _relaxed(A, b, on, off)
        if z is None:
            open_ends += not infeasible(A, b, on, off)
            continue
        w = A @ z + b
        overlap = np.where(on | off, 0.0, np.minimum(z, w))
        pair = int(np.argmax(overlap))
        if overlap[pair] <= tolerances.FEASIBLE * max(1.0, float(z.max(initial=0.0))):
            active = on | (~off & (z > w))
            return Attempt(np.where(active, z, 0.0) * column, active, nodes)
        with_on, with_off = on.copy(), off.copy()
        with_on[pair] = with_off[pair] = True
        children = [(with_on, off), (on, with_off)]
        stack += children if w[pair] > z[pair] else children[::-1]
    if open_ends:
        return Attempt(None, None, nodes, f"{open_ends} of {nodes} nodes are too close to call")
    return Attempt(None, None, nodes, f"every one of {nodes} branches ends in a contradiction", True)


def _relaxed(A: np.ndarray, b: np.ndarray, on: np.ndarray, off: np.ndarray) -> np.ndarray | None:
    """The optimum of a node, None when there is none."""
    from scipy.optimize import linprog

    undecided = np.where(on | off, 0.0, 1.0)
    upper = np.where(off, 0.0, np.inf)
    answer = linprog(
        undecided + A.T @ undecided,
        A_ub=-A[~on] if not on.all() else None,
        b_ub=b[~on] if not on.all() else None,
        A_eq=A[on] if on.any() else None,
        b_eq=-b[on] if on.any() else None,
        bounds=np.column_stack([np.zeros(b.size), upper]),
        method="highs",
    )
    return answer.x if answer.status == 0 else None
