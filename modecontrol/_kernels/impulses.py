"""Rows of pins and near contacts, and what impulses along them do to the articulated bodies.

| kernel           | gives                                                            |
|------------------|------------------------------------------------------------------|
| `write_rows`     | rows of all pins and of the near contacts at the present pose    |
| `solve_impulse`  | `x = (M + added)^-1 (r + rows^T p)`                              |
| `row_velocities` | `u = rows v`                                                     |
"""

from modecontrol._kernels.articulated import solve
from modecontrol._kernels.compliance import contact_forces, pin_forces
from modecontrol._kernels.jit import njit


@njit
def copy(source, target):
    """`target = source` of vectors; a loop compiles in a tenth of the time of a slice assignment."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@njit
def copy_pose(source, target):
    """`target = source` of poses."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]


@njit
def write_rows(pins_i, pins_f, contacts_i, contacts_f, nodes_i, pose, near, m, frame, row_node, row_force):
    """Unit spatial forces of each row, as in `compliance.py`."""
    pins = pins_i.shape[0]
    for c in range(pins):
        pin_forces(c, 2 * c, pins_i, pins_f, nodes_i, pose, row_node, row_force)
    for i in range(m):
        contact_forces(near[i], 2 * (pins + i), contacts_i, contacts_f, nodes_i, pose, frame, row_node, row_force)


@njit
def solve_impulse(nodes_i, pose, U, D, r, row_node, row_force, R, p, force, accel, x):
    """`x = (M + added)^-1 (r + rows^T p)` over the first `R` rows; `accel` is `x` node by node."""
    for i in range(x.shape[0]):
        force[i, 0], force[i, 1], force[i, 2] = 0.0, 0.0, 0.0
    for row in range(R):
        if p[row] != 0.0:
            for side in range(2):
                node = row_node[row, side]
                if node >= 0:
                    for k in range(3):
                        force[node, k] += p[row] * row_force[row, side, k]
    solve(nodes_i, pose, U, D, r, force, accel, x)


@njit
def row_velocities(row_node, row_force, R, motion, accel, change, u):
    """`u = rows v` with the node velocities `motion`, plus `accel` if `change`."""
    for row in range(R):
        value = 0.0
        for side in range(2):
            node = row_node[row, side]
            if node >= 0:
                for k in range(3):
                    speed = motion[node, k]
                    if change:
                        speed += accel[node, k]
                    value += row_force[row, side, k] * speed
        u[row] = value
