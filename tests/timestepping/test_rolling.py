"""Resistance to rolling in simulation: discs that slow down, hold on slopes, press on each other; balances and bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rolling_by_hand import answers

import modecontrol as mc
from modecontrol.dynamics.builder import Builder
from modecontrol.dynamics.joints import planar, revolute

FORMULATIONS = ("os", "mc", "nmc", "rmc", "nmc/os")
WAYS = [(formulation, "euler") for formulation in FORMULATIONS] + [("os", "theta")]
G, R, MASS, INERTIA, LENGTH = 9.81, 0.2, 2.0, 0.03, 0.01


def wheel(slope=0.0, **law):
    law = {"mu": 0.8, "rolling": LENGTH, **law}
    made = Builder("wheel").body("wheel", joint=planar("x", "y", "r"), mass=MASS, inertia=INERTIA)
    made.contact("rim", "wheel", type="disc", radius=R, wall={"origin": (0, 0), "tilt": slope}, **law)
    made.start(x=-R * math.sin(slope), y=R * math.cos(slope))
    return made.input("u", "x").input("w", "r").build()


def along(slope):
    """Acceleration down a slope: `m a = m g sin - f`, `I a / R = R f - length m g cos`."""
    drive = math.sin(slope) - LENGTH / R * math.cos(slope)
    return G * drive / (1 + INERTIA / (MASS * R * R))


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_a_rolling_disc_slows_at_the_analytic_rate_and_stays_where_it_stops(formulation, integrator):
    speed, rate = 0.1, -along(0.0)
    run = mc.simulate(
        wheel(), None, [speed, 0, -speed / R], duration=0.4, formulation=formulation, integrator=integrator
    )
    assert run.status == "completed"
    stops = speed / rate
    before = int(stops / 1e-3) - 1
    assert run.v[before, 0] == pytest.approx(speed - rate * before * 1e-3, rel=1e-9)
    assert run.force[before - 1, 3] == pytest.approx(LENGTH * MASS * G)
    assert set(run.modes[before + 2 :]) == {"FF"}
    assert np.abs(run.v[before + 2 :]).max() < 1e-15
    assert np.ptp(run.q[before + 2 :], axis=0).max() < 1e-15
    assert run.q[-1, 0] == pytest.approx(0.5 * speed**2 / rate, abs=speed * 1e-3)


def test_a_step_that_is_cut_where_rolling_stops_keeps_the_second_order():
    speed, rate, model = 0.1, -along(0.0), wheel()
    miss = []
    for step in (1e-2, 5e-3):
        run = mc.simulate(model, None, [speed, 0, -speed / R], duration=0.4, step=step, integrator="theta")
        miss.append(abs(run.q[-1, 0] - 0.5 * speed**2 / rate))
    assert max(miss) < 1e-12


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
@pytest.mark.parametrize("part", [0.98, 1.0 - 1e-9])
def test_a_disc_on_a_slope_holds_below_the_angle_of_rolling(part, formulation, integrator):
    slope = part * math.atan(LENGTH / R)
    run = mc.simulate(wheel(slope), duration=0.1, formulation=formulation, integrator=integrator)
    assert set(run.modes) == {"FF"}
    assert np.abs(run.v).max() < 1e-12
    assert abs(run.force[-1, 3]) == pytest.approx(MASS * G * math.sin(slope) * R)


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
@pytest.mark.parametrize("part", [1.01, 3.0])
def test_above_it_rolls_down_at_the_analytic_rate(part, formulation, integrator):
    slope = math.atan(part * LENGTH / R)
    run = mc.simulate(wheel(slope), duration=0.1, formulation=formulation, integrator=integrator)
    speed = np.hypot(*run.v[-1, :2])
    assert run.modes[-1] == "FR"
    assert speed == pytest.approx(along(slope) * 0.1, rel=1e-8)


@pytest.mark.parametrize("level", ["velocity", "position"])
@pytest.mark.parametrize(
    "law", [{"mu": 0.02}, {"mu": 0.0}, {"stiffness": 1e5, "damping": 200.0}, {"pull": 3.0}]
)
def test_every_law_of_the_contact_goes_with_it(law, level):
    """The moment is the length times what the contact presses with, adhesion included, also while it slides."""
    run = mc.simulate(wheel(**law), None, [0.0, 0, -3.0], duration=0.05, level=level)
    assert run.status == "completed"
    assert run.force[:, 0].mean() == pytest.approx(MASS * G, rel=0.02)
    assert run.force[:, 3] == pytest.approx(LENGTH * (run.force[:, 0] + law.get("pull", 0.0)))
    assert run.force[-1, 2] == 0.0


def test_the_energy_book_balances():
    """What the motion loses is what the moment takes, step by step: nothing slides, and inertia is constant."""
    model = wheel()
    run = mc.simulate(model, None, [1.0, 0, -5.0], duration=0.5)
    kinetic = run.kinetic
    turned = 0.5 * (run.v[1:, 2] + run.v[:-1, 2]) * 1e-3
    assert np.diff(kinetic) == pytest.approx(run.force[:, 3] * turned, abs=1e-15)
    assert kinetic[-1] < kinetic[0]


def pair(rolling=0.02, mu=0.5):
    """Two discs in free space that a spring presses on each other."""
    made = Builder("pair", gravity=(0, 0))
    for name, x in (("a", 0.0), ("b", 0.3)):
        joint = planar(f"x{name}", f"y{name}", f"r{name}")
        made.body(name, joint=joint, parent="world", mass=1.0 + x, inertia=0.01)
    made.contact(
        "rim", "a", type="disc_disc", radius=0.1, other="b", other_radius=0.2, mu=mu, rolling=rolling
    )
    made.spring("together", "a", other="b", stiffness=200.0, length=0.1)
    return made.start(xb=0.3).build()


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_two_discs_feel_equal_and_opposite_moments(formulation, integrator):
    """Each disc turns by friction at its own radius and by the moment; momentum, angular too, is that of the start."""
    model = pair()
    run = mc.simulate(
        model, None, {"ra": 8.0, "rb": -1.0}, duration=0.02, formulation=formulation, integrator=integrator
    )
    impulse = 1e-3 * run.force
    spin = np.diff(run.v, axis=0)
    assert spin[:, 2] == pytest.approx((0.1 * impulse[:, 1] + impulse[:, 3]) / 0.01, abs=1e-10)
    assert spin[:, 5] == pytest.approx((0.2 * impulse[:, 1] - impulse[:, 3]) / 0.01, abs=1e-10)
    assert np.abs(impulse[:, 3]).max() == pytest.approx(0.02 * impulse[0, 0], rel=0.2)
    masses = np.array([1.0, 1.0, 0.0, 1.3, 1.3, 0.0])
    assert np.abs((masses * run.v)[:, [0, 3]].sum(axis=1)).max() < 1e-12
    x, v = run.q, run.v
    about = sum(
        mass * (x[:, i] * v[:, i + 1] - x[:, i + 1] * v[:, i]) + 0.01 * v[:, i + 2]
        for mass, i in ((1.0, 0), (1.3, 3))
    )
    assert np.abs(about - about[0]).max() < (1e-8 if integrator == "theta" else 1e-4)


def heap(rng):
    """Two or three discs on a floor, in touch with it and with their neighbours, and velocities."""
    many = int(rng.integers(1, 3))
    made = Builder("heap")
    for i in range(many):
        made.body(
            f"d{i}",
            joint=planar(f"x{i}", f"y{i}", f"r{i}"),
            parent="world",
            mass=1.0 + i,
            inertia=0.004 * (1 + i),
        )
        law = {"mu": rng.uniform(0.0, 0.8), "rolling": rng.uniform(0.001, 0.05)}
        made.contact(f"floor{i}", f"d{i}", type="disc", radius=0.1, **law)
    for i in range(1, many):
        law = {"mu": rng.uniform(0.0, 0.5), "rolling": rng.uniform(0.001, 0.05)}
        made.contact(
            f"side{i}", f"d{i}", type="disc_disc", radius=0.1, other=f"d{i - 1}", other_radius=0.1, **law
        )
    made.start(**{f"x{i}": 0.2 * i for i in range(many)}, **{f"y{i}": 0.1 for i in range(many)})
    speed = rng.normal(size=3 * many) * np.tile([1e-3, 0.0, 0.1], many)
    return made.build(), speed


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("formulation", ["os", "mc"])
def test_a_step_is_an_answer_of_the_enumerated_problem(seed, formulation):
    rng = np.random.default_rng(seed)
    model, v = heap(rng)
    h = 1e-3
    run = mc.simulate(model, None, v, duration=h, step=h, formulation=formulation)
    snap = model.snapshot(model.start, v)
    hosts = [-1] * len(snap.gap) if snap.laws is None else snap.laws.host.tolist()
    mu = np.where(np.array(hosts) >= 0, snap.laws.most, snap.friction)
    response = np.linalg.solve(snap.mass, snap.jacobian.T)
    free = v - h * np.linalg.solve(snap.mass, snap.bias)
    found = answers(snap.jacobian @ response, snap.jacobian @ free, mu, hosts)
    assert found
    ends = [free + response @ p for p in found]
    assert min(np.abs(end - run.v[-1]).max() for end in ends) < 1e-10


def box(seed):
    """A few discs thrown into a box, every contact with friction, restitution and resistance to rolling."""
    rng = np.random.default_rng(seed)
    many = int(rng.integers(2, 5))
    made = Builder("box")
    law = {"mu": rng.uniform(0, 1), "restitution": rng.uniform(0, 0.9), "rolling": rng.uniform(0, 0.05)}
    walls = {"floor": ((0, 0), 0.0), "left": ((-0.4, 0), -math.pi / 2), "right": ((0.4, 0), math.pi / 2)}
    for i in range(many):
        made.body(f"d{i}", joint=planar(f"x{i}", f"y{i}", f"r{i}"), parent="world", mass=1.0, inertia=0.005)
        for name, (origin, tilt) in walls.items():
            wall = {"origin": origin, "tilt": tilt}
            made.contact(f"{name}{i}", f"d{i}", type="disc", radius=0.1, wall=wall, **law)
        for j in range(i):
            made.contact(
                f"pair{i}{j}", f"d{i}", type="disc_disc", radius=0.1, other=f"d{j}", other_radius=0.1, **law
            )
    made.start(
        **{f"x{i}": rng.uniform(-0.25, 0.25) for i in range(many)},
        **{f"y{i}": 0.12 + 0.22 * i for i in range(many)},
    )
    return made.build(), rng.normal(size=3 * many) * np.tile([1.0, 1.0, 10.0], many)


@settings(deadline=None, max_examples=12)
@given(seed=st.integers(0, 2**32 - 1), integrator=st.sampled_from(["euler", "theta"]))
def test_energy_never_grows(seed, integrator):
    model, v = box(seed)
    run = mc.simulate(model, None, v, duration=0.4, integrator=integrator)
    assert run.status == "completed"
    assert run.residual.max() <= 1e-8
    rises = np.maximum(np.diff(run.energy), 0.0).sum()
    assert rises <= 2e-3 * run.energy[0]
    assert run.energy[-1] <= run.energy[0]
    hosts = model.tree.contacts["host"]
    for i in np.flatnonzero(hosts >= 0):
        bound = model.tree.contacts["most"][i] * run.force[:, 2 * hosts[i]]
        assert (np.abs(run.force[:, 2 * i + 1]) <= bound * (1 + 1e-12) + 1e-12).all()


def test_thirty_discs_come_to_rest_on_a_slope_that_they_would_roll_down():
    """A large island: sweeps and Newton's method have the cones of rolling, too."""
    many, slope = 30, 0.02

    def row(rolling):
        made = Builder("row", gravity=(G * math.sin(slope), -G * math.cos(slope)))
        for i in range(many):
            made.body(
                f"d{i}", joint=planar(f"x{i}", f"y{i}", f"r{i}"), parent="world", mass=1.0, inertia=0.005
            )
            made.contact(f"floor{i}", f"d{i}", type="disc", radius=0.1, mu=0.5, rolling=rolling)
            if i:
                other = {"other": f"d{i - 1}", "other_radius": 0.1}
                made.contact(
                    f"pair{i}", f"d{i}", type="disc_disc", radius=0.1, mu=0.3, rolling=rolling, **other
                )
        return made.start(
            **{f"x{i}": 0.2 * i for i in range(many)}, **{f"y{i}": 0.1 for i in range(many)}
        ).build()

    held = mc.simulate(row(0.0021), duration=0.02)
    assert held.status == "completed"
    assert held.residual.max() <= 1e-10
    assert np.abs(held.v).max() < 1e-12
    assert np.abs(mc.simulate(row(0.0), duration=0.02).v[-1]).max() > 1e-3


