"""A model in words: every law and shape is told, and nothing that is not there."""

import modecontrol as mc

EVERYTHING = """
name = "everything"
about = "one of each"
[[body]]
name = "cart"
parent = "world"
joint = {type = "prismatic", coordinate = "x", lower = -1, upper = 2, friction = 3, damping = 0.5, stop_restitution = 0.2}
mass = 1
[[body]]
name = "arm"
parent = "cart"
joint = {type = "revolute", coordinate = "a", armature = 0.1, stiffness = 2, rest = 0.3, upper = 1}
mass = 1
inertia = 0.1
[[body]]
name = "slave"
parent = "world"
joint = {type = "revolute", coordinate = "b", prescribed = true, effort = [-4, 5]}
mass = 1
inertia = 0.1
[[input]]
name = "u"
coordinate = "x"
stall = 9
[[terrain]]
name = "hill"
line = [[-5, -3], [0, -3], [5, -2]]
[[contact]]
name = "wheel"
type = "disc"
body = "arm"
point = [0.5, 0]
radius = 0.1
wall = {origin = [0, -4]}
mu = 0.4
mu_static = 0.6
pull = 7
one_way = "left"
speed = 0.3
rolling = 0.01
restitution = 0.5
[[contact]]
name = "foot"
type = "polygon"
body = "arm"
shape = [[0, 0], [1, 0], [1, 1]]
terrain = "hill"
mu = 0.2
[[contact]]
name = "rub"
type = "polygon"
body = "arm"
shape = [[0, 0], [0.2, 0]]
radius = 0.05
other = "slave"
other_shape = [[9, 9], [10, 9], [10, 10], [9, 10]]
stiffness = 1000
damping = 2
[[cable]]
name = "rope"
body = "arm"
other = "world"
length = 6
"""


def test_every_law_and_shape_is_told(tmp_path):
    file = tmp_path / "model.toml"
    file.write_text(EVERYTHING, encoding="utf-8")
    from modecontrol.dynamics.description import describe
    from modecontrol.dynamics.model_file import read

    found = describe(read(file).evaluated())
    assert dict(found.needs) == {
        "joint stops": 2,
        "dry joints": 1,
        "armature": 1,
        "prescribed joints": 1,
        "cables": 1,
        "static friction": 1,
        "adhesion": 1,
        "one-way contacts": 1,
        "moving surfaces": 1,
        "rolling resistance": 1,
        "polygons": 2,
        "terrain": 1,
        "compliant contacts": 1,
    }
    rows = {row[0]: row for _, table in found.tables.items() for row in table[1]}
    assert rows["x"][-1] == "damper 0.5, stops at -1 and 2, dry friction 3"
    assert rows["a"][-1] == "spring 2 about 0.3, stop at 1, armature 0.1"
    assert rows["b"][-1] == "prescribed, within -4 and 5"
    assert rows["u"] == ("u", "x", "stall 9")
    assert rows["wheel"][1:] == (
        "disc of 0.1 m, arm",
        "wall through (0, -4) tilted by 0",
        "mu 0.4, static 0.6, pull 7 N, slides left only, surface at 0.3 m/s, rolling resistance 0.01 m, restitution 0.5",
    )
    assert rows["foot"][1:] == ("polygon of 3 corners, arm", "terrain hill", "mu 0.2")
    assert rows["rub"][1:] == (
        "line rounded by 0.05 m, arm",
        "polygon of 4 corners, slave",
        "mu 0, stiffness 1000 N/m, damping 2",
    )
    assert rows["x.stop"] == ("x.stop", "-1", "2", "0.2")
    assert rows["rope"] == ("rope", "arm", "world", "6 m")
    assert rows["hill"] == ("hill", "line of 3 corners")
    said = str(found)
    assert said.startswith("everything: one of each\nneeds joint stops (2), dry joints (1), ")
    assert all(name in said for name in rows)


def test_a_plain_model_needs_nothing():
    found = mc.load("two_link").describe()
    assert not found.needs
    assert "needs" not in str(found)
    assert set(found.tables) == {"joints", "inputs", "contacts"}
