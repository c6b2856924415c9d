"""The same mechanisms in MuJoCo: mass matrix, bias, contact Jacobians and drifts.

A mechanism is written as MJCF, in the x-y plane, body by body. Run with `pytest -m peers` after installing
the `[peers]` extra; skipped when MuJoCo is not installed.
"""

import math

import numpy as np
import pytest

from modecontrol.dynamics.library import load
from modecontrol.dynamics.mechanism import Body, Contact, Joint, Mechanism
from modecontrol.dynamics.model import Model

pytestmark = pytest.mark.peers
mujoco = pytest.importorskip("mujoco")
AGREE = 1e-9
JOINTS = {
    "planar": ("slide 1 0 0", "slide 0 1 0", "hinge 0 0 1"),
    "revolute": ("hinge 0 0 1",),
    "prismatic": ("slide 1 0 0",),
    "weld": (),
}


def mjcf(mechanism: Mechanism) -> str:
    """MJCF of an evaluated mechanism, in radians, without geoms; joints are called like coordinates."""
    children: dict[str, list[Body]] = {}
    for body in mechanism.bodies:
        children.setdefault(body.parent, []).append(body)

    def element(body: Body) -> str:
        joint = body.joint
        joints = "".join(
            f'<joint name="{name}" type="{what.split(maxsplit=1)[0]}" axis="{what.split(maxsplit=1)[1]}" '
            f'stiffness="{joint.stiffness:.17g}" damping="{joint.damping:.17g}" '
            f'springref="{joint.rest:.17g}"/>'
            for name, what in zip(joint.coordinates, JOINTS[joint.kind], strict=True)
        )
        return (
            f'<body name="{body.name}" pos="{joint.at[0]:.17g} {joint.at[1]:.17g} 0" '
            f'quat="{math.cos(joint.angle / 2):.17g} 0 0 {math.sin(joint.angle / 2):.17g}">{joints}'
            f'<inertial pos="{body.com[0]:.17g} {body.com[1]:.17g} 0" mass="{body.mass:.17g}" '
            f'diaginertia="{" ".join([f"{body.inertia:.17g}"] * 3)}"/>'
            f"{''.join(map(element, children.get(body.name, [])))}</body>"
        )

    gx, gy = mechanism.gravity
    return (
        f'<mujoco><compiler angle="radian"/><option gravity="{gx:.17g} {gy:.17g} 0"/>'
        f"<worldbody>{''.join(map(element, children['world']))}</worldbody></mujoco>"
    )


def springy() -> Model:
    """A cart on a slope with a spring, a welded mast, an arm with a damper, a slider on it."""
    return Model(
        Mechanism(
            "springy",
            (
                Body(
                    "cart",
                    "world",
                    Joint("prismatic", ("s",), (0.1, 0.2), 0.4, stiffness=30.0, damping=2.0, rest=0.1),
                    2.0,
                    0.3,
                    (0.05, -0.1),
                ),
                Body("mast", "cart", Joint("weld", (), (0.0, 0.5), 0.3), 0.4, 0.02, (0.0, 0.2)),
                Body(
                    "arm",
                    "mast",
                    Joint("revolute", ("a",), (0.2, 0.3), -0.7, damping=0.3),
                    1.0,
                    0.2,
                    (0.4, 0.1),
                ),
                Body(
                    "slider",
                    "arm",
                    Joint("prismatic", ("r",), (0.3, 0.0), 1.0, stiffness=9.0, rest=-0.2),
                    0.5,
                    0.01,
                ),
            ),
            contacts=(
                Contact("tip", "point", "slider", (0.2, 0.1), tilt=0.4, origin=(0.3, 0.1)),
                Contact("wheel", "disc", "arm", (0.5, 0.0), radius=0.2),
            ),
        )
    )


MODELS = {
    "pendulum": lambda: load("pendulum", n=5),
    "biped": lambda: load("biped"),
    "chain": lambda: load("chain"),
    "springy": springy,
}


@pytest.mark.parametrize("name", MODELS)
def test_mujoco_has_the_same_numbers(name):
    model = MODELS[name]()
    mechanism = model.mechanism.evaluated()
    peer = mujoco.MjModel.from_xml_string(mjcf(mechanism))
    data = mujoco.MjData(peer)
    order = [int(peer.joint(name).dofadr[0]) for name in model.coordinates]
    n = len(order)
    assert peer.nv == n
    rng = np.random.default_rng(3)
    for _ in range(3):
        q, v = model.start + rng.normal(size=n) * 0.5, rng.normal(size=n)
        data.qpos[order], data.qvel[order] = q, v
        mujoco.mj_forward(peer, data)
        M = np.zeros((n, n))
        full_mass(peer, data, M)
        snap = model.snapshot(q, v)
        close(snap.mass, M[np.ix_(order, order)], "mass")
        close(snap.bias, (data.qfrc_bias - data.qfrc_passive)[order], "bias")
        for i, contact in enumerate(mechanism.contacts):
            if contact.kind != "disc_disc":
                jacobian = rows(peer, data, contact, mujoco.mj_jac)[:, order]
                close(snap.jacobian[2 * i : 2 * i + 2], jacobian, contact.name)
                drift = rows(peer, data, contact, mujoco.mj_jacDot)[:, order] @ v
                close(snap.drift[2 * i : 2 * i + 2], drift, f"drift of {contact.name}")


def full_mass(peer, data, M: np.ndarray) -> None:
    """`mj_fullM`, whose arguments changed with version 4."""
    try:
        mujoco.mj_fullM(peer, M, data.qM)
    except (TypeError, AttributeError):
        mujoco.mj_fullM(peer, data, M)


def rows(peer, data, contact: Contact, function) -> np.ndarray:
    """Normal and tangential row of the contact's centre, from MuJoCo's Jacobian; discs turn their rim."""
    body = mujoco.mj_name2id(peer, mujoco.mjtObj.mjOBJ_BODY, contact.body)
    point = data.xpos[body] + data.xmat[body].reshape(3, 3) @ (*contact.point, 0.0)
    across, turn = np.zeros((3, peer.nv)), np.zeros((3, peer.nv))
    function(peer, data, across, turn, point, body)
    c, s = math.cos(contact.tilt), math.sin(contact.tilt)
    radius = contact.radius if contact.kind == "disc" else 0.0
    return np.array([-s * across[0] + c * across[1], c * across[0] + s * across[1] + radius * turn[2]])


def close(found: np.ndarray, expected: np.ndarray, what: str) -> None:
    scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
    np.testing.assert_allclose(found, expected, rtol=0, atol=AGREE * scale, err_msg=what)
