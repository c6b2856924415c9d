"""Five formulations and three dynamics: the same motion, and the published sizes."""

import numpy as np
import pytest
from scenes import OPTIONS, ball

import modecontrol as mc
from modecontrol.errors import SingularMassError
from modecontrol.timestepping import FORMULATIONS, lcp_size, simulate
from modecontrol.timestepping.engine import Engine
from modecontrol.timestepping.settings import choose

CASES = [
    ("block", {"slope": 0.6}, [0.0], 0.03, 1e-3),
    ("four_bar", {}, [5.0], 0.03, 1e-3),
    ("two_link", {"mu": 0.5}, [-10.0], 0.02, 1e-3),
    ("biped", {}, [0.0] * 6, 0.02, 1e-3),
    ("rhex_compliant", {}, [-5.0] * 3, 0.002, 1e-4),
]


@pytest.mark.parametrize(("name", "options", "torque", "duration", "step"), CASES)
def test_all_formulations_and_dynamics_give_the_same_motion(name, options, torque, duration, step):
    model = mc.load(name, **options)
    common = {"controller": torque, "duration": duration, "step": step}
    reference = simulate(model, **common)
    assert reference.completed
    assert reference.impulse.any()
    others = [{"formulation": name} for name in FORMULATIONS] + [
        {"dynamics": name} for name in ("dense", "dca")
    ]
    compared = 0
    for other in others:
        try:
            run = simulate(model, **common, **other)
        except ValueError:  # massless bodies, implicit springs: said so, tested below
            assert name == "rhex_compliant"
            continue
        np.testing.assert_allclose(run.v, reference.v, atol=1e-9)
        np.testing.assert_allclose(run.q, reference.q, atol=1e-10)
        assert run.modes == reference.modes
        compared += 1
    assert compared >= 5


def test_formulations_agree_through_collisions():
    """Jain's pendulum through its first impacts, friction and restitution included."""
    model = mc.load("pendulum", n=3, collide=1)
    reference = simulate(model, duration=1.0)
    assert reference.impacts.sum() >= 1
    for formulation in ("nmc/os", "mc"):
        run = simulate(model, duration=1.0, formulation=formulation)
        assert run.impacts.sum() == reference.impacts.sum()
        np.testing.assert_allclose(run.q, reference.q, atol=1e-8)


def test_each_formulation_reports_its_size():
    model = mc.load("block")
    expected = {"nmc": 3 + 8, "mc": 3 + 8, "rmc": 8, "os": 8, "nmc/os": 8}
    for formulation, size in expected.items():
        run = simulate(model, duration=0.002, formulation=formulation)
        assert set(run.lcp_size) == {size}
        assert lcp_size(formulation, bodies=1, freedoms=3, contacts=2) == size
    four_bar = mc.load("four_bar")
    expected = {"nmc": 9 + 6 + 2 + 4, "mc": 3 + 2 + 4, "rmc": 4, "os": 2 + 4, "nmc/os": 6 + 2 + 4}
    for formulation, size in expected.items():
        run = simulate(four_bar, duration=0.001, formulation=formulation)
        assert set(run.lcp_size) == {size}
        assert lcp_size(formulation, bodies=3, freedoms=3, contacts=1, loops=2) == size


def test_sizes_of_jains_dual_arm_robot():
    """Table 1 of Jain 2014: 26 bodies, 26 freedoms, 4 contacts, 4 friction directions."""
    sizes = {
        name: lcp_size(name, bodies=26, freedoms=26, contacts=4, directions=4, spatial=True)
        for name in ("nmc", "mc", "rmc", "os")
    }
    assert sizes == {"nmc": 310, "mc": 50, "rmc": 24, "os": 24}


def test_sizes_of_jains_pendulum():
    """Table 2 of Jain 2014."""
    for links, half, full in (
        (3, 39, 57),
        (6, 54, 90),
        (12, 84, 156),
        (15, 99, 189),
        (24, 144, 288),
        (30, 174, 354),
    ):
        common = {"bodies": links, "freedoms": links, "contacts": 4, "directions": 4, "spatial": True}
        assert lcp_size("os", **common) == 24
        assert lcp_size("nmc/os", **common) == half
        assert lcp_size("nmc", **common) == full


def test_massless_legs_need_the_velocities_kept():
    model = mc.load("rhex")
    with pytest.raises(SingularMassError, match=r"'phi1', 'phi2', 'phi3'.*formulation='mc'"):
        simulate(model)
    runs = [simulate(model, controller=[-5.0] * 3, duration=0.02, formulation=name) for name in ("mc", "nmc")]
    for run in runs:
        assert run.completed
        assert set(run.modes) == {"RFLL"}
    np.testing.assert_allclose(runs[0].v, runs[1].v, atol=1e-9)
    response = mc.dynamic_response(model.snapshot(model.start))
    assert "RFLL" in response.modes_at([-5.0] * 3)


