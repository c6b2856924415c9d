"""
What stays open: a table and a ball bearing
===============================================

Two mechanisms of Greenfield, Saranli and Rizzi (2005), Figs. 5 and 6. In both, the contact mode and the
inputs do not fix all forces. For the table this is harmless; for the ball even the acceleration is open.
"""

import modecontrol as mc

# %% A table on two feet is pushed from the side. While both feet stick, nobody can say how they share the
# friction, but the table stands still whatever they do.

model = mc.load("table")
snapshot = model.snapshot(model.start)
response = mc.dynamic_response(snapshot)
print(response.summary())
for name, (least, greatest) in response.forces_at([0.0])["FF"].items():
    print(f"{name:14} between {least:8.3f} and {greatest:8.3f} N")
print("accelerations:", response.accelerations_at([0.0])["FF"])

# %% That matters as soon as somebody wishes for something. For which pushes does the left foot carry at least
# 5 N of friction? For *some* way of sharing, many; for *every* way, few. A controller has to ask the second
# question.

wish = mc.dynamic_response(snapshot, task="left.tangent >= 5")
for demand in ("some", "every"):
    for piece in wish["FF"].task_torques(demand):
        low, high = piece.bounding_box
        print(f"{demand:5} sharing: push between {low[0]:.3f} and {high[0]:.3f} N")

# %% A ball is squeezed between four flats and spins. All four contacts slide, so the friction brakes with mu
# times the normal forces. But how strong is the squeeze? Any common normal force of opposite flats is an
# answer.

model = mc.load("ball_bearing")
response = mc.dynamic_response(model.snapshot(model.start, model.start_velocity))
ball = response["RRRR"]
print(ball.system.A.shape, "of rank", ball.system.rank)
print("accelerations that are not unique:", *ball.ambiguity.accelerations)
least, greatest = response.accelerations_at([0.0])["RRRR"]["theta"]
print(f"angular acceleration without torque: between {least} and {greatest:.3f} rad/s2")
