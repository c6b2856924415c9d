"""Bounds and defaults that pages state in their sentences are those of the code."""

import re
from pathlib import Path

import pytest

from modecontrol import tolerances
from modecontrol.modes.disturbance import MOST_VERTICES
from modecontrol.regions.overlaps import MOST_PAIRS
from modecontrol.thrust.allowance import PIECES, STEPS
from modecontrol.thrust.guaranteed_design import LOOKS
from modecontrol.thrust.maximal_thrust import PATIENCE, PATIENCE_WITH_MARGIN
from modecontrol.trials.rhex.settings import FlipSettings

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "modecontrol" / "_core"
NUMBER = r"(\d[\d,]*(?:\.\d+)?(?:e-?\d+)?)"


def core(file: str, name: str) -> float:
    """A constant of the compiled core."""
    found = re.search(rf"\b{name} = ([\d.e+-]+)", (CORE / file).read_text(encoding="utf-8"))
    assert found, f"{file} has no {name}"
    return float(found[1])


STEEP = 1 / tolerances.STEEP
IMPACTS = core("timestepping/stepper.cpp", "MOST_IMPACTS")
EVENTS = core("timestepping/stepper.cpp", "MOST_EVENTS")
MILLIONS = core("lcp/friction_solver.cpp", "MOST_PRODUCTS") / 1e6
FLIP = FlipSettings()

STATED = [
    (
        "limits",
        "Coefficients above 0 and below #, or beyond #, are",
        (tolerances.FLATTEST_CONE, tolerances.STEEPEST_CONE),
    ),
    ("limits", "Below #, beyond #, and where contacts", (tolerances.FLAT_CONE, tolerances.STEEP_CONE)),
    ("limits", "coefficients of 0 or from # to #, and", (tolerances.FLAT_CONE, tolerances.STEEP_CONE)),
    ("limits", "vertex that is looked at (# at most)", (MOST_VERTICES,)),
    ("limits", "take # steps, more in proportion to a `patience` above #;", (STEPS, PIECES)),
    ("limits", "second search, which looks at # pieces", (tolerances.SECOND_SEARCH,)),
    ("limits", "singular but for a part of # (", (STEEP,)),
    ("limits", "thinner than # of its natural size", (tolerances.FLAT,)),
    ("limits", "with inputs within # of its own", (tolerances.PRESENT,)),
    ("limits", "within # of a singularity are computed in twice", (tolerances.WELL_POSED,)),
    ("limits", "A part below # counts as none", (tolerances.NOISE,)),
    ("limits", "imply to # counts as implied", (tolerances.RANK,)),
    ("limits", "singular but for a part between # and #", (tolerances.DETERMINANT, STEEP)),
    ("robustness", "finite and up to # in size", (tolerances.LARGEST,)),
    ("robustness", "that are all below # are refused", (tolerances.SMALLEST,)),
    ("modes", "a rigid contact more than # mm inside", (1e3 * tolerances.MISFIT,)),
    ("modes", "the same of its start, to # m", (tolerances.PENETRATION,)),
    ("thrust", "the work of # linear programs, or of # with a margin", (PATIENCE, PATIENCE_WITH_MARGIN)),
    ("lcp", "complementarity most; up to # nodes", (tolerances.BRANCHES,)),
    ("simulation", "when it is closed (gap up to # m)", (tolerances.GAP,)),
    (
        "simulation",
        "as many as # parts, so that the energy",
        (2 ** core("timestepping/spring_pace.cpp", "MOST_HALVINGS"),),
    ),
    ("simulation", "at most # turns each", (core("lcp/friction_interior.cpp", "MOST_TURNS"),)),
    ("simulation", "has spent # million products takes", (MILLIONS,)),
    ("simulation", "may spend # million products on sweeps", (MILLIONS,)),
    ("simulation", "up to # contacts pivoted", (core("timestepping/islands.cpp", "MOST_PIVOTED"),)),
    ("simulation", "It has at most # collisions and # closings", (IMPACTS, EVENTS)),
    ("simulation", "Up to # collisions (`run.impacts`) are located", (IMPACTS,)),
    ("simulation", "within a step, # closings if the others are slow", (EVENTS,)),
    (
        "simulation",
        "# turns and # sweeps where contacts are drawn near, # entries of tableaus",
        (
            core("lcp/friction_proximal.cpp", "MOST_TURNS"),
            core("lcp/friction_proximal.cpp", "SWEEPS"),
            tolerances.STEP_WORK,
        ),
    ),
    (
        "simulation",
        "at most # for Lemke's method, # for `newton`, and # for `gauss-seidel`",
        (tolerances.COMPLEMENTARY, tolerances.NEWTON, tolerances.COARSE),
    ),
    ("simulation", "recovery does more work than # % of the kinetic energy", (100 * tolerances.RECOVERY,)),
    (
        "simulation",
        "steps are made in up to # parts",
        (2 ** core("timestepping/stepper.cpp", "MOST_HALVINGS"),),
    ),
    ("simulation", "to gain at most # % in a step", (100 * tolerances.CREEP,)),
    ("flip", "| # s, # Hz, # s | simulation step", (FLIP.step, FLIP.rate, FLIP.duration)),
    ("flip", "| #, #, #, # m/s | thresholds", FLIP.v0),
    ("flip", "| # N | least normal force", (FLIP.press,)),
    ("flip", "| # N m | distance that the new controller", (FLIP.margin,)),
    (
        "flip",
        "| # s, # rad/s², # s | the blind controller's filter",
        (FLIP.filter_time, FLIP.filter_threshold, FLIP.dead_time),
    ),
    ("flip", "| #, # | gains that hold lifted legs", FLIP.hold),
    ("flip", "| # degrees | pitch at which the thrust ends", (FLIP.thrust_end,)),
]


@pytest.mark.parametrize(("page", "sentence", "values"), STATED, ids=[f"{p}: {s}" for p, s, _ in STATED])
def test_a_stated_number_is_that_of_the_code(page, sentence, values):
    text = " ".join((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8").split())
    found = re.search(re.escape(sentence).replace(r"\#", NUMBER), text)
    assert found, (
        f"{page}.md no longer says so; state the number as the code has it, or take the line out of this list"
    )
    assert [float(number.replace(",", "")) for number in found.groups()] == pytest.approx(list(values))


def test_bounds_in_words_are_those_of_the_code():
    text = " ".join((ROOT / "docs" / "limits.md").read_text(encoding="utf-8").split())
    assert "`design` looks at two million pieces divided by the number of modes" in text
    assert "more than a million ordered pairs of modes" in text
    assert (LOOKS, MOST_PAIRS) == (2_000_000, 1_000_000)
