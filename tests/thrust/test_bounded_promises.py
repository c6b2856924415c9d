"""Searches for promises end within a stated bound, and a mode that cannot be projected takes nothing from the others."""

import signal
import time

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.errors import TooMuchWorkError, UncheckedError
from modecontrol.modes.mode_response import ModeResponse
from modecontrol.modes.outer_torques import OuterTorques
from modecontrol.regions import overlaps
from modecontrol.regions.friction_cells import FrictionCells
from modecontrol.thrust import allowance
from modecontrol.thrust.presence import Presence


def snake(n, interval=None):
    model = mc.load("snake", n=n)
    if interval:
        model = model.uncertain(mu=interval)
    return mc.dynamic_response(model.snapshot(model.start))


@pytest.fixture(scope="module")
def unsure():
    return snake(5, (0.4, 0.5))


def without_torque_sets(response):
    """The same modes as if the core had projected none."""
    made = mc.dynamic_response(response.snapshot)
    for mode in made:
        known = made[mode]
        made._made[mode] = ModeResponse(
            mode, known.domain, None, known.constant, known.U, known.W, known.admissible, known.problem
        )
    return made


def no_projection(self):
    raise UncheckedError(f"{self.mode} was not projected")


def promise_holds(response, found, tries=12):
    """At random frictions, one at a time: the value is reached in every mode that explains the inputs, and there is one."""
    rng = np.random.default_rng(5)
    names, snapshot = response.problem.names, response.snapshot
    low, high = response.snapshot.uncertainty.intervals
    for share in [0.0, 1.0, *rng.random(tries)]:
        there = mc.dynamic_response(snapshot.with_friction(low + share * (high - low)))
        ranges = there.accelerations_at(found.torque)
        assert ranges
        assert set(ranges) <= set(found.modes)
        for by_name in ranges.values():
            assert by_name[names.coordinates[-1]][0] >= found.value - 1e-6


@pytest.mark.parametrize("guarantee", ["mode", "outcome"])
def test_a_promise_of_a_snake_with_uncertain_friction_holds(unsure, guarantee, monkeypatch):
    monkeypatch.setattr(allowance, "STEPS", 400)
    calls = []
    found = mc.maximize(unsure, "q5", guarantee=guarantee, progress=lambda *done: calls.append(done))
    assert found, found.reason
    assert calls
    assert calls[-1][1] == 400
    promise_holds(unsure, found)


def test_a_search_without_steps_says_that_it_was_stopped(unsure, monkeypatch):
    monkeypatch.setattr(allowance, "STEPS", 0)
    found = mc.maximize(unsure, "q5 - q4", guarantee="mode")
    assert not found
    assert found.reason.startswith("stopped: after 0 of 0 steps")


def test_a_search_that_is_cut_short_gives_the_best_promise_so_far(unsure, monkeypatch):
    full = mc.maximize(unsure, "q5 - q4", guarantee="outcome")
    monkeypatch.setattr(allowance, "STEPS", 60)
    found = mc.maximize(unsure, "q5 - q4", guarantee="outcome")
    assert found.reason.startswith("stopped: after 60 of 60 steps")
    assert "this is promised, more might be" in found.reason
    assert found.status == "stopped"
    assert found.value <= full.value + 1e-9
    assert mc.promised_value(unsure, "q5 - q4", found.torque) >= found.value - 1e-6


def test_membership_and_sets_without_projection_agree_with_the_projection():
    response = snake(4)
    rng = np.random.default_rng(2)
    for mode in response.modes[::9]:
        mine = response[mode]
        outer = OuterTorques(mine)
        inside = np.asarray(mine.torques.chebyshev.centre)
        points = [inside, *(inside + rng.normal(size=(20, len(inside))) * 10.0)]
        assert [outer.contains(tau) for tau in points] == [mine.allows(tau) for tau in points]
        assert mine.torques <= outer.torques


def test_modes_that_nobody_can_project_cost_promises_and_break_none(monkeypatch):
    model = mc.load("rhex").uncertain(mu_toe=(0.54, 0.66), mu_body=(0.18, 0.22))
    response = mc.dynamic_response(model.snapshot(model.start))
    best = mc.maximize(response, "alpha", guarantee="mode")
    blind = without_torque_sets(response)
    assert [mine.known_torques for _, mine in Presence(FrictionCells.of(blind, 1)).modes] == [None] * len(
        blind
    )
    torques = ModeResponse.torques
    monkeypatch.setattr(
        ModeResponse,
        "torques",
        property(lambda self: no_projection(self) if self._torques is None else torques.fget(self)),
    )
    found = mc.maximize(blind, "alpha", guarantee="mode")
    assert "could not be projected" in found.reason
    assert 0.9 * best.value < found.value <= best.value + 1e-9
    middle = np.array(response.snapshot.uncertainty.intervals).mean(axis=0)
    there = mc.dynamic_response(response.snapshot.with_friction(middle))
    assert there.modes_at(found.torque) == [found.mode]


def test_comparing_too_many_modes_is_refused_at_once(monkeypatch):
    response = snake(4)
    monkeypatch.setattr(overlaps, "MOST_PAIRS", 100)
    with pytest.raises(TooMuchWorkError, match="sampled_coverage"):
        response.ambiguous()


def test_ctrl_c_ends_the_listing_of_thousands_of_modes_at_once():
    model = mc.load("snake").uncertain(mu=(0.4, 0.5))
    snapshot = model.snapshot(model.start)
    before = signal.signal(signal.SIGPROF, signal.default_int_handler)
    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            mc.dynamic_response(snapshot)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert time.process_time() - start < 2.0


@pytest.mark.parametrize("options", [{}, {"guarantee": "outcome"}])
def test_a_design_out_of_patience_says_so(options):
    found = mc.design(snake(4), "margin", patience=0, **options)
    assert not found
    assert found.reason.startswith("stopped: after 0 pieces")
    assert found.status == "stopped"
