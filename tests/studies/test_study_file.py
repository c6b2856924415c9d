import json

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.cli import main
from modecontrol.studies import Touching
from modecontrol.studies.study_file import read_study

WHOLE = """
model = "rhex"
quantities = ["modes", "thrust"]
objective = "alpha"
task = ["body.normal >= 10"]
margin = 1e-3
out = "results/rhex"
chunk = 2

[parameters]
stall = 10

[vary]
mu_toe = [0.39, "3/5"]
alpha = {from = 0, to = 0.2, steps = 3}

[place]
contacts = ["body", "rear", "middle", "front"]
coordinates = ["z", "phi1", "phi2", "phi3"]
"""
OWN = """
name = "puck"
[parameters]
mu = 0.3
[[body]]
name = "puck"
parent = "world"
joint = {type = "planar", coordinates = ["x", "y", "turn"], start = [0, 0.1, 0]}
mass = 1
inertia = 0.01
[[contact]]
name = "foot"
body = "puck"
point = [0, -0.1]
mu = "mu"
"""


@pytest.fixture
def file(tmp_path):
    made = tmp_path / "study.toml"
    made.write_text(WHOLE)
    return made


def test_the_file_is_the_call(file, capsys):
    assert main(["study", str(file), "--workers", "1"]) == 0
    said = capsys.readouterr().out
    assert "6 points over mu_toe, alpha: complete" in said
    found = mc.Study.load(file.parent / "results" / "rhex")
    place = Touching(["body", "rear", "middle", "front"], ["z", "phi1", "phi2", "phi3"])
    points = {"mu_toe": [0.39, 0.6], "alpha": [0, 0.1, 0.2]}
    here = mc.study(
        mc.load("rhex", stall=10),
        points,
        ["modes", "thrust"],
        objective="alpha",
        task=["body.normal >= 10"],
        margin=1e-3,
        place=place,
        executor=1,
    )
    for name in here.columns:
        np.testing.assert_array_equal(found[name], here[name])


def test_a_second_run_needs_resume(file, capsys):
    assert main(["study", str(file), "--workers", "1", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["study", str(file), "--workers", "1"]) == 2
    assert "already holds 3 chunks of this study" in capsys.readouterr().err
    (file.parent / "results/rhex/chunk-000001.npz").unlink()
    assert main(["study", str(file), "--workers", "1", "--resume", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["status"], data["points"], data["failed"]) == ("complete", 6, 0)
    assert data["columns"]["modes"]["answers"] == 6


def test_a_dry_run_states_points_and_time_and_writes_nothing(file, capsys):
    assert main(["study", str(file), "--dry-run", "--workers", "2", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["points"], data["chunks"], data["workers"], data["sampled"]) == (6, 3, 2, 6)
    assert data["estimated_seconds"] == pytest.approx(3 * data["seconds_per_point"])
    assert main(["study", str(file), "--dry-run"]) == 0
    assert capsys.readouterr().out.startswith("6 points in 3 chunks of 2\n")
    assert not (file.parent / "results").exists()


@pytest.mark.parametrize(("design", "kind"), [("sobol", "sobol"), ("latin hypercube", "latin hypercube")])
def test_random_designs(tmp_path, design, kind):
    file = tmp_path / "s.toml"
    file.write_text(
        f'model = "rod"\ndesign = "{design}"\npoints = 10\nseed = 4\n'
        '[vary]\nmu = {from = 0.1, to = 2}\nphi = [0.5, "pi/3"]\n'
    )
    asked, how = read_study(file)
    assert (asked["points"].kind, len(asked["points"]), how["seed"]) == (kind, 10, 4)
    assert asked["points"].rows[:, 1].max() <= np.pi / 3


def test_a_table(tmp_path):
    file = tmp_path / "s.toml"
    file.write_text('model = "rod"\ndesign = "table"\n[vary]\nmu = [0.1, 0.2]\nphi = [0.5, 0.6]\n')
    assert read_study(file)[0]["points"].rows.tolist() == [[0.1, 0.5], [0.2, 0.6]]


def test_models_lie_beside_the_file(tmp_path):
    (tmp_path / "puck.toml").write_text(OWN)
    (tmp_path / "s.toml").write_text(
        'model = "puck.toml"\nplace = "study_functions:upright"\n[vary]\nmu = [0.1]\n'
    )
    asked, _ = read_study(tmp_path / "s.toml")
    assert asked["model"].name == "puck"
    assert asked["place"].__name__ == "upright"


def test_settings_of_quantities_and_functions(tmp_path):
    quantities = '[{name = "study_functions:noisy"}, {name = "flip", kind = "blind"}]'
    (tmp_path / "s.toml").write_text(f'model = "rod"\nquantities = {quantities}\n[vary]\nmu = [0.1]\n')
    first, second = read_study(tmp_path / "s.toml")[0]["quantities"]
    assert first["name"].__name__ == "noisy"
    assert second == {"name": "flip", "kind": "blind"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model = ", "not valid TOML"),
        ('modle = "rod"', "unknown key 'modle'; did you mean 'model'?"),
        ("[vary]\nmu = [1]", "model is missing"),
        ('model = "rod"', "vary is missing"),
        ('model = "rod"\nvary = 3', "found 3; a table headed [vary] was expected"),
        ('model = "rod"\n[vary]', "nothing varies"),
        ('model = "rod"\n[vary]\nmu = []', "at least one number"),
        ('model = "rod"\n[vary]\nmu = {from = 1}', "expected from and to"),
        (
            'model = "rod"\n[vary]\nmu = {from = 1, to = 2, stpes = 3}',
            "unknown key 'stpes'; did you mean 'steps'?",
        ),
        ('model = "rod"\n[vary]\nmu = {from = 1, to = 2, steps = 0}', "steps is 0"),
        ('model = "rod"\n[vary]\nmu = ["x"]', "'x' is no number"),
        ('model = "rod"\n[vary]\nmu = [true]', "expected numbers"),
        ('model = "rod"\n[vary]\nmuu = [1]', "'muu' is no parameter, coordinate or velocity"),
        ('model = "rod"\ndesign = "sobel"\n[vary]\nmu = [1, 2]', "design is 'sobel'; did you mean 'sobol'?"),
        ('model = "rod"\ndesign = "sobol"\n[vary]\nmu = [1, 2]', "points is missing"),
        ('model = "rod"\npoints = 3\n[vary]\nmu = [1, 2]', "found points beside"),
        ('model = "rod"\nquantities = ["mdoes"]\n[vary]\nmu = [1]', "did you mean 'modes'?"),
        ('model = "rod"\nquantities = ["nowhere:f"]\n[vary]\nmu = [1]', "'nowhere:f' cannot be imported"),
        ('model = "rod"\nplace = 3\n[vary]\nmu = [1]', "place is 3"),
        ('model = "rod"\n[place]\ncontacts = ["tip"]\n[vary]\nmu = [1]', "expected contacts and coordinates"),
        ('model = "nix"\n[vary]\nmu = [1]', "no model 'nix'"),
    ],
)
def test_mistakes_are_one_line(tmp_path, capsys, text, message):
    file = tmp_path / "s.toml"
    file.write_text(text)
    assert main(["study", str(file), "--workers", "1"]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.toml"], "cannot be read"),
        (["{file}", "--workers", "0"], "--workers 0"),
        (["{file}", "--workers", "1", "--scheduler", "tcp://x:1"], "both given"),
        (["{file}", "--chunk", "-1"], "chunk is -1"),
    ],
)
def test_wrong_words_are_one_line(file, capsys, words, message):
    assert main(["study", *(word.format(file=file) for word in words)]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
