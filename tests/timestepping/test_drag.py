"""Drag of a medium in motion: terminal velocities and falls in closed form, every formulation, and where the energy goes."""

import math

import numpy as np
import pytest

import modecontrol as mc

G = 9.81
FORMULATIONS = ["os", "mc", "rmc", "nmc", "nmc/os"]
DRAG = {
    "linear": (0.2, 0.5),
    "quadratic": (1.0, 9.0),
    "turning": 0.01,
    "turning_quadratic": 0.1,
    "angle": 0.2,
}


def ball(mass=2.0, gravity=(0.0, -G), wind=(0.0, 0.0), **drag):
    made = mc.Builder("ball", gravity=gravity, wind=wind)
    return made.body("ball", joint=mc.planar("x", "y", "t"), mass=mass, inertia=0.1 * mass, drag=drag).build()


def fish(wind=(0.3, -0.2), floor=False):
    made = mc.Builder("fish", gravity=(0, -2.0), wind=wind)
    made.body("hull", joint=mc.planar("x", "y", "t"), mass=2, inertia=0.2, com=(0.1, 0), drag=DRAG)
    made.body(
        "rail", joint=mc.prismatic("s", at=(0.2, 0), angle=0.5), mass=0.5, inertia=0.1, drag=[DRAG, DRAG]
    )
    made.body(
        "fin", joint=mc.weld(at=(0.1, 0.1), angle=1.0), mass=0.2, inertia=0.01, drag={**DRAG, "at": (0.3, 0)}
    )
    made.body(
        "tail",
        parent="hull",
        joint=mc.revolute("p", at=(-0.5, 0), damping=0.05),
        mass=0.3,
        inertia=0.02,
        com=(-0.2, 0),
        drag=DRAG,
    )
    made.input("tau", "p")
    if floor:
        made.contact("belly", "hull", point=(0, -0.1), mu=0.4).start(y=0.12)
    return made.build()


def swim(model, duration=0.4, **settings):
    start = {"v0": {"x": 1.0, "y": -0.3, "t": 0.5, "s": 0.4}, "controller": [1.5]}
    run = mc.simulate(model, duration=duration, **start, **settings)
    assert run.status == "completed"
    return run


@pytest.mark.parametrize("integrator", ["euler", "theta", "rk4"])
def test_a_sphere_falls_as_quickly_as_stokes_and_newton_say(integrator):
    """Terminal velocity of `m g = c v + k v^2`: the drag of a sphere of viscosity and density."""
    viscosity, density, diameter, mass = 1.2, 900.0, 0.1, 0.8
    side = diameter * math.sqrt(6 * 0.4 / 4)  # the box of inertia of a sphere
    c, k = 3 * math.pi * viscosity * side, density * side**2 / 2
    model = ball(mass, linear=(c, c), quadratic=(k, k))
    run = mc.simulate(model, v0={"y": -30.0}, duration=3.0, step=2e-3, integrator=integrator)
    terminal = (-c + math.sqrt(c**2 + 4 * k * mass * G)) / (2 * k)
    assert -run.v[-1, 1] == pytest.approx(terminal, rel=1e-9)


def test_a_box_sinks_along_its_axes_each_with_its_own_drag():
    model = ball(quadratic=(1.0, 16.0), linear=(0.5, 0.5))
    for angle, k in ((0.0, 16.0), (math.pi / 2, 1.0)):
        run = mc.simulate(model, {"t": angle}, duration=20.0, step=5e-3)
        assert -run.v[-1, 1] == pytest.approx((-0.5 + math.sqrt(0.25 + 4 * k * 2 * G)) / (2 * k), rel=1e-9)
        assert abs(run.v[-1, 0]) < 1e-9


@pytest.mark.parametrize(("integrator", "order"), [("euler", 1), ("theta", 2), ("rk4", 4)])
def test_a_fall_from_rest_is_known_to_the_order_of_the_scheme(integrator, order):
    """`m v' = m g - c v - k v^2`: a quotient of exponentials."""
    mass, c, k = 2.0, 4.0, 3.0
    root = math.sqrt(c**2 + 4 * k * mass * G)
    model, errors = ball(mass, linear=(c, c), quadratic=(k, k)), []
    for step in (0.04, 0.02, 0.01):
        run = mc.simulate(model, duration=0.8, step=step, integrator=integrator)
        decay = np.exp(-root * run.time / mass)
        exact = -(root - c) / (2 * k) * (1 - decay) / (1 + (root - c) / (root + c) * decay)
        errors.append(np.abs(run.v[:, 1] - exact).max())
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(rates, order, atol=0.25)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_formulation_makes_the_same_steps(formulation):
    for floor in (False, True):
        model = fish(floor=floor)
        first, other = swim(model), swim(model, formulation=formulation)
        np.testing.assert_allclose(other.v, first.v, rtol=0, atol=1e-9)
        np.testing.assert_allclose(other.force, first.force, rtol=0, atol=1e-6)


