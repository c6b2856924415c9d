"""
Blind against mode-aware
========================

The earlier controller did not look at contact modes. It assumed that everything slides, and later that the
rear toe sticks; a filter on the pitch acceleration decides when. On a surface with more friction than it was
tuned for, the filter notices the sticking toe late, and the robot loses time. The mode-aware controller sees
it at once.
"""

from modecontrol.trials.rhex.flip import compare, gain
from modecontrol.trials.rhex.summary import table
from modecontrol.view.flip import plot_pitch

flips = compare(frictions=(0.6,))
heads, rows = table(flips)
for row in (heads, *rows):
    print("  ".join(cell.ljust(20) for cell in row))
print(f"the mode-aware controller reaches 90 degrees {100 * gain(flips, 0.6):.1f} % sooner")

# %%
# When did each of them believe that the rear toe sticks, and when did it stick?

for flip in flips:
    believed = next(time for time, mode in flip.story if mode[1:] == "FSS")
    stuck = next(time for time, mode in flip.simulated_story if mode[1:] == "FSS")
    print(f"{flip.kind}: stuck at {stuck:.3f} s, believed at {believed:.3f} s")

# %%
plot_pitch(flips)
