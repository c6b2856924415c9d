"""Errors of the inputs and additive forces: analytic values, raw programs at exactly known loads, and what must always hold."""

from itertools import product

import numpy as np
import pytest
import reference

import modecontrol as mc
from modecontrol.dynamics.friction_box import FrictionBox
from modecontrol.modes.lift import idle_inputs

M, G, MU, PUSH = 2.0, 9.81, 0.4, 12.0
LIMIT = 20.0


def pushed(friction=MU, bias=0.0, velocity=(0.0, 0.0)):
    """A point mass on the floor, pushed along it with at most 12 N; all modes."""
    snap = mc.Snapshot(
        mass=M * np.eye(2),
        bias=[bias, M * G],
        actuation=[[1.0], [0.0]],
        jacobian=[[0.0, 1.0], [1.0, 0.0]],
        drift=[0.0, 0.0],
        friction=friction,
        velocity=velocity,
        names={"coordinates": ("x", "y"), "inputs": ("push",), "contacts": ("foot",)},
    )
    return mc.dynamic_response(snap, torque_limits=[(-PUSH, PUSH)])


@pytest.mark.parametrize("guarantee", ["mode", "outcome"])
@pytest.mark.parametrize(
    ("known", "least"),
    [
        ({"torque_error": 1.5}, PUSH - 1.5 - MU * M * G),
        ({"relative_torque_error": 0.1}, 0.9 * PUSH - MU * M * G),
        ({"torque_error": 1.0, "relative_torque_error": 0.1}, 0.9 * PUSH - 1.0 - MU * M * G),
        ({"forces": {"x": (-2.0, 5.0)}}, PUSH - 2.0 - MU * M * G),
        ({"forces": {"y": (-3.0, 1.0)}}, PUSH - MU * (M * G + 3.0)),
        (
            {"forces": mc.Polytope.from_vertices([[-1.0, -1.0], [1.0, -1.0], [0.0, 2.0]])},
            PUSH - 1.0 - MU * (M * G + 1.0),
        ),
    ],
)
def test_a_block_that_is_pushed_is_as_slow_as_the_worst_load_makes_it(guarantee, known, least):
    best = mc.maximize(pushed(), "x", guarantee=guarantee, disturbance=mc.Disturbance(**known))
    assert best.value == pytest.approx(least / M)
    assert best.torque == pytest.approx([PUSH])
    assert best.modes == ("R",)
    assert best.acceleration == pytest.approx([least / M, 0.0], abs=1e-9)
    assert "every disturbance" in best.existence


def test_the_worst_load_is_named():
    best = mc.maximize(pushed(), "x", disturbance=mc.Disturbance(torque_error=1.5, forces={"y": (-3.0, 1.0)}))
    assert best.load == pytest.approx({"error of push": -1.5, "force on y": -3.0})


def test_a_force_that_is_known_is_a_bias():
    there = mc.Disturbance(forces={"x": (3.0, 3.0)})
    for guarantee in ("mode", "outcome", "none"):
        moved = mc.maximize(pushed(bias=-3.0), "x", guarantee=guarantee)
        found = mc.maximize(pushed(), "x", guarantee=guarantee, disturbance=there)
        assert found.value == pytest.approx(moved.value), guarantee
    assert mc.promised_value(pushed(), "x", [5.0], disturbance=there) == pytest.approx(
        mc.promised_value(pushed(bias=-3.0), "x", [5.0])
    )


def test_no_disturbance_changes_nothing():
    model = mc.load("rhex")
    response = mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 10")
    for nothing in (mc.Disturbance(), mc.Disturbance(torque_error=[0, 0, 0], forces={})):
        for guarantee in ("mode", "outcome", "none"):
            known = mc.maximize(response, "alpha", guarantee=guarantee)
            assert mc.maximize(
                response, "alpha", guarantee=guarantee, disturbance=nothing
            ).value == pytest.approx(known.value, abs=1e-9)


def test_more_disturbance_promises_less_and_lets_hope_for_more():
    model = mc.load("rhex")
    response = mc.dynamic_response(model.snapshot(model.start), task="body.normal >= 10")
    values = {"mode": [], "outcome": [], "none": []}
    for error in (0.0, 0.1, 0.4):
        known = mc.Disturbance(torque_error=error, forces={"z": (-error, error)})
        for guarantee, found in values.items():
            found.append(
                mc.maximize(response, "alpha", guarantee=guarantee, patience=6, disturbance=known).value
            )
    assert all(np.diff(values["mode"]) < 0)
    assert all(np.diff(values["outcome"]) < 1e-9)
    assert all(np.diff(values["none"]) > 0)
    for mode, outcome, none in zip(*values.values(), strict=True):
        assert mode - 1e-9 <= outcome <= none + 1e-9


def loads(box, load, rng):
    """Every corner of the friction with every vertex of the disturbance, and points inside."""
    cases = list(product([box.at(corner) for corner in box.corners()], load.vertices))
    for _ in range(6):
        weights = rng.dirichlet(np.ones(len(load.pushes)))
        way = rng.uniform(-1, 1, size=len(load.added))
        cases.append((box.at(rng.uniform(box.low, box.high)), (way, weights @ load.pushes)))
    return cases


