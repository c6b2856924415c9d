"""Show a model: what it is made of, and where it stands at one state."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from modecontrol.cli.parser import model_arguments

if TYPE_CHECKING:
    from modecontrol.cli.output import Output

ABOUT = "show a model: coordinates, inputs, contacts, parameters, equations"
EXAMPLE = (
    "  modecontrol show rhex\n  modecontrol show rhex --q alpha=pi/9 --out pictures\n"
    "  modecontrol show my/model.toml --equations"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model, a state, and whether to print the equations."""
    model_arguments(parser)
    parser.add_argument("--equations", action="store_true", help="print the equations of motion in symbols")


def run(args: Any, out: Output) -> None:
    """Tables of coordinates, inputs, contacts and parameters; with `--out` the mechanism's picture."""
    from modecontrol.cli.instant import read_model, read_state

    model = read_model(args)
    q, v = read_state(model, args)
    snap = model.snapshot(q, v)
    m = model.mechanism
    contacts = [
        (c.name, c.kind, c.body, float(mu), float(gap), float(xn), float(xt))
        for c, mu, gap, xn, xt in zip(
            m.contacts, snap.friction, snap.gap, snap.velocity[0::2], snap.velocity[1::2], strict=True
        )
    ]
    inputs = [
        (i.name, i.coordinates, low, high)
        for i, (low, high) in zip(m.inputs, snap.torque_limits, strict=True)
    ]
    closures, springs, pushes = couplings_of(model.numbers)
    out.data.update(
        closures=[dict(zip(("name", "kind", "joins", "with"), row, strict=True)) for row in closures],
        springs=[
            dict(zip(("name", "body", "other", "stiffness", "damping", "length"), row, strict=True))
            for row in springs
        ],
        pushes=[dict(zip(("name", "body", "force", "moment"), row, strict=True)) for row in pushes],
        name=model.name,
        about=m.about,
        source=m.source,
        coordinates=model.coordinates,
        q=q,
        v=v,
        inputs=[dict(zip(("name", "coordinates", "lower", "upper"), row, strict=True)) for row in inputs],
        contacts=[
            dict(
                zip(
                    ("name", "kind", "body", "mu", "gap", "normal_velocity", "tangential_velocity"),
                    row,
                    strict=True,
                )
            )
            for row in contacts
        ],
        parameters=dict(model.parameters),
        constraints=dict(m.constraints),
        outputs=dict(m.outputs),
        kinetic_energy=model.kinetic_energy(q, v),
        potential_energy=model.potential_energy(q),
    )
    out.say(f"{model.name}: {m.about}".rstrip(": "))
    if m.source:
        out.say(f"source: {m.source}")
    out.say()
    out.table(("coordinate", "q", "v"), zip(model.coordinates, q.tolist(), v.tolist(), strict=True))
    for title, columns, rows in (
        ("inputs", ("input", "acts on", "lower", "upper"), inputs),
        ("contacts", ("contact", "kind", "body", "mu", "gap", "v normal", "v tangent"), contacts),
        ("closures", ("closure", "kind", "joins", "with"), closures),
        ("springs", ("spring", "body", "other", "stiffness", "damping", "length"), springs),
        ("pushes", ("push", "body", "force", "moment"), pushes),
        ("parameters", ("parameter", "value"), list(model.parameters.items())),
        ("constraints", ("constraint", "rule"), list(m.constraints.items())),
        ("outputs", ("output", "expression"), list(m.outputs.items())),
    ):
        if rows:
            out.say()
            out.table(columns, rows, title)
    if args.equations:
        _equations(model, out)
    if out.wants_files:
        from modecontrol.view.mechanism import plot_mechanism

        out.picture("mechanism", lambda ax: plot_mechanism(model, q, ax), (6.4, 4.8))


def couplings_of(m: Any) -> tuple[list[tuple], list[tuple], list[tuple]]:
    """Rows of closures (pins too), springs and pushes.

    Parameters
    ----------
    m
        A mechanism with numbers.
    """
    closures = [(pin.name, "pin", pin.body, pin.other) for pin in m.pins]
    closures += [
        (c.name, c.kind, c.coordinate, c.other_coordinate)
        if c.kind == "gear"
        else (c.name, c.kind, c.body, c.other)
        for c in m.closures
    ]
    springs = [(s.name, s.body, s.other, s.stiffness, s.damping, s.length) for s in m.springs]
    return closures, springs, [(p.name, p.body, p.force, p.moment) for p in m.pushes]


def _equations(model: Any, out: Output) -> None:
    found = model.equations
    parts = {
        name: getattr(found, name)
        for name in ("mass", "coriolis", "gravity", "contact_jacobian")
        if hasattr(found, name)
    }
    out.data["equations"] = {name: str(value) for name, value in parts.items()}
    for name, value in parts.items():
        out.say()
        out.say(f"{name.replace('_', ' ')}: {value}")