def test_stabilisation_of_the_dart_note_is_off_by_default_and_makes_contacts_creep():
    model = mc.load("block", slope=0.3, mu=0.5)
    plain, scaled = simulate(model, duration=0.2), simulate(model, duration=0.2, friction_scaling=True)
    np.testing.assert_allclose(scaled.v, plain.v, atol=1e-14)
    creeping = simulate(model, duration=0.2, eps=1e-3)
    assert np.abs(plain.q[-1] - plain.q[0]).max() < 1e-15
    assert np.abs(creeping.q[-1] - creeping.q[0]).max() > 1e-7
    again = simulate(model, duration=0.01, eps=1e-3, formulation="rmc")
    np.testing.assert_allclose(again.v, creeping.v[: len(again.v)], atol=1e-12)


@pytest.mark.parametrize("dynamics", ["dca", "dense"])
def test_implicit_springs_and_dampers_in_every_dynamics(dynamics):
    """A sprung arm between a floor and a stop: slides and turns, stiff and soft, one joint without anything."""
    builder = mc.Builder("sprung").body(
        "cart", joint=mc.prismatic("x", stiffness=1e4, damping=3.0), mass=1, inertia=0.1
    )
    hinges = [
        mc.revolute("a", stiffness=50.0),
        mc.revolute("b", at=(0.5, 0)),
        mc.revolute("c", at=(0.5, 0), damping=1e3),
    ]
    for i, hinge in enumerate(hinges):
        builder = builder.body(f"link{i}", joint=hinge, mass=0.5, inertia=0.02, com=(0.25, 0))
    floor = {"origin": (0, -0.1), "tilt": 0.0}
    model = builder.contact("tip", "link2", point=(0.5, 0), mu=0.4, wall=floor).build()
    reference = simulate(model, [0.01, 0.1, 0, 0], duration=0.3)
    run = simulate(model, [0.01, 0.1, 0, 0], duration=0.3, dynamics=dynamics)
    assert reference.impulse.any()
    np.testing.assert_allclose(run.v, reference.v, atol=1e-9)
    np.testing.assert_allclose(run.q, reference.q, atol=1e-10)


def test_dca_says_which_body_has_no_inertia():
    with pytest.raises(ValueError, match=r"'r1'.*inertia 0"):
        simulate(mc.load("rhex_compliant"), dynamics="dca")


COMPILED = [{"dynamics": "dense"}, {"dynamics": "dca"}, {"formulation": "nmc/os"}]


@pytest.mark.parametrize("other", COMPILED, ids=lambda option: "-".join(option.values()))
def test_compared_ways_run_compiled_through_collisions_and_loops(other, monkeypatch):
    """Dense, divide and conquer and independent bodies answer in the compiled loop, never through Python."""

    def refuse(self):
        raise AssertionError(f"step {self.record.steps} went through Python")

    monkeypatch.setattr(Engine, "_answer", refuse)
    pendulum = mc.load("pendulum", n=5, collide=1)
    reference, run = simulate(pendulum, duration=2.0), simulate(pendulum, duration=2.0, **other)
    assert reference.impacts.sum() >= 2
    assert run.impacts.sum() == reference.impacts.sum()
    np.testing.assert_allclose(run.q, reference.q, atol=1e-8)
    four_bar = mc.load("four_bar")
    reference, run = (
        simulate(four_bar, controller=[-15.0], duration=0.3, **option) for option in ({}, other)
    )
    np.testing.assert_allclose(run.q, reference.q, atol=1e-8)
    np.testing.assert_allclose(run.loop_impulse, reference.loop_impulse, atol=1e-8)


def test_mixed_problem_pivoted_whole_is_the_same_step():
    model = mc.load("pendulum", n=6, collide=1)
    choices = choose(model, 1e-3, formulation="nmc/os", **OPTIONS)
    engines = [
        Engine(model, choices, model.start, model.start_velocity, whole=whole) for whole in (False, True)
    ]
    for engine in engines:
        assert engine.run(1500, np.zeros(0)) == ""
    assert engines[0].record.impacts.sum() >= 3
    np.testing.assert_allclose(engines[1].record.q, engines[0].record.q, atol=1e-10)
    np.testing.assert_allclose(engines[1].record.impulse, engines[0].record.impulse, atol=1e-9)


@pytest.mark.parametrize("collide", [0, 1])
def test_more_near_contacts_than_room_in_the_compared_ways(collide):
    """Twenty balls lie on the floor: the work space grows, whatever the formulation."""
    model = mc.load("pendulum", n=20, height=0.3, angle=0.0, speed=0.0, wall=100.0, collide=collide)
    reference = simulate(model, duration=0.3)
    assert (reference.impulse[:, 0::2] > 0).sum(axis=1).max() > 12
    for other in COMPILED:
        run = simulate(model, duration=0.05, **other)
        np.testing.assert_allclose(run.v, reference.v[: len(run.v)], atol=1e-7)


def test_compliant_contacts_in_every_formulation():
    model = ball(stiffness=1e4, damping=50.0)
    reference = simulate(model, [0, 0.11, 0], [0.5, 0, 0], duration=0.1)
    for formulation in FORMULATIONS:
        run = simulate(model, [0, 0.11, 0], [0.5, 0, 0], duration=0.1, formulation=formulation)
        np.testing.assert_allclose(run.v, reference.v, atol=1e-9)
