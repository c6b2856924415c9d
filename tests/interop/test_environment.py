"""The gymnasium environment: its contract, and the same motion as `simulate`."""

import numpy as np
import pytest

import modecontrol as mc

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402 - after the skip

from modecontrol.interop import Environment, Transition  # noqa: E402

MAKE = "modecontrol.interop.environment:modecontrol/Mechanism-v0"
# what gymnasium says of spaces in SI units, and of environments that were not made by name
ADVICE = (
    "ignore:.*A Box (action|observation) space (minimum|maximum)",
    "ignore:.*symmetric and normalized space",
)


@pytest.fixture(scope="module")
def block():
    return mc.load("block")


@pytest.mark.filterwarnings(*ADVICE)
@pytest.mark.parametrize(
    ("name", "options"),
    [("block", {"limits": [(-20, 20)]}), ("rhex_compliant", {}), ("chain", {}), ("ball_bearing", {})],
)
def test_gymnasium_finds_nothing_wrong(name, options):
    env = gymnasium.make(
        MAKE, model=name, duration=0.05, render_mode="rgb_array", disable_env_checker=True, **options
    )
    check_env(env.unwrapped, skip_close_check=True)
    assert env.unwrapped.action_space.shape == (len(env.unwrapped.model.inputs),)
    assert env.unwrapped.observation_space.shape == (2 * len(env.unwrapped.model.coordinates),)
    env.close()


@pytest.mark.filterwarnings(*ADVICE)
def test_vector_environments_are_made_by_name():
    env = gymnasium.make_vec(
        MAKE, num_envs=3, vectorization_mode="sync", model="block", limits=[(-50, 50)], reward="x"
    )
    env.reset(seed=1)
    _, reward, *_ = env.step(np.array([[0.0], [30.0], [-30.0]]))
    env.close()
    assert reward[0] == 0.0
    assert reward[1] == pytest.approx(-reward[2], rel=1e-9)
    assert reward[1] > 0


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("block", {}),
        ("pendulum", {"restitution": 0.3}),
        ("rhex_compliant", {}),
        ("four_bar", {}),
        ("block", {"formulation": "mc"}),
    ],
)
def test_the_motion_is_that_of_simulate(name, options):
    """Actions held for ten steps, contacts closing and opening: equal to the last bit."""
    model = mc.load(name)
    env = Environment(model, duration=0.5, limits=[(-3, 3)] * len(model.inputs), **options)
    rng = np.random.default_rng(5)
    actions = rng.uniform(-3, 3, (50, len(model.inputs)))
    box = model.torque_limits(np.zeros(len(model.coordinates)))
    env.reset()
    seen = np.array([env.step(action)[0] for action in actions])
    traj = mc.simulate(
        model,
        controller=lambda t, q, v: np.clip(actions[round(t / 0.01)], *box.T),
        duration=0.5,
        rate=100,
        clip=True,
        **options,
    )
    n = len(model.coordinates)
    assert np.array_equal(seen[:, :n], traj.q[10::10])
    assert np.array_equal(seen[:, n:], traj.v[10::10])


def test_two_resets_give_two_equal_episodes():
    env = Environment("pendulum", duration=0.2)
    episodes = []
    for _ in range(2):
        env.reset(seed=3)
        episodes.append([env.step([])[0] for _ in range(20)])
    assert np.array_equal(*episodes)


def test_reward_by_name_is_the_mean_acceleration(block):
    """A block pushed so hard that it slides: m a = push - mu m g."""
    env = Environment(block, reward="x", limits=[(-100, 100)])
    env.reset()
    push = 50.0
    _, reward, *_, info = env.step([push])
    m, mu = block.parameters["m"], block.parameters["mu"]
    assert info["mode"] == "RR"
    assert reward == pytest.approx((push - mu * m * 9.81) / m, rel=1e-9)
    assert info["force"][0::2].sum() == pytest.approx(m * 9.81, rel=1e-9)


def test_reward_in_forces_inputs_and_contact_accelerations(block):
    env = Environment(block, reward="left.normal + right.normal + 2*push - 1", limits=[(-100, 100)])
    env.reset()
    assert env.step([3.0])[1] == pytest.approx(block.parameters["m"] * 9.81 + 5, rel=1e-9)
    sliding = Environment(block, reward="left.tangent_acceleration", limits=[(-100, 100)])
    sliding.reset()
    expected = 50 / block.parameters["m"] - block.parameters["mu"] * 9.81
    assert sliding.step([50.0])[1] == pytest.approx(expected, rel=1e-9)


def test_a_function_sees_the_whole_transition(block):
    seen = []

    def reward(transition):
        seen.append(transition)
        return transition.v[0]

    env = Environment(
        block, reward=reward, done=lambda transition: transition.q[0] > 0.05, limits=[(-100, 100)]
    )
    env.reset(
        options={"q": {**dict(zip(block.coordinates, block.start, strict=True)), "x": -0.02}, "v": {"x": 1.0}}
    )
    steps = [env.step([60.0]) for _ in range(8)]
    assert all(isinstance(each, Transition) for each in seen)
    assert [step[1] for step in steps] == [each.v[0] for each in seen]
    np.testing.assert_allclose(seen[1].q_before, seen[0].q)
    ended = [step[2] for step in steps]
    assert ended == [each.q[0] > 0.05 for each in seen]
    assert any(ended)
    assert not all(ended)


