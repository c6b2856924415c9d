"""The command line, mostly through `main(argv)`; a few real processes for pipes, start-up and signals."""

import json
import subprocess
import sys
import time

import pytest

import modecontrol as mc
from modecontrol.cli import main
from modecontrol.cli.parser import COMMANDS, tidy

OWN = """
name = "puck"
about = "A block of my own"
[parameters]
mu = 0.3
[[body]]
name = "puck"
parent = "world"
joint = {type = "planar", coordinates = ["x", "y", "turn"], start = [0, 0.1, 0]}
mass = 1
inertia = 0.01
outline = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]
[[input]]
name = "push"
coordinate = "x"
[[contact]]
name = "foot"
body = "puck"
point = [0, -0.1]
mu = "mu"
"""


@pytest.fixture
def run(capsys):
    """Run a command that must succeed; gives what it printed."""

    def go(*words):
        code = main(list(words))
        captured = capsys.readouterr()
        assert code == 0, captured.err
        return captured.out

    return go


@pytest.fixture
def data(run):
    """Run a command with --json; gives the parsed result."""
    return lambda *words: json.loads(run(*words, "--json"))


# Every command on at least two models -----------------------------------------------------------------------


def test_models_lists_all_that_ship(run, data):
    import modecontrol as mc

    assert [m["name"] for m in data("models")["models"]] == mc.models()
    assert "Two links with one elbow torque" in run("models")


def rows_of(text, title):
    """Rows of a table by their first word, without the head."""
    lines = text.split(f"{title}\n", 1)[1].split("\n\n")[0].splitlines()[1:]
    return {line.split()[0]: line for line in lines}


def test_every_number_of_a_table_has_its_unit(run):
    shown = run("show", "compass")
    contacts = rows_of(shown, "\ncontacts")
    stops = [name for name in contacts if name.endswith(".stop")]
    assert stops
    assert all(contacts[name].endswith("rad, rad/s") for name in stops)
    assert all(line.endswith(" m, m/s") for name, line in contacts.items() if name not in stops)
    best = run("thrust", "pusher", "--maximize", "x", "--margin", "0")
    assert rows_of(best, "\ninputs")["push"].endswith(" N")
    assert rows_of(best, "\naccelerations")["theta"].endswith(" rad/s2")
    assert rows_of(best, "\naccelerations")["s"].endswith(" m/s2")
    assert rows_of(best, "\nforces")["tip.normal"].endswith(" N")
    knee = rows_of(run("thrust", "ramone", "--maximize", "y", "--limits=-5:5"), "\nforces")
    assert any(name.endswith(".stop") for name in knee)
    assert all(line.endswith(" N m") for name, line in knee.items() if name.endswith(".stop"))
    assert "mode  from (s)  to (s)" in run("simulate", "block", "--duration", "0.01")


@pytest.mark.parametrize("name", ["two_link", "rhex"])
def test_show(data, run, name):
    import modecontrol as mc

    model = mc.load(name)
    found = data("show", name)
    assert found["coordinates"] == list(model.coordinates)
    assert [c["name"] for c in found["contacts"]] == list(model.contacts)
    assert all(word in run("show", name) for word in (*model.coordinates, *model.contacts))


def test_show_at_another_state_with_other_parameters(data):
    found = data("show", "rhex", "--q", "alpha=pi/8,z=d", "--v=phi1=-1", "--set", "mu_toe=0.39")
    assert found["q"][2] == pytest.approx(0.39269908)
    assert found["q"][1] == 0.25
    assert found["v"][3] == -1.0
    assert found["contacts"][1]["mu"] == 0.39
    assert found["inputs"][0]["upper"] == pytest.approx(11 * (1 - 1 / 40))


