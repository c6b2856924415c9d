"""Piles of discs: they reach the end, islands move as if alone, and what stands stays."""

import math
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import modecontrol as mc
from modecontrol import tolerances

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "campaigns"))
import piles


def pile(n, seed=2, mu=0.4, at=0.0, name="d", builder=None):
    """Discs above each other in a box 1.2 m wide; the builder and the start."""
    b, q, rng = builder or mc.Builder("pile"), [], np.random.default_rng(seed)
    for i in range(n):
        joint = mc.planar(f"{name}x{i}", f"{name}y{i}", f"{name}t{i}")
        b.body(f"{name}{i}", parent="world", joint=joint, mass=1, inertia=0.5 * 0.1**2)
        q += [at + rng.uniform(-0.25, 0.25), 0.15 + 0.25 * i, 0.0]
        b.contact(f"{name}f{i}", f"{name}{i}", type="disc", radius=0.1, mu=mu)
        for side, x, tilt in (("l", at - 0.6, -math.pi / 2), ("r", at + 0.6, math.pi / 2)):
            wall = {"origin": (x, 0), "tilt": tilt}
            b.contact(f"{name}{side}{i}", f"{name}{i}", type="disc", radius=0.1, mu=mu, wall=wall)
        for k in range(i):
            b.contact(
                f"{name}p{k}_{i}",
                f"{name}{i}",
                type="disc_disc",
                radius=0.1,
                other=f"{name}{k}",
                other_radius=0.1,
                mu=mu,
            )
    return b, q


@pytest.mark.parametrize(("n", "restitution"), [(10, 0.0), (20, 0.5), (20, 0.9)])
def test_piles_reach_the_end_certified(n, restitution):
    builder, q = pile(n)
    run = mc.simulate(builder.build(), q, duration=1.5, restitution=restitution)
    assert run.status == "completed"
    swept = np.array(run.method) == "gauss-seidel"
    assert swept.sum() <= 0.02 * len(swept)
    assert run.residual[~swept].max() <= tolerances.COMPLEMENTARY
    assert run.residual.max() <= tolerances.COARSE
    assert run.energy.max() <= run.energy[0] + 1e-9
    impulse = run.impulse.reshape(len(run.residual), -1, 2)
    assert (np.abs(impulse[..., 1]) <= (0.4 + 1e-12) * impulse[..., 0]).all()  # whatever method found them


def test_what_rests_on_something_hands_a_blow_on_and_does_not_sink():
    """Discs rolling in a funnel: a gap of 1e-7 m under load once let a disc that was hit sink in by 0.9 mm within the step."""
    rng, builder, q = np.random.default_rng(5), mc.Builder("funnel"), []
    for i in range(12):
        joint = mc.planar(f"x{i}", f"y{i}", f"t{i}")
        builder.body(f"d{i}", parent="world", joint=joint, mass=3, inertia=0.015)
        q += [0.3 * (i % 3 - 1) + rng.uniform(-0.015, 0.015), 2.0 + 0.28 * (i // 3), 0.0]
        for k, tilt in enumerate((-0.6, 0.6)):
            wall = {"origin": (0, 0), "tilt": tilt}
            builder.contact(f"w{k}_{i}", f"d{i}", type="disc", radius=0.1, mu=0.43, wall=wall)
        for k in range(i):
            other = {"other": f"d{k}", "other_radius": 0.1}
            builder.contact(f"p{k}_{i}", f"d{i}", type="disc_disc", radius=0.1, mu=0.43, **other)
    run = mc.simulate(builder.build(), q, duration=1.2)
    assert run.completed
    assert run.impacts.max() < 64
    assert run.impacts.sum() > 50
    assert run.gap.min() > -2e-5


def test_a_pile_at_rest_stays_and_costs_next_to_nothing_to_solve():
    builder, q = pile(12, mu=0.5)
    model = builder.build()
    run = mc.simulate(model, q, duration=9.5)  # one disc stands upright on another until about 6 s
    y, rest = slice(1, None, 3), slice(9000, None)
    assert np.abs(run.v[rest]).max() < 1e-9
    assert np.abs(run.q[-1, y] - run.q[9000, y]).max() < 1e-9
    assert set(Counter(run.method[rest])) <= {"warm", "newton", "lemke"}
    weight = run.force[-1].reshape(-1, 2)[[name.startswith("df") for name in model.contacts], 0].sum()
    walls = run.force[-1].reshape(-1, 2)[[name[:2] in ("dl", "dr") for name in model.contacts], 1]
    assert weight - np.abs(walls).sum() - 1e-6 <= 12 * 9.81 <= weight + np.abs(walls).sum() + 1e-6


def test_recovery_in_a_step_with_collisions_lifts_what_is_deep_once():
    """37 discs on a slope: every part of a step in which collisions came between recovered anew, and 2.8 J came from that."""
    _, model, q, restitution, mu = piles.scene(np.random.default_rng((1, 99)))
    run = mc.simulate(model, q, duration=1.5, restitution=restitution)
    assert run.completed
    assert piles.faults(model, run, mu) == []


def test_islands_move_as_if_alone():
    builder, q = pile(4, seed=1)
    builder, more = pile(4, seed=3, at=50.0, name="e", builder=builder)
    both = mc.simulate(builder.build(), q + more, duration=0.8)
    first, q1 = pile(4, seed=1)
    second, q2 = pile(4, seed=3, at=50.0, name="e")
    apart = [mc.simulate(one.build(), start, duration=0.8) for one, start in ((first, q1), (second, q2))]
    hits = np.flatnonzero(both.impacts)[:3]
    k = hits[-1]  # steps that are cut at the other's impacts differ by the step's own error
    together = np.hstack([run.q[k] for run in apart])
    assert np.abs(both.q[k] - together).max() < 1e-4
    assert both.status == "completed"


def test_nothing_sinks_in_before_a_step_that_says_that_it_is_crowded():
    """56 discs in a funnel: the limit on impacts within a step was reached in one that recorded 63 collisions."""
    _, model, q, restitution, mu = piles.scene(np.random.default_rng((5, 15)))
    run = mc.simulate(model, q, duration=0.845, restitution=restitution)
    assert (run.gap.min(axis=1) < -piles.DEEP).any()
    assert piles.faults(model, run, mu) == []
