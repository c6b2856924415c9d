"""Shapes of hostile input that failed once: maps of thrust, states beyond all sizes, parts, robots with wrong words, pictures."""

import inspect
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import modecontrol as mc
from modecontrol import studies
from modecontrol.dynamics import Mechanism
from modecontrol.page import Session
from modecontrol.studies import Quantity
from modecontrol.thrust import Damping, MappedThrust, Passes, ThrustMap
from modecontrol.timestepping import LCP, lcp_size
from modecontrol.trials.rhex.settings import FlipSettings
from modecontrol.view.animation import animate
from modecontrol.view.camera import Camera
from modecontrol.view.mechanism import plot_mechanism

sys.path.append(str(Path(__file__).resolve().parents[1] / "campaigns"))


@pytest.fixture(scope="module")
def mapped():
    """A small map of thrust."""
    return studies.map_thrust(mc.MaximalThrust(mc.load("rod"), "phi"), {"phi": [0.7, 0.8]})


@pytest.mark.parametrize(
    "words",
    [
        {"base_q": np.array("x")},
        {"value": [0.0, np.nan, 0.0]},
        {"torque": [1.0, 2.0]},
        {"mode": [1, 2]},
        {"axes": 3.0},
        {"axes": [("q", "phi")]},
        {"axes": [("q", "phi", [0.8, 0.7])]},
        {"axes": [("x", "phi", [0.7, 0.8])]},
        {"coordinates": 7},
    ],
    ids=str,
)
def test_a_map_that_is_none_is_refused(mapped, words):
    known = {f.name: getattr(mapped, f.name) for f in fields(mapped) if f.init}
    with pytest.raises((ValueError, TypeError), match="expected"):
        ThrustMap(**{**known, **words})


def test_a_stored_map_that_was_changed_is_refused(mapped, tmp_path):
    file = tmp_path / "map.npz"
    mapped.save(file)
    with np.load(file) as data:
        arrays = {name: data[name] for name in data.files}
    for name in ("header", "torque", "axis0"):
        np.savez_compressed(file, **{key: value for key, value in arrays.items() if key != name})
        with pytest.raises(ValueError, match="is no thrust map"):
            ThrustMap.load(file)
    for data in (b"", b"PK", file.read_bytes()[:200]):
        file.write_bytes(data)
        with pytest.raises(ValueError, match="is no thrust map"):
            ThrustMap.load(file)
    np.savez_compressed(file, **{**arrays, "torque": arrays["torque"][:, :2]})
    with pytest.raises(ValueError, match="the map has 2 inputs; the model has 3"):
        MappedThrust(mc.load("rod"), ThrustMap.load(file))


@pytest.mark.parametrize("large", [2e223, -1e101])
def test_a_state_beyond_all_sizes_is_refused(large):
    """Masses at such a state were called indefinite, or their eigenvalues did not converge."""
    block = mc.load("block")
    for ask in (
        lambda: block.snapshot([large, 0, 0]),
        lambda: block.settle([0, large, 0]),
        lambda: block.settle_velocity(block.start, [0, 0, large]),
        lambda: block.snapshots([[0, 0, large]]),
        lambda: mc.simulate(block, v0=[large, 0, 0], duration=0.001),
        lambda: mc.Stepper(block).step([large]),
    ):
        with pytest.raises(ValueError, match=r"expected a number up to 1e\+100 in size"):
            ask()


@pytest.mark.parametrize(
    "ask",
    [
        lambda: Passes(0.5, 1.0),
        lambda: Passes(5, 1.0)(0.0, np.zeros(3), np.zeros(3)),
        lambda: Damping(0.1, 0, 1e99),
        lambda: Damping(-1.0, 0, 1),
        lambda: lcp_size("os", bodies=np.nan, freedoms=1, contacts=1),
        lambda: lcp_size("os", bodies=1, freedoms=1, contacts=1, directions=np.float32(3e38)),
        lambda: LCP(np.eye(2), np.ones(2)).check(iter([1.0, 2.0])),
        lambda: LCP(np.eye(2), np.ones(2)).check([1.0]),
        lambda: Quantity("x", 3.0, lambda point: 1.0),
        lambda: Quantity("x", {"x": "number"}, lambda point: 1.0, settings=1.0),
        lambda: Mechanism("m", bodies=np.array(1.0)),
        lambda: Mechanism("m", bodies=(), parameters=1e150),
        lambda: Mechanism("m", bodies=(), gravity=(0.0, 1.0, 2.0)),
        lambda: mc.Builder("b").start(1e99),
        lambda: mc.Builder("b").input("u", "x", gains=np.True_),
        lambda: mc.Builder("b").pin("p", "a", 7, "world", (0.0, 0.0)),
        lambda: mc.ContactLaws([2], [0.0], [0.0], [0], [-3e175], [1.0]),
        lambda: mc.ContactLaws([2], [0.0], [0.0], [0], [-1.0], [np.inf]),
        lambda: mc.Builder("b").terrain("t", 0.5),
        lambda: mc.Builder("b").group("g", [1.0, 2.0]),
        lambda: FlipSettings(rate=np.array([None, 1])),
        lambda: FlipSettings(robot=1.0),
        lambda: Session(mc.load("block"), tau={"a": 1}),
        lambda: Session(mc.load("block"), task=np.True_),
    ],
    ids=lambda ask: inspect.getsource(ask).strip().removeprefix("lambda: ")[:60],
)
def test_parts_that_are_none_are_refused(ask):
    with pytest.raises((ValueError, TypeError), match="expected"):
        ask()


