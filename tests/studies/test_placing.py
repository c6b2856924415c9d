import numpy as np
import pytest

import modecontrol as mc
from modecontrol.studies import Touching
from modecontrol.trials.rhex.observer import at_rest

RHEX = Touching(["body", "rear", "middle", "front"], ["z", "phi1", "phi2", "phi3"])


@pytest.mark.parametrize("alpha", np.linspace(0.0, 0.2, 5))
@pytest.mark.parametrize("leg", [0.15, 0.17, 0.2])
def test_contacts_close_and_the_other_coordinates_stay(alpha, leg):
    model = mc.load("rhex", l=leg)
    q = np.array(model.start)
    q[[0, 2]] = 0.3, alpha
    placed = RHEX(model, q)
    assert np.abs(model.snapshot(placed).gap).max() < 1e-9
    assert placed[[0, 2]].tolist() == [0.3, alpha]
    np.testing.assert_allclose(placed, at_rest(model, q), atol=1e-8)


def test_out_of_reach_is_said():
    model = mc.load("rhex")
    q = np.array(model.start)
    q[2] = 0.5
    with pytest.raises(
        ValueError, match=r"^contact 'front' is out of reach: moving z, phi1, phi2, phi3 does not close it$"
    ):
        RHEX(model, q)
    rest = model.snapshot(at_rest(model, q))
    assert np.abs(rest.gap[:2]).max() < 1e-12
    assert rest.gap[3] > 0.01


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Touching([], ["z"]), "contacts is empty"),
        (lambda: Touching("toe", "z")(mc.load("rod"), np.zeros(3)), "'toe' is no contact of 'rod'"),
        (lambda: Touching("tip", "z")(mc.load("rod"), np.zeros(3)), "'z' is no coordinate of 'rod'"),
    ],
)
def test_mistakes_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()
