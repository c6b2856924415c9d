"""What `modecontrol check` finds in a model file, kind by kind, and that it finds nothing in those that ship."""

import json

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.cli import main
from modecontrol.dynamics import models
from modecontrol.dynamics.lint import lint

CLEAN = """
name = "clean"
[parameters]
l = 0.5
[[body]]
name = "box"
parent = "world"
joint = {type = "planar", coordinates = ["x", "y", "turn"], start = [0, "l", 0]}
mass = 1
inertia = 0.1
[[contact]]
name = "foot"
body = "box"
point = [0, "-l"]
mu = 0.5
"""
FOUR_BAR = """
name = "bars"
[[body]]
name = "crank"
parent = "world"
joint = {type = "revolute", coordinate = "a", start = 1.2, CRANK}
MASS
[[body]]
name = "coupler"
parent = "crank"
joint = {type = "revolute", coordinate = "b", at = [0.3, 0], start = -1.2}
MASS
[[body]]
name = "rocker"
parent = "world"
joint = {type = "revolute", coordinate = "c", at = [0.9, 0], start = 1.2, ROCKER}
MASS
[[pin]]
name = "loop"
body = "coupler"
point = [0.9, 0]
other = "rocker"
other_point = [0.3, 0]
"""
"""A parallelogram, closed at every crank angle as it starts."""


BOXES = "".join(
    f"""
[[body]]
name = "{name}"
parent = "world"
joint = {{type = "planar", coordinates = ["x{i}", "y{i}", "turn{i}"], start = [{0.8 * i}, 0.5, 0]}}
mass = 1
inertia = 0.1
outline = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
[[contact]]
name = "foot{i}"
type = "polygon"
body = "{name}"
"""
    for i, name in enumerate(("one", "two"))
)


def bars(crank="", rocker="", mass="mass = 1"):
    text = FOUR_BAR.replace("MASS", mass)
    for word, joint in ((", CRANK", crank), (", ROCKER", rocker)):
        text = text.replace(word, f", {joint}" if joint else "")
    return text


@pytest.fixture
def found(tmp_path):
    def findings(text):
        file = tmp_path / "model.toml"
        file.write_text(text, encoding="utf-8")
        return [(finding.kind, str(finding)) for finding in lint(mc.load(file))]

    return findings


@pytest.mark.parametrize("name", models())
def test_the_models_that_ship_are_clean(name):
    assert lint(mc.load(name)) == ()


def test_clean_files(found):
    assert found(CLEAN) == []
    assert found(bars(crank="lower = -1, upper = 3")) == []
    assert found(BOXES.replace("[0.8,", "[1.2,")) == []
    declared = '[[contact]]\nname = "pair"\ntype = "polygon"\nbody = "one"\nother = "two"'
    assert [kind for kind, _ in found(BOXES + declared)] == ["starts inside"] * 2


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        (
            CLEAN.replace("l = 0.5", "l = 0.5\nwidth = 0.3"),
            "unused parameter",
            "parameter 'width': nothing depends on it; it can go",
        ),
        (
            CLEAN.replace("l = 0.5", 'l = 0.5\nwidth = 0.3\narea = "width*l"'),
            "unused parameter",
            "parameter 'area': nothing depends on it; it can go",
        ),
        (
            CLEAN + '[[terrain]]\nname = "hill"\nline = [[0, 0], [1, 0]]',
            "unused terrain",
            "terrain 'hill': no contact touches it",
        ),
        (
            CLEAN.replace('[0, "l", 0]', '[0, "l - 0.02", 0]'),
            "starts inside",
            "contact 'foot': starts 0.02 inside what it touches",
        ),
        (
            CLEAN.replace("start = [", "speed = [0, -1.5, 0], start = ["),
            "impact",
            "contact 'foot': is closed at the start and approaches at 1.5",
        ),
        (
            CLEAN.replace(
                "[[contact]]", '[[contact]]\nname = "own"\nbody = "box"\nwall = {body = "part"}\n[[contact]]'
            )
            + '[[body]]\nname = "part"\nparent = "box"\njoint = {type = "weld", at = [0, -1]}',
            "never moves",
            "contact 'own': 'box' and 'part' do not move against each other",
        ),
        (
            BOXES,
            "overlap",
            "bodies 'one' and 'two': overlap by 0.2 at the start, and no contact is declared between them",
        ),
        (
            CLEAN.replace("mass = 1\ninertia = 0.1\n", ""),
            "no mass",
            "mechanism: no body has a mass, so that nothing says how it moves",
        ),
        (bars(mass=""), "massless loop", "loop 'loop': none of coupler, crank, rocker has mass"),
        (
            bars().replace("start = 1.2", "start = 1.3", 1),
            "starts open",
            None,
        ),
        (
            bars(crank="lower = -9"),
            "unreachable stop",
            "lower stop of 'a': is 10.2 rad from the start, more than a full turn",
        ),
    ],
)
def test_findings(found, text, kind, sentence):
    here = found(text)
    assert kind in [each for each, _ in here]
    assert sentence is None or (kind, sentence) in here


def test_a_stop_that_the_loop_keeps_it_from(found):
    """A rocker of 0.6 m that is led by a crank of 0.3 m swings by less than half a turn; its ends are the dead centres."""
    text = (
        bars(rocker="lower = 0.1, upper = 3.1")
        .replace("[0.9, 0], start = 1.2", "[0.9, 0], start = 1.9")
        .replace("point = [0.9, 0]", "point = [0.8, 0]")
        .replace("other_point = [0.3, 0]", "other_point = [0.6, 0]")
    )
    crank, coupler, rocker, ground, angle = 0.3, 0.8, 0.6, 0.9, 1.2
    e = np.hypot(ground - crank * np.cos(angle), crank * np.sin(angle))
    beta = np.arctan2(-crank * np.sin(angle), ground - crank * np.cos(angle)) + np.arccos(
        (e**2 + coupler**2 - rocker**2) / (2 * e * coupler)
    )
    delta = np.arctan2(
        crank * np.sin(angle) + coupler * np.sin(beta),
        crank * np.cos(angle) + coupler * np.cos(beta) - ground,
    )
    text = text.replace("start = -1.2", f"start = {beta - angle}").replace("start = 1.9", f"start = {delta}")
    here = {
        words.split("'")[0]: float(words.rsplit(" ", 1)[1]) for kind, words in found(text) if "stop" in kind
    }
    reach = [
        np.pi - np.arccos((ground**2 + rocker**2 - (coupler + sign * crank) ** 2) / (2 * ground * rocker))
        for sign in (1, -1)
    ]
    steps = (delta - 0.1) / 200, (3.1 - delta) / 200
    assert 0 <= here["lower stop of "] - reach[0] <= steps[0]
    assert 0 <= reach[1] - here["upper stop of "] <= steps[1]


def test_exit_codes_and_json(tmp_path, capsys):
    file = tmp_path / "model.toml"
    file.write_text(CLEAN, encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert capsys.readouterr().out == "clean: nothing odd was found\n"
    file.write_text(CLEAN.replace("l = 0.5", "l = 0.5\nw = 1"), encoding="utf-8")
    assert main(["check", str(file)]) == 1
    assert capsys.readouterr().out == "unused parameter: parameter 'w': nothing depends on it; it can go\n"
    assert main(["check", str(file), "--json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding == {
        "kind": "unused parameter",
        "place": "parameter 'w'",
        "text": "nothing depends on it; it can go",
    }
    file.write_text(CLEAN.replace("mass = 1", "mass = -1"), encoding="utf-8")
    assert main(["check", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
