"""How the error of a simulation falls with its step: the order of "euler", "theta" and "rk4".

    python campaigns/order.py [--smallest 1e-4] [--figures docs/_static]

Scenes with answers in closed form, or with one by Runge-Kutta steps of 0.05 ms where nothing touches:

| scene              | what                                                        | compared with               |
|--------------------|-------------------------------------------------------------|-----------------------------|
| double pendulum    | two links, free                                             | Runge-Kutta                 |
| bouncing ball      | restitution 0.8, six impacts                                | parabolas                   |
| spring and floor   | a mass on a spring over a rough floor, friction turns round | half swings                 |
| slipping disc      | slides, grips, rolls                                        | three lines of mechanics    |
| rod on the floor   | one end slides with friction while the rod falls            | its own steps of 12 us      |

Then the two figures that a first-order step cannot keep: the height of an elastic ball and the centre of mass of a free chain of
eight links after 60 s in steps of 1 ms.
"""

import argparse
import math
from pathlib import Path

import numpy as np

import modecontrol as mc

G = 9.81
INTEGRATORS = ("euler", "theta", "rk4")
COLOURS = {"euler": "#c2476d", "theta": "#0b5394", "rk4": "#e69f00"}


def double_pendulum():
    """Two links that swing freely."""
    made = mc.Builder("double").body("a", joint=mc.revolute("q1"), mass=1, inertia=0.1, com=(0.5, 0))
    made.body("b", joint=mc.revolute("q2", at=(1, 0)), mass=1, inertia=0.1, com=(0.5, 0))
    model = made.build()
    sure = mc.simulate(model, [0.3, 0.4], duration=1.28, step=5e-5, integrator="rk4").q[-1]
    return model, ([0.3, 0.4], [0.0, 0.0]), 1.28, lambda run: np.abs(run.q[-1] - sure).max()


def ball(**contact):
    """A disc of radius 0.1."""
    made = mc.Builder("ball").body("ball", joint=mc.planar("x", "y", "turn"), mass=1, inertia=0.004)
    return made.contact("floor", "ball", type="disc", radius=0.1, **contact).build()


def bouncing_ball():
    """Impacts with restitution 0.8, the times of which are known."""
    e, duration = 0.8, 2.56
    t, v = math.sqrt(2 / G), e * math.sqrt(2 * G)
    while t + 2 * v / G < duration:
        t, v = t + 2 * v / G, e * v
    height = 0.1 + v * (duration - t) - 0.5 * G * (duration - t) ** 2
    return ball(restitution=e), ([0, 1.1, 0], [0, 0, 0]), duration, lambda run: abs(run.q[-1, 1] - height)


def spring_and_floor():
    """Coulomb's oscillator: friction jumps whenever the mass turns round."""
    k, mu, duration = 40.0, 0.2, 2.56
    made = mc.Builder("oscillator").body("slide", joint=mc.prismatic("x", stiffness=k))
    made.body("mass", joint=mc.prismatic("y", angle=math.pi / 2), mass=1, inertia=1)
    rate, shift, x, t, side = math.sqrt(k), mu * G / k, 1.0, 0.0, 1
    while t + math.pi / rate < duration:
        x, t, side = 2 * side * shift - x, t + math.pi / rate, -side
    place = side * shift + (x - side * shift) * math.cos(rate * (duration - t))
    model = made.contact("floor", "mass", mu=mu).build()
    return model, ([1.0, 0.0], [0.0, 0.0]), duration, lambda run: abs(run.q[-1, 0] - place)


def slipping_disc():
    """A disc that slides first and rolls then."""
    mu, v0, r, inertia, duration = 0.3, 2.0, 0.1, 0.004, 0.64
    rolling = v0 / (1 + inertia / r**2)
    grip = (v0 - rolling) / (mu * G)
    way = v0 * grip - 0.5 * mu * G * grip**2 + rolling * (duration - grip)
    return ball(mu=mu), ([0, r, 0], [v0, 0, 0]), duration, lambda run: abs(run.q[-1, 0] - way)


def falling_rod():
    """A rod whose lower end slides on a rough floor while it falls."""
    made = mc.Builder("rod").body("rod", joint=mc.planar("x", "y", "turn"), mass=1, inertia=1 / 12)
    model = made.contact("end", "rod", point=(-0.5, 0), mu=0.3).build()
    start = [0.0, 0.5 * math.sin(1.0), 1.0], [0.0, 0.0, 0.0]
    sure = mc.simulate(model, *start, duration=0.32, step=1e-3 / 81, integrator="theta").q[-1]
    return model, start, 0.32, lambda run: np.abs(run.q[-1] - sure).max()


SCENES = {
    "double pendulum": double_pendulum,
    "bouncing ball": bouncing_ball,
    "spring and floor": spring_and_floor,
    "slipping disc": slipping_disc,
    "rod on the floor": falling_rod,
}