def test_time_limit_truncates_and_does_not_terminate(block):
    env = Environment(block, duration=0.03)
    env.reset()
    assert [env.step([0.0])[2:4] for _ in range(3)] == [(False, False), (False, False), (False, True)]
    endless = Environment(block, duration=None, period=0.1)
    endless.reset()
    assert not any(endless.step([0.0])[3] for _ in range(20))


def test_random_starts_follow_the_seed():
    model = (
        mc.Builder("two")
        .body("a", joint=mc.revolute("q1"), mass=1, com=(1, 0))
        .body("b", joint=mc.revolute("q2", at=(1, 0)), mass=1, com=(1, 0))
        .build()
    )

    def start(rng):
        return rng.normal(0, 0.1, len(model.coordinates)), np.zeros(len(model.coordinates))

    env = Environment(model, start=start)
    first, again, other = (env.reset(seed=seed)[0] for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    given, _ = env.reset(options={"q": np.full(len(model.coordinates), 0.2)})
    assert np.array_equal(given[: len(model.coordinates)], np.full(len(model.coordinates), 0.2))


def test_actions_are_cut_at_the_limits_at_the_present_speed():
    """A motor with a speed-torque line on a wheel: the torque falls as the wheel gains speed."""
    wheel = (
        mc.Builder("wheel")
        .body("wheel", joint=mc.revolute("turn"), mass=1, inertia=0.01)
        .input("motor", "turn", stall=1.0, no_load=10.0)
        .build()
    )
    env = Environment(wheel)
    env.reset(options={"v": [5.0]})
    torques = []
    for _ in range(30):
        *_, info = env.step([2.0])
        torques.append(float(info["torque"][0]))
    assert torques[0] < 0.5
    assert np.all(np.diff(torques) < 0)
    # v' = stall (1 - v / no_load) / I, from v = 5
    assert env.v[0] == pytest.approx(10 - 5 * np.exp(-10 * 0.3), rel=2e-3)


def test_actions_are_cut_at_the_limits_of_the_environment(block):
    env = Environment(block, limits=[(-2, 3)])
    env.reset()
    assert [float(env.step([push])[4]["torque"][0]) for push in (-9.0, 1.0, 9.0)] == [-2.0, 1.0, 3.0]


def test_own_observation(block):
    env = Environment(block, observe=lambda q, v: [np.sin(q[2]), np.cos(q[2]), v[0]])
    assert env.observation_space.shape == (3,)
    assert np.allclose(env.reset()[0], [0, 1, 0])


def test_pictures(block):
    env = Environment(block, render_mode="rgb_array", limits=[(-100, 100)])
    env.reset()
    first = env.render()
    assert first.dtype == np.uint8
    assert first.ndim == 3
    for _ in range(40):
        env.step([100.0])
    far = env.render()
    assert far.shape == first.shape
    assert env.q[0] > 1.0  # it has left the first window
    body = np.all(np.abs(far.astype(int) - (0xDF, 0xE6, 0xEE)) < 3, axis=2)
    assert body.sum() > 500  # and is still in the picture
    assert Environment(block).render() is None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            lambda m: Environment(m, render_mode="human"),
            "render_mode is 'human'; expected None or 'rgb_array'",
        ),
        (lambda m: Environment(m, duration=0), "duration is 0; expected a positive number"),
        (lambda m: Environment(m, period=0.0015), "whole number of steps"),
        (lambda m: Environment(m, period=0.0), "whole number of steps"),
        (lambda m: Environment(m, limits=[(1, -1)]), "expected 1 pair"),
        (lambda m: Environment(m, limits=[(1, 2, 3), 4]), "expected 1 pair"),
        (lambda m: Environment(m, reward="alpha"), "unknown quantity 'alpha'"),
        (
            lambda m: Environment(m, formulaton="mc"),
            "unknown setting 'formulaton'; did you mean 'formulation'",
        ),
        (lambda m: Environment(m, formulation="xyz"), "formulation"),
        (lambda m: Environment(m).step([0.0]), "step was called before reset"),
        (lambda m: Environment(m).reset(options={"x": 1}), "options has 'x'; expected 'q' and 'v'"),
        (lambda m: Environment(m).reset(options={"q": {"y": -1.0}}), "inside what it touches"),
        (lambda m: _started(m).step([np.nan]), "action of 'push' is nan"),
        (lambda m: _started(m).step([1.0, 2.0]), "action has 2 numbers"),
    ],
)
def test_one_clear_line(block, wrong, message):
    with pytest.raises((ValueError, RuntimeError), match=message) as caught:
        wrong(block)
    assert "\n" not in str(caught.value)


def _started(model):
    env = Environment(model)
    env.reset()
    return env


def test_a_simulation_that_cannot_go_on_truncates():
    """A stiff unstable input makes the state overflow."""
    slider = (
        mc.Builder("slider").body("slider", joint=mc.prismatic("s"), mass=1e-300).input("push", "s").build()
    )
    env = Environment(slider, duration=None)
    env.reset()
    with np.errstate(all="ignore"):
        *_, truncated, info = env.step([1e99])
    assert truncated
    assert "stopped at t = " in info["status"]


def test_a_torque_without_answer_truncates_with_the_reason():
    """Massless legs bear no torque that lifts them: such an action has no motion, and the episode says so."""
    env = Environment("rhex", formulation="mc")
    env.reset()
    observation, _, terminated, truncated, info = env.step([9.0, 9.0, 9.0])
    assert (terminated, truncated) == (False, True)
    assert "the contact problem was not solved" in info["status"]
    assert np.array_equal(observation, env.reset()[0])