def test_a_wheel_on_an_axle_tells_the_moment_in_its_readings():
    made = Builder("cart").body("frame", joint=planar("x", "y", "r"), mass=3, inertia=0.2)
    for name, x in (("rear", -0.3), ("front", 0.3)):
        made.body(name, joint=revolute(f"q_{name}", at=(x, 0)), parent="frame", mass=1, inertia=0.02)
        made.contact(f"{name}_rim", name, type="disc", radius=R, mu=0.8, rolling=0.02)
    model = made.start(y=R).build()
    stepper = mc.Stepper(model)
    stepper.place(None, {"x": 1.0, "q_rear": -1.0 / R, "q_front": -1.0 / R})
    seen = stepper.step()
    assert seen.mode == "FFRR".replace("R", "L")
    for name in ("rear", "front"):
        normal, _ = seen.contact_force(f"{name}_rim")
        assert seen.contact_force(f"{name}_rim.rolling") == (0.0, pytest.approx(0.02 * normal))
        assert seen.joint_reaction(name)[2] == pytest.approx(0.0, abs=1e-9)


def test_a_saved_run_keeps_the_moments(tmp_path):
    run = mc.simulate(wheel(), None, [1.0, 0, -5.0], duration=0.02)
    kept = mc.Trajectory.load(run.save(tmp_path / "run.npz"))
    assert kept.force == pytest.approx(run.force)
    assert kept.modes == run.modes
    run.to_csv(tmp_path / "run.csv")
    head, *rows = (tmp_path / "run.csv").read_text().splitlines()
    column = head.split(",").index("rim.rolling.tangent")
    assert float(rows[0].split(",")[column]) == pytest.approx(LENGTH * MASS * G)


