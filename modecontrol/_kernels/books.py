"""Gaps and energies along a trajectory, computed when they are asked for."""

import numpy as np

from modecontrol._kernels.contacts import gaps
from modecontrol._kernels.jit import njit
from modecontrol._kernels.tree import energies, place


@njit
def gaps_along(nodes_i, nodes_f, contacts_i, contacts_f, q):
    """Gap of every contact (T, k) at the configurations `q` (T, n)."""
    steps, n = q.shape
    pose, found = np.empty((n, 9)), np.empty((steps, contacts_i.shape[0]))
    for i in range(steps):
        place(nodes_i, nodes_f, q[i], pose)
        gaps(contacts_i, contacts_f, nodes_i, pose, found[i])
    return found


@njit
def energies_along(nodes_i, nodes_f, gravity, q, v):
    """Kinetic energy, potential energy of gravity, of the joint springs (T, 3)."""
    found = np.empty((q.shape[0], 3))
    for i in range(q.shape[0]):
        found[i, 0], found[i, 1], found[i, 2] = energies(nodes_i, nodes_f, gravity, q[i], v[i])
    return found
