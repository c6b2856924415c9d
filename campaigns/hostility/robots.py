"""URDF and MJCF: mutations, bombs of entities, references to other files, huge numbers and counts."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hostility import robot_texts
from hostility.judging import judge
from hostility.texts import damaged

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "interop"))
import files

from modecontrol.interop.mjcf import from_mjcf
from modecontrol.interop.urdf import from_urdf

SECRET = "what-no-model-may-show"
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY l0 "lol">'
    + "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(12))
    + "]>"
)
DOCTYPES = (
    BOMB,
    '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE x [<!ENTITY a SYSTEM "{secret}">]>',
    '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
    '<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///dev/zero"> %p;]>',
)
NAMES = ("&l12;", "&a;", "&l3;")
INSIDE = (
    '<include file="{secret}"/>',
    '<include file="/dev/zero"/>',
    '<replicate count="1000000000"><geom type="sphere" size="1"/></replicate>',
    '<composite type="grid" count="10000 10000 1" spacing="1"><geom type="sphere" size=".1"/></composite>',
    '<size memory="900G"/>',
    '<size nuserdata="2000000000"/>',
    "<body>" * 3000,
    '<asset><mesh name="m" file="/dev/zero"/></asset>',
    '<extension><plugin plugin="x"/></extension>',
    '<geom type="mesh" mesh="m"/>',
    "<a" + "".join(f' b{i}="1"' for i in range(3000)) + "/>",
)


def prepare(seed: int) -> Callable[[int], str | None]:
    """A function that runs the case with a number and judges it."""
    known = {**vars(files), **vars(robot_texts)}
    texts = {name: text for name, text in known.items() if name.endswith(("_URDF", "_MJCF"))}
    folder = Path(tempfile.mkdtemp(prefix="hostile-robots-"))
    secret = folder / "secret.txt"
    secret.write_text(SECRET, encoding="utf-8")
    names = sorted(texts)
    for name in names:
        path = folder / "warm.xml"
        path.write_text(texts[name], encoding="utf-8")
        judge(lambda name=name, path=path: (from_urdf if name.endswith("URDF") else from_mjcf)(path))

    def case(index: int) -> str | None:
        rng = np.random.default_rng([seed, 3, index])
        name = names[rng.integers(len(names))]
        text = texts[name]
        kind, both = rng.random(), name.startswith("SIDES")
        if kind < 0.2:
            text = _with_entities(rng, text)
        elif kind < 0.4:
            at = [i for i, letter in enumerate(text) if letter == "<"]
            place = at[rng.integers(len(at))]
            text = text[:place] + INSIDE[rng.integers(len(INSIDE))] + text[place:]
        if kind >= 0.35:
            text = damaged(rng, text)
        path = folder / f"{index}.xml"
        path.write_text(text.replace("{secret}", str(secret)), encoding="utf-8", errors="surrogatepass")

        def read() -> None:
            urdf = name.endswith("URDF")
            model = from_urdf(path, base="floating", floor=0.0) if urdf else from_mjcf(path, sagittal=both)
            shown = f"{model!r} {model.parameters} {model.mechanism}"
            assert SECRET not in shown, "another file was read"
            assert "root:" not in shown, "another file was read"
            model.snapshot(model.start)

        found = judge(read)
        path.unlink()
        return None if found is None else f"{name}: {found}\n{text[:1500]}"

    return case


def _with_entities(rng: np.random.Generator, text: str) -> str:
    """A document type in front, and an entity of it in some attribute."""
    places = [i + 1 for i in range(len(text) - 1) if text[i] == '"']
    place = places[rng.integers(len(places))]
    return (
        DOCTYPES[rng.integers(len(DOCTYPES))] + text[:place] + NAMES[rng.integers(len(NAMES))] + text[place:]
    )
