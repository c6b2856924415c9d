"""Random planar mechanisms with every kind of joint, contact, pin, spring and weld, and long chains."""

from dataclasses import replace

import numpy as np

from modecontrol.dynamics.mechanism import WORLD, Body, Contact, Input, Joint, Mechanism, Pin
from modecontrol.dynamics.model import Model


def random_mechanism(seed, bodies=5, massless=False, *, contacts=4, pins=1, springs=True, damping=True):
    """A random forest; without `massless` every body has mass and inertia, so that M is positive definite."""
    rng = np.random.default_rng(seed)

    def point():
        return tuple(map(float, rng.normal(size=2)))

    made, names = [], [WORLD]
    for i in range(bodies):
        kind = str(rng.choice(["planar", "revolute", "prismatic", "weld"], p=[0.15, 0.5, 0.2, 0.15]))
        if i == 0 and kind == "weld":
            kind = "planar"
        count = {"planar": 3, "revolute": 1, "prismatic": 1, "weld": 0}[kind]
        joint = Joint(
            kind,
            tuple(f"q{i}_{c}" for c in range(count)),
            at=point(),
            angle=float(rng.normal()),
            stiffness=float(springs * rng.uniform(0, 3)),
            damping=float(damping * rng.uniform(0, 2)),
            rest=float(rng.normal()),
        )
        light = massless and rng.random() < 0.4
        made.append(
            Body(
                f"b{i}",
                str(rng.choice(names)),
                joint,
                mass=0.0 if light else float(rng.uniform(0.1, 3)),
                inertia=0.0 if light else float(rng.uniform(0.05, 1)),
                com=point(),
            )
        )
        names.append(f"b{i}")
    moving = names[1:]
    touching = []
    for c in range(contacts):
        kind = str(rng.choice(["point", "disc", "disc_disc"]))
        body = str(rng.choice(moving))
        other = str(rng.choice([name for name in names if name != body]))
        touching.append(
            Contact(
                f"c{c}",
                kind,
                body,
                point=point(),
                radius=float(rng.uniform(0.1, 0.5)),
                origin=point(),
                tilt=float(rng.normal()),
                other=other,
                other_point=point(),
                other_radius=float(rng.uniform(0.1, 0.5)),
                mu=0.5,
            )
        )
    closing = []
    for p in range(pins if bodies > 1 else 0):
        a, b = rng.choice(moving, 2, replace=False)
        closing.append(Pin(f"p{p}", str(a), point(), str(b) if rng.random() < 0.7 else WORLD, point()))
    mechanism = Mechanism(
        "random",
        tuple(made),
        contacts=tuple(touching),
        pins=tuple(closing),
        gravity=tuple(map(float, rng.normal(size=2) * 5)),
    )
    motor = Input("tau", mechanism.coordinates[:1], (2.0,), stall=3.0, no_load=5.0)
    return replace(mechanism, inputs=(motor,))


def random_state(model, seed):
    """Normal random `q` and `v`."""
    rng = np.random.default_rng(seed + 1)
    return rng.normal(size=len(model.coordinates)), rng.normal(size=len(model.coordinates))


def chain(n, free=False, closed=False, discs=False):
    """`n` rods of length 1, pinned to the world or free; far end pinned; discs at the ends."""
    bodies = []
    for i in range(n):
        if i == 0 and free:
            joint = Joint("planar", ("x", "y", "q0"))
        else:
            joint = Joint("revolute", (f"q{i}",), at=(0.0, 0.0) if i == 0 else (1.0, 0.0))
        bodies.append(
            Body(
                f"link{i}",
                WORLD if i == 0 else f"link{i - 1}",
                joint,
                mass=1.0,
                inertia=1 / 12,
                com=(0.5, 0.0),
            )
        )
    contacts = [Contact("p", "point", "link0", (0.0, 0.0)), Contact("q", "point", f"link{n - 1}", (1.0, 0.0))]
    if discs:
        contacts += [Contact(f"f{i}", "disc", f"link{i}", (1.0, 0.0), 0.1, mu=0.3) for i in range(n)]
    pins = (Pin("close", f"link{n - 1}", (1.0, 0.0), WORLD, (0.5, 0.0)),) if closed else ()
    return Model(Mechanism("chain", tuple(bodies), contacts=tuple(contacts), pins=pins))
