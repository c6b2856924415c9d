"""Every law in simulation, against what is known: stops, dry joints, adhesion, claws, conveyors, cables, prescribed joints."""

from __future__ import annotations

import math

import laws_in_motion as motion
import numpy as np
import pytest

import modecontrol as mc
from modecontrol.dynamics.builder import Builder
from modecontrol.dynamics.joints import planar, prismatic, revolute

FORMULATIONS = ("os", "mc", "nmc", "rmc", "nmc/os")
WAYS = [(formulation, "euler") for formulation in FORMULATIONS] + [("os", "theta")]
G = 9.81


def rotor(**laws):
    made = Builder("rotor", gravity=(0, 0)).body("rotor", joint=revolute("q", **laws), mass=1, inertia=0.5)
    return made.input("u", "q").build()


def block(mass=2.0, gravity=(0.0, -G), inertia=0.1, **law):
    made = Builder("block", gravity=gravity)
    made.body("block", joint=planar("x", "y", "r"), mass=mass, inertia=inertia)
    made.contact("left", "block", point=(-0.3, -0.1), **law).contact(
        "right", "block", point=(0.3, -0.1), **law
    )
    return made.input("fx", "x").input("fy", "y").start(y=0.1).build()


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("torque", [-1.999, 0.0, 1.5, 2.0])
def test_a_dry_joint_sticks_below_its_torque(torque, formulation):
    run = mc.simulate(rotor(friction=2.0), controller=[torque], duration=0.2, formulation=formulation)
    assert run.status == "completed"
    assert np.abs(run.v).max() == 0.0
    assert set(run.modes) == {"F"}
    assert run.force[:, 1] == pytest.approx(-torque, abs=1e-12)


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_a_dry_joint_breaks_away_at_its_torque(formulation, integrator):
    run = mc.simulate(
        rotor(friction=2.0), controller=[2.5], duration=0.2, formulation=formulation, integrator=integrator
    )
    assert run.v[-1, 0] == pytest.approx(0.5 / 0.5 * 0.2, rel=1e-9)
    assert run.modes[-1] == "R"


def test_a_dry_joint_comes_to_rest_when_its_energy_is_used_up():
    run = mc.simulate(rotor(friction=2.0), [0.0], [4.0], duration=2.0)
    stops = 0.5 * 4.0 / 2.0  # I w / friction
    assert run.v[int(1000 * stops) - 10, 0] == pytest.approx(0.04, rel=1e-6)
    assert np.abs(run.v[int(1000 * stops) + 5 :]).max() < 1e-12
    assert run.q[-1, 0] == pytest.approx(0.5 * 0.5 * 16 / 2.0, abs=3e-3)  # energy over friction


def pendulum(**laws):
    return (
        Builder("pendulum")
        .body("rod", joint=revolute("q", **laws), mass=1, inertia=0.05, com=(0.5, 0))
        .build()
    )


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_stop_holds_without_creep_for_ten_seconds(formulation):
    run = mc.simulate(pendulum(lower=-1.0, upper=0.5), duration=10.0, formulation=formulation, step=2e-3)
    settled = run.q[1000:, 0]
    assert run.status == "completed"
    assert np.abs(settled + 1.0).max() <= 1e-9
    assert settled.max() == settled.min()
    assert run.modes[-1] == "F"
    assert run.force[-1, 0] == pytest.approx(0.5 * G * math.cos(1.0), rel=1e-9)


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_a_stop_gives_back_its_part_of_a_blow(restitution):
    made = Builder("slider", gravity=(0, 0))
    made.body("cart", joint=prismatic("s", lower=-1, upper=0.5, stop_restitution=restitution), mass=1)
    run = mc.simulate(made.build(), [0.0], [1.0], duration=1.0)
    assert run.v[-1, 0] == pytest.approx(-restitution, abs=1e-12)
    assert run.q.max() <= 0.5 + 1e-9


def test_a_stop_pressed_by_a_torque_alone_holds():
    made = Builder("arm", gravity=(0, 0)).body("arm", joint=revolute("q", upper=0.0), mass=1, inertia=0.2)
    run = mc.simulate(made.input("u", "q").build(), controller=[5.0], duration=1.0)
    assert run.status == "completed"
    assert np.abs(run.q).max() <= 1e-12
    assert run.force[-1, 0] == pytest.approx(5.0)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_an_adhesive_foot_lets_go_at_its_pull(formulation):
    model = block(mass=2.0, mu=0.5, pull=7.0)
    weight, holds = 2.0 * G, 14.0
    held = mc.simulate(model, controller=[0.0, weight + holds - 0.01], duration=0.3, formulation=formulation)
    assert held.status == "completed"
    assert np.abs(held.q - model.start).max() < 1e-9
    assert held.modes[-1] == "FF"
    assert held.force[-1, [0, 2]].sum() == pytest.approx(-holds + 0.01, abs=1e-6)
    free = mc.simulate(model, controller=[0.0, weight + holds + 0.1], duration=0.3, formulation=formulation)
    assert free.modes[-1] == "SS"
    upward = (holds + 0.1) / 2.0  # no force once it is open
    assert free.v[-1, 1] == pytest.approx(upward * 0.3, rel=0.02)