def test_rolling_that_is_zero_changes_no_bit():
    runs = [mc.simulate(wheel(**law), None, [1.0, 0, 2.0], duration=0.1) for law in ({"rolling": 0.0}, {})]
    plain = Builder("wheel").body("wheel", joint=planar("x", "y", "r"), mass=MASS, inertia=INERTIA)
    plain.contact("rim", "wheel", type="disc", radius=R, mu=0.8).start(y=R)
    other = mc.simulate(plain.build(), None, [1.0, 0, 2.0], duration=0.1)
    assert (runs[0].q == other.q).all()
    assert (runs[0].force == other.force).all()
    assert (runs[1].q != other.q).any()


def pressed_tower(press, rolling, discs, gravity, aside=0.0):
    """Discs on top of each other, the top one pressed down."""
    made = Builder("tower", gravity=(0.0, -gravity))
    for i in range(discs):
        made.body(f"d{i}", parent="world", joint=planar(f"x{i}", f"y{i}", f"t{i}"), mass=1, inertia=0.005)
        other = {"type": "disc_disc", "other": f"d{i - 1}", "other_radius": 0.1} if i else {"type": "disc"}
        made.contact(f"c{i}", f"d{i}", radius=0.1, mu=0.5, rolling=rolling, **other)
    made.push("top", f"d{discs - 1}", force=(aside * press, -press))
    return made.start(**{f"y{i}": 0.1 + 0.2 * i for i in range(discs)}).build()


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
@pytest.mark.parametrize("gravity", [0.0, 9.81])
@pytest.mark.parametrize("press", [1e-3, 1.0, 1e3, 1e5, 1e8])
def test_pressed_discs_stay_and_carry_the_press(press, gravity, formulation, integrator):
    """Without gravity 1e5 N at rest ended at t = 0: rounding of the impulses was held against energies that were zero."""
    for rolling in (0.0, 1e-6, 0.01, 1.0):
        for discs in (1, 3):
            run = mc.simulate(
                pressed_tower(press, rolling, discs, gravity),
                duration=0.01,
                formulation=formulation,
                integrator=integrator,
            )
            assert run.completed
            assert run.residual.max() <= 1e-10
            assert np.abs(run.v).max() < 1e-9
            load = press + gravity * np.arange(discs, 0, -1)
            normal = run.force[-1, ::2][[run.model.contacts.index(f"c{i}") for i in range(discs)]]
            np.testing.assert_allclose(normal, load, rtol=1e-9)
            assert not {"lemke", "warm"}.isdisjoint(run.method)


