"""Divide and conquer: `x = (M + diag(added))^-1 r` by joining bodies pairwise over a balanced tree (Featherstone 1999).

Assembly, leaves to root, then disassembly, root to leaves; the equations and the arrays are described in
`handles.py`. Articles of one level are independent of each other, so each level can be shared between cores
(`assemble_levels`, `substitute_levels`); that pays for very many bodies only.
"""

import numpy as np

from modecontrol._kernels.handles import bias_up, body_handles, force_down, free_directions, join
from modecontrol._kernels.jit import njit, prange
from modecontrol._kernels.tree import place


@njit
def assemble(groups, members, articles, handles, ops, nodes_i, nodes_f, pose, added, phi, base, lock, Y, P, E):
    """Handle equations of all articles at `pose`; -1, or the node of a joint whose free directions depend."""
    bodies = groups.shape[0]
    for a in range(bodies, articles.shape[0] - bodies):
        for k in range(9):
            phi[articles[a, 2] + k] = 0.0       # the ground does not yield
    for g in range(bodies):
        if not free_directions(g, groups, members, nodes_i, pose, base, lock):
            return groups[g, 0]
        body_handles(g, groups, articles, handles, nodes_f, pose, phi)
    for o in range(ops.shape[0]):
        join(o, ops, groups, members, articles, phi, base, lock, added, Y, P, E)
    return -1


@njit
def substitute(groups, members, articles, ops, base, Y, P, E, r, g, beta, b, f, x):
    """`x = (M + diag(added))^-1 r` after `assemble`; `g`, `beta`, `b`, `f` are work space."""
    b[:] = 0.0
    for o in range(ops.shape[0]):
        bias_up(o, ops, groups, members, articles, base, r, Y, P, E, g, beta, b)
    for o in range(ops.shape[0] - 1, -1, -1):
        force_down(o, ops, groups, members, articles, base, Y, P, E, g, beta, f, x)


@njit(parallel=True)
def assemble_levels(groups, members, articles, handles, ops, levels, nodes_i, nodes_f, pose, added, phi, base,
                    lock, Y, P, E):
    """`assemble` with the joins of each level shared between cores."""
    bodies = groups.shape[0]
    bad = np.full(bodies, -1)
    for a in range(bodies, articles.shape[0] - bodies):
        for k in range(9):
            phi[articles[a, 2] + k] = 0.0
    for g in prange(bodies):
        if free_directions(g, groups, members, nodes_i, pose, base, lock):
            body_handles(g, groups, articles, handles, nodes_f, pose, phi)
        else:
            bad[g] = groups[g, 0]
    if bad.size > 0 and bad.max() >= 0:
        return bad.max()
    for level in range(levels.shape[0] - 1):
        for o in prange(levels[level], levels[level + 1]):
            join(o, ops, groups, members, articles, phi, base, lock, added, Y, P, E)
    return -1


@njit(parallel=True)
def substitute_levels(groups, members, articles, ops, levels, base, Y, P, E, r, g, beta, b, f, x):
    """`substitute` with the joins of each level shared between cores."""
    b[:] = 0.0
    for level in range(levels.shape[0] - 1):
        for o in prange(levels[level], levels[level + 1]):
            bias_up(o, ops, groups, members, articles, base, r, Y, P, E, g, beta, b)
    for level in range(levels.shape[0] - 2, -1, -1):
        for o in prange(levels[level], levels[level + 1]):
            force_down(o, ops, groups, members, articles, base, Y, P, E, g, beta, f, x)


@njit
def dca_workspace(bodies, joins, handles, entries):
    """`(phi, base, lock, Y, P, E, g, beta, b, f)` for a plan of that size."""
    return (np.empty(entries), np.empty((bodies, 3, 3)), np.empty((bodies, 2, 3)), np.empty((joins, 3, 3)),
            np.empty((joins, 3, 3)), np.empty((handles, 3, 3)), np.empty((joins, 3)), np.empty((joins, 3)),
            np.empty((handles, 3)), np.empty((handles, 3)))


@njit
def dca_solve_many(groups, members, articles, handles, ops, entries, nodes_i, nodes_f, q, added, R):
    """`X = (M + diag(added))^-1 R` for right-hand sides in the rows of `R` (m, n); `(bad node or -1, X)`. Allocates."""
    m, n = R.shape
    pose, X = np.empty((n, 9)), np.empty((m, n))
    phi, base, lock, Y, P, E, g, beta, b, f = dca_workspace(groups.shape[0], ops.shape[0], handles.shape[0],
                                                            entries)
    place(nodes_i, nodes_f, q, pose)
    bad = assemble(groups, members, articles, handles, ops, nodes_i, nodes_f, pose, added, phi, base, lock, Y, P, E)
    if bad < 0:
        for k in range(m):
            substitute(groups, members, articles, ops, base, Y, P, E, R[k], g, beta, b, f, X[k])
    return bad, X
