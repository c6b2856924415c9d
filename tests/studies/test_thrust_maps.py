"""The off-line map: exact at grid points, within its stated error between them, the same after a round trip through a file."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.studies import map_thrust
from modecontrol.thrust import Decision, MappedThrust, ThrustMap
from modecontrol.thrust.thrust_map import OUTSIDE
from modecontrol.trials.rhex.observer import RHexObserver

PITCH = np.radians(np.linspace(0, 30, 7))
RATE = np.array([0.0, 1.0, 2.0])


@pytest.fixture(scope="module")
def controller():
    model = mc.load("rhex", mu_toe=0.6)
    return mc.MaximalThrust(model, "alpha", task="body.normal >= 10", observe=RHexObserver.of(model))


@pytest.fixture(scope="module")
def table(controller):
    return map_thrust(controller, q={"alpha": PITCH}, v={"alpha": RATE})


def test_grid_points_are_exact(controller, table):
    for pitch, rate in [(PITCH[0], RATE[0]), (PITCH[3], RATE[1]), (PITCH[-1], RATE[-1])]:
        q, v = table.state((pitch, rate))
        assert (q[2], v[2]) == (pitch, rate)
        exact = controller.decide(0.0, q, v)
        found = table((pitch, rate))
        assert found.torque == pytest.approx(exact.torque, abs=1e-12)
        assert found.mode == exact.mode
        assert found.value == pytest.approx(exact.value)


def test_error_is_measured_and_falls_with_a_finer_grid(controller, table):
    rng = np.random.default_rng(0)
    coarse = table.error(controller, rng, 40)
    fine = map_thrust(
        controller, q={"alpha": np.radians(np.linspace(0, 30, 31))}, v={"alpha": np.linspace(0, 2, 7)}
    )
    better = fine.error(controller, np.random.default_rng(0), 40)
    assert better.median <= coarse.median
    assert better.p90 <= coarse.p90
    assert better.same_mode >= coarse.same_mode - 0.05
    assert 0 <= coarse.median <= coarse.p90 <= coarse.greatest
    assert "median" in str(coarse)


@pytest.mark.parametrize(
    "pool", [ThreadPoolExecutor, partial(ProcessPoolExecutor, mp_context=get_context("spawn"))]
)
def test_executor_and_file_give_the_same_map(controller, table, tmp_path, pool):
    with pool(1) as workers:
        again = map_thrust(controller, q={"alpha": PITCH}, v={"alpha": RATE}, executor=workers, chunk=5)
    again.save(tmp_path / "map.npz")
    loaded = ThrustMap.load(tmp_path / "map.npz")
    for name in ("torque", "value", "mode", "fallback", "base_q", "base_v"):
        assert np.array_equal(getattr(loaded, name), getattr(table, name))
    assert [axis[:2] for axis in loaded.axes] == [("q", "alpha"), ("v", "alpha")]
    assert loaded((0.1, 0.3)).torque == pytest.approx(table((0.1, 0.3)).torque)
    np.savez(tmp_path / "other.npz", x=1.0)
    with pytest.raises(ValueError, match="no thrust map"):
        ThrustMap.load(tmp_path / "other.npz")


def test_mapped_controller_keeps_limits_and_says_when_it_leaves_the_map(controller, table):
    model = controller.model
    mapped = MappedThrust(model, table)
    rng = np.random.default_rng(1)
    for _ in range(40):
        q, v = rng.normal(size=6), 20 * rng.normal(size=6)
        torque = mapped(0.0, q, v)
        limits = model.torque_limits(v)
        assert np.all((torque >= limits[:, 0]) & (torque <= limits[:, 1]))
    q, v = table.state((0.1, 0.5))
    mapped(0.0, q, v)
    assert OUTSIDE not in mapped.decisions[-1].fallback
    v[2] = 50.0
    mapped(0.0, q, v)
    assert OUTSIDE in mapped.decisions[-1].fallback


class Plane(mc.Controller):
    """Inputs that are linear in the state, in two modes: interpolation has to be exact within each."""

    def decide(self, t, q, v):
        mode = "FF" if q[0] < 0.5 else "RR"
        return Decision(t, np.array([2 * q[0] + 3 * v[1] * q[0] - v[1]]), mode, q[0], None, "", False)


def test_multilinear_within_a_mode_and_nearest_across():
    model = mc.load("table")
    plane = Plane(model)
    made = map_thrust(plane, q={"x": [0.0, 0.4, 1.0]}, v={"y": [0.0, 1.0, 3.0]})
    for x, y in [(0.1, 0.2), (0.3, 2.5), (0.4, 3.0), (0.0, 0.0)]:
        assert made((x, y)).torque == pytest.approx([2 * x + 3 * x * y - y])
        assert made.one_mode((x, y)) == (x < 0.4)
    assert made((0.45, 0.1)).torque == pytest.approx([0.8])
    assert made((0.9, 0.1)).torque == pytest.approx([2.0])
    assert made((0.9, 0.1)).mode == "RR"
    error = made.error(plane, np.random.default_rng(0), 50)
    assert error.within == pytest.approx(0.0, abs=1e-12)
    assert error.greatest > 0.1


def test_misuse_is_explained(controller, table):
    with pytest.raises(ValueError, match="nothing varies"):
        map_thrust(controller)
    with pytest.raises(ValueError, match="no coordinate"):
        map_thrust(controller, q={"beta": [0, 1]})
    with pytest.raises(ValueError, match="ascending"):
        map_thrust(controller, q={"alpha": [1, 0]})
    with pytest.raises(ValueError, match="lifted"):
        map_thrust(mc.MaximalThrust(controller.model, "alpha", lifted=(2.0, 0.05)), q={"alpha": [0, 1]})
    with pytest.raises(ValueError, match="coordinates"):
        MappedThrust(mc.load("table"), table)
