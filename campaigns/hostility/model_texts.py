"""Model files that use words which no model that ships needs; each is sound as it stands."""

from hostility.law_texts import CHAIN, GROUPS, LOOPS

COUPLED = """
name = "coupled"
about = "every coupling"
assumed = ["SFFF", "RLLL"]
gravity = [0, -9.81]
wind = [0.5, "m/10"]

[parameters]
m = 1.5
l = "0.4 * m"
mu = {value = 0.6, within = [0.45, 0.75]}

[[body]]
name = "cart"
parent = "world"
joint = {type = "prismatic", coordinate = "x", at = [0, 0.1], damping = 0.2, start = 0.1, speed = 0.0}
mass = "m"

[[body]]
name = "mast"
parent = "cart"
joint = {type = "weld", at = [0, 0.2], angle = "pi/8"}
mass = 0.2
inertia = 0.01

[[body]]
name = "pole"
parent = "mast"
joint = {type = "revolute", coordinate = "theta", stiffness = 2, rest = 0.1, armature = 0.01}
mass = 1
inertia = "m * l**2 / 12"
com = ["l/2", 0]
outline = [[0, 0], ["l", 0], ["l", 0.05]]

[[body]]
name = "rotor"
parent = "mast"
joint = {type = "revolute", coordinate = "phi"}
mass = 0.3
inertia = 0.02
drag = {linear = [0.1, 0.2], quadratic = [0.3, "m"], turning = 0.01, turning_quadratic = 0.02, at = [0.1, 0], angle = 0.2}

[[input]]
name = "tau"
coordinate = "theta"
stall = 3
no_load = 20

[[contact]]
name = "tip"
body = "pole"
point = ["l", 0]
mu = "mu"
restitution = 0.3

[[contact]]
name = "ball"
type = "disc_disc"
body = "pole"
point = ["l", 0]
radius = 0.05
other = "world"
other_point = [1.5, 0.6]
other_radius = 0.1
stiffness = 1000
damping = 1

[[closure]]
name = "gear"
type = "gear"
coordinate = "phi"
other_coordinate = "theta"
ratio = 2
offset = 0

[[spring]]
name = "s"
body = "pole"
point = ["l", 0]
other = "world"
other_point = [1, 1]
stiffness = 10
damping = 0.1
length = 0.5

[[push]]
name = "wind"
body = "cart"
force = [0.5, 0]
moment = 0.1
follows = true

[constraints]
press = "tip.normal >= 0"

[outputs]
angle = "theta"

[start]
theta = 0.05
phi = 0.1
"""
LAWS = """
name = "laws"

[[body]]
name = "foot"
parent = "world"
joint = {type = "planar", coordinates = ["x", "y", "turn"], start = [0, 0.1, 0]}
mass = 2
inertia = 0.05

[[body]]
name = "leg"
parent = "foot"
joint = {type = "revolute", coordinate = "knee", lower = -1, upper = 1, stop_restitution = 0.2, friction = 0.3, armature = 0.02}
mass = 1
com = [0.2, 0]

[[body]]
name = "slide"
parent = "leg"
joint = {type = "prismatic", coordinate = "reach", at = [0.3, 0], prescribed = true, effort = [-20, 20]}
mass = 0.5

[[input]]
name = "tau"
coordinates = ["knee", "turn"]
gains = [1, -1]
lower = -5
upper = 5

[[contact]]
name = "heel"
body = "foot"
point = [-0.1, -0.1]
mu = 0.4
mu_static = 0.6
pull = 2

[[contact]]
name = "toe"
body = "foot"
point = [0.1, -0.1]
mu = 0.4
one_way = "left"
speed = 0.2
tangential_restitution = 0.1

[[cable]]
name = "rope"
body = "foot"
point = [0, 0.1]
other = "world"
other_point = [0, 2]
length = 2.5
"""
SHAPES = """
name = "shapes"

[[terrain]]
name = "stairs"
line = [[-3, 0], [1, 0], [1, 0.2], [2, 0.2]]

[[terrain]]
name = "groove"
half_planes = [{origin = [0, -1], tilt = "-pi/4"}, {origin = [0, -1], tilt = "pi/4"}]

[groups]
feet = ["box", "wedge"]

[[body]]
name = "box"
parent = "world"
joint = {type = "planar", coordinates = ["x", "y", "turn"], start = [0, 0.2, 0]}
mass = 1
inertia = 0.1
outline = [[-0.3, -0.2], [0.3, -0.2], [0.3, 0.2], [-0.3, 0.2]]

[[body]]
name = "wedge"
parent = "world"
joint = {type = "planar", coordinates = ["u", "w", "roll"], start = [0.1, 0.61, 0]}
mass = 0.5
inertia = 0.02
outline = [[-0.2, -0.2], [0.2, -0.2], [0, 0.2]]

[[contact]]
name = "stack"
type = "polygon"
body = "wedge"
other = "box"
shape = "hull"
radius = 0.01
touches = 2
mu = 0.5

[[contact]]
name = "bead"
type = "disc"
body = "wedge"
point = [0, 0.2]
radius = 0.05
terrain = "groove"

[[contacts]]
between = ["feet", "stairs"]
mu = 0.6
"""
TEXTS = (COUPLED, LAWS, SHAPES, CHAIN, LOOPS, GROUPS)
