"""Pushing on a floor that nobody knows: what is sure, what may happen, and what not knowing costs.

RHex at rest, the friction of its toes known as 0.45 to 0.75 and that of its body as 0.1 to 0.3. Which hip torques
surely produce a mode, which pitch acceleration can be promised, and how much does every percent of not knowing take away?

Run it: python examples/12_unknown_friction.py [picture.png]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import modecontrol as mc

rhex = mc.load("rhex").uncertain(mu_toe=(0.45, 0.75), mu_body=(0.1, 0.3))
response = mc.dynamic_response(rhex.snapshot(rhex.start), task="body.normal >= 10")

print(f"{'guarantee':<10}{'promised pitch acceleration':>29}  modes that may happen")
for guarantee in ("none", "outcome"):
    best = mc.maximize(response, "alpha", guarantee=guarantee)
    print(f"{guarantee:<10}{best.value:>22.2f} rad/s2  {', '.join(best.modes or (best.mode,))}")
print(f"an answer exists: {best.existence}")
print(f"worst friction: {dict(zip(rhex.contacts, best.friction.round(3).tolist(), strict=True))}")

price = mc.price_of_robustness(response, "alpha", widths=(0.0, 0.1, 0.2, 0.3, 0.5), patience=10)
for width, value in zip(price.widths, price.values, strict=True):
    print(f"friction wrong by {100 * width:3.0f} %: {value:.2f} rad/s2")

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
response.plot_sure("RFLL", left, slice={"tau3": -8.0})
price.plot(right)
if len(sys.argv) > 1:
    fig.savefig(sys.argv[1], dpi=120)
