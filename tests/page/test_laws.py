"""Laws of contact on the page: kinds, letters and units of all entries, and what is drawn of them."""

import sys
from pathlib import Path

import browsers
import numpy as np
import pytest

import modecontrol as mc
from modecontrol.modes.letters import possible_letters
from modecontrol.page import Page, Session
from modecontrol.page.laws import described, drawn
from modecontrol.page.replay import replay

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
import law_figure


def slider(**law):
    """A block on a horizontal rail with a motor."""
    made = mc.Builder("slider").body("cart", joint=mc.prismatic("s", **law), mass=2.0)
    return made.input("push", "s", lower=-9, upper=9).build()


MODELS = {
    "stop": lambda: law_figure._arm(lower=-1.0, upper=0.6),
    "dry": lambda: law_figure._arm(friction=2.0),
    "drive": lambda: law_figure._arm(prescribed=True),
    "static": lambda: law_figure._block(mu=0.3, mu_static=0.6),
    "claw": lambda: law_figure._block(mu=0.2, one_way="right"),
    "belt": lambda: law_figure._block(mu=0.4, speed=0.5),
    "cable": lambda: law_figure._load(),
    "adhesion": lambda: law_figure._climber(),
    "slider": lambda: slider(lower=0.0, upper=2.0),
    "ramone": lambda: mc.load("ramone"),
}
SELECTED = {
    "stop": ("path.mc-stop", 2),
    "cable": ("path.mc-cable", 1),
    "belt": (".mc-belt", 2),
    "static": ("path.mc-hold", 2),
    "slider": ("path.mc-stop", 2),
}


def shown(name, **state):
    found = Session(MODELS[name]()).answer({"ask": "show", "state": state})
    assert found.get("error") is None
    return found


@pytest.mark.parametrize("name", MODELS)
def test_letters_are_those_of_the_law_and_names_those_of_constraints(name):
    """Letters of everything that is closed and at rest; names of forces are understood as objectives."""
    model = MODELS[name]()
    snap = model.snapshot(model.start)
    closed = snap.gap <= 1e-6
    told = described(model)
    response = mc.dynamic_response(snap)
    problem = response.problem
    for i, (letters, entry) in enumerate(zip(possible_letters(snap, problem.touching), told, strict=True)):
        if closed[i] and entry["kind"] != "contact":
            assert set(letters) == set(entry["letters"])
        if entry["kind"] == "contact":
            assert set(letters) <= set(entry["letters"])
    session = Session(model)
    for entry in session.description["objectives"]:
        assert "error" not in session.answer({"ask": "show", "state": {"objective": entry["text"]}})
        if model.inputs:
            assert mc.maximize(response, entry["text"]).reason


def test_a_claws_missing_letter_is_not_offered():
    assert {entry["letters"] for entry in described(MODELS["claw"]())} == {"SRF"}


@pytest.mark.parametrize(
    ("name", "coordinate", "value"),
    [("stop", "knee", 0.6), ("stop", "knee", -1.0), ("slider", "s", 0.0), ("slider", "s", 2.0)],
)
def test_a_stop_pushes_back_into_the_way_of_its_joint(name, coordinate, value):
    """The drawn load is the generalized force `J^T f` of the joint's coordinate."""
    model = MODELS[name]()
    q = model.start.copy()
    q[model.coordinates.index(coordinate)] = value
    (mark,) = drawn(model, q, model.contact_points(q).gap)
    pushed = mark["senses"][0]
    assert pushed == (1.0 if value in (-1.0, 0.0) else -1.0)
    assert [bar["touches"] for bar in mark["bars"]] == [value in (-1.0, 0.0), value in (0.6, 2.0)]
    if name == "slider":
        assert mark["axis"] == pytest.approx([1.0, 0.0])
        assert [bar["at"][0] for bar in mark["bars"]] == pytest.approx([0.0, 2.0])
    else:  # the body points along the bar when it is there
        at = next(bar for bar in mark["bars"] if bar["touches"])["along"]
        angle = model.frames(q)[1][2]
        assert at == pytest.approx([np.cos(angle), np.sin(angle)])


def test_a_cable_ends_where_its_length_says():
    model = MODELS["cable"]()
    q = model.start + np.array([0.05, 0.1, 0.2])
    gap = model.contact_points(q).gap
    (mark,) = drawn(model, q, gap)
    here, there = np.array(mark["ends"])
    length = np.hypot(0.3, 0.9)
    assert gap[0] == pytest.approx(length - np.linalg.norm(there - here))