@pytest.mark.parametrize("integrator", ["euler", "theta"])
@pytest.mark.parametrize("press", [1e-3, 1.0, 1e3, 1e5, 1e8])
@pytest.mark.parametrize("gravity", [0.0, 9.81])
def test_a_pressed_disc_that_rolls_is_braked_at_the_analytic_rate(press, gravity, integrator):
    """`(m + I / R^2) a = -length (press + m g) / R`; a step is a hundredth of the time to rest."""
    length, load = 0.01, press + gravity
    rate = length / 0.1 * load / (1 + 0.005 / 0.01)
    step = min(0.3 / rate / 100, 1e-3)
    start = [0, 0.1, 0], [0.3, 0, -3.0]
    run = mc.simulate(
        pressed_tower(press, length, 1, gravity), *start, duration=50 * step, step=step, integrator=integrator
    )
    assert run.completed
    assert run.v[-1, 0] == pytest.approx(0.3 - rate * 50 * step, rel=1e-9)
    assert np.ptp(run.gap[:, 0]) < 1e-9


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
@pytest.mark.parametrize("press", [1e-3, 1e2, 1e5, 1e8])
def test_towers_of_discs_that_are_pressed_aside_reach_the_end(press, formulation, integrator):
    for gravity, rolling, aside in ((0.0, 1e-4, 0.05), (9.81, 0.02, 0.05), (0.0, 0.02, 0.0), (0.0, 1.0, 0.0)):
        v = [0.3, *[0.0] * 11]
        run = mc.simulate(
            pressed_tower(press, rolling, 4, gravity, aside),
            None,
            v,
            duration=0.02,
            formulation=formulation,
            integrator=integrator,
        )
        assert run.completed
        assert run.residual.max() <= 1e-8
