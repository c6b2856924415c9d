"""Controllers that promise for disturbances and for velocities known as intervals."""

from itertools import product

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.thrust.instants import respond_at

TASK, V0 = "body.normal >= 10", (0.001, 0.08, 0.001, 0.001)


def turning(pitch, rate):
    """A state of RHex on its corner: the toe behind the corner on the ground, pitching."""
    model = mc.load("rhex")
    z = 0.25 * np.sin(pitch) + 0.05 * np.cos(pitch)
    reach = [(z + hip * np.sin(pitch)) / 0.17 for hip in (-0.19, 0.015, 0.22)]
    q = np.array([0.0, z, pitch, *((-np.arcsin(r) if r < 0.985 else -0.3) - pitch for r in reach)])
    v = np.zeros(6)
    v[2] = rate
    return model, q, model.settle_velocity(q, v, zero_normal=["body"])


@pytest.mark.parametrize(("pitch", "rate"), [(0.0, 0.0), (0.2, 0.0), (0.35, 0.0)])
def test_what_is_promised_for_disturbances_is_kept_at_their_vertices(pitch, rate):
    model, q, v = turning(pitch, rate)
    known = mc.Disturbance(torque_error=0.2, relative_torque_error=0.03, forces={"y": (-1.0, 0.5)})
    controller = mc.MaximalThrust(model, "alpha", task=TASK, v0=V0, gap=1e-3, disturbance=known)
    tau = controller(0.0, q, v)
    decision = controller.decisions[-1]
    assert decision.fallback == ""
    exact = mc.MaximalThrust(model, "alpha", task=TASK, v0=V0, guarantee="outcome")
    exact(0.0, q, v)
    assert decision.value < exact.decisions[-1].value
    instant = controller.thresholds.read(model, q, v)
    response = respond_at(instant, task=TASK)
    assert mc.promised_value(response, "alpha", tau, disturbance=known) == pytest.approx(decision.value)
    grounded = ~instant.touching.free[1:]
    for way in product((-1.0, 0.3, 1.0), repeat=3):
        error = np.array(way) * (0.2 + 0.03 * np.abs(tau)) * grounded
        for push in (-1.0, 0.5):
            moved = mc.dynamic_response(
                _pushed(response.snapshot, error, push),
                torque_limits=[(-12.0, 12.0)] * 3,
                velocity_tolerance=V0,
            )
            motions = moved.accelerations_at(tau)
            assert motions
            for mode, ranges in motions.items():
                assert ranges["alpha"][0] >= decision.value - 1e-6
                assert moved.forces_at(tau)[mode]["body.normal"][0] >= 10.0 - 1e-6


def _pushed(snapshot, error, push):
    """The instant with an error of the inputs and a force on y."""
    from dataclasses import replace

    bias = snapshot.bias - snapshot.actuation @ error
    bias[0] -= push
    return replace(snapshot, bias=bias)


def test_a_velocity_of_either_sign_promises_the_worst_of_sliding_and_rest():
    model = mc.load("block")
    options = {"physical": ("push >= -20", "push <= 20")}
    q, v = model.start, np.array([0.01, 0.0, 0.0])
    values = {}
    for name, known in {
        "slides": {"velocity": 0.001},
        "open": {"velocity": (0.05, 0.05)},
        "asked": {"velocity": lambda t, q, v: (np.full(2, -0.04), np.full(2, 0.06))},
        "rests": {"v0": 0.05, "guarantee": "outcome"},
    }.items():
        controller = mc.MaximalThrust(model, "x", **options, **known)
        controller(0.0, q, v)
        values[name] = controller.decisions[-1]
        assert values[name].fallback == ""
    # 20 N on 2 kg with friction 0.5: sliding right is held back by as much as a start from rest is
    assert values["slides"].value == pytest.approx(10.0 - 0.5 * 9.81, abs=1e-6)
    assert values["rests"].value == pytest.approx(values["slides"].value, abs=1e-6)
    assert values["open"].value == pytest.approx(values["slides"].value, abs=1e-6)
    assert values["asked"].value == values["open"].value


def test_a_velocity_of_either_sign_is_what_a_snapshot_with_an_interval_says():
    model, q, v = turning(0.35, 0.0)
    half = np.array([0.0, 0.02, 0.0, 0.0])
    controller = mc.MaximalThrust(model, "alpha", task=TASK, velocity=half)
    controller(0.0, q, v)
    decision = controller.decisions[-1]
    snap = model.snapshot(q, v)
    both = np.array([snap.velocity, snap.velocity])
    both[:, 1::2] += np.array([-half, half])
    both[np.abs(both) < 1e-9] = 0.0
    from dataclasses import replace

    response = mc.dynamic_response(replace(snap, velocity=both, velocity_interval=None), task=TASK)
    best = mc.maximize(response, "alpha", guarantee="outcome")
    assert decision.fallback == ""
    assert best
    assert decision.value <= best.value + 1e-6 * abs(best.value)
    assert decision.value == pytest.approx(mc.promised_value(response, "alpha", decision.torque), rel=1e-6)


@pytest.mark.parametrize(
    ("known", "line"),
    [
        ({"velocity": -0.1}, "velocity is -0.1; expected one bound >= 0, or one for each of 4"),
        ({"velocity": (0.1, 0.2)}, "velocity is"),
        ({"velocity": np.nan}, "velocity is nan"),
        ({"velocity": 0.1, "guarantee": "mode"}, "guarantee is 'mode' and velocity is uncertain"),
        ({"velocity": 0.1, "guarantee": "none"}, "guarantee is 'none' and velocity is given"),
        (
            {"disturbance": mc.Disturbance(torque_error=0.1), "guarantee": "mode"},
            "and disturbance is uncertain",
        ),
        ({"disturbance": mc.Disturbance(torque_error=[0.1, 0.2])}, "or one for each of 3"),
        ({"disturbance": mc.Disturbance(forces={"x": (0, 1)})}, "names the coordinate 'x'"),
    ],
)
def test_bad_options_are_refused_with_one_line(known, line):
    with pytest.raises(ValueError, match=line) as refused:
        mc.MaximalThrust(mc.load("rhex"), "alpha", **known)
    assert "\n" not in str(refused.value)


def test_bad_intervals_from_a_function_are_refused_with_one_line():
    model = mc.load("rhex")
    for bad in (
        np.nan,
        (np.zeros(4), np.full(4, -1.0)),
        (np.zeros(3), np.zeros(3)),
        (np.full(4, np.nan),) * 2,
    ):
        controller = mc.MaximalThrust(model, "alpha", velocity=lambda t, q, v, bad=bad: bad)
        with pytest.raises(ValueError, match=r"velocity returned .* expected \(lo, hi\), 4 numbers each"):
            controller(0.0, model.start, np.zeros(6))