def test_show_lists_what_a_medium_does(data, run, tmp_path):
    file = tmp_path / "model.toml"
    file.write_text(
        'wind = [0.5, 0]\n[[body]]\nname = "fin"\nparent = "world"\njoint = {type = "prismatic", coordinate = "s"}\nmass = 1\n'
        "drag = {linear = [0.1, 0], quadratic = [2, 40], angle = 0.25}\n",
        encoding="utf-8",
    )
    assert data("show", str(file))["drag"] == [
        {
            "drag": "fin",
            "along": "0.1 u + 2 abs(u) u N",
            "across": "40 abs(u) u N",
            "turning": "none",
            "angle": "0.25 rad",
        },
        {"drag": "wind", "along": "0.5 m/s", "across": "0 m/s", "turning": "none", "angle": "world"},
    ]
    assert "fin   0.1 u + 2 abs(u) u N" in run("show", str(file))


def test_unlimited_inputs_are_null_in_json(data):
    assert data("show", "two_link")["inputs"][0]["lower"] is None


def test_modes_of_two_models(data, run):
    assert [row["mode"] for row in data("modes", "table")["modes"]] == ["FF", "LL", "RR"]
    assert [row["mode"] for row in data("modes", "two_link", "--set", "mu=0.8")["modes"]] == [
        "FFF",
        "FFS",
        "LRL",
        "SFF",
        "SSS",
    ]
    assert "left.tangent" in run("modes", "table")


def test_kinematic_modes(data):
    assert len(data("modes", "two_link", "--kinematic")["kinematic_modes"]) == 24


def test_explain_and_at(run, data):
    assert "LFF cannot happen" in run("modes", "two_link", "--explain", "lff")
    assert data("modes", "table", "--at", "40")["modes"] == ["RR"]
    assert "unambiguous: FF" in run("modes", "table", "--at", "push=-3")


def test_limits_and_constraints(data):
    limited = data("modes", "table", "--limits", "-10:10")
    assert [row["mode"] for row in limited["modes"]] == ["FF"]
    assert [row["mode"] for row in data("modes", "table", "--limits", "push=30:")["modes"]] == ["RR"]


def test_domains_of_two_models(run, data):
    text = run("domains", "table", "--mode", "FF")
    assert "push <= 29.43" in text
    assert "left friction" in text
    found = data("domains", "rod", "--mode", "F", "--mode", "S")
    assert set(found["modes"]) == {"F", "S"}
    assert len(found["modes"]["F"]["torques"]["A"][0]) == 3


def test_ambiguity_of_two_models(run, data):
    assert "no two modes share inputs" in run("ambiguity", "table")
    found = data("ambiguity", "rod", "--set", "mu=2", "--limits", "-30:30")
    assert [c["modes"] for c in found["clashes"]] == [["F", "L"], ["F", "S"], ["L", "S"]]
    shares = found["coverage"]
    assert shares["unambiguous"] + shares["ambiguous"] + shares["inconsistent"] == pytest.approx(
        shares["whole"]
    )


def test_thrust_of_two_models(data, run):
    found = data("thrust", "rhex")
    assert found["mode"] == "RFLL"
    assert found["value"] == pytest.approx(86.2608, abs=1e-3)
    assert found["task"] == ["body.normal >= 10"]
    assert data("thrust", "rhex", "--no-task")["value"] >= found["value"] - 1e-9
    assert "best guaranteed y" in run("thrust", "rod", "--limits", "-5:5", "--maximize", "y")


def test_forces_of_joints_go_by_the_names_that_constraints_use(data):
    found = data("thrust", "compass", "--maximize", "hip")
    names = ["left_foot.normal", "left_foot.tangent", "right_foot.normal", "right_foot.tangent"]
    assert list(found["force"]) == [*names, "left_knee.stop", "right_knee.stop"]
    response = mc.dynamic_response(mc.load("compass").snapshot(mc.load("compass").start))
    for name in found["force"]:
        mc.maximize(response, name)  # each is a quantity by that name


def test_sure_with_errors_of_the_inputs_and_a_force(data, run):
    words = ("sure", "rhex", "--torque-error", "0.2", "--force", "y=-2..2", "--guarantee", "outcome")
    found = data(*words)
    assert found["value"] == pytest.approx(84.0627, abs=1e-3)
    assert found["worst_load"]["error of tau1"] == pytest.approx(0.2)
    assert found["forces"] == {"y": [-2.0, 2.0]}
    said = run(*words)
    assert "every input off by up to 0.2" in said
    assert "a force on y anywhere from -2 to 2" in said
    assert "worst disturbance" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["thrust", "rhex", "--task", "body.normal >= 1e6"], "no answer: no contact mode can meet the task"),
        (["modes", "table", "--physical", "left.normal >= 1000"], "no contact mode can happen"),
        (["modes", "rhex", "--at", "5,5,5"], "inconsistent: no mode explains these inputs"),
    ],
)
def test_no_answer_has_an_exit_code_of_its_own(words, message, capsys):
    assert main(words) == 3
    assert message in capsys.readouterr().out


