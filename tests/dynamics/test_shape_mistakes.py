"""Shapes, terrain and groups that make no sense are refused in one line that names the place."""

import math

import pytest

from modecontrol.dynamics.model_file import parse
from modecontrol.dynamics.polygons import crossing, ends_crossing, hull, why_not_convex
from modecontrol.dynamics.shape_checks import has_free_side
from modecontrol.errors import ModelFileError

TEXT = """
[[terrain]]
name = "ground"
line = [[-1, 0], [0, 0], [0, 0.3], [1, 0.3]]

[groups]
feet = ["a", "b"]

[[body]]
name = "a"
parent = "world"
joint = {type = "planar", coordinates = ["x", "y", "t"]}
mass = 1
outline = [[0, 0], [1, 0], [1, 1], [0, 1]]

[[body]]
name = "b"
parent = "world"
joint = {type = "planar", coordinates = ["u", "v", "w"]}
mass = 1
outline = [[0, 0], [1, 0], [1, 1], [0, 1]]

[[body]]
name = "bare"
parent = "b"
joint = {type = "revolute", coordinate = "q"}

[[contact]]
name = "foot"
type = "polygon"
body = "a"
terrain = "ground"

[[contact]]
name = "pair"
type = "polygon"
body = "a"
shape = [[0, 0], [1, 0], [0, 1]]
other = "b"

[[contact]]
name = "ball"
type = "disc"
body = "b"
radius = 0.1
other = "a"
other_shape = "outline"

[[contacts]]
between = ["feet", "ground"]
shape = "hull"
"""


TRIANGLE = "shape = [[0, 0], [1, 0], [0, 1]]"
STEP = "line = [[-1, 0], [0, 0], [0, 0.3], [1, 0.3]]"


