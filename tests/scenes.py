"""Small mechanisms for simulation tests, built in Python."""

import numpy as np

import modecontrol as mc

OPTIONS = {
    "dynamics": None,
    "level": "velocity",
    "integrator": "euler",
    "restitution": None,
    "impact_speed": None,
    "g_eps": None,
    "loop_correction": 0.2,
    "eps": 0.0,
    "friction_scaling": False,
}
"""How `simulate` steps when nothing else is asked for, as `settings.choose` takes it, but for the formulation."""


def ball(restitution=0.0, mu=0.3, gravity=(0.0, -9.81), **contact):
    """A ball of 1 kg and radius 0.1 over a floor."""
    builder = mc.Builder("ball", gravity=gravity).body(
        "ball", joint=mc.planar("x", "y", "turn"), mass=1, inertia=0.004
    )
    return builder.contact(
        "floor", "ball", type="disc", radius=0.1, mu=mu, restitution=restitution, **contact
    ).build()


def cradle(balls, gap, restitution=1.0):
    """Balls of radius 0.1 on one line, each free to slide, `gap` apart, no gravity."""
    builder = mc.Builder("cradle", gravity=(0, 0))
    for i in range(balls):
        slide = mc.prismatic(f"x{i}", at=(i * (0.2 + gap), 0))
        builder = builder.body(f"ball{i}", parent="world", joint=slide, mass=1, inertia=1)
    for i in range(1, balls):
        builder = builder.contact(
            f"c{i}",
            f"ball{i}",
            type="disc_disc",
            radius=0.1,
            other=f"ball{i - 1}",
            other_radius=0.1,
            restitution=restitution,
        )
    return builder.build()


def hanging_chain(links):
    """A pendulum of uniform rods of 1 kg and 1 m, no contacts."""
    builder = mc.Builder("hanging")
    for i in range(links):
        hinge = mc.revolute(f"q{i}", at=(1 if i else 0, 0))
        builder = builder.body(f"link{i}", joint=hinge, mass=1, inertia=1 / 12, com=(0.5, 0))
    return builder.build()


def thrown_box(mu, restitution, inertia):
    """A box of 1 kg without weight between a floor and a wall on its right; `restitution` of the floor and of
    the wall.
    """
    builder = mc.Builder("box", gravity=(0, 0)).body(
        "box", joint=mc.planar("x", "y", "turn"), mass=1, inertia=inertia
    )
    for i, corner in enumerate(((-0.25, -0.1), (0.25, -0.1), (0.25, 0.1), (-0.25, 0.1))):
        builder = builder.contact(f"floor{i}", "box", point=corner, mu=mu, restitution=restitution[0])
        builder = builder.contact(
            f"wall{i}",
            "box",
            point=corner,
            mu=mu,
            restitution=restitution[1],
            wall={"origin": (1, 0), "tilt": np.pi / 2},
        )
    return builder.build()


def mass_on_spring(stiffness, damping=0.0, mass=1.0):
    """A mass that slides along x on a spring."""
    slide = mc.prismatic("x", stiffness=stiffness, damping=damping)
    return mc.Builder("oscillator", gravity=(0, 0)).body("mass", joint=slide, mass=mass).build()


def momentum_books(trajectory, i):
    """`M (v+ - v) - h (S tau - b) - J^T p - G^T lam` of step `i`, zero when momentum is balanced."""
    model, h = trajectory.model, trajectory.step
    snap = model.snapshot(trajectory.q[i], trajectory.v[i])
    nodes = model.tree.nodes
    added = h * (nodes["damping"] + h * nodes["stiffness"])
    change = trajectory.v[i + 1] - trajectory.v[i]
    known = (
        h * (snap.actuation @ trajectory.torque[i] - snap.bias) - h * h * nodes["stiffness"] * trajectory.v[i]
    )
    impulses = snap.jacobian.T @ trajectory.impulse[i] + snap.loop_jacobian.T @ trajectory.loop_impulse[i]
    return snap.mass @ change + added * change - known - impulses


def grid(trajectory, count):
    """About `count` step numbers spread over a trajectory."""
    return np.unique(np.linspace(0, len(trajectory) - 1, count).astype(int))
