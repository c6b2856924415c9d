"""Every number that decides "zero", "equal" or "feasible", in one place.

All of them are relative: rows are divided by their largest coefficient and columns scaled before a decision
is taken, so that metres or millimetres, newtons or kilonewtons, give the same answers.
"""

# Numbers that users hand in
# ---------------------------------------------------------------------------------------------------
LARGEST_WRITTEN = 1e300
"""Numbers in the expressions of model files end here."""
LARGEST = 1e100
"""Numbers beyond this are taken for mistakes: their products leave the range of double precision."""
SMALLEST = 1.0 / LARGEST
"""Coefficients that are all smaller than this, and not zero, are taken for mistakes for the same reason."""

# Polytopes
# ---------------------------------------------------------------------------------------------------
FEASIBLE = 1e-9
"""A scaled row `a x <= b` counts as satisfied when `a x - b <= FEASIBLE * max(1, abs(b))`."""
PIVOT = 1e-11
"""Entries of a scaled tableau below this are rounding, never pivots."""
DUAL = 1e-10
"""A scaled objective that grows by less than this per unit step is at its optimum."""
FINE_DUAL = 1e-14
"""As DUAL, when the optimum fails its check because many small slopes add up."""
REACH_AGAIN = 1e-6
"""A contradiction proves a scaled set empty up to a distance of one over `FEASIBLE`; in the second attempt, where
rounding in the data allows no more, of one over this.
"""
FLAT = 1e-8
"""A scaled set thinner than this in some direction is flat there: the pair of rows is an equality."""
REDUNDANT = 1e-9
"""A scaled row that the others let be exceeded by less than this is redundant."""
PARALLEL = 1e-10
"""Two scaled rows whose coefficients differ by less than this are the same row."""
SAME_ROW = 1e-13
"""Of two parallel rows whose distance is below this (scaled) neither is tighter: the first one stays."""
SAFE_PIVOT = 1e-9
"""Entries of a scaled tableau up to this limit no step in the first attempt, in which steps may well be
skipped; then `PIVOT`.
"""
STEP_TIE = 1e-12
"""Two steps of the simplex method, or a step and none, that differ by less (scaled) are equal; far below
`FEASIBLE`.
"""
DEGENERATE = 1e-9
"""A constant of a scaled tableau up to this may be zero: rows that tie with it are looked for."""
UNBLOCKED = 1e250
"""A step of the simplex method as long as this is not limited by any row."""
ENDLESS = 1e200
"""A step longer than this (scaled) is not limited by any row."""
NO_SLOPE = 1e-280
"""A slope so small that any step along it is endless."""
LEAST_SCALE = 1e-290
"""Rows whose largest coefficient is smaller, or larger than one over this, are not scaled."""
FLAT_PIVOT = 10.0 * FLAT
"""Hidden equalities hold to `FLAT` only; their entries must exceed this to be pivots."""
FLAT_DRIFT = 100.0 * FLAT
"""With hidden equalities taken out a tableau may differ from its data by this, relative to its terms."""
BLOW_UP = 1e-6
"""Right-hand sides that are all smaller than one are scaled up to it, but by no more than one over this."""
SMALL_SET, LARGE_SET = 1e-3, 1e4
"""A set whose planes all lie nearer to the origin, or one farther, than this is measured in units of its own
size.
"""
NOWHERE = 1e100
"""A plane farther from the origin than this is a way to say "no bound" in any unit: it tells nothing about
the size of a set.
"""
INNER_ROOM = 1e-6
"""An inner point, from which rays are shot, leaves each row at least this much room, in units of its
right-hand side.
"""
CLEARLY = 100.0 * REDUNDANT
"""A facet found by ray shooting, or seen from a vertex, stands out by this: well above what linear programs ask for."""
PRODUCT = 1e-14
"""Rounding of a scalar product, relative to its largest factors."""
PRODUCT_ROUNDING = 1e-15
"""Rounding of `a x`, relative to the sum of its terms, when a point is held against a row."""
NOISE = 1e-13
"""A sum of two multiples of rows this much smaller than its two terms is zero."""
EQUALITY_PIVOT = 1e-9
"""A variable is replaced through a scaled equality only if its coefficient there exceeds this."""
BASIS_PIVOT = 1e-6
"""A change of basis of the eliminated variables divides by scaled coefficients above this only."""
CANCELS = 1e-11
"""An entry that such a change of basis makes this much smaller than its terms is zero."""
INCIDENT = 1e-11
"""A generator lies in the plane of a row when their product is this small, the largest entries of both being
one.
"""
DRIFT = 1e-6
"""A vertex computed anew from its rows may move by this, relative to its largest coordinate, and no more."""
CUT_OFF = 1e-8
"""A point sticks out of a projection when a row stops the way to it this much (relative) before its end."""
ELIMINATION_WORK = 1e6
"""Multiplications that Fourier-Motzkin elimination may cost before a projection is tried by cuts instead."""
NEAREST = 1e-8
"""Optimality of a nearest point: rows, multipliers and the stationary equation hold to this, relative to their size."""
CARRYING = 1e-12
"""A multiplier up to this part of the largest carries nothing."""
NEAR_ROW = 1e-6
"""A rough nearest point this near a row (relative) may lie on it; the exact one decides."""
SAME_PLANE, NEARLY_SAME_PLANE = 1e-8, 1e-7
"""Points of a hull this near a plane (relative) lie in it; the second number is for a second attempt."""
FAR_VERTEX = 1e11
"""A vertex this far out (same coordinates) is where rounding lets parallel rows meet: in exact arithmetic a ray."""
CENTRAL = 1e-3
"""A mean of points whose distance to a row is this part of the set's size is not central enough to divide by."""
ROW_SPREAD = 1e5
"""Largest ratio of two entries of a row for which the core's own scaling is left to itself."""
ON_ROW = 1e-9
"""A generator (in coordinates scaled to size one) this near a row lies on it."""
AXIS_SPREAD = 1e-9
"""Generators that spread by more than this part of their distance give an unbounded axis its unit."""
SMALLEST_AXIS = 1e-12
"""No axis of a set is measured in a smaller unit than this part of the largest."""
FARKAS = 1e-6
"""A certificate of emptiness may miss its equations by this part of the contradiction that it shows."""
FARKAS_FLOOR = 1e-12
"""It may miss them by this, too, whatever it shows."""
SECOND_OPINION = 1e-10
"""Feasibility asked of the second linear-program solver, on scaled rows."""
PROJECTION_WORK = 2e9
"""Multiplications that a projection may cost before it is given up."""

