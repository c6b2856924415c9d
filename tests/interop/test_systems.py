"""python-control systems: stepping as `simulate`, linearisation as on paper."""

import math

import numpy as np
import pytest

import modecontrol as mc

control = pytest.importorskip("control")
from modecontrol.interop import control_system  # noqa: E402 - after the skip

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:control.*")


def pendulum(length=0.7, m=1.3, inertia=0.05, damping=0.2):
    """A rigid pendulum that hangs down at q = 0."""
    return (
        mc.Builder("swing", parameters={"m": m, "l": length})
        .body(
            "rod",
            joint=mc.revolute("q", angle=-math.pi / 2, damping=damping),
            mass="m",
            inertia=inertia,
            com=("l", 0),
        )
        .input("tau", "q", lower=-2, upper=2)
        .build()
    )


@pytest.mark.parametrize("q", [0.0, math.pi, 0.6])
def test_linearised_pendulum(q):
    """`(I + m l^2) qdd = tau - d v - m g l sin q`: hanging, upright and in between, held by a torque."""
    length, m, inertia, d = 0.7, 1.3, 0.05, 0.2
    system = control_system(pendulum(), mode="")
    J, stiff = inertia + m * length**2, m * 9.81 * length
    found = control.linearize(system, [q, 0.0], [stiff * math.sin(q)])
    np.testing.assert_allclose(found.A, [[0, 1], [-stiff * math.cos(q) / J, -d / J]], atol=1e-5)
    np.testing.assert_allclose(found.B, [[0], [1 / J]], atol=1e-5)
    np.testing.assert_allclose(found.C, np.eye(2), atol=1e-9)


def test_linearised_cart_and_pole():
    """The textbook cart and pole, upright, with a point mass: pole eigenvalues +- sqrt((M + m) g / (M l))."""
    M, m, length = 2.0, 0.3, 0.5
    model = (
        mc.Builder("cart_pole")
        .body("cart", joint=mc.prismatic("x"), mass=M)
        .body("pole", joint=mc.revolute("theta"), mass=m, com=(0, length))
        .input("push", "x")
        .build()
    )
    found = control.linearize(control_system(model, mode=""), np.zeros(4), [0.0])
    expected = np.zeros((4, 4))
    expected[:2, 2:] = np.eye(2)
    expected[2, 1], expected[3, 1] = (
        m * 9.81 / M,
        (M + m) * 9.81 / (M * length),
    )  # theta > 0 leans to the left
    np.testing.assert_allclose(found.A, expected, atol=1e-5)
    poles = np.sort(np.linalg.eigvals(found.A).real)
    root = math.sqrt((M + m) * 9.81 / (M * length))
    np.testing.assert_allclose(poles[[0, -1]], [-root, root], atol=1e-5)


def test_held_modes_agree_with_the_affine_response():
    """qdd and f of every unique mode of the two-link mechanism at its start, against the search over modes."""
    model = mc.load("two_link")
    snap = model.snapshot(model.start, model.start_velocity)
    response = mc.dynamic_response(snap)
    outputs = [f"{c}_dd" for c in model.coordinates] + [
        f"{c}.{part}" for c in model.contacts for part in ("normal", "tangent")
    ]
    compared = 0
    for mode in response.modes:
        one = response[mode]
        if one.ambiguity_variables or one.admissible < len(model.inputs):
            continue
        system = control_system(model, mode=mode, outputs=outputs)
        for tau in (-1.0, 0.0, 2.5):
            x = np.concatenate([model.start, model.start_velocity])
            expected = np.concatenate([one.acceleration.value([tau]), one.force.value([tau])])
            np.testing.assert_allclose(
                system.output(0, x, [tau]), expected, atol=1e-8 * max(1, np.abs(expected).max())
            )
            compared += 1
    assert compared >= 3


def test_forces_that_are_not_unique_are_the_smallest():
    """Two fixed contacts of a block: forces are not unique, the motion is; the smallest forces are shown."""
    model = mc.load("block")
    system = control_system(
        model, mode="FF", outputs=["x_dd", "left.normal", "right.normal", "left.tangent", "right.tangent"]
    )
    weight = model.parameters["m"] * 9.81
    y = system.output(0, np.concatenate([model.start, np.zeros(3)]), [0.0])
    np.testing.assert_allclose(y, [0, weight / 2, weight / 2, 0, 0], atol=1e-8)


def test_what_has_no_motion_says_so():
    """The tip of a turning arm is pulled along its circle: it cannot stay on a wall while the arm turns."""
    slider = (
        mc.Builder("between")
        .body("b", joint=mc.revolute("turn", at=(0, 1)), mass=1, com=(1, 0))
        .contact("tip", "b", point=(1, 0), wall={"origin": (0, 1)}, mu=0.3)
        .build()
    )
    system = control_system(slider, mode="F")
    assert np.allclose(system.dynamics(0, [0.0, 0.0], []), 0)
    with pytest.raises(ValueError, match="mode 'F' has no motion at q = "):
        system.dynamics(0, [0.0, 1.0], [])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("block", {}),
        ("pendulum", {"restitution": 0.4}),
        ("four_bar", {}),
        ("rhex_compliant", {}),
        ("block", {"formulation": "mc"}),
    ],
)
def test_discrete_steps_are_those_of_simulate(name, options):
    model = mc.load(name)
    n, t = len(model.coordinates), len(model.inputs)
    time = np.arange(200) * 1e-3
    rng = np.random.default_rng(2)
    u = np.repeat(rng.uniform(-3, 3, (t, 10)), 20, axis=1)
    system = control_system(model, **options)
    x0 = np.concatenate([model.start, model.start_velocity])
    assert system.dt == 1e-3
    found = [x0]
    for k in range(len(time) - 1):
        found.append(system.dynamics(time[k], found[-1], u[:, k]))
    traj = mc.simulate(model, controller=lambda at, q, v: u[:, round(at / 1e-3)], duration=0.199, **options)
    expected = np.hstack([traj.q, traj.v])
    np.testing.assert_allclose(found, expected, atol=1e-7 * max(1.0, np.abs(expected).max()))
    assert n * 2 == system.nstates


