"""`Stepper` and what it reads: the motion of `simulate`, the forces of Newton's laws."""

import numpy as np
import pytest
import sympy

import modecontrol as mc
from tests.random_mechanisms import random_mechanism, random_state
from tests.scenes import ball, hanging_chain


@pytest.mark.parametrize("name", ["block", "pendulum", "four_bar", "rhex_compliant"])
def test_the_motion_is_that_of_simulate_to_the_last_bit(name):
    model = mc.load(name)
    run = mc.simulate(model, duration=0.05)
    stepper = mc.Stepper(model)
    seen = [stepper.step() for _ in range(50)]
    assert np.array_equal(run.q[1:], [each.q for each in seen])
    assert np.array_equal(run.force, [each.force for each in seen])
    assert np.array_equal(run.loop_impulse / 1e-3, [each.loop_force for each in seen])
    assert run.modes == [each.mode for each in seen]
    assert np.allclose(run.energy[1:], [each.energy for each in seen], rtol=1e-12, atol=1e-12)
    assert np.array_equal(run.gap[-1], seen[-1].gap)
    assert stepper.time == pytest.approx(run.time[-1])


def test_periods_are_several_steps_and_forces_their_means():
    model = mc.load("block", slope=0.3, mu=0.2)
    run = mc.simulate(model, duration=0.1)
    stepper = mc.Stepper(model, period=0.01)
    seen = [stepper.step() for _ in range(10)]
    assert np.array_equal(run.q[10::10], [each.q for each in seen])
    means = run.force.reshape(10, 10, -1).mean(axis=1)
    assert np.allclose(means, [each.force for each in seen], rtol=1e-12)


def test_place_forgets_what_was_before():
    model = ball()
    stepper = mc.Stepper(model, {"y": 0.2})
    first = [stepper.step().q for _ in range(200)]
    stepper.place({"y": 0.2}, steps=7)
    again = [stepper.step().q for _ in range(200)]
    assert np.array_equal(first, again)
    assert stepper.steps == 207
    assert stepper.readings.contact_force("floor")[0] == pytest.approx(9.81)


def test_before_the_first_step_there_are_no_forces():
    stepper = mc.Stepper(ball(), {"y": 0.1})
    assert stepper.readings.span == 0.0
    assert not stepper.readings.force.any()
    assert not stepper.readings.acceleration.any()


def test_inputs_are_cut_at_the_limits_when_asked():
    builder = mc.Builder("mass", gravity=(0, 0)).body("mass", joint=mc.prismatic("x"), mass=2)
    model = builder.input("push", "x", lower=-3, upper=3).build()
    assert mc.Stepper(model, clip=True).step([10.0]).torque.tolist() == [3.0]
    assert mc.Stepper(model).step({"push": 10.0}).acceleration == pytest.approx([5.0])


def test_a_stop_is_an_answer_with_a_reason():
    model = mc.Builder("fast").body("rod", joint=mc.revolute("q1"), mass=1, inertia=0.01, com=(0.5, 0))
    model = model.body("tip", joint=mc.revolute("q2", at=(1, 0)), mass=1, inertia=0.01, com=(0.5, 0)).build()
    stepper = mc.Stepper(model, [0.3, 0.4], [100.0, -300.0], step=0.1)
    seen = [stepper.step() for _ in range(400)]
    stopped = next(each for each in seen if not each)
    assert stopped.status.startswith("stopped at t = ")
    assert np.isfinite(stopped.q).all()


def test_unknown_names_are_answered_with_known_ones():
    seen = mc.Stepper(ball(), {"y": 0.1}).step()
    with pytest.raises(ValueError, match="did you mean 'floor'"):
        seen.contact_force("flor")
    with pytest.raises(ValueError, match="did you mean 'ball'"):
        seen.joint_reaction("bal")
    with pytest.raises(ValueError, match="did you mean 'restitution'"):
        mc.Stepper(ball(), {"y": 0.1}, restitutoin=0.3)


def test_a_hanging_chain_pulls_at_its_hinges_with_its_weight():
    links = 4
    model = hanging_chain(links)
    seen = mc.Stepper(model, [-np.pi / 2, 0, 0, 0]).step()
    for i in range(links):
        assert seen.joint_reaction(f"link{i}") == pytest.approx((0.0, 9.81 * (links - i), 0.0), abs=1e-9)