@pytest.mark.parametrize("step", [1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize(("load", "holds"), [(0.0, True), (29.9, True), (30.1, False), (-1e3, True)])
def test_adhesion_holds_without_gravity(step, load, holds):
    """An input pulls at a point that adheres to a ceiling: no energy and no speed of impacts tells how large its forces are."""
    model = (
        Builder("hang", gravity=(0, 0))
        .body("lump", joint=planar("x", "y", "turn"), mass=1, inertia=1, com=(0.1, 0))
        .input("up", "y")
        .contact("cup", "lump", pull=30, mu=0.5, wall={"tilt": math.pi})
        .build()
    )
    run = mc.simulate(model, controller=lambda t, q, v: [-load], duration=0.02, step=step)
    assert run.status == "completed"
    assert set(run.modes) == ({"F"} if holds else {"S"})
    assert (np.abs(run.q).max() < 1e-12) == holds


def test_adhesion_adds_to_what_friction_holds():
    model = block(mass=2.0, mu=0.5, pull=7.0)
    most = 0.5 * (2.0 * G + 14.0)
    assert np.abs(mc.simulate(model, controller=[most - 0.01, 0.0], duration=0.3).v).max() < 1e-9
    slides = mc.simulate(model, controller=[most + 1.0, 0.0], duration=0.3)
    assert slides.v[-1, 0] == pytest.approx(0.5 * 0.3, rel=1e-6)


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_static_friction_holds_more_than_it_brakes(formulation, integrator):
    model = block(mass=2.0, mu=0.3, mu_static=0.5)
    weight = 2.0 * G
    choices = {"formulation": formulation, "integrator": integrator, "duration": 0.2}
    held = mc.simulate(model, controller=[0.499 * weight, 0.0], **choices)
    assert np.abs(held.v).max() < 1e-9
    assert held.modes[-1] == "FF"
    moves = mc.simulate(model, controller=[0.501 * weight, 0.0], **choices)
    assert moves.modes[-1] == "RR"
    assert moves.v[-1, 0] == pytest.approx((0.501 - 0.3) * G * 0.2, rel=0.01)
    slides_on = mc.simulate(model, None, {"x": 1.0}, controller=[0.3 * weight, 0.0], **choices)
    assert slides_on.v[-1, 0] == pytest.approx(1.0, rel=1e-9)  # sliding, the smaller coefficient counts


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_claw_slides_one_way_and_holds_the_other(formulation):
    model = block(mass=2.0, mu=0.2, one_way="right")
    held = mc.simulate(model, controller=[-50.0, 0.0], duration=0.2, formulation=formulation)
    assert held.status == "completed"
    assert np.abs(held.v).max() < 1e-9
    assert held.force[-1, [1, 3]].sum() == pytest.approx(50.0, rel=1e-6)
    slides = mc.simulate(model, controller=[10.0, 0.0], duration=0.2, formulation=formulation)
    assert slides.v[-1, 0] == pytest.approx((10.0 / 2.0 - 0.2 * G) * 0.2, rel=1e-6)
    caught = mc.simulate(model, None, {"x": -1.0}, duration=0.005, formulation=formulation)
    corner = caught.v[1:, 0] + 0.1 * caught.v[1:, 2]  # the left one, about which it tips
    assert corner.min() > -1e-3
    assert model.kinetic_energy(caught.q[-1], caught.v[-1]) < 0.5 * 2.0


def test_a_claw_that_is_lifted_holds_nothing():
    model = block(mass=2.0, mu=0.2, one_way="right")
    run = mc.simulate(model, controller=[-10.0, 2.0 * G + 20.0], duration=0.2)
    assert run.modes[-1] == "SS"
    assert run.v[-1, 0] == pytest.approx(-10.0 / 2.0 * 0.2, rel=0.02)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("speed", [0.8, -0.8])
def test_a_box_on_a_conveyor_takes_its_speed_after_the_analytic_time(speed, formulation):
    model = block(mass=2.0, mu=0.4, speed=speed)
    time = abs(speed) / (0.4 * G)
    run = mc.simulate(model, duration=2 * time, step=1e-3, formulation=formulation)
    before, after = int(0.9 * time / 1e-3), int(1.05 * time / 1e-3) + 1
    assert run.v[before, 0] == pytest.approx(math.copysign(0.4 * G * before * 1e-3, speed), rel=1e-9)
    assert run.v[after:, 0] == pytest.approx(speed, abs=1e-9)
    assert run.modes[before] == ("LL" if speed > 0 else "RR")
    assert run.modes[-1] == "FF"


def test_the_belt_pays_for_what_the_box_gains_and_friction_wastes():
    model = block(mass=2.0, mu=0.4, speed=0.8)
    run = mc.simulate(model, duration=0.5)
    work = 1e-3 * 0.8 * run.force[:, [1, 3]].sum()
    gained = model.kinetic_energy(run.q[-1], run.v[-1])
    assert gained == pytest.approx(0.5 * 2.0 * 0.8**2, rel=1e-6)
    assert work == pytest.approx(2.0 * gained, rel=0.02)  # half of it is heat


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_cable_pulls_and_never_pushes(formulation):
    made = Builder("hanging").body("ball", joint=planar("x", "y", "r"), mass=1.5, inertia=0.01)
    model = made.cable("rope", "ball", other="world", other_point=(0, 1), length=1.0).start(y=0.5).build()
    run = mc.simulate(model, duration=3.0, formulation=formulation)
    assert run.status == "completed"
    assert run.modes[0] == "S"
    assert run.modes[-1] == "F"
    assert np.hypot(run.q[:, 0], run.q[:, 1] - 1.0).max() <= 1.0 + 1e-6
    assert run.force[:, 0].min() >= 0.0
    assert run.force[-1, 0] == pytest.approx(1.5 * G, rel=1e-6)


def test_a_ball_on_a_cable_swings_as_a_pendulum():
    made = Builder("swing").body("ball", joint=planar("x", "y", "r"), mass=1.5, inertia=0.01)
    model = (
        made.cable("rope", "ball", other="world", length=1.0).start(x=math.sin(0.3), y=-math.cos(0.3)).build()
    )
    run = mc.simulate(model, duration=2.0, step=5e-4, integrator="theta")
    same = (
        Builder("pendulum").body("rod", joint=revolute("q", angle=-math.pi / 2), mass=1.5, com=(1, 0)).build()
    )
    other = mc.simulate(same, [0.3], duration=2.0, step=5e-4, integrator="rk4")
    assert np.arctan2(run.q[:, 0], -run.q[:, 1]) == pytest.approx(other.q[:, 0], abs=2e-4)


def test_armature_slows_a_joint_in_every_formulation():
    made = Builder("arm").body("a", joint=revolute("q", armature=0.7), mass=1, inertia=0.1, com=(0.5, 0))
    made.body("b", joint=revolute("p", at=(1, 0), armature=0.2), mass=1, inertia=0.1, com=(0.5, 0))
    model = made.build()
    runs = [mc.simulate(model, duration=0.3, formulation=each) for each in FORMULATIONS]
    for run in runs[1:]:
        assert run.q == pytest.approx(runs[0].q, abs=1e-9)
    energies = [
        model.kinetic_energy(q, v) + model.potential_energy(q)
        for q, v in zip(runs[0].q, runs[0].v, strict=True)
    ]
    assert np.ptp(energies) < 0.02


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_prescribed_joint_goes_on_as_it_starts_unless_it_is_driven(formulation):
    made = Builder("arm").body("a", joint=revolute("q", prescribed=True), mass=1, inertia=0.1, com=(0.5, 0))
    model = made.build()
    run = mc.simulate(model, [0.0], [0.5], duration=1.0, formulation=formulation)
    assert run.q[:, 0] == pytest.approx(0.5 * run.time, abs=1e-6)
    driven = mc.simulate(
        model, drives={"q": lambda t: 0.1 * math.sin(3 * t)}, duration=1.0, formulation=formulation
    )
    assert driven.q[:, 0] == pytest.approx(0.1 * np.sin(3 * driven.time), abs=1e-4)
    assert set(run.modes) == {"F"}


def test_drives_and_changing_pushes_move_a_sliding_polygon_the_same_way_in_every_formulation():
    made = Builder("two").body(
        "a",
        joint=planar("x", "y", "r"),
        mass=2,
        inertia=0.1,
        outline=[(-0.3, -0.1), (0.3, -0.1), (0.3, 0.1), (-0.3, 0.1)],
    )
    made.body("b", joint=revolute("p", at=(0.3, 0.1), prescribed=True), mass=0.5, inertia=0.02, com=(0.2, 0))
    made.contact("sole", "a", type="polygon", mu=0.4, speed=0.1).push(
        "wind", "a", point=(0, 0.1), force=(0, 0)
    )
    model = made.start(y=0.1).build()
    runs = [
        mc.simulate(
            model,
            duration=0.5,
            formulation=each,
            drives={"p": lambda t: 0.3 * math.sin(5 * t)},
            pushes={"wind": lambda t: (12 * math.sin(7 * t), 3 * math.cos(3 * t), 0.2)},
        )
        for each in FORMULATIONS
    ]
    assert {"RRF", "LLF"} <= set(runs[0].modes)
    for run in runs[1:]:
        assert run.q == pytest.approx(runs[0].q, abs=1e-9)
        assert run.force == pytest.approx(runs[0].force, abs=1e-6)


COMPLIANT = {"stiffness": 1e6, "damping": 1e3}


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_laws_of_contacts_that_yield_are_those_of_rigid_ones(formulation, integrator):
    """Static friction, a claw and a conveyor under a contact with stiffness, from where the weight has sunk in."""
    how = {"formulation": formulation, "integrator": integrator}
    sunk = {"y": 0.1 - 2.0 * G / 2e6}

    def ends(push, **law):
        heavy = block(inertia=1e3, **law, **COMPLIANT)  # one that hardly rocks on its springs
        run = mc.simulate(heavy, sunk, controller=[push, 0.0], duration=0.3, **how)
        return run.v[-1, 0] + 0.1 * run.v[-1, 2]  # of its corners

    weight = 2.0 * G
    assert ends(0.49 * weight, mu=0.3, mu_static=0.5) == pytest.approx(0.0, abs=1e-9)
    assert ends(0.53 * weight, mu=0.3, mu_static=0.5) == pytest.approx(0.23 * G * 0.3, rel=0.02)
    assert ends(-8.0, mu=0.2, one_way="right") == pytest.approx(0.0, abs=1e-9)
    assert ends(0.0, mu=0.4, speed=0.5) == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_adhesion_and_static_friction_work_together(formulation, integrator):
    model = block(mu=0.3, mu_static=0.5, pull=7.0)
    most, brakes = 0.5 * (2 * G + 14), 0.3 * (2 * G + 14)
    how = {"duration": 0.1, "formulation": formulation, "integrator": integrator}
    assert np.abs(mc.simulate(model, controller=[most - 0.05, 0.0], **how).v).max() < 1e-9
    moves = mc.simulate(model, controller=[most + 0.2, 0.0], **how)
    assert moves.v[-1, 0] == pytest.approx((most + 0.2 - brakes) / 2.0 * 0.1, rel=1e-3)


@pytest.mark.parametrize("name", motion.MECHANISMS)
@pytest.mark.parametrize("seed", range(4))
def test_letters_of_smooth_steps_are_modes_of_the_analysis(name, seed):
    made, bad = motion.compare(name, np.random.default_rng([7, seed]))
    assert made > 0
    assert bad == []


def test_a_cable_between_free_bodies_keeps_their_momentum():
    made = Builder("tether", gravity=(0, 0))
    made.body("a", joint=planar("xa", "ya", "ra"), mass=1, inertia=0.1)
    made.body("b", joint=planar("xb", "yb", "rb"), parent="world", mass=2, inertia=0.1)
    made.cable("rope", "a", point=(0.1, 0), other="b", other_point=(-0.1, 0.05), length=1.0)
    model = made.start(xb=0.8).build()
    run = mc.simulate(model, None, {"xa": -1.0, "ya": 0.4, "rb": 2.0}, duration=2.0)
    momentum = run.v[:, [0, 1]] + 2.0 * run.v[:, [3, 4]]
    assert "F" in run.modes
    assert np.abs(momentum - momentum[0]).max() < 1e-12
    energy = [model.kinetic_energy(q, v) for q, v in zip(run.q, run.v, strict=True)]
    assert np.diff(energy).max() < 1e-6 * energy[0]


@pytest.mark.parametrize("integrator", ["euler", "theta"])
def test_stops_and_dry_joints_only_take_energy_and_no_momentum(integrator):
    made = Builder("free", gravity=(0, 0)).body("base", joint=planar("x", "y", "r"), mass=2, inertia=0.3)
    made.body(
        "arm",
        joint=revolute("a", at=(0.2, 0), lower=-0.5, upper=0.5, friction=0.1),
        mass=1,
        inertia=0.05,
        com=(0.4, 0),
    )
    model = made.build()
    run = mc.simulate(model, None, {"a": 3.0, "y": 0.2}, duration=1.5, integrator=integrator)
    kinetic = np.array([model.kinetic_energy(q, v) for q, v in zip(run.q, run.v, strict=True)])
    assert run.status == "completed"
    assert run.impacts.sum() > 0
    assert np.diff(kinetic).max() < 2e-3 * kinetic[0]
    assert kinetic[-1] < kinetic[0]
    frames = np.array([model.frames(q) for q in run.q])
    turned = frames[:, 1, 2]
    centre = (
        2.0 * frames[:, 0, :2] + frames[:, 1, :2] + 0.4 * np.column_stack([np.cos(turned), np.sin(turned)])
    ) / 3.0
    speed = np.diff(centre, axis=0) / 1e-3
    assert np.abs(speed - speed[0]).max() < 0.01