def test_a_task_is_not_ignored(data):
    plain, wished = data("modes", "two_link"), data("modes", "two_link", "--task", "p1.normal >= 1e9")
    assert all("task" not in row for row in plain["modes"])
    assert {row["mode"]: row["task"] for row in wished["modes"]} == {"FFF": "yes", "LRL": "no", "SSS": "no"}
    sets = data("domains", "table", "--task", "left.normal >= 8", "--mode", "FF")["modes"]["FF"][
        "task_torques"
    ]
    assert len(sets) == 1
    assert (
        data("domains", "table", "--task", "left.normal >= 1e9", "--mode", "FF")["modes"]["FF"][
            "task_torques"
        ]
        == []
    )


def test_many_inputs_write_their_data_and_say_what_is_not_drawn(run, tmp_path):
    said = run("ambiguity", "biped", "--samples", "300", "--out", str(tmp_path))
    assert "verdicts at 300 random inputs" in said
    assert "nothing is drawn" in said
    assert "--project" not in said
    found = json.loads((tmp_path / "ambiguity.json").read_text())
    assert sum(
        found["sampled"][name] for name in ("unambiguous", "ambiguous", "inconsistent")
    ) == pytest.approx(1.0)
    assert len(found["clashes"]) > 100
    assert found["unambiguous"]["FFFF"]["pieces"] >= 1
    said = run("domains", "biped", "--mode", "FFFF", "--out", str(tmp_path))
    assert "nothing is drawn: at most three of the 6 inputs can be" in said
    assert (tmp_path / "domains.json").is_file()


def test_thousands_of_modes_are_answered_within_a_stated_bound(run):
    said = run("ambiguity", "snake", "--samples", "40")
    assert "2262 modes make 2557191 pairs: only those met at the random inputs are compared" in said


def test_simulate_two_models(data, run):
    found = data("simulate", "block", "--set", "slope=0.3,mu=0.2", "--duration", "0.1")
    assert found["status"] == "completed"
    assert [span["mode"] for span in found["modes"]] == ["LL"]
    pushed = data("simulate", "table", "--tau", "push=40", "--duration", "0.1")
    assert pushed["v"]["x"] == pytest.approx(0.1 * (40 - 0.3 * 98.1) / 10, rel=1e-6)
    assert "10 steps of 0.001 s, completed" in run("simulate", "rhex", "--duration", "0.01")


def test_simulate_with_the_thrust_controller(data):
    found = data("simulate", "table", "--thrust", "x", "--duration", "0.01", "--rate", "500")
    assert found["status"] == "completed"
    assert found["fallbacks"] == {"no mode": 5}  # without torque limits the best push is unbounded


# Files ------------------------------------------------------------------------------------------------------


def test_out_writes_pictures_and_data(data, run, tmp_path):
    folder = tmp_path / "new" / "results"
    found = data("domains", "table", "--mode", "FF", "--out", str(folder))
    names = {"torques.png", "torques.pdf", "domain_FF.png", "domain_FF.pdf", "domains.json"}
    assert {file.name for file in folder.iterdir()} == names
    assert sorted(found["files"]) == sorted(str(folder / name) for name in names)
    assert json.loads((folder / "domains.json").read_text())["modes"].keys() == {"FF"}
    text = run("ambiguity", "two_link", "--out", str(folder))
    assert f"wrote {folder / 'ambiguity.png'}" in text
    assert "wrote" not in run("show", "rod", "--out", str(folder), "--quiet")
    assert (folder / "mechanism.png").stat().st_size > 5000
    run("thrust", "rhex", "--out", str(folder))
    assert json.loads((folder / "thrust.json").read_text())["mode"] == "RFLL"


