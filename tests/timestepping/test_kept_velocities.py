"""`mc`, `nmc`, `rmc` and `nmc/os` stepped in the core, against the same problems assembled and solved in Python."""

import numpy as np
import pytest
from random_mechanisms import random_mechanism
from scenes import OPTIONS

import modecontrol as mc
from modecontrol.dynamics.model import Model
from modecontrol.timestepping import simulate
from modecontrol.timestepping.engine import Engine
from modecontrol.timestepping.formulations import solve_problem
from modecontrol.timestepping.settings import choose

OTHERS = ("mc", "nmc", "rmc", "nmc/os")


@pytest.fixture
def never_python(monkeypatch):
    def refuse(self):
        raise AssertionError(f"step {self.record.steps} went through Python")

    monkeypatch.setattr(Engine, "_answer", refuse)


@pytest.fixture
def in_python(monkeypatch):
    """Let every contact problem be answered by `solve_problem`."""

    def switch(on):
        if on:
            monkeypatch.setattr(Engine, "_way", lambda self: self._core.Way("outside"))
        else:
            monkeypatch.undo()

    return switch


def settled(seed, massless):
    """A random mechanism without loops, at a state where nothing is deep in anything; None when there is none."""
    model = Model(random_mechanism(seed, bodies=5, massless=massless, contacts=4, pins=0))
    rng = np.random.default_rng(seed)
    for _ in range(30):
        q, v = rng.normal(size=len(model.coordinates)), rng.normal(size=len(model.coordinates))
        if model.snapshot(q, v).gap.min() > 0:
            return model, q, v
    return None


SEEDS = [seed for seed in range(30) if settled(seed, massless=False)]
MASSLESS_SEEDS = [seed for seed in range(60) if settled(seed, massless=True)]


@pytest.mark.parametrize("formulation", OTHERS)
@pytest.mark.parametrize(("name", "torque"), [("block", [0.0]), ("four_bar", [5.0]), ("biped", [0.0] * 6)])
def test_shipped_models_never_leave_the_core(name, torque, formulation, never_python):
    model = mc.load(name)
    reference = simulate(model, controller=torque, duration=0.1)
    run = simulate(model, controller=torque, duration=0.1, formulation=formulation)
    assert reference.impulse.any()
    np.testing.assert_allclose(run.q, reference.q, atol=1e-9)
    np.testing.assert_allclose(run.loop_impulse, reference.loop_impulse, atol=1e-8)
    assert set(run.method) <= {"free", "unloaded", "warm", "lemke"}
    assert run.residual.max() < 1e-10