@pytest.mark.parametrize("seed", range(10))
def test_promises_by_raw_programs_at_every_load(seed):
    rng = np.random.default_rng([17, seed])
    s = reference.random_system(rng, contacts=2, inputs=2)
    n, t = s["actuation"].shape
    low = rng.choice([0.0, 0.3], size=1 if seed % 3 == 0 else 2)
    slope = np.ones((2, 1)) if seed % 3 == 0 else np.eye(2)
    box = FrictionBox(tuple(f"mu{i}" for i in range(len(low))), low, low + 0.2, np.zeros(2), slope)
    limits = [(-LIMIT, LIMIT)] * t
    response = mc.dynamic_response(mc.Snapshot(**s).with_friction(box), torque_limits=limits)
    known = mc.Disturbance(
        torque_error=rng.choice([0.0, 0.3], size=t),
        relative_torque_error=rng.choice([0.0, 0.1], size=t),
        forces=mc.Polytope.from_vertices(rng.normal(size=(3, 2))),
        along=rng.normal(size=(n, 2)),
    )
    load = known.at(response.snapshot, idle_inputs(response.snapshot, response.problem.touching))
    goal = rng.normal(size=n)
    for guarantee in ("mode", "outcome"):
        best = mc.maximize(response, goal, guarantee=guarantee, patience=12, disturbance=known)
        if not best:
            continue
        tau, wide = best.torque, [(-LIMIT - 1, LIMIT + 1)] * t
        for mu, (way, push) in loads(box, load, rng):
            error = way * (load.added + load.part * np.abs(tau))
            there = {**s, "friction": mu, "bias": s["bias"] - s["actuation"] @ error - load.along @ push}
            modes = [
                m
                for m in reference.candidate_modes(s)
                if reference.exists_at(there, m, tau, wide, slack=1e-6)
            ]
            assert modes
            strictly = [m for m in modes if reference.exists_at(there, m, tau, wide, slack=-1e-5)]
            if guarantee == "mode":
                assert best.mode in modes
                assert set(strictly) <= {best.mode}
            for mode in strictly:
                least = reference.least_at(there, mode, tau, wide, goal)
                assert least is None or least >= best.value - 1e-5 * (1 + abs(best.value))


def test_a_leg_without_mass_in_the_air_may_have_any_error():
    model = mc.load("rhex")
    q = np.array([0.0, 0.2, 0.6, -0.3, -0.3, -0.3])
    snap = model.snapshot(q)
    response = mc.dynamic_response(snap, check_state=False)
    open_legs = response.problem.touching.free[1:]
    assert list(idle_inputs(response.snapshot, response.problem.touching)) == list(open_legs)


BAD = [
    ({"torque_error": -0.1}, ValueError, "torque_error is -0.1; expected one bound >= 0"),
    ({"torque_error": np.nan}, ValueError, "torque_error is nan"),
    ({"torque_error": [0.1, 0.2]}, ValueError, "expected one bound >= 0$"),
    ({"relative_torque_error": 1.5}, ValueError, "relative_torque_error is 1.5; expected parts from 0 to 1"),
    ({"relative_torque_error": -0.5}, ValueError, "relative_torque_error is -0.5"),
    ({"forces": {"x": (2, -2)}}, ValueError, r"forces\['x'\] is \(2, -2\); expected a pair"),
    ({"forces": {"x": (-np.inf, 2)}}, ValueError, "expected a pair"),
    ({"forces": {"x": 2}}, ValueError, "expected a pair"),
    ({"forces": {"z": (0, 1)}}, ValueError, "names the coordinate 'z'; expected some of x, y"),
    ({"forces": 3.0}, TypeError, "forces is 3.0; expected intervals by coordinate"),
    (
        {"forces": mc.Polytope([[1.0, 0.0]], [1.0])},
        ValueError,
        r"forces is unbounded .* give every variable limits",
    ),
    ({"forces": mc.Polytope.empty(2)}, ValueError, "forces is an empty set"),
    ({"forces": mc.Polytope.box([-1], [1])}, ValueError, r"forces has 1 variables .* say `along`"),
    ({"forces": mc.Polytope.box([-1], [1]), "along": np.eye(2)}, ValueError, "forces has 1 variables"),
    ({"along": np.eye(2)}, ValueError, "along goes with forces as a Polytope"),
]


@pytest.mark.parametrize(("given", "kind", "line"), BAD)
def test_bad_disturbances_are_refused_with_one_line(given, kind, line):
    with pytest.raises(kind, match=line) as refused:
        mc.maximize(pushed(), "x", disturbance=mc.Disturbance(**given))
    assert "\n" not in str(refused.value)


def test_what_is_no_disturbance_is_refused():
    with pytest.raises(TypeError, match=r"disturbance is 0\.1; expected Disturbance"):
        mc.maximize(pushed(), "x", disturbance=0.1)
    with pytest.raises(TypeError, match=r"disturbance is 0\.1"):
        mc.MaximalThrust(mc.load("rhex"), "alpha", disturbance=0.1)


def test_too_many_vertices_are_refused():
    n = 13
    snap = mc.Snapshot(
        mass=np.eye(n),
        bias=np.zeros(n),
        actuation=np.eye(n),
        jacobian=np.eye(n)[:2],
        drift=np.zeros(2),
        friction=0.5,
        velocity=np.zeros(2),
    )
    response = mc.dynamic_response(snap, torque_limits=[(-1, 1)] * n)
    for many in (
        mc.Disturbance(torque_error=0.1),
        mc.Disturbance(forces={f"q{i + 1}": (-1, 1) for i in range(n)}),
    ):
        with pytest.raises(ValueError, match="8192 vertices; expected at most 4096"):
            mc.promised_value(response, "q1", np.zeros(n), disturbance=many)