def test_input_output_response_of_a_sliding_block():
    """A block given a push of 1 m/s stops after v / (mu g) seconds: control's own response function sees
    friction.
    """
    model = mc.load("block")
    system = control_system(model, outputs=["x", "x_d", "left.normal"])
    time = np.arange(0, 0.5, 1e-3)
    x0 = np.concatenate([model.start, [1.0, 0.0, 0.0]])
    reply = control.input_output_response(system, time, np.zeros((1, len(time))), x0)
    mu = model.parameters["mu"]
    speed = np.maximum(0.0, 1.0 - mu * 9.81 * time)
    np.testing.assert_allclose(reply.outputs[1], speed, atol=mu * 9.81 * 1e-3 + 1e-9)
    assert reply.outputs[0][-1] == pytest.approx(1 / (2 * mu * 9.81), abs=2e-3)
    assert list(reply.output_labels) == ["x", "x_d", "left_normal"]


def test_a_loop_closed_by_python_control_moves_as_in_simulate():
    """A discrete controller around the stepped block, with sticking at the end: `interconnect` against
    `simulate`.
    """
    model = mc.load("block")
    plant = control_system(model, outputs=["x", "x_d"], name="plant")
    law = control.StateSpace(
        [], [], [], [[-200.0, -40.0]], 1e-3, inputs=["x", "x_d"], outputs=["push"], name="law"
    )
    loop = control.interconnect(
        [plant, law],
        outputs=["x", "x_d"],
        outlist=["plant.x", "plant.x_d"],
        connections=[["plant.push", "law.push"], ["law.x", "plant.x"], ["law.x_d", "plant.x_d"]],
    )
    time = np.arange(300) * 1e-3
    x0 = np.concatenate([model.start + np.array([0.5, 0, 0]), np.zeros(3)])
    reply = control.input_output_response(loop, time, 0, x0)
    traj = mc.simulate(model, x0[:3], controller=lambda t, q, v: [-200 * q[0] - 40 * v[0]], duration=0.299)
    np.testing.assert_allclose(reply.outputs[0], traj.q[:, 0], atol=1e-9)
    np.testing.assert_allclose(reply.outputs[1], traj.v[:, 0], atol=1e-9)


def test_feedback_designed_on_the_linear_system_holds_the_nonlinear_one():
    """LQR for the upright pendulum, closed with control's interconnection in continuous time."""
    system = control_system(pendulum(damping=0.0), mode="")
    A = control.linearize(system, [math.pi, 0.0], [0.0])
    K, _, _ = control.lqr(A.A, A.B, np.eye(2), np.eye(1))
    x = np.array([math.pi + 0.2, 0.0])
    for _ in range(4000):
        x = x + 1e-3 * np.asarray(system.dynamics(0.0, x, -K @ (x - [math.pi, 0.0])))
    np.testing.assert_allclose(x, [math.pi, 0.0], atol=1e-2)


def test_params_are_the_parameters_of_the_model():
    system = control_system(pendulum(), mode="")
    light = system.dynamics(0, [0.5, 0.0], [0.0], params={"m": 0.4})
    expected = -0.4 * 9.81 * 0.7 * math.sin(0.5) / (0.05 + 0.4 * 0.49)
    assert light[1] == pytest.approx(expected, rel=1e-9)
    stepped = control_system(mc.load("block"))
    x = np.concatenate([mc.load("block").start, [1.0, 0, 0]])
    slow, fast = (stepped.dynamics(0, x, [0.0], params={"mu": mu})[3] for mu in (0.1, 0.9))
    assert slow == pytest.approx(1 - 0.1 * 9.81e-3, rel=1e-9)
    assert fast == pytest.approx(1 - 0.9 * 9.81e-3, rel=1e-9)


def test_clip():
    free, cut = (control_system(pendulum(), mode="", clip=clip, outputs=["tau"]) for clip in (False, True))
    assert free.output(0, [0.0, 0.0], [5.0]) == pytest.approx([5.0])
    assert cut.output(0, [0.0, 0.0], [5.0]) == pytest.approx([2.0])
    assert control_system(pendulum(), clip=True, outputs=["tau"]).output(
        0, [0.0, 0.0], [5.0]
    ) == pytest.approx([2.0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mode": "F"}, "mode 'F' is not a contact mode; expected 2 letters"),
        ({"mode": "FF", "restitution": 0.1}, "leave one of them out"),
        ({"outputs": ["z"]}, "unknown quantity 'z'"),
        ({"outputs": "x"}, "expected a sequence of names"),
        ({"level": "deep"}, "level is 'deep'"),
    ],
)
def test_one_clear_line(arguments, message):
    with pytest.raises(ValueError, match=message) as caught:
        control_system("block", **arguments)
    assert "\n" not in str(caught.value)
