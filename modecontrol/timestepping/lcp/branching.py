"""Branching on complementary pairs: a complete search for LCPs too large to enumerate.

    node:  minimise sum(z + w) over the undecided pairs,  w = M z + q >= 0,  z >= 0,
           with w = 0 on `on` and z = 0 on `off`

A node whose linear program is infeasible (and proved so) has no answer below it; one whose optimum is
complementary is an answer; any other is split on the pair that violates complementarity most. Contact
problems without solution, such as a massless leg driven beyond what its friction can hold, take some tens of
nodes, where enumeration would take 2^n and pivoting methods can only give up. Nodes and the steps of each
linear program are limited, and Ctrl-C is answered at once.
"""

import numpy as np

from modecontrol import tolerances
from modecontrol.timestepping.lcp.attempts import Attempt
from modecontrol.timestepping.lcp.certificates import minimum, proves_infeasible, scaled


def branching(M: np.ndarray, q: np.ndarray, most: int | None = None) -> Attempt:
    """An answer, a proof that there is none, or the reason why neither was found.

    Parameters
    ----------
    M, q : arrays
        The problem.
    most : int
        Most nodes to look at; as many as `tolerances.BRANCH_WORK` allows, and no more than `BRANCHES`, when
        left out.

    """
    A, b, _, column = scaled(M, q)
    n = q.size
    if most is None:
        most = max(1, min(tolerances.BRANCHES, int(tolerances.BRANCH_WORK / (n + 1) ** 3)))
    nodes = open_ends = 0
    stack = [(np.zeros(n, bool), np.zeros(n, bool))]
    while stack:
        if nodes == most:
            return Attempt(None, None, nodes, f"undecided after {nodes} nodes")
        nodes += 1
        on, off = stack.pop()
        undecided = np.where(on | off, 0.0, 1.0)
        z, proof = minimum(undecided + A.T @ undecided, A, b, on, off)
        if z is None:
            open_ends += proof is None or not proves_infeasible(A, b, proof, on, off)
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