# Modes
# -------------------------------------------------------------------------------------------------------
RANK = 1e-9
"""A singular value (diagonal entry of the pivoted QR) below `RANK` times the largest is zero."""
CONSISTENT = 1e-8
"""An equality that the others already imply may miss its value by this (scaled) and still count as implied.
"""
DRIFT_NOISE = 10.0
"""Drift may be noise up to this times the part by which velocities change when they are settled."""
STRICT = 1e-7
"""An acceleration inequality that cannot exceed this (scaled) anywhere in its domain is an equality in
disguise.
"""
STRICT_AT_INPUTS = 1e-9
"""The same where rivals are looked for at chosen inputs: what is neither strict nor an equality within its tolerance would be
seen by no mode, although it moves otherwise.
"""
DEPENDENT = 1e-7
"""What is left of a scaled equality after others are taken out of it, below this, is rounding: they imply it.
"""
INDEPENDENT = 1e-6
"""A pivot above this shows beyond doubt that scaled rows are independent."""
OPPOSITE = 1e-12
"""Coefficients of two scaled rows that cancel to this are opposite but for rounding."""
FLAT_CONE, STEEP_CONE = 1e-4, 1e2
"""Coefficients of friction between which lists of modes are known to be right; beyond, they are compared with those of the
nearest such coefficients."""
FLATTEST_CONE, STEEPEST_CONE = 1e-7, 1e6
"""Coefficients of friction beyond these are refused by the mode analysis: `RANK` and `STRICT` leave nothing of the smaller
part of a force at the edge of the cone."""
MASS_SPREAD, MODERATE_SPREAD = 1e3, 1e2
"""Where contacts move one coordinate more easily than another by more than the first number (root of the mass ratio), modes are
compared with those of masses drawn together to the second."""
NO_MASS = 3e6
"""A coordinate that is moved this much more easily than the heaviest one has a mass that is rounding."""
OWN_LOAD = 1e3
"""Loads that accelerate the light part this many times more than the heavy one are loads of its own: it does not count as
massless."""
LIGHT_GAP = 1e4
"""A coordinate that a contact feels this much more easily (root of the mass ratio) than any heavier one is
sized as massless.
"""
UNLIMITED = 1e9
"""A physical inequality with this many times the room that loads or the tightest bound need is a way to say
"none": left out.
"""
FAR = 1e4
"""A bound on the inputs this many natural loads away is looked at after all others, which then decide in
moderate numbers.
"""
VELOCITY = 1e-9
"""Default threshold v0 (m/s) below which a contact velocity counts as zero."""
STILL = 100.0 * VELOCITY
"""Accelerations (m/s2) that contacts slower than `VELOCITY` cannot exceed: less than this is no load."""
RESTING = 10.0 * STRICT
"""Where velocities that count as zero are made zero, drifts of contacts and loops up to this (natural units, relative to the
loads) are made zero, too: such accelerations are neither strict nor none."""
GAP = 1e-9
"""A contact with a larger gap (m) is open: its only mode is S."""

