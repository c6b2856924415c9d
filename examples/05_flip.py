"""
RHex flips itself
=================

A hexapod lies on its belly and has to turn over onto its back. It pushes with three pairs of legs,
keeps its rear corner on the ground, and turns over that corner. Which torques are best depends on which
contacts stick, slide or leave: the controller looks at all contact modes at every millisecond and takes the
torque with the greatest pitch acceleration that surely works.

The controller plans with a rigid robot with massless legs. It is judged on a compliant one: springy legs, toe
masses, a soft ground.
"""

import numpy as np

from modecontrol.trials.rhex.flip import fly

run = fly("new", mu_toe=0.6)
print(f"90 degrees after {run.upright:.3f} s, flipped after {run.flipped:.3f} s")
print(f"predicted pitch acceleration is off by {run.rmse:.2f} rad/s2 (root mean square)")

# %%
# The predicted story: which mode holds from when. Letters read body, rear, middle, front.

for time, mode in run.story:
    print(f"{time:6.3f} s  {mode}")

# %%
# Predicted against simulated.

from modecontrol.view.flip import plot_flip  # noqa: E402

plot_flip(run)

# %%
# The motion as a multiple exposure.

from modecontrol.view.stroboscope import plot_stroboscope  # noqa: E402

plot_stroboscope(run.trajectory, frames=7)

assert np.degrees(run.trajectory.q[:, 2].max()) > 101.3