@pytest.mark.parametrize("dynamics", ["dense", "dca"])
def test_every_dynamics_makes_the_same_steps(dynamics):
    model = fish()
    np.testing.assert_allclose(swim(model, dynamics=dynamics).v, swim(model).v, rtol=0, atol=1e-10)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_compiled_step_is_that_of_the_formulations_in_python(formulation):
    """One contact problem, `W` and all, against `M + h D + h J^T B J` of `contact_problem.py`."""
    from modecontrol.timestepping.contact_problem import ContactProblem
    from modecontrol.timestepping.formulations import solve_problem

    model, h = fish(), 0.05
    rng = np.random.default_rng(7)
    for q, v in rng.normal(size=(3, 2, 5)):
        none = np.zeros(0)
        problem = ContactProblem(
            model, q, v, h, np.array([0, 0, 0, 0, 1.5]), none.astype(int), none, none, none, none
        )
        expected = solve_problem(problem, formulation).v
        run = mc.simulate(model, q, v, controller=[1.5], duration=h, step=h, formulation=formulation)
        np.testing.assert_allclose(run.v[-1], expected, rtol=0, atol=1e-9)


def test_second_order_comes_to_the_same_motion():
    model = fish()
    sure = swim(model, step=2e-4, integrator="theta")
    errors = {}
    for integrator in ("euler", "theta", "rk4"):
        pair = [swim(model, step=step, integrator=integrator) for step in (4e-3, 2e-3)]
        errors[integrator] = [np.abs(run.q[-1] - sure.q[-1]).max() for run in pair]
    assert errors["euler"][0] < 2e-2
    assert errors["euler"][0] / errors["euler"][1] == pytest.approx(2, abs=0.2)
    assert errors["theta"][0] < 2e-4
    assert errors["theta"][0] / errors["theta"][1] == pytest.approx(4, abs=0.5)
    assert max(errors["rk4"]) < 2e-6


@pytest.mark.parametrize("integrator", ["euler", "theta"])
def test_a_medium_at_rest_never_gives_energy(integrator):
    """Also where it would stop a body many times over within a step; without gravity and inputs the energy only falls."""
    for strength in (1.0, 30.0, 1e3, 1e6):
        strong = {key: np.multiply(DRAG[key], strength).tolist() for key in DRAG if key != "angle"}
        run = mc.simulate(
            ball(gravity=(0, 0), angle=0.2, **strong),
            v0={"x": 2.0, "y": -1.0, "t": 9.0},
            duration=0.2,
            step=1e-2,
            integrator=integrator,
        )
        assert run.status == "completed"
        assert np.diff(run.energy).max() <= 1e-12 * run.energy[0]
        assert run.energy[-1] < run.energy[0]


def test_the_book_of_energy_balances():
    """What is lost is the power of the drag; the difference falls with the square of the step."""
    model, differences = fish(wind=(0, 0)), []
    for step in (2e-3, 1e-3):
        run = swim(model, step=step, integrator="theta")
        power = np.array([drag_power(model, q, v) for q, v in zip(run.q, run.v, strict=True)])
        gained = np.trapezoid(power - 0.05 * run.v[:, 4] ** 2, run.time) + 1.5 * (run.q[-1, 4] - run.q[0, 4])
        differences.append(abs(run.energy[-1] - run.energy[0] - gained))
        assert power.max() < 0
    assert differences[0] < 5e-4
    assert differences[0] / differences[1] == pytest.approx(4, abs=1)


def drag_power(model, q, v):
    """Of the bias drag and dampers alone change their sign with the velocity."""
    odd = 0.5 * (model.snapshot(q, v).bias - model.snapshot(q, -np.asarray(v)).bias)
    return float(-odd @ v) + 0.05 * v[4] ** 2


def test_wind_carries_things_along_and_its_work_is_no_gain():
    model = ball(gravity=(0, 0), wind=(3.0, -1.0), quadratic=(4.0, 4.0), linear=(0.5, 0.5))
    for integrator in ("euler", "theta"):
        run = mc.simulate(model, duration=30.0, step=1e-2, integrator=integrator)
        assert run.status == "completed"
        np.testing.assert_allclose(run.v[-1, :2], [3.0, -1.0], atol=5e-3)
    assert run.kinetic[-1] > run.kinetic[0]


def test_joint_reactions_are_those_of_the_step():
    """The sum of momentum over a body's branch: what the first joint does not carry, the medium does; one step of Euler."""
    model = fish()
    stepper = mc.Stepper(model, [0, 0, 0.3, 0.1, 0.2], [1.0, -0.5, 2.0, 0.4, -1.0], step=1e-2)
    for _ in range(3):
        seen = stepper.step([1.5])
        np.testing.assert_allclose(seen.joint_reaction("hull"), 0.0, atol=1e-9)


def test_massless_bodies_swim_in_honey():
    """Without any mass the drag alone says how it moves: a scallop goes forth and back, and ends where it began."""
    made = mc.Builder("scallop", gravity=(0, 0))
    shell = {"linear": (1.0, 2.0), "turning": 0.1}
    made.body("upper", joint=mc.planar("x", "y", "t"), com=(0.5, 0), drag=shell)
    made.body("lower", joint=mc.revolute("open"), com=(0.5, 0), drag=shell).input("tau", "open")
    model = made.build()
    run = mc.simulate(
        model,
        controller=lambda t, q, v: [0.4 * math.cos(2 * math.pi * t)],
        duration=1.0,
        step=1e-3,
        formulation="mc",
    )
    assert run.status == "completed"
    assert np.abs(run.q[:, 3]).max() > 0.05
    np.testing.assert_allclose(run.q[-1], 0.0, atol=2e-3)
