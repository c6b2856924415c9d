"""Natural units of a snapshot: what makes mass, contacts and inputs comparable, whatever the user's units."""

import numpy as np

from modecontrol import tolerances
from modecontrol._kernels.jit import njit

LIGHT_GAP = tolerances.LIGHT_GAP
ROUNDING = tolerances.ROUNDING


@njit
def natural_units(M, S, J, G):
    """Sizes of `(qdd, f, lam, tau)`: a scaled unknown of one stands for this much.

    With `s` the sizes of the coordinates, `s M s` has a unit diagonal; contact rows `J s` (both rows of a contact
    by the same factor, so that friction cones keep their slope) and loop rows have largest entry one. A massless
    coordinate is sized so that the contacts see it as strongly as they see the massive ones; so is one whose mass is so
    small (rounding, say) that it would drown the others.
    """
    n, t = S.shape
    k = J.shape[0] // 2
    loops = G.shape[0]
    s = np.zeros(n)
    for j in range(n):
        if M[j, j] > 0.0:
            s[j] = 1.0 / np.sqrt(M[j, j])
    _drop_light(J, G, s)
    contact = _row_sizes(J, s, 2)
    loop = _row_sizes(G, s, 1)
    for j in range(n):
        if s[j] > 0.0:
            continue
        seen = 0.0
        for i in range(2 * k):
            if contact[i // 2] > 0.0:
                seen = max(seen, abs(J[i, j]) / contact[i // 2])
        for i in range(loops):
            if loop[i] > 0.0:
                seen = max(seen, abs(G[i, j]) / loop[i])
        if seen == 0.0:
            for i in range(2 * k):
                seen = max(seen, abs(J[i, j]))
            for i in range(t):
                seen = max(seen, abs(S[j, i]))
        s[j] = 1.0 / seen if seen > 0.0 else 1.0
    contact = _row_sizes(J, s, 2)
    loop = _row_sizes(G, s, 1)
    force = np.empty(2 * k)
    for i in range(2 * k):
        force[i] = 1.0 / contact[i // 2] if contact[i // 2] > 0.0 else 1.0
    lam = np.empty(loops)
    for i in range(loops):
        lam[i] = 1.0 / loop[i] if loop[i] > 0.0 else 1.0
    tau = np.empty(t)
    for i in range(t):
        size = 0.0
        for j in range(n):
            size = max(size, abs(s[j] * S[j, i]))
        tau[i] = 1.0 / size if size > 0.0 else 1.0
    return s, force, lam, tau


@njit
def _drop_light(J, G, s):
    """Set `s` to zero where a mass is negligible: wherever it is seen, it outweighs all heavier ones by `LIGHT_GAP`."""
    n = len(s)
    contacts = J.shape[0] // 2
    light = np.zeros(n, np.bool_)
    heavy = np.zeros(n, np.bool_)
    entry, seen = np.empty(n), np.empty(n)
    for g in range(contacts + G.shape[0]):
        widest, strongest = 0.0, 0.0
        for j in range(n):
            entry[j] = max(abs(J[2 * g, j]), abs(J[2 * g + 1, j])) if g < contacts else abs(G[g - contacts, j])
            seen[j] = s[j] * entry[j]
            widest, strongest = max(widest, entry[j]), max(strongest, seen[j])
        for j in range(n):
            # a zero that rounding filled, in the user's units and in natural ones, says nothing of masses
            if entry[j] <= ROUNDING * widest and seen[j] <= ROUNDING * strongest:
                seen[j] = 0.0
        order = np.argsort(seen)
        start = np.int64(0)
        for at in range(1, n):
            if 0.0 < seen[order[at - 1]] * LIGHT_GAP < seen[order[at]]:
                start = np.int64(at)
        for at in range(n):
            j = order[at]
            if seen[j] > 0.0:
                if start > 0 and at >= start:
                    light[j] = True
                else:
                    heavy[j] = True
    for j in range(n):
        if light[j] and not heavy[j]:
            s[j] = 0.0


@njit
def _row_sizes(J, s, group):
    """Largest scaled entry of each group of rows."""
    sizes = np.zeros(J.shape[0] // group)
    for i in range(J.shape[0]):
        for j in range(J.shape[1]):
            sizes[i // group] = max(sizes[i // group], abs(J[i, j]) * s[j])
    return sizes