# Regions and thrust
# ------------------------------------------------------------------------------------------
SAME_MOTION = 1e-7
"""Accelerations and forces of two modes that differ by less than this, in natural units or of their own size,
are the same motion.
"""
STEEP = 1e5
"""A mode that answers an input of natural size with motions this many times as large is all but singular: what `FEASIBLE`
leaves open of its inputs changes its motions by a ten-thousandth, and nothing is promised of it. So it is where a row of the
domain feels `w` this many times less than the inputs.
"""
PRESENT = 2.0 * FLAT
"""Where any outcome is promised, and wherever a mode is all but singular, it counts at inputs that miss its set by this (natural
units): a set that is thinner than `FLAT` was placed with that error.
"""
ENOUGH_GAIN = 1e-3
"""A promise that could grow by less than this part of itself is not worth another step of the search."""
OPEN_VALUE = 1e-6
"""A worst value that rounding of the inputs could lower by more than this, in natural units or of its own size, is undecided, and
nothing is promised there.
"""
WIDER = 1e-9
"""Where rounding leaves open how the motions of two modes stand to each other, their common inputs are looked at this
much wider.
"""
REGION_WORK = 20000
"""Pieces that may be cut, one set after the other, before a region of the inputs is given up."""
SECOND_SEARCH = 6000
"""Pieces that the second search for the best inputs looks at where no patience is given: some 20 s."""
CANCELLED = 1e-10
"""A sum of products this much smaller than its terms is rounding when motions are compared."""
MOMENTUM = 1e-3
"""Accelerations whose momentum is smaller than this (natural units) count by themselves where they are asked for; what counts
twice changes nothing.
"""
CLEAR = 1e-6
"""Without a margin, chosen inputs stay this far (natural units) away from the inputs of a mode that moves
otherwise.
"""
DETERMINANT = 1e-13
"""A determinant, its columns having length one, up to this may have either sign."""
WELL_POSED = 1e-3
"""A matrix whose smallest singular value exceeds this part of the largest is good enough to divide by."""
CRITICAL = 1e-12
"""A critical friction is found to this part of itself."""
ENDLESS_FRICTION = 1e6
"""Times the known coefficients; a critical friction beyond that is not looked for."""
SAME_PROMISE = 1e-11
"""Bounds of branch and bound that differ by less (relative above one) promise the same: rounding must not hide a tie."""
PROGRAM_WORK = 4000.0
"""Multiplications that a linear program of a control step is worth when work is counted in programs (about 3 microseconds)."""
PROGRAM_SET_UP = 700.0
"""Multiplications that setting up a linear program is worth."""
WORKSPACE_SET_UP = 4000.0
"""The same for one about a piece or a pair of modes, whose rows are gathered first."""
MODE_SET_UP = 16000.0
"""The same for the response of one mode: what its linear programs and its projection do not count."""
MULTIPLIER = 1e-9
"""Multipliers of a linear program up to this part of the largest are zero."""
IMPLIED = 1e-7
"""A scaled equality on the inputs that differs by less than this from a sum of others is implied by them."""