def test_a_hinge_carries_what_a_pin_in_its_place_carries():
    """The same double pendulum with its second hinge, and with a loose body on a pin."""
    upper = {"joint": mc.revolute("q1"), "mass": 1.0, "inertia": 0.1, "com": (0.5, 0)}
    hinged = mc.Builder("hinged").body("a", **upper)
    hinged = hinged.body("b", joint=mc.revolute("q2", at=(1, 0)), mass=2, inertia=0.2, com=(0.4, 0.1)).build()
    pinned = mc.Builder("pinned").body("a", **upper)
    pinned = pinned.body(
        "b", parent="world", joint=mc.planar("x", "y", "t"), mass=2, inertia=0.2, com=(0.4, 0.1)
    )
    pinned = pinned.pin("hinge", "b", (0, 0), "a", (1, 0)).build()
    q1, q2, w1, w2 = 0.3, -0.8, 1.5, -2.0
    end, rate = np.array([np.cos(q1), np.sin(q1)]), w1 * np.array([-np.sin(q1), np.cos(q1)])
    hinge = mc.Stepper(hinged, [q1, q2], [w1, w2], step=1e-6)
    pin = mc.Stepper(pinned, [q1, *end, q1 + q2], [w1, *rate, w1 + w2], step=1e-6)
    for _ in range(3):  # the first step of a pin has not seen it turn
        one, two = hinge.step(), pin.step()
    assert one.joint_reaction("b")[:2] == pytest.approx(two.loop_force, rel=1e-3)
    assert two.joint_reaction("b") == pytest.approx((0, 0, 0), abs=1e-9)
    assert two.joint_reaction("a")[:2] == pytest.approx(one.joint_reaction("a")[:2], rel=1e-3)


@pytest.mark.parametrize("seed", range(12))
def test_reactions_along_free_directions_are_motors_springs_and_dampers(seed):
    """A random forest with springs, pins, contacts: only what the joint's own parts give acts along it."""
    model = mc.Model(random_mechanism(seed))
    q, v = random_state(model, seed)
    stepper = mc.Stepper(model, q, v, step=1e-4, check_state=False, level="position", g_eps=0)
    seen = stepper.step([0.7])
    nodes = model.tree.nodes
    own = (
        model.tree.actuation @ [0.7]
        - nodes["stiffness"] * (seen.q - nodes["rest"])
        - nodes["damping"] * seen.v
    )
    frames = model.frames(q)
    bodies = model.numbers.bodies
    place = {body.name: i for i, body in enumerate(bodies)}
    for i, body in enumerate(bodies):
        fx, fy, moment = seen.joint_reactions[i]
        turned = (frames[place[body.parent], 2] if body.parent in place else 0.0) + body.joint.angle
        along = np.cos(turned) * fx + np.sin(turned) * fy, -np.sin(turned) * fx + np.cos(turned) * fy
        free = {"planar": (*along, moment), "revolute": (moment,), "prismatic": (along[0],), "weld": ()}
        for name, found in zip(body.joint.coordinates, free[body.joint.kind], strict=True):
            expected = own[model.coordinates.index(name)]
            size = 1 + np.abs(seen.joint_reactions).max()
            assert found == pytest.approx(expected, abs=1e-8 * size)


def test_controllers_that_ask_are_given_readings():
    model, asked = ball(), []

    def controller(t, q, v, readings):
        asked.append((t, readings))
        return []

    run = mc.simulate(model, {"y": 0.15}, controller=controller, duration=0.2, rate=100, record_every=7)
    assert len(asked) == 20
    assert asked[0][1].span == 0.0
    assert [round(reading.span, 9) for _, reading in asked[1:]] == [0.01] * 19
    assert asked[-1][1].contact_force("floor")[0] == pytest.approx(9.81)
    assert asked[-1][1].mode == "F"
    total = sum(reading.force[0] * reading.span for _, reading in asked)
    assert total == pytest.approx(run.impulse[:-2, 0].sum(), rel=0.2)


def test_controllers_that_do_not_ask_are_called_as_before():
    run = mc.simulate(ball(), {"y": 0.15}, controller=lambda t, q, v: [], duration=0.01)
    assert run.completed


def test_a_lagrangian_model_steps_too():
    x, xdot = sympy.symbols("x xdot")
    model = mc.LagrangianModel((x,), xdot**2 / 2, 9.81 * x, inputs={"u": x}, name="mass")
    run = mc.simulate(model, [1.0], duration=0.01)
    stepper = mc.Stepper(model, [1.0])
    for _ in range(10):
        seen = stepper.step()
    assert np.array_equal(seen.q, run.q[-1])
    assert seen.energy == pytest.approx(run.energy[-1])
    with pytest.raises(ValueError, match="no bodies"):
        _ = seen.joint_reactions
