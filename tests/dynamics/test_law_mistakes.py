"""Laws, and texts that name their forces, that make no sense are refused in one line that names the place."""

import pytest

import modecontrol as mc
from modecontrol.dynamics.lint import lint
from modecontrol.dynamics.model_file import parse
from modecontrol.errors import ModelFileError

TEXT = """
[parameters]
grip = 0.0

[[body]]
name = "box"
parent = "world"
joint = {type = "planar", coordinates = ["x", "y", "r"], start = [0, 0.1, 0]}
mass = 1
inertia = 0.1

[[body]]
name = "arm"
parent = "box"
joint = {type = "revolute", coordinate = "knee", lower = -1, friction = "grip"}
mass = 1
inertia = 0.1

[[contact]]
name = "foot"
body = "box"
point = [0, -0.1]
mu = 0.5

[[cable]]
name = "rope"
body = "box"
other = "world"
other_point = [0, 2]
length = 3

[constraints]
press = "foot.normal - 2*rope.tension >= 10"
bend = "-1 <= knee.stop <= 5"

[outputs]
turn = "r + 0.5*knee_dd"
held = "knee.friction"
"""


def test_the_text_itself_is_read():
    assert set(parse(TEXT).constraints) == {"press", "bend"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("lower = -1", "lower = 0.5", r"body 'arm': joint starts at knee = 0, beyond its stops \[0.5, inf\]"),
        (
            "lower = -1",
            "stop_restitution = 0.5",
            "found stop_restitution; only a joint with lower or upper has one",
        ),
        ("mu = 0.5", "pull = -1", "contact 'foot': pull = -1; a number that is not negative was expected"),
        ("mu = 0.5", "pull = inf", "contact 'foot': pull = inf; a finite number was expected"),
        ("length = 3", "length = 1", "cable 'rope': its ends start 1.9 apart, more than its length 1"),
        ("length = 3", "length = inf", "cable 'rope': length = inf; a finite number was expected"),
        (
            'name = "rope"',
            'name = "foot"',
            "cable 'foot': a contact has this name too; expected different names for",
        ),
        ("mu = 0.5", 'type = "disc"', "radius is missing; expected it in a contact of type 'disc'"),
        (
            "foot.normal",
            "fot.normal",
            r"constraint 'press': 'fot.normal' does not exist \(did you mean 'foot.normal'",
        ),
        ("foot.normal", "foot.nrmal", "does not exist .*; expected foot.normal and foot.tangent"),
        ("rope.tension", "rope.pull", "'rope.pull' does not exist.*; expected rope.tension"),
        (
            "knee.stop",
            "knee.stp",
            r"constraint 'bend': 'knee.stp' does not exist \(did you mean 'knee.stop'\?\)",
        ),
        ("knee.stop", "knee.drive", "'knee.drive' does not exist.*; the joint has knee.stop"),
        (
            "knee.stop",
            "kne",
            r"'kne' does not exist \(did you mean 'knee'\?\); expected one of foot, knee, knee.stop",
        ),
        ("r + 0.5*knee_dd", "r + 0.5*kne_dd", "output 'turn': 'kne_dd' does not exist"),
        (">= 10", "=> 10", "constraint 'press': cannot read 'foot.normal .* => 10'; names, numbers"),
        (">= 10", "- 10", "constraint 'press': .* does not compare; one of >= <= == was expected"),
        (
            "0.5*knee_dd",
            "knee >= 1",
            "output 'turn': .* compares; an expression without >= <= == was expected",
        ),
    ],
)
def test_mistakes_are_told_in_one_line(old, new, message):
    assert old in TEXT
    with pytest.raises(ModelFileError, match=message) as told:
        parse(TEXT.replace(old, new, 1))
    assert "\n" not in str(told.value)


def test_a_law_that_a_parameter_switches_on_may_be_named_while_it_is_off():
    assert parse(TEXT).outputs["held"] == "knee.friction"
    with pytest.raises(ModelFileError, match=r"output 'held': 'knee.friction' does not exist"):
        parse(TEXT.replace('friction = "grip"', "damping = 1"))


def arm(**words):
    made = mc.Builder("arm").body("arm", joint=mc.revolute("knee", lower=-1, upper=1), mass=1, inertia=0.1)
    made.body("ball", joint=mc.planar("x", "y", "r"), parent="world", mass=1, inertia=0.1)
    return made.cable("rope", "ball", other="world", length=1.0).input("u", "knee", lower=-1, upper=1).build()


def test_states_beyond_a_stop_and_with_a_stretched_cable_are_told_as_such():
    model = arm()
    with pytest.raises(mc.ImpossibleStateError, match=r"stop 'knee.stop' is passed by 0.5 rad or m"):
        mc.dynamic_response(model.snapshot([1.5, 0, 0, 0]))
    with pytest.raises(mc.ImpossibleStateError, match=r"cable 'rope' is stretched by 0.2 m"):
        mc.simulate(model, [0, 1.2, 0, 0], duration=0.01)
    with pytest.raises(mc.ImpactError, match=r"stop 'knee.stop' is run into at 2 rad/s or m/s"):
        mc.dynamic_response(model.snapshot([1.0, 0, 0, 0], [2, 0, 0, 0]))
    with pytest.raises(mc.ImpactError, match=r"cable 'rope' tightens at 3 m/s"):
        mc.dynamic_response(model.snapshot([0, 1, 0, 0], [0, 3, 0, 0]))


def test_names_of_joints_and_cables_are_among_the_known_ones():
    snap = arm().snapshot([0, 0, 0, 0])
    with pytest.raises(
        ValueError,
        match=r"'knee.stp'; did you mean 'knee.stop'\?.*joints knee.stop; cables rope with .tension",
    ):
        mc.dynamic_response(snap, task="knee.stp >= 0")


def test_a_claw_that_starts_against_its_only_way_is_remarked():
    made = mc.Builder("claw").body("box", joint=mc.planar("x", "y", "r"), mass=1, inertia=0.1)
    made.contact("foot", "box", mu=0.5, one_way="right").start({"x": -1.0})
    (found,) = lint(made.build())
    assert str(found) == "contact 'foot': slides at the start at 1 against its only way"


@pytest.mark.parametrize(
    ("laws", "message"),
    [
        ({"pull": 1.0}, r"laws is \{'pull': 1.0\}; expected ContactLaws"),
        (mc.ContactLaws.of(2), "laws are those of 2 contacts; expected 1"),
    ],
)
def test_laws_of_a_snapshot_are_laws_of_its_contacts(laws, message):
    with pytest.raises(ValueError, match=message):
        mc.Snapshot([[1.0]], [0.0], [[1.0]], [[0.0], [1.0]], [0.0, 0.0], [0.5], [0.0, 0.0], laws=laws)


def test_columns_of_laws_are_numbers_of_each_contact():
    with pytest.raises(ValueError, match="laws: pull is not an array of numbers: 'a'"):
        mc.ContactLaws.of(1, pull="a")
    with pytest.raises(ValueError, match="laws: pull has 3 numbers; expected one, or 2, one per contact"):
        mc.ContactLaws.of(2, pull=[1, 2, 3])
