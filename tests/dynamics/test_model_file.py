"""Model files: what they may say, and one clear line when something is wrong."""

import math
import pickle
import re
from pathlib import Path

import pytest

from modecontrol.dynamics import contact_words, couplings, model_file, repetition, shapes, vocabulary
from modecontrol.dynamics.expressions import Expression
from modecontrol.dynamics.model_file import parse, read
from modecontrol.errors import ModelFileError

GOOD = """
name = "arm"
about = '''Two links
  on a hinge'''
gravity = [0, "-g"]

[parameters]
g = 9.81
l = 1.0            # m
half = "l/2"
m = 2.0

[[body]]
name = "outer"
parent = "inner"
joint = {type = "revolute", coordinate = "q2", at = ["l", 0], stiffness = 3, damping = "m/10", start = "pi/6"}
mass = "m"
inertia = "m*l**2/12"
com = ["half", 0]

[[body]]
name = "inner"
parent = "world"
joint = {type = "revolute", coordinate = "q1", angle = "-pi/2", speed = 0.5}
mass = 1
com = ["half", 0]
outline = [[0, 0.1], ["l", 0], [0, -0.1]]

[[input]]
name = "shoulder"
coordinate = "q1"
lower = -5
upper = "5*m"

[[input]]
name = "belt"
coordinates = ["q1", "q2"]
gains = [1, -1]
stall = 4
no_load = 10

[[contact]]
name = "tip"
body = "outer"
point = ["l", 0]
wall = {origin = [0, -1.5]}
mu = 0.4
restitution = 0.5

[constraints]
press = "tip.normal >= 3"

[outputs]
both = "q1 + q2"

[start]
q1 = 0.25
"""


def with_line(old, new):
    assert old in GOOD
    return GOOD.replace(old, new)


def test_a_whole_file():
    made = parse(GOOD)
    assert made.name == "arm"
    assert made.about == "Two links on a hinge"
    assert [body.name for body in made.bodies] == ["inner", "outer"], "parents first"
    assert made.coordinates == ("q1", "q2")
    assert dict(made.parameters) == {"g": 9.81, "l": 1.0, "half": 0.5, "m": 2.0}
    outer = made.bodies[1]
    assert outer.inertia == Expression("m*l**2/12")
    assert outer.joint.stiffness == 3.0
    assert made.evaluated().bodies[1].joint.damping == pytest.approx(0.2)
    assert made.evaluated().gravity == (0.0, -9.81)
    assert made.inputs[1].gains == (1.0, -1.0)
    assert made.evaluated().inputs[0].upper == 10.0
    assert made.contacts[0].origin == (0.0, -1.5)
    assert dict(made.constraints) == {"press": "tip.normal >= 3"}
    assert dict(made.outputs) == {"both": "q1 + q2"}
    assert dict(made.evaluated().start) == {"q1": 0.25, "q2": pytest.approx(math.pi / 6)}
    assert dict(made.start_velocity) == {"q1": 0.5}


def test_overrides_reach_the_parameters_computed_from_them():
    assert parse(GOOD, {"l": 3}).parameters["half"] == 1.5
    assert parse(GOOD, {"l": "2*g"}).parameters["half"] == pytest.approx(9.81)
    assert parse(GOOD, {"half": 0.1}).parameters["l"] == 1.0


def test_mechanisms_can_be_sent_to_other_processes():
    made = parse(GOOD)
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    with pytest.raises(TypeError):
        again.parameters["l"] = 2.0