def orders(steps):
    """Errors of every scene and integrator, printed with their slopes."""
    print("1. error at the end against the step (s); slope: of a line through all logarithms")
    print("   scene             scheme  " + "".join(f"{h:>11g}" for h in steps) + "   slope")
    found = {}
    for name, scene in SCENES.items():
        model, start, duration, error_of = scene()
        for integrator in INTEGRATORS:
            errors = []
            for h in steps:
                run = mc.simulate(model, *start, duration=duration, step=h, integrator=integrator)
                assert run.status == "completed", run.status
                errors.append(error_of(run))
            found[name, integrator] = np.array(errors)
            least = max(errors) > 1e-9
            slope = f"{np.polyfit(np.log(steps), np.log(errors), 1)[0]:8.2f}" if least else "   exact"
            print(f"   {name:18s}{integrator:8s}" + "".join(f"{e:11.2e}" for e in errors) + slope)
    return found


def draw(found, steps, path):
    """One picture per scene, error against step in logarithms."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(SCENES), figsize=(3.1 * len(SCENES), 3.3), layout="constrained")
    for ax, name in zip(axes, SCENES, strict=True):
        for integrator in INTEGRATORS:
            errors = found[name, integrator]
            if errors.max() > 1e-9:
                line = "o--" if integrator == "rk4" else "o-"
                ax.loglog(steps, errors, line, ms=3, color=COLOURS[integrator], label=integrator)
        for order, integrator in ((1, "euler"), (2, "theta")):
            guide = 0.5 * found[name, integrator][-1] * (np.array(steps) / steps[-1]) ** order
            if found[name, integrator].max() > 1e-9:
                ax.loglog(steps, guide, ":", lw=0.8, color="0.5")
        ax.set_title(name, fontsize=9)
        ax.set_xlabel("step (s)", fontsize=8)
        ax.set_xticks([1e-3, 1e-2], minor=False)
        ax.set_xlim(0.8 * steps[-1], 1.2e-2)
        ax.minorticks_off()
        ax.tick_params(labelsize=7)
        if found[name, "theta"].max() < 1e-9:
            ax.text(0.05, 0.06, "theta and rk4: exact", transform=ax.transAxes, fontsize=7)
    axes[0].set_ylabel("error at the end", fontsize=8)
    axes[0].legend(fontsize=7)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def chain_of_eight():
    """A chain that floats: no force acts."""
    made = mc.Builder("chain8", gravity=(0, 0))
    made.body("link1", joint=mc.planar("x", "y", "q1"), mass=1, inertia=1 / 12, com=(0.5, 0))
    for i in range(2, 9):
        made.body(f"link{i}", joint=mc.revolute(f"q{i}", at=(1, 0)), mass=1, inertia=1 / 12, com=(0.5, 0))
    rng = np.random.default_rng(0)
    return made.build(), np.r_[0, 0, rng.uniform(-1, 1, 8)], np.r_[0, 0, rng.uniform(-1, 1, 8)]


def centre(model, q):
    """Centre of mass of the chain."""
    return np.mean([[x + 0.5 * math.cos(a), y + 0.5 * math.sin(a)] for x, y, a in model.frames(q)], axis=0)


def long_runs():
    """Height of the elastic ball and place of the chain after 60 s."""
    print(
        "\n2. 60 s in steps of 1 ms: height that an elastic ball has lost (part of 1 m), drift of the centre of mass of"
    )
    print("   a free chain of 8 links (m), change of its energy (part)")
    print("   scheme         height         ratio         drift         ratio        energy")
    model, q0, v0 = chain_of_eight()
    small = 1e-6
    speed = (centre(model, q0 + small * v0) - centre(model, q0 - small * v0)) / (2 * small)
    first = None
    for integrator in INTEGRATORS:
        bounce = mc.simulate(
            ball(restitution=1.0), [0, 1.1, 0], [0, 0, 0], duration=60, integrator=integrator
        )
        floats = mc.simulate(model, q0, v0, duration=60, integrator=integrator)
        lost = abs(bounce.energy[-1] - bounce.energy[0]) / G
        drift = np.linalg.norm(centre(model, floats.q[-1]) - centre(model, q0) - 60 * speed)
        first = first or (lost, drift)
        print(
            f"   {integrator:8s}{lost:13.2e}{first[0] / lost:14.3g}{drift:14.2e}{first[1] / drift:14.3g}"
            f"{floats.energy[-1] / floats.energy[0] - 1:14.2e}"
        )


def main():
    """Run both parts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smallest", type=float, default=2.5e-4)
    parser.add_argument("--figures", type=Path, default=Path(__file__).parent.parent / "docs" / "_static")
    options = parser.parse_args()
    steps = [8e-3]
    while steps[-1] / 2 >= options.smallest:
        steps.append(steps[-1] / 2)
    draw(orders(steps), steps, options.figures / "order.png")
    long_runs()


if __name__ == "__main__":
    main()
