"""Show a model: what it is made of, and where it stands at one state."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from modecontrol.cli.parser import model_arguments

if TYPE_CHECKING:
    from modecontrol.cli.output import Output
    from modecontrol.dynamics.mechanism import Mechanism
    from modecontrol.dynamics.model import Model

ABOUT = "show a model: coordinates, inputs, joints, contacts, laws, shapes, parameters, equations"
EXAMPLE = (
    "  modecontrol show rhex\n  modecontrol show rhex --q alpha=pi/9 --out pictures\n"
    "  modecontrol show my/model.toml --equations"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model, a state, and whether to print the equations."""
    model_arguments(parser)
    parser.add_argument("--equations", action="store_true", help="print the equations of motion in symbols")


def run(args: argparse.Namespace, out: Output) -> None:
    """Tables of coordinates, inputs, contacts and parameters; with `--out` the mechanism's picture."""
    from modecontrol.cli.instant import read_model, read_state
    from modecontrol.dynamics.units import coordinate_units, input_units

    model = read_model(args)
    q, v = read_state(model, args)
    snap = model.snapshot(q, v)
    m = model.mechanism
    contacts = [
        (*row, float(mu), float(gap), float(xn), float(xt))
        for row, mu, gap, xn, xt in zip(
            letters_of(model), snap.friction, snap.gap, snap.velocity[0::2], snap.velocity[1::2], strict=True
        )
    ]
    described = model.describe()
    inputs = [
        (i.name, i.coordinates, low, high)
        for i, (low, high) in zip(m.inputs, snap.torque_limits, strict=True)
    ]
    closures, springs, pushes = couplings_of(model.numbers)
    out.data.update(
        _data(model, q, v),
        inputs=_named(("name", "coordinates", "lower", "upper"), inputs),
        contacts=_named(
            ("name", "kind", "body", "mu", "gap", "normal_velocity", "tangential_velocity"), contacts
        ),
        closures=_named(("name", "kind", "joins", "with"), closures),
        springs=_named(("name", "body", "other", "stiffness", "damping", "length"), springs),
        pushes=_named(("name", "body", "force", "moment"), pushes),
    )
    out.say(f"{model.name}: {m.about}".rstrip(": "))
    if m.source:
        out.say(f"source: {m.source}")
    if described.needs:
        out.say("needs " + ", ".join(f"{what} ({count})" for what, count in described.needs.items()))
    out.say()
    unit = coordinate_units(m)
    state = zip(model.coordinates, q.tolist(), v.tolist(), strict=True)
    out.table(
        ("coordinate", "q", "v", "units"),
        [(name, *values, f"{unit[name]}, {unit[name]}/s") for name, *values in state],
    )
    for title, columns, rows in (
        (
            "inputs",
            ("input", "acts on", "lower", "upper", "unit"),
            [(*row, unit) for row, unit in zip(inputs, input_units(m), strict=True)],
        ),
        ("joints", *described.tables.get("joints", ((), ()))),
        (
            "contacts",
            ("contact", "kind", "body", "mu", "gap", "v normal", "v tangent", "units"),
            [(*row, units) for row, units in zip(contacts, _contact_units(model), strict=True)],
        ),
        ("shapes and laws", *described.tables.get("contacts", ((), ()))),
        *(
            (title, *described.tables[title])
            for title in ("stops", "cables", "terrain", "drag")
            if title in described.tables
        ),
        ("closures", ("closure", "kind", "joins", "with"), closures),
        ("springs", ("spring", "body", "other", "stiffness (N/m)", "damping (N s/m)", "length (m)"), springs),
        ("pushes", ("push", "body", "force (N)", "moment (N m)"), pushes),
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


def _named(keys: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(keys, row, strict=True)) for row in rows]


def _data(model: Model, q: Any, v: Any) -> dict[str, Any]:
    """What machines get beside tables of the state."""
    m, described = model.mechanism, model.describe()
    found = {
        "name": model.name,
        "about": m.about,
        "source": m.source,
        "coordinates": model.coordinates,
        "q": q,
        "v": v,
        "needs": dict(described.needs),
        "parameters": dict(model.parameters),
        "constraints": dict(m.constraints),
        "outputs": dict(m.outputs),
        "kinetic_energy": model.kinetic_energy(q, v),
        "potential_energy": model.potential_energy(q),
    }
    for title, (heads, rows) in described.tables.items():
        if title != "inputs":
            found["laws" if title == "contacts" else title] = _named(heads, rows)
    return found


def letters_of(model: Model) -> list[tuple[str, str, str]]:
    """Name, kind and body of everything that has a letter.

    Parameters
    ----------
    model
        A model of a mechanism.
    """
    from modecontrol.dynamics.contact_entries import CABLE, CONTACT, ROLLING, entries

    carried = {name: body.name for body in model.numbers.bodies for name in body.joint.coordinates}
    found = {}
    for entry in entries(model.numbers):
        body = entry.part.body if entry.kind in (CONTACT, CABLE, ROLLING) else carried[entry.coordinate]
        found[entry.name] = (
            entry.name,
            entry.part.kind if entry.kind == CONTACT else entry.kind,
            body,
        )
    return [found[name] for name in model.contacts]


def _contact_units(model: Model) -> list[str]:
    """Units of the gap and of the speeds of everything that has a letter, in the order of the letters."""
    from modecontrol.dynamics.contact_entries import entries
    from modecontrol.dynamics.units import coordinate_units, entry_units

    unit = coordinate_units(model.mechanism)
    found = {entry.name: entry_units(entry, unit) for entry in entries(model.numbers)}
    return [", ".join(found[name][:2]) for name in model.contacts]


def couplings_of(m: Mechanism) -> tuple[list[tuple], list[tuple], list[tuple]]:
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


def _equations(model: Model, out: Output) -> None:
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
