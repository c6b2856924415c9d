"""The best guaranteed inputs where a sliding mode is singular: the search ends, with an answer or within its bound."""

import numpy as np

import modecontrol as mc
from modecontrol import tolerances
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