# Complementarity
# ---------------------------------------------------------------------------------------------
COMPLEMENTARY = 1e-8
"""An LCP answer is accepted when bounds, residual and products hold to this, relative to the problem's size.
"""
REFINED = 1e-12
"""A relative residual up to this needs no second solve; a basis carried over from another problem must reach
it.
"""
TIE = 1e-13
"""Two ratios of a scaled complementarity tableau closer than this are equal; the lexicographic rule decides.
"""
WIDE_TIE = 1e-10
"""As TIE, for a second attempt: rounding parts equal ratios of hyperstatic problems by more than TIE."""
PRECISE_PIVOT = 1e-16
"""As PIVOT, for a complementarity tableau in twice the precision."""
PRECISE_TIE = 1e-18
"""As TIE, for a complementarity tableau in twice the precision."""
PRECISE_WORK = 1e8
"""Entries of tableaus that Lemke's method in twice the precision may compute: some tenths of a second."""
SOFTENED = 1e-12
"""Relative growth of a diagonal that makes a semidefinite matrix with rounding definite."""
SLIGHTLY_SOFTENED = 1e-14
"""As SOFTENED, for problems whose answers are so large that SOFTENED shows beside the constant."""
BRANCHES = 2000
"""Most nodes of a search by branching."""
BRANCH_WORK = 1e9
"""A search by branching looks at no more nodes than this over the cube of the number of rows: some seconds.
"""
ROW_FLOOR = 1e-4
"""The error of a row is compared with its own terms, and with no less than this part of the largest scaled
row.
"""
SWEEP = 1e-10
"""Projected Gauss-Seidel has settled when no scaled unknown moves by more than this in a sweep."""
SWEEPS = 2000
"""Sweeps that projected Gauss-Seidel may take."""
UNEVEN = 1e3
"""Largest entry of a complementarity problem scaled by its diagonal; beyond it geometric means scale better.
"""

NEWTON = 1e-10
"""A friction problem is solved when no contact's law is off by more than this part of the speeds at hand."""
SWEPT = 1e-6
"""As NEWTON, for the last resort: what sweeps of Gauss-Seidel alone must reach to be accepted."""
COARSE = 1e-3
"""As SWEPT, for a step that would not be made otherwise: penetration is no longer recovered in it, and its work is spent."""
PROXIMAL = 1e-8
"""Relative softness with which impulses are held to the present ones while Newton's method solves for all of them."""
AIM = 1e-6
"""Interior points aim at no less than this part of the present products of impulses and velocities."""
STEP_WORK = 2e8
"""Entries of tableaus that one path of Lemke's method may compute within a time step: some hundredths
of a second. Only small islands, and those that nothing else solves, are pivoted."""
PRECISE_STEP_WORK = 2e6
"""As STEP_WORK, in twice the precision."""
COVERS = 3
"""Covering vectors that Lemke's method tries before it gives up."""

# Dynamics
# ----------------------------------------------------------------------------------------------------
SYMMETRIC = 1e-9
"""Relative asymmetry and negativity allowed in a mass matrix that a user hands in."""
LIGHT = 1e-6
"""Weight, relative to the total mass, with which massless coordinates resist when velocities are settled."""
SINGULAR = 1e-13
"""A joint whose articulated inertia is below this times its rigid one moves nothing that has mass."""

# Simulation
# --------------------------------------------------------------------------------------------------
TOUCH = 1e-9
"""A simulated contact with a gap (m) up to this is closed; impacts are located to this distance."""
SLIP = 1e-9
"""A loaded contact that slides slower than this (m/s) at the end of a step is recorded as fixed (F)."""
FALLEN = 0.01
"""Pitch rate (rad/s) below which a body that fell back has come to rest."""
PENETRATION = 1e-6
"""A simulation may start with a rigid contact this deep (m) in its wall, or a loop this far open, and no
more.
"""
MISFIT = 1e-3
"""A state that is analysed may have a rigid contact this deep (m) in its wall, or a loop this far open:
measured and simulated states do. Deeper is a mistake.
"""
LOOP_RATE = 0.1
"""A loop may open at this part of the speeds that its joints give its ends; simulated states do, by what a
step turns.
"""
SETTLED = 1e-12
"""A state that is settled has gaps and openings (m) up to this, unless rounding is larger."""
SOFTER = 1e-9
"""Relative softness given to the contacts of a step whose complementarity problem is too degenerate to be
solved.
"""
ROUNDING = 1e-13
"""An entry of a complementarity matrix this much smaller than its column is rounding and sets no scale."""

