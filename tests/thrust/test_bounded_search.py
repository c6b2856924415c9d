"""Searches end, with an answer or within their bound, and say what they spent."""

import numpy as np
import pytest

import modecontrol as mc
from modecontrol import tolerances
from modecontrol.thrust.prepared_rows import PreparedThrust
from modecontrol.trials.rhex.observer import at_rest


def test_a_singular_mode_does_not_keep_the_search_going(monkeypatch):
    """RHex at the one of a million rest states at which the friction makes LRRS singular: a set of its own cuts the best
    inputs, and with a margin the search over pieces did not end within a minute.
    """
    model = mc.load("rhex", mu_toe=np.linspace(0.2, 1, 1000)[33])
    q = np.array(model.start)
    q[model.coordinates.index("alpha")] = np.linspace(0, 1.2, 1000)[396]
    response = mc.dynamic_response(model.snapshot(at_rest(model, q)), task="body.normal >= 10")
    monkeypatch.setattr(tolerances, "SECOND_SEARCH", 50)
    best = mc.maximize(response, "alpha", margin=1e-3)
    assert best or best.status == "stopped"
    assert best or "patience of 50" in best.reason


def counted(monkeypatch, method):
    """The linear programs that each call of a search was worth, as it says."""
    spent, search = [], getattr(PreparedThrust, method)

    def counting(self, *arguments, **options):
        found = search(self, *arguments, **options)
        spent.append(found.programs)
        return found

    monkeypatch.setattr(PreparedThrust, method, counting)
    return spent


def everything_closed(name, objective, **options):
    """A controller that takes all contacts of a shipped model for closed, with inputs from -50 to 50."""
    model = mc.load(name)
    bounds = [f"{i} {limit}" for i in model.inputs for limit in ("<= 50", ">= -50")]
    made = mc.MaximalThrust(model, objective, gap=10.0, leaving=1e9, v0=0.01, physical=bounds, **options)
    return made, np.array(model.start)


@pytest.mark.parametrize("patience", [350, 500, 900])
def test_a_search_that_is_cut_short_says_what_it_spent(monkeypatch, patience):
    """With a margin all modes are listed first; what that cost is told also when the patience ends within it."""
    spent = counted(monkeypatch, "best")
    controller, q = everything_closed("biped", "y", margin=0.05, patience=patience)
    spent.clear()
    controller.decide(0.0, q, np.zeros(len(q)))
    assert 0.95 * patience <= sum(spent) <= 1.1 * patience


def test_a_task_that_cannot_be_met_does_not_double_the_patience(monkeypatch):
    """What is left of the patience is for the same without the task."""
    spent = counted(monkeypatch, "promised")
    controller, q = everything_closed(
        "gripper_box", "left", task="left_pad.1.normal >= 100", guarantee="outcome", patience=200
    )
    spent.clear()
    decision = controller.decide(0.0, q, np.zeros(len(q)))
    assert decision.fallback == "task dropped"
    assert len(spent) == 2
    assert sum(spent) <= 1.1 * 200