def test_simulation_files(data, tmp_path):
    import modecontrol as mc

    data("simulate", "rod", "--duration", "0.05", "--animate", "gif", "--out", str(tmp_path))
    assert {file.name for file in tmp_path.iterdir()} == {
        "trajectory.npz",
        "trajectory.csv",
        "trajectory.png",
        "trajectory.pdf",
        "stroboscope.png",
        "stroboscope.pdf",
        "animation.gif",
    }
    assert len(mc.Trajectory.load(tmp_path / "trajectory.npz")) == 50


def test_explore_writes_its_page_into_a_file(run, tmp_path):
    run("explore", "two_link", "--vary", "mu=0.1:0.9", "--out", str(tmp_path))
    text = (tmp_path / "explore.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert '"name":"mu","unit":"","values":[0.1,' in text


def test_explore_shows_machines_what_the_page_begins_with(data):
    found = data("explore", "rod", "--set", "mu=1.6", "--v", "x=-1")
    assert found["at"]["verdict"] == "inconsistent"
    assert found["state"]["v"] == [-1.0, 0.0, 0.0]


def test_own_model_file(data, tmp_path):
    file = tmp_path / "puck.toml"
    file.write_text(OWN)
    assert data("show", str(file))["name"] == "puck"
    assert [row["mode"] for row in data("modes", str(file), "--set", "mu=0.1")["modes"]] == ["F", "L", "R"]


# Errors: exit code 2 and one line ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["modes", "rhexx"], "did you mean 'rhex'"),
        (["modes", "no/such.toml"], "expected a path to a model.toml or one of"),
        (["modes", "rod", "--q", "1,2"], "--q has 2 numbers; expected 3 (x, y, phi)"),
        (["modes", "rod", "--q", "phy=1"], "did you mean 'phi'"),
        (["modes", "rod", "--q", "phi=one"], "is no number"),
        (["modes", "rod", "--q", "phi=__import__('os')"], "is no number"),
        (["modes", "rod", "--q", "phi=nan"], "expected a finite number"),
        (["modes", "rod", "--q", "y=0.1"], "contact 'tip' is 0.3207 m inside"),
        (["modes", "rod", "--v", "0,-1,0"], "approaches at 1 m/s"),
        (["modes", "rod", "--set", "mu"], "expected NAME=VALUE"),
        (["modes", "rod", "--set", "my=1"], "my"),
        (["modes", "rod", "--set", "mu=-1"], "mu"),
        (["modes", "rod", "--limits", "5"], "expected LOW:HIGH"),
        (["modes", "rod", "--limits", "5:-5"], "LOW <= HIGH"),
        (["modes", "rod", "--limits", "fz=1:2"], "expected some of fx, fy, tau"),
        (["modes", "rod", "--task", "tip.normal >> 3"], "tip.normal"),
        (["modes", "rod", "--explain", "FF"], "expected 1 letter"),
        (
            ["domains", "table", "--mode", "LR"],
            "mode LR cannot happen here; modecontrol modes table --explain LR says why",
        ),
        (["domains", "table", "--mode", "QR"], "is not a contact mode; expected 2 letters"),
        (["ambiguity", "rhex", "--project", "tau1,tau2"], "--project"),
        (["ambiguity", "rod", "--slice", "tua=0", "--out", "OUT"], "did you mean 'tau'"),
        (["thrust", "rod", "--maximize", "alpha"], "alpha"),
        (["thrust", "rod", "--margin", "-1"], "margin"),
        (["simulate", "rod", "--step", "-1"], "step"),
        (["simulate", "rod", "--step", "1e-9", "--duration", "1e9"], "makes 1e+18 steps"),
        (["simulate", "rod", "--speed", "0"], "--speed is 0; expected a positive number"),
        (
            ["simulate", "rod", "--animate", "mkv", "--out", "OUT"],
            "unknown --animate 'mkv' (known: gif, mp4, html)",
        ),
        (["simulate", "rod", "--formulation", "xyz"], "xyz"),
        (
            ["flip", "--controller", "best"],
            "unknown --controller 'best' (known: new, blind, sure, no thresholds)",
        ),
        (["show", "rod", "--out", "/dev/null/folder"], "the folder cannot be made"),
        (["simulate", "rod", "--animate", "gif"], "--animate needs --out"),
        (["simulate", "rod", "--tau", "0,0,0", "--thrust", "y"], "both given"),
        (["explore", "rod", "--port", "70000"], "expected a number from 0 to 65535"),
        (["explore", "rod", "--vary", "mu"], "--vary is for pages in a file"),
        (
            ["explore", "rod", "--vary", "mud", "--out", "OUT"],
            "expected one of m, l, I, mu, theta, x, y, phi",
        ),
        (["explore", "rod", "--vary", "mu=1:", "--out", "OUT"], "with both ends"),
        (["domains", "rod", "--slice", "tua=0"], "--slice needs --out"),
        (["domains", "rod", "--slice", "tua=0", "--out", "OUT"], "did you mean 'tau'"),
        (["domains", "rod", "--project", "fx,fz", "--out", "OUT"], "'fz'"),
        (["domains", "rhex", "--window", "tau9=0:1", "--out", "OUT"], "'tau9'"),
        (["domains", "snake", "--window", "tau9=0:1", "--out", "OUT"], "'tau9'"),
        (["ambiguity", "rod", "--window", "-1:1"], "--window needs --out"),
        (["ambiguity", "rod", "--samples", "0"], "--samples is 0"),
        (["modes", "rod", "--kinematic", "--limits", "fz=1:2"], "--limits and --kinematic were both given"),
        (["modes", "rod", "--kinematic", "--at", "0,0,0"], "--at and --kinematic were both given"),
        (["modes", "rod", "--explain", "F", "--at", "nix=1"], "--at and --explain were both given"),
        (["modes", "rod", "--set", "mu=1", "--set", "mu=2"], "--set names 'mu' twice"),
        (["modes", "rod", "--q", "x=1,x=2"], "--q names 'x' twice"),
        (["modes", "rod", "--out", ""], "--out is empty"),
        (["sure", "rod", "--uncertain", "mu=1..2", "--uncertain", "mu=1..3"], "--uncertain names 'mu' twice"),
        (["thrust", "rod", "--maximize", ""], "found an empty text"),
        (["simulate", "rod", "--speed", "2"], "--speed needs --animate"),
        (["simulate", "rod", "--rate", "100"], "--rate needs --thrust"),
        (["flip", "--redraw", "OUT", "--friction", "0.4"], "--friction and --redraw were both given"),
        (["flip", "--redraw", "OUT", "--set", "nix=1"], "--set and --redraw were both given"),
        (["flip", "--seed", "3"], "--seed needs --noise"),
        (["flip", "--sensitivity"], "--sensitivity needs --out"),
        (["flip", "--controller", "new", "--uncertain", "nix=1..2"], "no effect on new"),
        (["explore", "rod", "--out", "OUT", "--port", "80"], "--port and --out were both given"),
        (["explore", "run.npz", "--limits", "nix=1:2"], "--limits is for live models"),
        (["explore", "run.npz", "--set", "nix=1"], "--set is for live models"),
        (["mode", "rod"], "did you mean modes?"),
        (["modes"], "the following arguments are required: MODEL"),
        (["modes", "rod", "--nix"], "unknown option '--nix'; see modecontrol modes --help"),
        (["modes", "rod", "--exlain", "S"], "unknown option '--exlain'; did you mean --explain?"),
        (["modes", "rod", "more"], "unknown word 'more'"),
        (["domains", "rod", "--slice", "taw=0", "--out", "OUT"], "did you mean 'tau'?"),
        (["domains", "rod", "--window", "3", "--out", "OUT"], "--window is '3'"),
        (["ambiguity", "rod", "--slice", "taw=0", "--out", "OUT"], "did you mean 'tau'?"),
        (["ambiguity", "rod", "--samples", "-3"], "--samples is -3"),
        (["simulate", "rod", "--rate", "100"], "constant inputs need no controller"),
        (["simulate", "rod", "--integrator", "thet"], "did you mean theta?"),
        (["thrust", "rod", "--margin", "x"], "invalid float value: 'x'"),
        ([], "the following arguments are required: COMMAND"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(words, message, capsys, tmp_path, monkeypatch):
    import matplotlib

    monkeypatch.setattr(matplotlib, "get_backend", lambda *_, **__: "agg")
    words = [str(tmp_path) if word == "OUT" else word for word in words]
    assert main(words) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("modecontrol")
    assert captured.out == ""


def test_inequalities_are_aligned_under_the_names_of_the_inputs(run):
    rows = [line for line in run("domains", "rhex", "--mode", "RFLL").splitlines() if "[" in line]
    assert len(rows) >= 5
    assert len({line.index("[") for line in rows}) == 1


@pytest.mark.parametrize("command", ["modes", "simulate"])
def test_an_open_loop_is_refused_with_the_options_of_the_nearest_state(command, capsys):
    assert main([command, "four_bar", "--q", "q2=-0.2"]) == 2
    said = capsys.readouterr().err
    assert "loop 'loop' is open by 0.4665 m; the nearest that can has --q q2=-0.791661192" in said
    assert said.count("\n") == 1
    assert main(["modes", "four_bar", "--q", "q2=-0.791661192", "--quiet"]) == 0


def test_every_command_leaves_its_data_in_the_folder(run, tmp_path):
    run("modes", "rod", "--kinematic", "--out", str(tmp_path))
    run("check", "rod", "--out", str(tmp_path))
    assert json.loads((tmp_path / "kinematic_modes.json").read_text())["kinematic_modes"] == list("FLRS")
    assert json.loads((tmp_path / "findings.json").read_text())["findings"] == []


def test_out_that_is_a_file_is_refused(capsys, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    assert main(["show", "rod", "--out", str(file)]) == 2
    assert "is a file; expected a folder" in capsys.readouterr().err


def test_failures_of_the_library_are_one_line_and_exit_code_one(capsys, monkeypatch):
    import modecontrol.dynamics.library as library

    def fail(*_, **__):
        raise ArithmeticError("nothing adds up\nat all")

    monkeypatch.setattr(library, "read", fail)
    assert main(["show", "rod"]) == 1
    assert capsys.readouterr().err == (
        "modecontrol show: no answer: nothing adds up at all (ArithmeticError; --debug shows where)\n"
    )
    with pytest.raises(ArithmeticError):
        main(["show", "rod", "--debug"])


def test_interruption_has_its_own_exit_code(capsys, monkeypatch):
    import modecontrol.dynamics.library as library

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(library, "read", stop)
    assert main(["show", "rod"]) == 130
    assert capsys.readouterr().err == "modecontrol show: stopped\n"


# Words ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_has_an_example(command, capsys):
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"example:\n  modecontrol {command}" in text
    assert "--json" in text


def test_values_that_begin_with_a_minus_are_values():
    assert tidy(["--q", "-0.1,2", "--limits", "-5:5"]) == ["--q=-0.1,2", "--limits=-5:5"]
    assert tidy(["--maximize", "-y", "--json"]) == ["--maximize=-y", "--json"]
    assert tidy(["--q=1", "-h", "--v", "-.5"]) == ["--q=1", "-h", "--v=-.5"]


def test_tables_are_ruled_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    assert main(["modes", "table"]) == 0
    assert "─" in capsys.readouterr().out


# Real processes ---------------------------------------------------------------------------------------------


def test_help_is_quick_and_imports_nothing_heavy():
    check = (
        "import sys\nfrom modecontrol.cli import main\nmain(['--help'])\n"
        "heavy = {'numpy', 'numba', 'sympy', 'matplotlib', 'cvxpy', 'scipy', 'rich'} & set(sys.modules)\n"
        "sys.exit(','.join(heavy) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert all(command in done.stdout for command in COMMANDS)


def test_module_runs_and_a_closed_pipe_is_no_drama():
    process = subprocess.Popen(
        [sys.executable, "-m", "modecontrol", "models"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    started = time.monotonic()
    assert process.wait(timeout=120) == 141
    assert time.monotonic() - started < 120