RECOVERY = 0.01
"""Recovery of penetration and of open pins in one step may do work up to this part of the kinetic energy, and
what moving the whole mass at the speed of recovery and of an impact takes; a problem that asks for more is
solved without recovery. Of the energy that changes hands in a step it may give this part.
"""
RECOVERED = 0.05
"""Where a run has gained this part of the energy that its start and its inputs explain, recovery gives no more than what
the slowest impacts do.
"""
SELF_STRESS = 1e-6
"""Impulses whose rounding alone moves contacts by more than this part of their velocities, or does more work
than this part of the energies, are no answer.
"""
STRESSED = 1e-10
"""As SELF_STRESS, for the work of rounding: impulses beyond it, about a thousand times those that the energies ask for, are
looked for in softer contacts first, which do not lock what can go on.
"""
SOFTEST = 1e-6
"""Relative softness given to contacts whose impulses stay absurd with `SOFTER`."""
ENERGY_GAIN = 0.25
"""A step that gains more than this part of the energy that changes hands in it, from nothing, is repeated in
smaller ones.
"""
RISEN = 0.25
"""Small gains of many steps may add up to this part of the energy that the start and the inputs explain; then steps are made in
smaller parts.
"""
CREEP = 2e-4
"""As RISEN, what one more step may gain in such parts."""
EXPLODED = 10.0
"""A run that has gained this many times the energy that its start and its inputs explain is stopped."""
STRAINED = 0.2
"""A run with springs that may be too fast for its steps is stopped when it has gained this part of the energy that was
at hand, springs included.
"""
SPRING_TURN = 0.1
"""Springs between points may turn by this angle (rad, frequency times time) in a part of a step; faster ones are stepped in
smaller parts. Energy swings by this part of itself at most, and comes back.
"""
WORK_ROUNDING = 1e-14
"""A gain of energy this much smaller than the energies and works whose difference it is is rounding."""
PINNED = 1e-12
"""A pin whose two ends yield together, but for this part of what each would yield alone, pins nothing new."""
DRIVE_DIFFERENCE = 1e-4
"""Times (s) at which the place of a driven coordinate is compared to know its speed, by differences of fourth order."""
EVENT_TIME = 1e-14
"""Events within a step are located to this (s, and relative to the time)."""
PACE = 0.3
"""A step of the theta scheme asks gaps to close at this part of `gap / h`: as positions follow the mean of two
velocities, a gap then shrinks without swinging (the roots of `x^2 - (1 - PACE/2) x + PACE/2` are real).
"""
MIDPOINT = 1e-9
"""A step whose forces are taken in its middle is made again until its velocities change by no more than this part
of them.
"""
NO_MIDPOINT = 1e-6
"""Where velocities still change by more than this part after some attempts there is no such middle: that part is made plainly."""
STOP = 1e-3
"""A sliding contact that stops later than this part of a step from now ends a smooth part of the step there."""
STEP_END = 1e-12
"""What is left of a step after an impact is its end when it is shorter than this part of the step."""
SHALLOW = 1e-3
"""Discs passing each other: a time bracket narrower than this part of the step is searched no further."""

WHOLE_STEP = 1e-9
"""Times that differ from a whole number of steps by less than this part of a step are that number."""
WHOLE_PERIOD = 1e-6
"""The period of a controller may differ from a whole number of steps by this part of itself."""
NULL_VALUE = 1e-12
"""An eigenvalue of a scaled mass matrix up to this part of the largest is zero: a massless motion."""
NULL_PART = 1e-3
"""Coordinates that move by more than this part of the largest belong to a massless motion."""
LIGHTEST = 1e-7
"""A pivot of a scaled mass matrix below this is too small to divide by: contacts then keep their velocities."""

# Rounding
# ----------------------------------------------------------------------------------------------------
FEW = 64.0 * 2.0**-52
"""A sum of a few terms is known to this, relative to the largest of them."""
TINY = 1e-300
"""Added where a quotient of nothing by nothing must stay finite."""
DIFFERENCE = 1e-6
"""Step of a one-sided difference, in sizes of what varies."""
DIFFERENCED = 1e-11
"""Two central differences that agree to this (relative) need no third."""

# Guarantees
# --------------------------------------------------------------------------------------------------
APART = 1e-7
"""What a guarantee cuts away from the inputs is cut with this distance at least, relative to the size of the
torque set.
"""
FRICTION_MARGIN = 1e-4
"""The margin of friction at a torque, a part of the coefficients, is found to this."""