@pytest.mark.parametrize("formulation", ["mc", "nmc"])
def test_massless_legs_never_leave_the_core_and_balance(formulation, never_python):
    model = mc.load("rhex")
    run = simulate(model, controller=[-5.0] * 3, duration=0.05, formulation=formulation)
    assert run.completed
    assert run.impulse.any()
    legs = [model.coordinates.index(f"phi{i}") for i in (1, 2, 3)]
    for k in range(0, 50, 7):
        snap = model.snapshot(run.q[k], run.v[k])
        force = snap.actuation @ run.torque[k] - snap.bias + snap.jacobian.T @ run.impulse[k] / run.step
        np.testing.assert_allclose(force[legs], 0, atol=1e-8)
        change = snap.mass @ (run.v[k + 1] - run.v[k]) / run.step
        np.testing.assert_allclose(force, change, atol=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("formulation", OTHERS)
def test_core_and_python_step_alike(seed, formulation, in_python):
    """Random trees with springs, dampers, welds and all kinds of contacts, until shortly after their first impacts."""
    model, q, v = settled(seed, massless=False)
    runs = []
    for python in (False, True):
        in_python(python)
        runs.append(simulate(model, q, v, duration=0.05, formulation=formulation))
    core, twin = runs
    assert core.status == twin.status == "completed"
    np.testing.assert_allclose(core.v, twin.v, atol=1e-8 * max(1.0, np.abs(twin.v).max()))
    np.testing.assert_array_equal(core.lcp_size, twin.lcp_size)


@pytest.mark.parametrize("seed", MASSLESS_SEEDS)
def test_massless_links_in_core_and_python(seed, in_python):
    """What has mass moves alike in `mc`, `nmc` and their twins; velocities that nothing determines are free."""
    model, q, v = settled(seed, massless=True)
    first = {}
    for formulation in ("mc", "nmc"):
        choices = choose(model, 1e-6, formulation=formulation, **OPTIONS)
        engine = Engine(model, choices, q, v)
        trouble = engine.run(1, np.zeros(len(model.inputs)))
        in_python(True)
        waiting = Engine(model, choices, q, v)
        waiting.stepper.advance(1, np.zeros(len(q)), np.zeros(len(model.inputs)), waiting.record, 1.0)
        twin = solve_problem(waiting.problem(), formulation)
        in_python(False)
        if twin.v is None:
            assert "contradict" in trouble or "no solution" in trouble
            return
        assert not trouble
        first[formulation] = engine.state[1]
        W = waiting.problem().W
        scale = max(1.0, np.abs(W @ twin.v).max())
        np.testing.assert_allclose(W @ (first[formulation] - twin.v), 0, atol=1e-7 * scale)
    np.testing.assert_allclose(first["mc"], first["nmc"], atol=1e-7 * max(1.0, np.abs(first["mc"]).max()))


def dangling(**spring):
    """A block on the floor that carries a massless leg in the air."""
    made = mc.Builder("dangling").body("block", joint=mc.planar("x", "y", "t"), mass=2, inertia=0.1)
    made.body("leg", parent="block", joint=mc.revolute("phi", at=(0.2, 0.1), **spring), mass=0, inertia=0)
    made.input("tau", "phi")
    for i, x in enumerate((-0.2, 0.2)):
        made.contact(f"foot{i}", "block", point=(x, -0.1), mu=0.5)
    return made.contact("tip", "leg", point=(0, 0.5), mu=0.5).build()


@pytest.mark.parametrize("formulation", ["mc", "nmc"])
def test_a_massless_leg_in_the_air_rests_or_is_refused(formulation, never_python, monkeypatch):
    model, q, v = dangling(), [0, 0.1, 0, 0.3], [0.4, 0, 0, 2.0]
    run = simulate(model, q, v, duration=0.02, formulation=formulation)
    assert run.completed
    np.testing.assert_allclose(run.v[1:, 3], 0, atol=1e-14)  # nothing determines it
    np.testing.assert_allclose(run.v[-1, 0], 0.4 - 0.5 * 9.81 * 0.02, atol=1e-9)
    monkeypatch.undo()
    run = simulate(model, q, v, controller=[1.0], duration=0.02, formulation=formulation)
    assert "no solution" in run.status  # a torque on nothing
    assert len(run.v) == 1


@pytest.mark.parametrize("formulation", OTHERS)
def test_closures_that_repeat_each_other_get_no_absurd_impulse(formulation, never_python):
    made = mc.Builder("dup").body("a", joint=mc.revolute("q1"), mass=1, inertia=0.1, com=(0.5, 0))
    made.body("b", joint=mc.revolute("q2", at=(1, 0)), mass=1, inertia=0.1, com=(0.5, 0))
    made.pin("dup", "b", (0, 0), "a", (1, 0)).pin("again", "b", (0, 0), "a", (1, 0))
    run = simulate(made.build(), [0.3, 0.4], duration=0.05, formulation=formulation)
    single = simulate(mc.Builder("one").body("a", joint=mc.revolute("q1"), mass=1, inertia=0.1, com=(0.5, 0)).body(
        "b", joint=mc.revolute("q2", at=(1, 0)), mass=1, inertia=0.1, com=(0.5, 0)).build(), [0.3, 0.4], duration=0.05)  # fmt: skip
    assert np.abs(run.loop_impulse).max() < 0.1
    np.testing.assert_allclose(run.q, single.q, atol=1e-9)


@pytest.mark.parametrize("formulation", OTHERS)
def test_couplings_and_springs_stay_in_the_core(formulation, never_python):
    """A welded, geared and sprung pair of arms over a floor: the motion of `os`."""
    made = mc.Builder("coupled")
    made.body(
        "a",
        parent="world",
        joint=mc.revolute("q1", damping=0.3, armature=0.4),
        mass=1,
        inertia=0.2,
        com=(0.3, 0),
    )
    made.body(
        "b",
        parent="world",
        joint=mc.revolute("q2", at=(1.5, 0), stiffness=20.0),
        mass=1,
        inertia=0.1,
        com=(-0.2, 0),
    )
    made.body("c", parent="b", joint=mc.prismatic("s", at=(-0.3, 0)), mass=0.5, inertia=0.02)
    made.closure("gear", "gear", coordinate="q1", other_coordinate="q2", ratio=-2.0)
    made.spring("spring", "c", other="a", stiffness=30.0, damping=1.0, length=0.5)
    model = made.contact("tip", "a", point=(0.6, 0), mu=0.4, wall={"origin": (0, -0.2), "tilt": 0.0}).build()
    reference = simulate(model, duration=0.4)
    run = simulate(model, duration=0.4, formulation=formulation)
    assert reference.impulse.any()
    np.testing.assert_allclose(run.q, reference.q, atol=1e-9)
    np.testing.assert_allclose(run.loop_impulse, reference.loop_impulse, atol=1e-9)
