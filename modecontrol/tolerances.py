"""Every number that decides "zero", "equal" or "feasible", in one place.

All of them are relative: rows are divided by their largest coefficient and columns scaled before a decision is
taken, so that metres or millimetres, newtons or kilonewtons, give the same answers.
"""

# Polytopes ---------------------------------------------------------------------------------------------------
FEASIBLE = 1e-9
"""A scaled row `a x <= b` counts as satisfied when `a x - b <= FEASIBLE * max(1, abs(b))`."""
PIVOT = 1e-11
"""Entries of a scaled tableau below this are rounding, never pivots."""
DUAL = 1e-10
"""A scaled objective that grows by less than this per unit step is at its optimum."""
FLAT = 1e-8
"""A scaled set thinner than this in some direction is flat there: the pair of rows is an equality."""
REDUNDANT = 1e-9
"""A scaled row that the others let be exceeded by less than this is redundant."""
PARALLEL = 1e-10
"""Two scaled rows whose coefficients differ by less than this are the same row."""

# Modes -------------------------------------------------------------------------------------------------------
RANK = 1e-9
"""A singular value (diagonal entry of the pivoted QR) below `RANK` times the largest is zero."""
CONSISTENT = 1e-8
"""An equality that the others already imply may miss its value by this (scaled) and still count as implied."""
STRICT = 1e-7
"""An acceleration inequality that cannot exceed this (scaled) anywhere in its domain is an equality in disguise."""
LIGHT_GAP = 1e4
"""A coordinate that a contact feels this much more easily (root of the mass ratio) than any heavier one is sized as massless."""
UNLIMITED = 1e9
"""A torque limit (N, N m) of this size or more is a way to say "none" and is left out: beside the loads it is only rounding."""
VELOCITY = 1e-9
"""Default threshold v0 (m/s) below which a contact velocity counts as zero."""
GAP = 1e-9
"""A contact with a larger gap (m) is open: its only mode is S."""

# Complementarity ---------------------------------------------------------------------------------------------
COMPLEMENTARY = 1e-8
"""An LCP answer is accepted when bounds, residual and products hold to this, relative to the problem's size."""
REFINED = 1e-12
"""A relative residual up to this needs no second solve; a basis carried over from another problem must reach it."""
TIE = 1e-13
"""Two ratios of a scaled complementarity tableau closer than this are equal; the lexicographic rule decides."""
ROW_FLOOR = 1e-4
"""The error of a row is compared with its own terms, and with no less than this part of the largest scaled row."""
SWEEP = 1e-10
"""Projected Gauss-Seidel has settled when no scaled unknown moves by more than this in a sweep."""
UNEVEN = 1e3
"""Largest entry of a complementarity problem scaled by its diagonal; beyond it geometric means scale better."""

# Dynamics ----------------------------------------------------------------------------------------------------
SYMMETRIC = 1e-9
"""Relative asymmetry and negativity allowed in a mass matrix that a user hands in."""
LIGHT = 1e-6
"""Weight, relative to the total mass, with which massless coordinates resist when velocities are settled."""
SINGULAR = 1e-13
"""A joint whose articulated inertia is below this times its rigid one moves nothing that has mass."""

# Simulation --------------------------------------------------------------------------------------------------
TOUCH = 1e-9
"""A simulated contact with a gap (m) up to this is closed; impacts are located to this distance."""
SLIP = 1e-9
"""A loaded contact that slides slower than this (m/s) at the end of a step is recorded as fixed (F)."""
PENETRATION = 1e-6
"""A simulation may start with a rigid contact this deep (m) in its wall, or a pin this far open, and no more."""
SOFTER = 1e-9
"""Relative softness given to the contacts of a step whose complementarity problem is too degenerate to be solved."""
ROUNDING = 1e-13
"""An entry of a complementarity matrix this much smaller than its column is rounding and sets no scale."""