# Sensitivities
# -----------------------------------------------------------------------------------------------
ACTIVE = 1e-9
"""A scaled row within this of equality at an optimum counts as active: beyond it the optimum has no tie
there.
"""
CARRIED = 1e-8
"""Multipliers (relative to the largest) and residuals of multipliers up to this are zero."""
TORN = 100.0 * CARRIED
"""Rates of redundant equations that differ by more than this part of their terms part company."""
TIED = 1e-9
"""Two best values (relative), or two one-sided derivatives, closer than this are equal."""
TIED_PIECES = 2000
"""Pieces of one mode's inputs that are looked at for those that share the best value."""
BESIDE_A_TIE = 1e-7
"""Distance from a tie, in sizes of what varies, at which its one-sided derivatives are confirmed; up to a hundred times of it where
there is another tie."""
CONFIRMED = 1e-6
"""A derivative at a tie and the one beside it that differ by less (relative) are the same."""
NEARLY = 1e-3
"""Derivatives at neighbouring points that differ by more than this (relative) are not those of one smooth piece."""
SAME_RATE = 1e-9
"""Rates of rows that hold each other are known to this part of their terms."""
TRUSTED = 1e-7
"""Differences of values that differ by less than this (relative) when the step is a quarter stand for a derivative."""
FOLLOWS = 2e-6
"""A derivative and a difference of values close by that differ by less (relative) do not contradict each other."""
SAME_VALUE = 1e-12
"""Best values are known to this part of their natural size."""
JUMP = 1e-5
"""A best value that changes by more than this part of its natural size at once jumps; by less it may where inputs keep off other
modes."""
MOVED = 1e-6
"""A `place` function that moves the present configuration by more than this does not make it."""

# Imported files
# ----------------------------------------------------------------------------------------------------
ALIGNED = 1e-6
"""Sine of the angle by which an axis may miss the plane or its normal: files have rounded numbers."""
RIGHT_ANGLE = 1e-12
"""An angle this near a multiple of a right angle is that multiple."""
SAME_POINT = 1e-9
"""Points nearer than this part of a shape's size are one point."""
CORNER = 1e-12
"""Corners of a polygon nearer than this part of its size are one, and turns of less than this part of its area are straight."""
NOTHING_THERE = 1e6
"""Gap (m) of a touch for which a shape has no feature left."""
MIRRORED = 1e-3
"""Part of mass, length or force by which the left and the right side of a robot may differ: descriptions are rounded."""
BESIDE = 0.02
"""Part of a robot's size by which the mass of a part in the middle may lie beside the middle plane."""
MUJOCO_NOTHING = 1e-15
"""MuJoCo's least mass (kg), and least difference of principal moments of inertia (kg m2) in the sides of a box of inertia."""
PASSED = 0.05
"""Bodies without a contact between them pass through each other when they overlap by more than this part of the narrower."""

# What is shown
# ----------------------------------------------------------------------------------------------------
SHOWN_EQUAL = 1e-9
"""Two numbers that differ by less than this (relative) are shown as one."""
SHOWN_ZERO = 1e-12
"""A number up to this, relative to its neighbours, is not shown."""
SHOWN_TIGHT = 1e-7
"""A row within this (relative) of equality is named among those that limit a torque."""
CELL_INSIDE = 1e-7
"""A point is inside a cell of a picture when every row holds by this part of the window's size."""
FAR_OUTSIDE = 1e-3
"""A torque that misses a set by this part of the extent of all sets is not asked of that set any further: a million times what its
rounding could explain."""
LARGEST_ASKED = 1e9
"""A number in a request of the live page that is larger is a mistake, and would only overflow."""
CLOSED = 1e-11
"""On the live page a gap up to this part of the mechanism's size is closed; far below `GAP` for anything up to 100 m."""
MEANT_CLOSED = 1e-6
"""On the live page a contact whose gap is below this part of the mechanism's size is meant to be closed."""
CLOSING_RANK = 1e-12
"""Singular values of the closing equations up to this part of the largest are zero."""
CLOSING_END = 1e-15
"""A closing step shorter than this (radians and mechanism sizes) changes nothing any more."""
REPLAYED = 1e-6
"""Gaps (m) and speeds (m/s) of a recorded state up to this count as closed and as zero."""