def test_only_parents_move_when_bodies_stand_in_any_order():
    def body(name, parent):
        joint = f'{{type = "revolute", coordinate = "q_{name}"}}'
        return f'[[body]]\nname = "{name}"\nparent = "{parent}"\njoint = {joint}\n'

    made = parse(body("a", "c") + body("b", "world") + body("c", "d") + body("d", "world") + body("e", "a"))
    assert [b.name for b in made.bodies] == ["d", "c", "a", "b", "e"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # keys and tables
        ("about =", "abuot =", r"unknown key 'abuot' \(did you mean 'about'\?\)"),
        ("mass = 1", "mas = 1", r"\[\[body\]\] 'inner': unknown key 'mas' \(did you mean 'mass'\?\)"),
        (
            "stiffness = 3",
            "stifness = 3",
            r"'outer': joint: unknown key 'stifness' \(did you mean 'stiffness'",
        ),
        ("mu = 0.4", "nu = 0.4", r"\[\[contact\]\] 'tip': unknown key 'nu'"),
        ("origin = [0", "orign = [0", r"'tip': wall: unknown key 'orign'"),
        ('[[input]]\nname = "belt"', '[input]\nname = "belt"', "not valid TOML"),
        ("[start]", "[[start]]", r"start: found .*a table headed \[start\]"),
        # missing
        ('name = "tip"', "", r"\[\[contact\]\] number 1: name is missing"),
        ('body = "outer"', "", r"'tip': body is missing"),
        ('parent = "inner"', "", r"'outer': parent is missing; expected 'world' or a body's name"),
        ('coordinate = "q1"\nlower', "lower", r"\[\[input\]\] 'shoulder': coordinate is missing"),
        # tree
        (
            'parent = "inner"',
            'parent = "iner"',
            r"'outer': parent 'iner' does not exist \(did you mean 'inner'",
        ),
        ('parent = "world"', 'parent = "outer"', "form a cycle, outer -> inner -> outer"),
        ('parent = "world"', 'parent = "inner"', "form a cycle, inner -> inner"),
        # names
        ('name = "inner"', 'name = "outer"', "'outer': the name is used twice"),
        ('coordinate = "q1", angle', 'coordinate = "q2", angle', "coordinate 'q2': the name is used twice"),
        ('name = "belt"', 'name = "shoulder"', "input 'shoulder': the name is used twice"),
        ('name = "tip"', 'name = "the tip"', "contact 'the tip': the name is not a word"),
        ('name = "belt"', 'name = "q1"', "input 'q1': a parameter or coordinate has this name too"),
        ("half = ", "q1 = ", "coordinate 'q1'|unknown name 'half'"),
        ("half = ", "i = ", r"\[parameters\] i: the name counts repetitions"),
        ("g = 9.81", "sin = 1\ng = 9.81", "parameter 'sin': the name is reserved"),
        ('name = "inner"', 'name = "world"', "body 'world': the name is reserved"),
        # expressions
        ('"m*l**2/12"', '"m*lenght**2/12"', r"body 'outer': inertia: expression .* unknown name 'lenght'"),
        ('"m*l**2/12"', '"m*l^2/12"', r"'outer': inertia: expression .* is not allowed"),
        ('"m*l**2/12"', "\"__import__('os').getcwd()\"", "is not allowed"),
        ('half = "l/2"', 'half = "later/2"', r"\[parameters\] half: .* unknown name 'later'"),
        ('"m/10"', '"m/(l - 1)"', "'outer': joint damping: expression .* division by zero"),
        # types
        ("mass = 1", "mass = true", "'inner': mass: found True"),
        ("mass = 1", "mass = [1, 2]", "'inner': mass: found .*list"),
        ("mass = 1", "mass = 2024-01-01", "'inner': mass: found .*date"),
        ("mass = 1", "mass = nan", "'inner': mass: found nan"),
        ('point = ["l", 0]', "point = [0, 0, 0]", "'tip': point: found .*two numbers"),
        ('name = "tip"', "name = 3", "'3': name: found 3|name: found 3"),
        ("l = 1.0 ", "l = [1] ", r"\[parameters\] l: found \[1\]"),
        ("both = ", "both = 3 #", r"\[outputs\] both: found 3"),
        ('gravity = [0, "-g"]', "gravity = -9.81", "gravity: found -9.81 .*two numbers"),
        # ranges
        ("mass = 1", "mass = -1", "body 'inner': mass = -1; a number that is not negative was expected"),
        ('mass = "m"', 'mass = "-m"', r"body 'outer': mass = -2 \('-m'\)"),
        ("mass = 1", "mass = inf", "body 'inner': mass = inf"),
        ("mu = 0.4", "mu = -0.4", "contact 'tip': mu = -0.4"),
        ("restitution = 0.5", "restitution = 1.5", "'tip': restitution = 1.5; a number from 0 to 1"),
        ("stiffness = 3", "stiffness = -3", "'outer': joint stiffness = -3"),
        ("lower = -5", "lower = 50", "input 'shoulder': lower = 50 exceeds upper = 10"),
        ("no_load = 10", "no_load = 0", "input 'belt': no_load is 0"),
        ("stall = 4\n", "", "input 'belt': no_load is given without stall"),
        ("gains = [1, -1]", "gains = [1]", "'belt': found 1 gains"),
        # references
        ('body = "outer"', 'body = "outr"', r"'tip': body 'outr' does not exist \(did you mean 'outer'"),
        (
            'coordinates = ["q1", "q2"]',
            'coordinates = ["q1", "q3"]',
            "'belt': coordinate 'q3' does not exist",
        ),
        ("q1 = 0.25", "q9 = 0.25", "start: coordinate 'q9' does not exist"),
        ("tip.normal", "top.normal", "constraint 'press': 'top.normal' does not exist"),
        # joints and contacts
        ('"revolute", coordinate = "q1"', '"revolut", coordinate = "q1"', "one of planar, revolute"),
        ('"revolute", coordinate = "q1"', '"planar", coordinate = "q1"', "found 1 coordinates; a planar"),
        ('"revolute", coordinate = "q1"', '"weld", coordinate = "q1"', "a weld joint .* to have 0"),
        ('coordinate = "q1", angle', 'coordinate = "q1", coordinates = ["q1"], angle', "and coordinates"),
        ("speed = 0.5", "speed = [1, 2]", "speed has 2 values"),
        ('name = "tip"', 'name = "tip"\ntype = "disk"', r"type: found 'disk' .*did you mean 'disc'"),
        ('name = "tip"', 'name = "tip"\ntype = "disc"', "'tip': radius is missing"),
        (
            'name = "tip"',
            'name = "tip"\nradius = 1',
            "'tip': found radius; a contact of type 'point' has none",
        ),
        ("wall = {origin = [0, -1.5]}", "wall = 3", "'tip': wall: found 3"),
    ],
)
def test_one_clear_line(old, new, message):
    with pytest.raises(ModelFileError, match=message) as caught:
        parse(with_line(old, new), where="arm/model.toml")
    assert str(caught.value).startswith("arm/model.toml: ")
    assert "\n" not in str(caught.value)


