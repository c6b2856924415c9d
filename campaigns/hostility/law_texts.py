"""Model files that repeat, with closures of every kind, walls that move, and laws on contacts between groups; each is sound."""

LOOPS = """
name = "loops"
about = "closures of every kind"
source = "campaigns"

[[body]]
name = "crank"
parent = "world"
joint = {type = "revolute", coordinate = "a", start = "pi/2"}
mass = 1
inertia = 0.1
com = [0.2, 0]

[[body]]
name = "coupler"
parent = "crank"
joint = {type = "revolute", coordinate = "b", at = [0.5, 0], start = "-pi/2"}
mass = 1
inertia = 0.1

[[body]]
name = "piston"
parent = "world"
joint = {type = "planar", coordinates = ["x", "y", "turn"], start = [0.9, 0.5, 0]}
mass = 2
inertia = 0.1

[[body]]
name = "plate"
parent = "world"
joint = {type = "planar", coordinates = ["u", "w", "roll"], start = [0, 3, 0]}
mass = 2
inertia = 0.1

[[body]]
name = "lid"
parent = "plate"
joint = {type = "revolute", coordinate = "open", at = [0.3, 0]}
mass = 0.5
inertia = 0.02

[[body]]
name = "knob"
parent = "world"
joint = {type = "planar", coordinates = ["k", "l", "m"], start = [0, 3, 0]}
mass = 0.1
inertia = 0.01

[[input]]
name = "drive"
coordinate = "a"
gain = 2

[[pin]]
name = "hinge"
body = "coupler"
point = [0.6, 0]
other = "piston"
other_point = [-0.3, 0]

[[closure]]
name = "rail"
type = "slider"
body = "piston"
point = [0, 0]
other = "world"
other_point = [0, 0.5]
angle = 0
axis = 0

[[closure]]
name = "stay"
type = "rod"
body = "plate"
point = [0, 0.1]
other = "world"
other_point = [0, 5]
length = 1.9

[[closure]]
name = "glue"
type = "weld"
body = "knob"
point = [0, 0]
other = "plate"
other_point = [0, 0]
angle = 0

[[closure]]
name = "belt"
type = "gear"
coordinate = "open"
other_coordinate = "b"
ratio = 0.5
offset = "pi/4"

[[push]]
name = "rocket"
body = "plate"
point = [0.1, 0]
force = [0, 20]
moment = 0

[[contact]]
name = "seat"
body = "coupler"
point = [0.1, 0]
mu = 0.4
wall = {body = "piston", origin = [0, -0.5], tilt = 0.3}
"""
GROUPS = """
name = "groups"

[[terrain]]
name = "hills"
line = [[-5, 0], [-1, 0.3], [1, -0.1], [5, 0]]

[groups]
boxes = ["box1", "box2", "other"]

[parameters]
n = 2

[[body]]
name = "box{i}"
repeat = "n"
parent = "world"
joint = {type = "planar", coordinates = ["x{i}", "y{i}", "turn{i}"], start = ["{i}", "2*{i}", 0]}
mass = 1
inertia = 0.1
outline = [[-0.3, -0.2], [0.3, -0.2], [0.3, 0.2], [-0.3, 0.2]]
last = {mass = 2}

[[body]]
name = "other"
parent = "world"
joint = {type = "planar", coordinates = ["u", "w", "roll"], start = [-2, 2, 0.1]}
mass = 1
inertia = 0.1
outline = [[-0.2, 0], [0.2, 0], [0, 0.3]]
layer = "front"

[[contacts]]
between = ["boxes", "hills"]
shape = "hull"
radius = 0.02
rolling = 0.001
touches = 3
mu = 0.3
mu_static = 0.4
pull = 1
one_way = "left"
speed = 0.1
restitution = 0.2
tangential_restitution = 0.1

[[contacts]]
between = "boxes"
mu = 0.2
stiffness = 1e4
damping = 10

[[contact]]
name = "corner"
body = "box1"
point = [0.3, 0.2]
other = "other"
other_shape = [[-0.2, 0], [0.2, 0], [0, 0.3]]
other_radius = 0.01
mu = 0.5
"""
CHAIN = """
name = "chain"

[parameters]
n = 3
l = 0.5

[[body]]
name = "link{i}"
repeat = "n"
parent = "link{i-1}"
joint = {type = "revolute", coordinate = "q{i}", at = ["l", 0]}
mass = 1.0
inertia = 0.02
com = ["l/2", 0]
first = {parent = "world", joint = {type = "planar", coordinates = ["x", "y", "q1"], start = [0, 0.3, 0]}}

[[input]]
name = "tau{i}"
repeat = "n - 1"
coordinate = "q{i+1}"

[[contact]]
name = "end{i}"
body = "link{i}"
repeat = "n"
point = ["l", "-l/8"]
mu = 0.3

[[contact]]
name = "touch{i}_{j}"
pairs = "n"
apart = 2
type = "disc_disc"
body = "link{i}"
radius = 0.1
rolling = 0.01
other = "link{j}"
other_radius = 0.1
"""