def test_the_text_itself_is_read():
    names = [contact.name for contact in parse(TEXT.replace('"foot"', '"sole"')).contacts]
    assert names[:7] == ["sole.1", "sole.2", "sole.3", "sole.4", "pair.1", "pair.2", "ball"]
    assert names[7:] == [f"{body}_ground.{i}" for body in "ab" for i in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "shape = [[0, 0], [1, 0], [0, 1]]",
            "shape = [[0, 0], [1, 0], [0.1, 0.1], [0, 1]]",
            "contact 'pair': shape: it is not convex at corner \\(0.1, 0.1\\)",
        ),
        (
            "shape = [[0, 0], [1, 0], [0, 1]]",
            "shape = [[0, 0], [1, 0]]",
            "contact 'pair': shape has 2 corners; a polygon without a radius",
        ),
        (
            "shape = [[0, 0], [1, 0], [0, 1]]",
            "shape = [[0, 0]]\nradius = 0.1",
            "contact 'pair': shape has 1 corners; a polygon with a radius",
        ),
        (
            "shape = [[0, 0], [1, 0], [0, 1]]",
            "shape = [[0, 0], [1, 0], [2, 0]]",
            "contact 'pair': shape: its area is zero",
        ),
        (
            "shape = [[0, 0], [1, 0], [0, 1]]",
            "shape = [[0, 0], [1, 0], [1, 0], [0, 1]]",
            "contact 'pair': shape: corner \\(1, 0\\) is given twice",
        ),
        (
            "shape = [[0, 0], [1, 0], [0, 1]]",
            "shape = [[0, 0], [2, 0], [0, 2], [2, 2]]",
            "contact 'pair': shape: ",
        ),
        (
            "shape = [[0, 0], [1, 0], [0, 1]]",
            "shape = [[0, 0], [1, 1], [1, 0], [0, 1]]",
            "contact 'pair': shape: its sides cross; a convex polygon was expected",
        ),
        (
            "shape = [[0, 0], [1, 0], [0, 1]]",
            "shape = 3",
            "'pair': shape: found 3 \\(int\\); a list was expected",
        ),
        (
            "shape = [[0, 0], [1, 0], [0, 1]]",
            'shape = "circle"',
            "'pair': shape: found 'circle' \\(str\\); one of outline, hull",
        ),
        (
            "shape = [[0, 0], [1, 0], [0, 1]]",
            "radius = -0.1",
            "contact 'pair': radius = -0.1; a radius that is not negative",
        ),
        ('other = "b"', 'other = "c"', "contact 'pair': body 'c' does not exist"),
        (
            'other = "b"',
            'other = "bare"',
            "contact 'pair': other_shape is 'outline', but body 'bare' has no outline",
        ),
        (
            'other = "b"',
            'other = "world"',
            "contact 'pair': other_shape is 'outline', but the world has no outline",
        ),
        ('other = "b"', 'other = "a"', "contact 'pair': body and other are both 'a'"),
        (
            'other = "b"',
            'other = "b"\nterrain = "ground"',
            "found terrain and other; a contact was expected to touch one of them",
        ),
        ('other = "b"', 'other = "b"\ntouches = 3', "touches: found 3 \\(int\\); a whole number from 1 to 2"),
        ('other = "b"', 'other = "b"\npoint = [0, 0]', "found point; a contact of type 'polygon' has none"),
        (
            'other_shape = "outline"',
            "touches = 2",
            "other_shape is missing; expected corners \\[\\[x, y\\], ...\\] or 'outline'",
        ),
        (
            'terrain = "ground"',
            'terrain = "grund"',
            "contact 'foot': terrain 'grund' does not exist \\(did you mean 'ground'",
        ),
        (
            'terrain = "ground"',
            'terrain = "ground"\ntouches = 9',
            "touches: found 9 \\(int\\); a whole number from 1 to 8",
        ),
        (
            "[0, 0.3], [1, 0.3]]",
            "[0, 0.3], [-0.5, 0.3], [-0.5, -1]]",
            "terrain 'ground': its line crosses itself: \\(-1, 0\\) to \\(0, 0\\)",
        ),
        (
            "line = [[-1, 0], [0, 0], [0, 0.3], [1, 0.3]]",
            "line = [[-1, 1], [-2, 0], [2, 0], [1, 1]]",
            "its line, whose first and last segment go on for ever, crosses itself: \\(-1, 1\\) to \\(-2, 0\\) meets",
        ),
        (
            "line = [[-1, 0], [0, 0], [0, 0.3], [1, 0.3]]",
            "half_planes = []",
            "half_planes: found none; at least one was expected",
        ),
        (
            "line = [[-1, 0], [0, 0], [0, 0.3], [1, 0.3]]",
            'half_planes = [{origin = [0, 1]}, {tilt = "pi"}]',
            "terrain 'ground': its half-planes leave nothing free",
        ),
        ('name = "bare"', 'name = "ground"', "terrain 'ground': a body has this name too"),
        (
            'feet = ["a", "b"]',
            'a = ["a", "b"]\nfeet = ["b"]',
            "group 'a': a body or terrain has this name too",
        ),
        ('between = ["feet", "ground"]', 'between = ["a", "a"]', "found no two bodies that could touch"),
        (
            "line = [[-1, 0], [0, 0], [0, 0.3], [1, 0.3]]",
            "line = [[0, 0]]",
            "terrain 'ground': its line has 1 corners; at least two",
        ),
        (
            "line = [[-1, 0], [0, 0],",
            "line = [[-1, 0], [-1, 0],",
            "terrain 'ground': corner \\(-1, 0\\) is given twice",
        ),
        ("line = [[-1, 0], [0, 0],", 'line = [["-1/0", 0], [0, 0],', "divi"),
        (
            "line = [[-1, 0], [0, 0], [0, 0.3], [1, 0.3]]",
            "",
            "\\[\\[terrain\\]\\] 'ground': expected line = ",
        ),
        (
            'between = ["feet", "ground"]',
            'between = ["foots", "ground"]',
            "between foots and ground: 'foots' is no group, body or",
        ),
        ('between = ["feet", "ground"]', 'between = ["ground", "ground"]', "are both terrain"),
        (
            'between = ["feet", "ground"]',
            'between = ["a", "b", "ground"]',
            "between names 3 groups; one or two were expected",
        ),
        ('feet = ["a", "b"]', 'feet = ["a", "c"]', "body 'c' does not exist"),
        ('feet = ["a", "b"]', 'feet = ["a", "bare"]', "body 'bare' has no outline"),
        ('feet = ["a", "b"]', "feet = 3", "feet: found 3 \\(int\\); a list was expected"),
        ('[[contact]]\nname = "foot"', '[[contact]]\nname = "a_ground"', "contact 'a_ground' exists already"),
    ],
)
def test_mistakes_are_told_in_one_line(old, new, message):
    assert old in TEXT
    with pytest.raises(ModelFileError, match=message) as told:
        parse(TEXT.replace(old, new, 1))
    assert "\n" not in str(told.value)