def test_no_bodies():
    with pytest.raises(ModelFileError, match="at least one"):
        parse("name = 'x'")


def test_toml_mistakes_come_with_their_line(tmp_path):
    file = tmp_path / "model.toml"
    file.write_text('name = "x"\nabout = \n')
    with pytest.raises(ModelFileError, match=r"model.toml: not valid TOML: .*line 2"):
        read(file)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ModelFileError, match="cannot be read"):
        read(tmp_path / "nowhere.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ModelFileError, match="not UTF-8"):
        read(tmp_path / "binary.toml")


def test_unknown_overrides():
    with pytest.raises(ModelFileError, match=r"unknown parameter 'hlaf' \(did you mean 'half'\?\)"):
        parse(GOOD, {"hlaf": 1})
    with pytest.raises(ModelFileError, match=r"\[parameters\] l: found \[1\]"):
        parse(GOOD, {"l": [1]})


def test_name_from_the_folder(tmp_path):
    folder = tmp_path / "crane"
    folder.mkdir()
    (folder / "model.toml").write_text(GOOD.replace('name = "arm"', "", 1))
    assert read(folder).name == "crane"
    assert read(folder / "model.toml", l=2).parameters["half"] == 1.0


def test_nothing_in_a_file_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for text in ("__import__('os').mkdir('hacked')", "open('hacked', 'w')", "().__class__.__bases__"):
        for old in ('"m*l**2/12"', '"l/2"', '"pi/6"', '"-g"'):
            with pytest.raises(ModelFileError, match="is not allowed"):
                parse(with_line(old, f'"{text}"'))
    assert not list(tmp_path.iterdir())


# Repetition ------------------------------------------------------------------------------------------

CHAIN = """
[parameters]
n = 3
l = 1.0
l1 = 5.0

[[body]]
name = "link{i}"
repeat = "n"
parent = "link{i-1}"
joint = {type = "revolute", coordinate = "q{i}", at = ["l*{i}", 0]}
mass = 1
first = {parent = "world", joint = {type = "planar", coordinates = ["x", "y", "q1"]}}
last = {mass = "l{i-n+1}"}

[[input]]
name = "tau{i}"
repeat = "n - 1"
coordinate = "q{i+1}"

[[contact]]
name = "touch{i}_{j}"
pairs = "n"
apart = 2
type = "disc_disc"
body = "link{i}"
radius = 0.1
other = "link{j}"
other_radius = 0.1

[[pin]]
name = "end"
body = "link{n}"
other = "world"
"""


def test_repetition():
    made = parse(CHAIN, {"n": 4})
    assert made.coordinates == ("x", "y", "q1", "q2", "q3", "q4")
    assert [body.parent for body in made.bodies] == ["world", "link1", "link2", "link3"]
    assert made.evaluated().bodies[2].joint.at == (3.0, 0.0)
    assert [body.mass for body in made.evaluated().bodies] == [1.0, 1.0, 1.0, 5.0]
    assert [i.coordinates for i in made.inputs] == [("q2",), ("q3",), ("q4",)]
    assert [c.name for c in made.contacts] == ["touch1_3", "touch1_4", "touch2_4"]
    assert made.pins[0].body == "link4"


def test_one_link_has_no_elbows():
    made = parse(CHAIN, {"n": 1})
    assert made.coordinates == ("x", "y", "q1")
    assert made.inputs == made.contacts == ()
    assert made.bodies[0].parent == "world"


@pytest.mark.parametrize(
    ("n", "message"),
    [
        (0, r"\[\[body\]\] 'link{i}': parameter n = 0; a positive whole"),
        (-2, "n = -2; a positive whole"),
        (2.5, "n = 2.5; a positive whole"),
        (1e6, "at most"),
        (math.inf, "n = inf"),
    ],
)
def test_counts_are_positive_whole_numbers(n, message):
    with pytest.raises(ModelFileError, match=message):
        parse(CHAIN, {"n": n})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('link{i}"\nrepeat', 'link{i/2}"\nrepeat', r"'\{i/2\}' gives 0.5; a whole number"),
        ('link{i}"\nrepeat', 'link{k}"\nrepeat', "unknown name 'k'"),
        ('link{i}"\nrepeat', "link{open('f')}\"\nrepeat", "is not allowed"),
        ('repeat = "n"\n', "", "found first without repeat"),
        ('pairs = "n"', 'pairs = "n"\nrepeat = 2', "found repeat and pairs"),
        ("apart = 2", "apart = 0", "apart is 0"),
        ('last = {mass = "l{i-n+1}"}', "last = 3", "last: found 3"),
        ("last = {mass =", "last = {mas =", "'link3': unknown key 'mas'"),
        ('repeat = "n - 1"', 'repeat = "n - 5"', "repeat .'n - 5'. = -2; a whole number"),
        ('repeat = "n - 1"', "repeat = true", "repeat: found True"),
        ('repeat = "n - 1"', "repeat = 2\napart = 1", "belongs to pairs"),
        ('repeat = "n"\n', 'repeat = "m"\n', "unknown name 'm'"),
    ],
)
def test_repetition_mistakes(old, new, message):
    assert old in CHAIN
    with pytest.raises(ModelFileError, match=message):
        parse(CHAIN.replace(old, new, 1))


