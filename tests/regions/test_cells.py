"""The torque set in cells of one verdict each: they tile it, and name the modes that the response names."""

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.regions.cells import ambiguity_cells


def respond(name, limits=None, **parameters):
    model = mc.load(name, **parameters)
    return mc.dynamic_response(model.snapshot(model.start, model.start_velocity), torque_limits=limits)


def test_cells_agree_with_modes_at():
    """Random inputs: the modes of the cell are those that the response names, verdicts those of its regions."""
    resp = respond("rod", mu=2.0, limits=[(-30, 30)] * 3)
    found = ambiguity_cells(resp, {"tau": -3.0})
    rng = np.random.default_rng(1)
    hits = {"unambiguous": 0, "ambiguous": 0, "inconsistent": 0}
    for point in rng.uniform(-29, 29, (150, 2)):
        inside = [c for c in found.cells if c.torques.contains(point, margin=1e-6)]
        if not inside:
            continue  # on a border
        (cell,) = inside
        assert list(cell.modes) == resp.modes_at([*point, -3.0])
        hits[cell.verdict] += 1
    assert hits["unambiguous"] > 50
    assert hits["ambiguous"] > 3


def test_cells_tile_the_slice():
    rod, rhex = respond("rod", mu=2.0, limits=[(-30, 30)] * 3), respond("rhex")
    for resp, held, size in ((rod, {"tau": -3.0}, 60.0**2), (rhex, {"tau3": -3.0}, 22.0**2)):
        found = ambiguity_cells(resp, held)
        assert sum(cell.torques.volume for cell in found.cells) == pytest.approx(size, rel=1e-6)
    covered = sum(c.torques.volume for c in found.cells if c.verdict != "inconsistent")
    assert covered == pytest.approx(11.0**2, rel=1e-6)  # the quadrant tau1, tau2 <= 0 and nothing else


def test_slice_on_a_shared_facet_is_no_ambiguity():
    found = ambiguity_cells(respond("rhex"), {"tau3": 0.0})
    assert {cell.verdict for cell in found.cells} == {"unambiguous", "inconsistent"}


@pytest.mark.parametrize("held", [-3.0, 0.0, 2.0])
def test_limits_that_leave_a_line_are_cut_where_modes_change(held):
    """Lower and upper limit of one of two inputs are equal: what is left is judged along its line."""
    model = mc.load("rod", mu=2.5)
    snapshot = model.snapshot(model.start, [-1, 0, 0])
    response = mc.dynamic_response(snapshot, torque_limits=[(-20, 20), (held, held), (0.0, 0.0)])
    cells = ambiguity_cells(response, slice={"tau": 0.0}).cells
    ends = np.array([np.ptp(cell.torques.vertices[:, 0]) for cell in cells])
    assert ends.sum() == pytest.approx(40.0)
    for cell in cells:
        for share in (0.1, 0.5, 0.9):
            low, high = cell.torques.vertices[0], cell.torques.vertices[-1]
            tau = np.append(low + share * (high - low), 0.0)
            found = response.modes_at(tau)
            answer = response.answer_at(tau)
            word = "inconsistent" if not found else "ambiguous" if answer is None else "unambiguous"
            assert cell.verdict == word