def test_a_bent_outline_is_refused_and_its_hull_is_not():
    bent = TEXT.replace(
        "outline = [[0, 0], [1, 0], [1, 1], [0, 1]]", "outline = [[0, 0], [1, 0], [0.2, 0.2], [0, 1]]", 1
    )
    with pytest.raises(ModelFileError, match=r'not convex.*shape = "hull"'):
        parse(bent)
    taken = bent.replace('terrain = "ground"', 'terrain = "ground"\nshape = "hull"').replace(
        'other_shape = "outline"', 'other_shape = "hull"'
    )
    assert len(parse(taken).contacts[0].shape) == 3


def test_geometry_of_corners():
    square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    assert why_not_convex(square) == why_not_convex(square[::-1]) == ""
    assert why_not_convex([(0, 0), (0.5, 0), (1, 0), (1, 1)]) == ""  # a straight corner does no harm
    assert why_not_convex([(0, 0), (2, 1), (0, 1), (2, 0)])
    pentagram = [(0, 1), (0.59, -0.81), (-0.95, 0.31), (0.95, 0.31), (-0.59, -0.81)]
    assert "cross" in why_not_convex(pentagram)
    assert sorted(hull([*square, (0.5, 0.5), (0.2, 0.7)])) == [0, 1, 2, 3]
    assert crossing([(0, 0), (1, 0), (1, 1), (2, 1)]) is None
    assert crossing([(0, 0), (1, 0), (0.5, 0)]) == (0, 1)
    assert why_not_convex([(0, 0), (1, 1), (1, 0), (0, 1)]) == "its sides cross"
    assert why_not_convex([(0, 0), (1, 1), (2, 2), (3, 3)]) == "its area is zero"


def test_lines_that_go_on_for_ever_may_meet_far_away():
    assert ends_crossing([(-1, 0), (0, 0), (0, 1), (1, 1)]) is None
    assert ends_crossing([(-1, 3), (-1, 0), (1, 0), (1, 3)]) is None  # a pit with upright sides
    assert ends_crossing([(-1, 1), (0, 0), (1, 1)]) is None
    assert ends_crossing([(0, 1), (-1, 0), (1, 0), (0.9, 1)]) == (0, 2)  # both ends lean in and meet above
    assert ends_crossing([(0, 0), (1, 0), (1, 1), (-3, 1), (-3, -1)]) == (
        0,
        3,
    )  # the first end runs into a side


def test_half_planes_leave_something_free():
    assert has_free_side([(0, 0, 0.0)])
    assert has_free_side([(3, 0, -0.8), (3, 0, 0.8)])
    assert has_free_side([(0, 0, 0.0), (0, 1e-3, math.pi)])  # a slit
    assert not has_free_side([(0, 1, 0.0), (0, 0, math.pi)])
    assert not has_free_side([(0, 0, 0.0), (0, 0, 2.0), (0, -1, 4.0)])


def test_bodies_of_different_layers_pass_each_other():
    both = TEXT.replace('between = ["feet", "ground"]\nshape = "hull"', 'between = "feet"')
    assert any(c.name.startswith("a_b") for c in parse(both).contacts)
    layers = both.replace('name = "b"\nparent', 'name = "b"\nlayer = "left"\nparent')
    assert not any(c.name.startswith("a_b") for c in parse(layers).contacts)
    with pytest.raises(ModelFileError, match="layer: found 3"):
        parse(layers.replace('layer = "left"', "layer = 3"))