# The documentation -----------------------------------------------------------------------------------------


def test_the_examples_of_the_documentation():
    page = (Path(__file__).parents[2] / "docs" / "model_files.md").read_text(encoding="utf-8")
    example, shaped, _, _, _, braked, many = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    fin = parse(braked.replace('"hull"', '"world"')).bodies[0]
    assert fin.drag[0].quadratic == (2.0, 40.0)
    cart = parse(example)
    assert cart.coordinates == ("s", "theta")
    assert [contact.name for contact in cart.contacts] == ["floor", "wall"]
    assert len(parse(many, {"n": 5}).contacts) == 7
    joint = '{{type = "prismatic", coordinate = "{}"}}'
    foot = (
        '[[body]]\nname = "{}_foot"\nparent = "world"\noutline = [[0, 0], [1, 0], [1, 1]]\njoint = '
        + joint
        + "\n"
    )
    on_stairs = parse(shaped + foot.format("left", "s") + foot.format("right", "t"))
    assert [contact.name for contact in on_stairs.contacts] == [
        f"{side}_foot_stairs.{touch}" for side in ("left", "right") for touch in (1, 2, 3, 4)
    ]
    for key in {
        *vocabulary.BODY_KEYS,
        *vocabulary.JOINT_KEYS,
        *vocabulary.INPUT_KEYS,
        *vocabulary.PIN_KEYS,
        *(key for keys in couplings.CLOSURE_KEYS.values() for key in keys),
        *couplings.SPRING_KEYS,
        *couplings.PUSH_KEYS,
        *contact_words.CONTACT_KEYS,
        *vocabulary.CABLE_KEYS,
        *contact_words.WALL_KEYS,
        *shapes.TERRAIN_KEYS,
        *shapes.PAIR_KEYS,
        *repetition.KEYS,
        *model_file.KEYS,
    }:
        assert re.search(rf"\b{key}\b", page), f"{key} is not documented"


def test_the_messages_of_the_documentation():
    page = (Path(__file__).parents[2] / "docs" / "model_files.md").read_text(encoding="utf-8")
    example = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[0]
    where = "cart_pole/model.toml"
    for text, parameters in (
        (example.replace('mass = "m"', 'mas = "m"'), {}),
        (example.replace("mu = 0.4", "mu = -0.4"), {}),
        (example, {"limt": 1}),
    ):
        with pytest.raises(ModelFileError) as caught:
            parse(text, parameters, where=where)
        assert str(caught.value)[:100] in page