def test_tables_of_what_is_no_result():
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    from modecontrol.interop import response_frame, trajectory_dataset

    for wrong in (None, [None], 3.0):
        for table in (response_frame, trajectory_dataset):
            with pytest.raises(TypeError, match="expected what modecontrol"):
                table(wrong)


def test_robots_with_wrong_words(tmp_path):
    pytest.importorskip("mujoco")
    pytest.importorskip("yourdfpy")
    from hostility.robot_texts import EVERYTHING_MJCF, EVERYTHING_URDF

    from modecontrol.interop import from_mjcf, from_urdf

    mjcf, urdf = tmp_path / "robot.xml", tmp_path / "robot.urdf"
    mjcf.write_text(EVERYTHING_MJCF)
    for words in (
        {"contacts": 0.5},
        {"locked": [[1.0]]},
        {"keyframe": {"a": 1}},
        {"keyframe": []},
        {"keyframe": 0.5},
        {"sagittal": np.zeros((3, 0))},
    ):
        with pytest.raises((ValueError, TypeError), match="expected"):
            from_mjcf(mjcf, **words)
    mjcf.write_text(EVERYTHING_MJCF.replace('vertex="0 -.1 0', 'vertex="2e15 -.1 0'))
    with pytest.raises(ValueError, match="lie in a plane"):
        from_mjcf(mjcf)
    urdf.write_text(EVERYTHING_URDF)
    with pytest.raises(TypeError, match="expected a sequence of texts"):
        from_urdf(urdf, actuated=0.5)
    urdf.write_text(EVERYTHING_URDF.replace('damping="0.1"', 'damping="a lot"'))
    with pytest.raises(ValueError, match="damping of joint 'hip' is 'a lot'; expected one finite number"):
        from_urdf(urdf)


@pytest.mark.parametrize(
    "draw",
    [
        lambda square, run: square.plot(window=[[[1.0]]]),
        lambda square, run: square.plot(window="é"),
        lambda square, run: square.plot(names=3.0),
        lambda square, run: square.plot(color=")red"),
        lambda square, run: square.plot(alpha=7),
        lambda square, run: square.plot(slice=3),
        lambda square, run: square.plot(project=3),
        lambda square, run: run.plot(what=np.zeros((0, 3))),
        lambda square, run: run.plot(names=np.inf),
        lambda square, run: run.plot(what="acceleration", predicted=1.0),
        lambda square, run: run.plot(what="modes", contacts=np.int8(3)),
        lambda square, run: run.plot(what="modes", letters=np.ones(2)),
        lambda square, run: run.plot(what="strobe", frames=1e12),
        lambda square, run: run.plot(what="strobe", times="FFFF"),
        lambda square, run: animate(run, "film.gif", fps=1e236),
        lambda square, run: animate(run, "film.gif", fps=1e-127),
        lambda square, run: animate(run, "film.gif", size=[2.0]),
        lambda square, run: animate(run, "film.gif", dpi=1e12),
        lambda square, run: animate(run, "film.gif", dpi=2),
        lambda square, run: Camera(run.model, run.q[0], dpi=1e12),
        lambda square, run: Camera(run.model, run.q[0]).picture(run.q[0], 0.5),
        lambda square, run: plot_mechanism(run.model, walls=np.zeros(0)),
        lambda square, run: plot_mechanism(run.model, alpha=-1),
        lambda square, run: plot_mechanism(run.model, forces="FFFF"),
    ],
    ids=lambda draw: inspect.getsource(draw).strip().removeprefix("lambda square, run: ")[:60],
)
def test_pictures_that_cannot_be_drawn(draw, tmp_path, monkeypatch):
    from matplotlib import pyplot

    monkeypatch.chdir(tmp_path)
    run = mc.simulate(mc.load("block"), duration=0.003)
    with pytest.raises((ValueError, TypeError), match=r"expected|did you mean|no variable"):
        draw(mc.Polytope.box([0, 0], [1, 1]), run)
    pyplot.close("all")