def test_a_contact_without_a_feature_is_not_drawn():
    """Pads high above the box: a corner of each is near it, and there is no second one."""
    model = mc.load("gripper_box")
    q = model.start + np.eye(len(model.start))[model.coordinates.index("lift")] * 0.2
    found = Session(model).answer({"ask": "show", "state": {"q": q.tolist(), "keep": []}})
    gone = [contact.get("nothing", False) for contact in found["scene"]["contacts"]]
    assert gone == (model.snapshot(q).gap > 1e5).tolist()
    assert 0 < sum(gone) < len(gone)


def test_forces_of_joints_have_their_unit():
    told = {name: [entry["unit"] for entry in described(MODELS[name]())] for name in MODELS}
    assert told["stop"] == told["dry"] == told["drive"] == ["N m"]
    assert told["slider"] == told["cable"] == ["N"]
    session = Session(MODELS["ramone"]())
    unit = {entry["text"]: entry["unit"] for entry in session.description["objectives"]}
    assert (unit["left_knee.stop"], unit["left_foot.normal"]) == ("N m", "N")


def test_dry_and_prescribed_joints_have_no_gap_to_keep():
    assert Session(MODELS["dry"]()).start.keep == Session(MODELS["drive"]()).start.keep == ()
    assert Session(MODELS["cable"]()).start.keep == ("rope",)


def test_sliders_end_at_the_stops():
    entry = Session(MODELS["slider"]()).description["coordinates"][0]
    assert (entry["low"], entry["high"]) == (0.0, 2.0)
    assert Session(MODELS["ramone"]()).description["coordinates"][4]["high"] == 0.0


def test_a_state_beyond_a_stop_is_told_in_its_unit():
    found = shown("stop", q=[-1.2, 1.1])
    assert found["trouble"] == "This cannot be: knee is 0.5 rad beyond its stop."
    assert shown("slider", q=[2.5])["trouble"] == "This cannot be: s is 0.5 m beyond its stop."


def test_a_replayed_run_carries_its_laws():
    model = mc.load("compass")
    trajectory = mc.simulate(model, duration=0.02)
    run = replay(trajectory, frames=3)
    assert [entry["kind"] for entry in run["entries"]] == ["contact", "contact", "stop", "stop"]
    assert all(len(frame["laws"]) == 4 for frame in run["frames"])
    assert "bars" in run["frames"][0]["laws"][2]


@pytest.mark.browser
@pytest.mark.parametrize("name", SELECTED)
def test_laws_are_drawn(chromium, name):
    selector, count = SELECTED[name]
    with Page(Session(MODELS[name]()), port=0) as served:
        context = chromium.new_context(viewport={"width": 1280, "height": 900})
        seen = browsers.Visit(context.new_page(), served.address).go()
        assert seen.page.locator(f".mc-mechanism {selector}").count() == count
        assert seen.errors == []
        context.close()


@pytest.mark.browser
def test_the_torque_of_a_stop_is_not_called_a_force(chromium):
    """The compass walker's knees: a table of their own in N m, a torque about the joint in the picture."""
    model = mc.load("compass")
    with Page(Session(model), port=0) as served:
        context = chromium.new_context(viewport={"width": 1280, "height": 900})
        seen = browsers.Visit(context.new_page(), served.address).go()
        tables = seen.page.locator(".mc-table")
        assert tables.nth(2).locator("caption").inner_text() == "stops"
        row = tables.nth(2).locator("tr").first.inner_text().split()
        response = mc.dynamic_response(model.snapshot(model.start))
        best = mc.maximize(response, "x", margin=0.001)
        force = response[best.mode].force.value(best.torque)
        assert (row[0], row[2:]) == ("left_knee.stop", ["N", "m"])
        assert float(row[1]) == pytest.approx(force[4], rel=1e-3)
        feet = seen.page.locator(".mc-table").nth(1).locator("tbody tr").all_inner_texts()
        assert [line.split()[0] for line in feet] == ["left_foot", "right_foot"]
        assert "greatest torque in a joint" in seen.page.locator(".mc-mechanism-box .mc-caption").inner_text()
        letters = seen.page.get_by_label("letter of left_knee.stop").locator("option").all_inner_texts()
        assert letters == ["S", "F"]
        context.close()


def test_resistance_to_rolling_is_a_moment_at_its_contact():
    made = mc.Builder("wheel").body("wheel", joint=mc.planar("x", "y", "r"), mass=1, inertia=0.02)
    model = made.contact("rim", "wheel", type="disc", radius=0.2, mu=0.5, rolling=0.01).start(y=0.2).build()
    rim, rolling = described(model)
    assert (rim["kind"], rim["unit"]) == ("contact", "N")
    assert rolling == {"kind": "rolling", "letters": "SLRF", "forces": [None, "rim.rolling"], "unit": "N m"}
    snap = model.snapshot(model.start)
    assert drawn(model, model.start, snap.gap)[1] == {"senses": [0.0, 1.0]}
