"""Trajectories: files, tables, how runs end; controllers in time; bad input."""

import csv
import json
import math

import numpy as np
import pytest
from scenes import ball, mass_on_spring

import modecontrol as mc
from modecontrol.timestepping import Trajectory, simulate


@pytest.fixture(scope="module")
def slide():
    return simulate(mc.load("block", slope=0.6), controller=[1.5], duration=0.02)


# Contents
# ------------------------------------------------------------------------------------------------------


def test_shapes_and_read_only(slide):
    T = len(slide)
    assert T == 20
    assert slide.time.shape == (T + 1,)
    assert slide.q.shape == slide.v.shape == (T + 1, 3)
    assert slide.torque.shape == (T, 1)
    assert slide.impulse.shape == slide.force.shape == (T, 4)
    assert slide.gap.shape == (T + 1, 2)
    assert slide.acceleration.shape == (T, 3)
    assert len(slide.modes) == len(slide.method) == T
    assert slide.torque[3, 0] == 1.5
    for name in ("time", "q", "v", "torque", "impulse", "gap", "energy", "kinetic", "potential"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(slide, name)[0] = 1.0


def test_energy_is_that_of_the_model(slide):
    model = slide.model
    for i in (0, 10, 20):
        assert slide.kinetic[i] == pytest.approx(model.kinetic_energy(slide.q[i], slide.v[i]))
        assert slide.potential[i] == pytest.approx(model.potential_energy(slide.q[i]))
        np.testing.assert_allclose(slide.gap[i], model.snapshot(slide.q[i]).gap, atol=1e-15)
    np.testing.assert_allclose(slide.energy, slide.kinetic + slide.potential)


def test_save_and_load(slide, tmp_path):
    path = slide.save(tmp_path / "run")
    assert path.name == "run.npz"
    again = Trajectory.load(path)
    for name in ("time", "q", "v", "torque", "impulse", "letters", "residual", "gap", "energy", "lcp_size"):
        np.testing.assert_array_equal(getattr(again, name), getattr(slide, name))
    assert again.modes == slide.modes
    assert again.status == slide.status
    assert again.step == slide.step
    assert again.header == slide.header
    assert again.model is not None
    assert again.model.parameters["slope"] == 0.6
    assert repr(again) == repr(slide)


def test_files_of_the_first_format_still_open(slide, tmp_path):
    """Written before letters were ASCII bytes: 0 S, 1 L, 2 R, 3 F, in int8."""
    letters = (np.arange(slide.letters.size, dtype=np.int8) % 4).reshape(slide.letters.shape)
    old = {
        name: getattr(slide, name)
        for name in (
            "time",
            "q",
            "v",
            "torque",
            "impulse",
            "loop_impulse",
            "residual",
            "method_code",
            "lcp_size",
            "impacts",
            "gap",
            "kinetic",
            "potential",
        )
    }
    header = {**slide.header, "format": 1, "step": slide.step, "status": slide.status}
    np.savez_compressed(tmp_path / "old.npz", header=np.array(json.dumps(header)), letters=letters, **old)
    again = Trajectory.load(tmp_path / "old.npz")
    assert again.modes == ["SL", "RF"] * (len(slide) // 2)
    assert again.letters.dtype == slide.letters.dtype
    np.testing.assert_array_equal(again.q, slide.q)
    newer = {**header, "format": 99}
    np.savez_compressed(tmp_path / "newer.npz", header=np.array(json.dumps(newer)), letters=letters, **old)
    with pytest.raises(ValueError, match=r"format 99; this version reads formats 1 to"):
        Trajectory.load(tmp_path / "newer.npz")


def test_letters_are_ascii_bytes():
    model = ball(mu=0.2)
    slides = simulate(model, [0, 0.1, 0], [-1.0, 0, 0], duration=0.01)
    assert slides.letters.dtype == np.uint8
    assert bytes(slides.letters[0]) == b"L"
    flies = simulate(model, [0, 1.1, 0], duration=0.01)
    assert bytes(flies.letters[0]) == b"S"


def test_load_without_its_model_still_has_gaps_and_energies(tmp_path):
    run = simulate(ball(), [0, 0.2, 0], duration=0.01)
    again = Trajectory.load(run.save(tmp_path / "ball.npz"))
    assert again.model is None
    np.testing.assert_array_equal(again.energy, run.energy)
    np.testing.assert_array_equal(again.gap, run.gap)
    assert Trajectory.load(tmp_path / "ball.npz", model=run.model).model is run.model


def test_load_says_what_is_wrong(tmp_path):
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(ValueError, match="no header"):
        Trajectory.load(tmp_path / "other.npz")
    with pytest.raises(FileNotFoundError):
        Trajectory.load(tmp_path / "missing.npz")
    (tmp_path / "notes.npz").write_text("not an archive")
    with pytest.raises(ValueError, match="no saved trajectory"):
        Trajectory.load(tmp_path / "notes.npz")


def test_csv_and_pandas(slide, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = slide.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert len(frame) == len(slide) + 1
    np.testing.assert_array_equal(frame["x"], slide.q[:, 0])
    np.testing.assert_array_equal(frame["left.normal"][:-1], slide.force[:, 0])
    assert frame["mode"][0] == slide.modes[0]
    with slide.to_csv(tmp_path / "run.csv").open() as file:
        lines = list(csv.reader(file))
    assert lines[0] == list(frame.columns)
    assert len(lines) == len(slide) + 2
    assert lines[-1][lines[0].index("push")] == ""
    assert float(lines[5][lines[0].index("y.velocity")]) == slide.v[4, 1]


# How runs end
# --------------------------------------------------------------------------------------------------


def test_stop_and_callback():
    seen = []
    run = simulate(
        ball(),
        [0, 1.0, 0],
        duration=1.0,
        stop=lambda t, q, v: q[1] < 0.5,
        callback=lambda t, q, v: seen.append(t),
    )
    assert run.status.startswith("stopped at t = 0.31")
    assert not run.completed
    assert run.q[-1, 1] < 0.5 <= run.q[-2, 1]
    np.testing.assert_allclose(seen, run.time[1:])


def test_interrupt_keeps_what_was_computed():
    def controller(t, q, v):
        if t > 0.0095:
            raise KeyboardInterrupt
        return [0.0]

    run = simulate(mc.load("block"), controller=controller, duration=1.0)
    assert run.status == "interrupted at t = 0.01 s"
    assert len(run) == 10


def test_state_that_is_not_finite_stops_with_time_and_coordinate():
    run = simulate(mass_on_spring(1.0), [0.0], [1e99], duration=1.0, step=1e-3)
    assert run.completed
    with pytest.raises(ValueError, match=r"'x' is 1e\+200; expected a number up to 1e\+100 in size"):
        simulate(mass_on_spring(1.0), [0.0], [1e200], duration=1.0, step=1e-3)
    model = mc.Builder("flung", gravity=(0, 0)).body("a", joint=mc.prismatic("x"), mass=1e-250)
    run = simulate(model.input("push", "x").build(), [0.0], controller=[1e99], duration=1.0)
    assert "coordinate 'x' is inf" in run.status or "velocity 'x' is inf" in run.status
    assert run.status.startswith("stopped at t = ")
    assert np.isfinite(run.q).all()
    assert np.isfinite(run.v).all()


def test_no_steps_no_contacts_no_inputs():
    run = simulate(ball(), [0, 1.0, 0], duration=0.0)
    assert run.completed
    assert len(run) == 0
    assert run.modes == []
    free = simulate(mass_on_spring(1.0), [0.1], duration=0.01)
    assert free.modes == [""] * 10
    assert free.torque.shape == (10, 0)


def test_results_do_not_depend_on_repetition_or_chunks(slide):
    again = simulate(slide.model, controller=lambda t, q, v: [1.5], duration=0.02)
    np.testing.assert_array_equal(again.q, slide.q)
    np.testing.assert_array_equal(again.impulse, slide.impulse)


def test_many_contacts_grow_the_work_space():
    builder = mc.Builder("row").body("plate", joint=mc.planar("x", "y", "turn"), mass=1, inertia=1)
    for i in range(40):
        builder = builder.contact(f"c{i}", "plate", point=(i / 10, 0), mu=0.5)
    run = simulate(builder.build(), [0, 0, 0], [0.5, 0, 0], duration=0.2)
    assert run.completed
    assert np.abs(run.q[:, 1:]).max() < 1e-9
    assert run.impulse[0, 0::2].sum() == pytest.approx(9.81e-3, rel=1e-9)
    assert run.v[-1, 0] == pytest.approx(0.0, abs=1e-12)


# Controllers in time
# -------------------------------------------------------------------------------------------


def pushed_mass():
    return (
        mc.Builder("mass", gravity=(0, 0))
        .body("a", joint=mc.prismatic("x"), mass=1)
        .input("push", "x", lower=-1.0, upper=1.0)
        .build()
    )


def test_rate_holds_the_torque_between_samples():
    asked = []

    def controller(t, q, v):
        asked.append(t)
        return [len(asked)]

    run = simulate(pushed_mass(), controller=controller, duration=0.1, step=1e-3, rate=100)
    np.testing.assert_allclose(asked, np.arange(10) / 100)
    np.testing.assert_array_equal(run.torque[:, 0], np.repeat(np.arange(1, 11), 10))


def test_rate_that_is_no_multiple_of_the_step():
    asked = []
    simulate(
        pushed_mass(), controller=lambda t, q, v: asked.append(t) or [0.0], duration=0.1, step=1e-3, rate=300
    )
    assert len(asked) == 30
    np.testing.assert_allclose(asked, np.ceil(np.arange(30) / 0.3 - 1e-9) / 1000)


def test_delay_comes_before_the_first_torque():
    run = simulate(pushed_mass(), controller=lambda t, q, v: [t + 1.0], duration=0.02, step=1e-3, delay=3e-3)
    assert np.all(run.torque[:3, 0] == 0.0)
    np.testing.assert_allclose(run.torque[3:, 0], 1.0 + run.time[:-4])


def test_noise_is_seeded_and_only_seen_by_the_controller():
    def run(seed):
        seen = []
        traj = simulate(
            pushed_mass(),
            controller=lambda t, q, v: seen.append((q[0], v[0])) or [0.0],
            duration=0.5,
            noise=(0.1, 0.2),
            rng=np.random.default_rng(seed),
        )
        assert not traj.q.any()
        return np.array(seen)

    first = run(1)
    np.testing.assert_array_equal(first, run(1))
    assert np.std(first, axis=0) == pytest.approx([0.1, 0.2], rel=0.15)
    assert np.abs(first - run(2)).max() > 0.01
    biased = []
    simulate(
        pushed_mass(),
        controller=lambda t, q, v: biased.append(q[0]) or [0.0],
        duration=0.002,
        noise=lambda rng, q, v: (q + 1.0, v),
        rng=np.random.default_rng(0),
    )
    assert biased == [1.0, 1.0]


def test_clip_cuts_at_the_limits_of_the_model():
    run = simulate(pushed_mass(), controller={"push": 5.0}, duration=0.01, clip=True)
    assert np.all(run.torque == 1.0)
    model = mc.load("rhex_compliant")
    run = simulate(
        model,
        v0={"phi1": 20.0},
        q0=model.start,
        controller=[-30.0, 0, 0],
        duration=1e-4,
        step=1e-4,
        clip=True,
    )
    assert run.torque[0, 0] == pytest.approx(-5.5)


# Bad input
# -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step": -1e-3}, r"step is -0.001; expected a positive"),
        ({"step": math.nan}, "step is nan"),
        ({"duration": -1.0}, "duration is -1.0"),
        ({"formulation": "lcp"}, r"formulation is 'lcp'; expected one of nmc, mc, rmc, os, nmc/os"),
        ({"dynamics": "fast"}, "dynamics is 'fast'; expected one of aba, dca, dense"),
        ({"dynamics": "aba", "formulation": "mc"}, "belongs to formulation 'os'"),
        ({"level": "acceleration"}, "level is 'acceleration'; expected one of velocity, position"),
        ({"integrator": "rk45"}, "integrator is 'rk45'; expected one of euler, theta, rk4"),
        ({"integrator": "rk4", "level": "position"}, "locates impacts.*use level='velocity'"),
        ({"integrator": "theta", "formulation": "nmc"}, "use formulation='os'"),
        ({"integrator": "theta", "level": "position"}, "'theta' locates impacts"),
        ({"restitution": 1.5}, "restitution of contact 'left' is 1.5; expected 0 to 1"),
        ({"restitution": {"lift": 0.5}}, "unknown contact 'lift'; did you mean 'left'"),
        ({"restitution": [0.1, 0.2, 0.3]}, "expected one number, 2 numbers or a dict"),
        ({"restitution": 0.5, "level": "position"}, "'position' has no collisions"),
        ({"q0": [0, 0]}, "q0 has 2 numbers; expected 3 numbers"),
        ({"q0": {"z": 1}}, "q0 names the unknown coordinate 'z'"),
        ({"q0": [0, math.nan, 0]}, "q0 of 'y' is nan"),
        ({"q0": [0, 0.1, 0]}, r"contact 'left' is 0.05 m inside what it touches.*model.settle"),
        ({"v0": "fast"}, "v0 is 'fast'"),
        ({"controller": [1.0, 2.0]}, r"controller \(constant torques\) has 2 numbers"),
        ({"controller": lambda t, q, v: [math.nan]}, r"at t = 0 s: the controller's answer of 'push' is nan"),
        ({"controller": lambda t, q, v: [1.0, 2.0]}, r"at t = 0 s: the controller's answer has 2 numbers"),
        ({"controller": lambda t, q, v: {"pull": 1.0}}, "names the unknown input 'pull'"),
        ({"controller": lambda t, q, v: None}, "the controller's answer is None"),
        ({"rate": 0}, "rate is 0"),
        ({"delay": -1}, "delay is -1"),
        ({"noise": 0.1}, "noise needs rng"),
        ({"noise": -0.1, "rng": np.random.default_rng(0)}, "noise of q is -0.1"),
        ({"g_eps": 1e-5}, "g_eps is 1e-05; expected metres, not positive"),
        ({"eps": -1.0}, "eps is -1.0"),
        ({"eps": 0.1, "formulation": "mc"}, "use 'os', 'rmc' or 'nmc/os'"),
        ({"loop_correction": 2.0}, "loop_correction is 2.0"),
        ({"impact_speed": -1.0}, "impact_speed is -1.0"),
        ({"impact_speed": "fast"}, "impact_speed is 'fast'; expected m/s"),
        ({"duration": "1"}, "duration is '1'; expected seconds"),
        ({"step": "small"}, "step is 'small'; expected a positive number of seconds"),
        ({"delay": "1"}, "delay is '1'; expected seconds"),
        ({"rate": [100.0]}, r"rate is \[100.0\]; expected a positive number"),
        ({"eps": True}, "eps is True; expected a number"),
        ({"restitution": {"left": "x"}}, "restitution of contact 'left' is 'x'"),
        ({"callback": 5}, r"callback is 5; expected a function callback\(t, q, v\)"),
        (
            {
                "noise": lambda rng, q, v: None,
                "rng": np.random.default_rng(0),
                "controller": lambda t, q, v: [0.0],
            },
            "noise.* returned None; expected the pair",
        ),
    ],
)
def test_bad_input_is_refused_with_what_to_do(options, message):
    with pytest.raises(ValueError, match=message):
        simulate(mc.load("block"), **{"duration": 0.01, **options})


def test_nan_from_a_controller_says_when():
    with pytest.raises(ValueError, match=r"at t = 0.005 s: the controller's answer of 'push' is nan"):
        simulate(
            mc.load("block"), controller=lambda t, q, v: [math.nan if t > 0.0045 else 0.0], duration=0.01
        )


def test_open_loop_and_wrong_model_are_refused():
    model = mc.load("four_bar")
    with pytest.raises(ValueError, match="loop 'loop' is open by"):
        simulate(model, model.start - [0.1, 0, 0])
    with pytest.raises(ValueError, match="expected a Model"):
        simulate("block")


def test_every_argument_is_documented():
    import inspect

    for name in inspect.signature(simulate).parameters:
        assert f"\n    {name}" in simulate.__doc__ or f", {name}\n" in simulate.__doc__, name
