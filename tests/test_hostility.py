"""The campaign of hostile input attacks what it says: sound arguments are sound, every public function is a subject; and shapes
that failed once.
"""

import inspect
import json
import os
import shutil
import sys
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import modecontrol as mc
from modecontrol import studies
from modecontrol.dynamics import contact_words, couplings, model_file, shapes, vocabulary
from modecontrol.trials.rhex.observer import at_rest

sys.path.append(str(Path(__file__).resolve().parents[1] / "campaigns"))
from hostile import KINDS, sweep
from hostility.calls import functions, unsound
from hostility.model_texts import TEXTS
from hostility.objects import methods

NOT_CALLED = {
    "__version__",
    "Model",
    "PlanarModel",
    "ModeResponse",
    "DynamicResponse",
    "Clash",
    "Thrust",
    "Controller",
} | {"Trajectory", "Readings", "LCPSolution", "Study", "models", "weld", "planar"}
"""Made by other functions, whose methods are subjects; or part of a subject."""
RESULTS = {
    "Ball",
    "Generators",
    "Optimum",
    "Decision",
    "AllSolutions",
    "PriceOfRobustness",
    "Design",
    "Estimate",
} | {"NoAnswerError", "ParameterMap", "Point", "Imported", "Transition", "Observer", "Linear"}
"""What other functions of the rooms answer with, and bases of what is attacked."""


@cache
def names_attacked():
    """Functions that are subjects, by the first part of their names."""
    return {name.partition("(")[0].partition(" ")[0].partition(".")[0] for name, _, _ in functions()}


def test_sound_arguments_are_sound():
    pytest.importorskip("gymnasium")
    pytest.importorskip("control")
    refused = {
        name: why
        for name, function, sound in (*functions(), *methods())
        if (why := unsound(name, function, sound))
    }
    assert refused == {}


def test_every_public_function_is_attacked():
    attacked = names_attacked()
    public = {name for name in mc.__all__ if callable(getattr(mc, name)) and not _is_error(getattr(mc, name))}
    assert public - attacked - NOT_CALLED == set()


@pytest.mark.parametrize(
    "room", ["dynamics", "modes", "polytopes", "regions", "thrust", "timestepping", "studies", "interop"]
)
def test_every_public_name_of_a_room_is_attacked(room):
    attacked = names_attacked()
    names = set(import_module(f"modecontrol.{room}").__all__) - set(mc.__all__)
    assert {name for name in names if name.islower()} - attacked == set()
    assert {name for name in names if not name.isupper()} - attacked - RESULTS == set()


def _is_error(thing):
    return isinstance(thing, type) and issubclass(thing, Exception)


def _words(table, within=""):
    """Words of a table by the entry in which they stand."""
    for key, value in table.items():
        yield within, key
        for inside in value if isinstance(value, list) else [value]:
            if isinstance(inside, dict):
                yield from _words(inside, key)


VOCABULARY = {
    "": model_file.KEYS,
    "body": (*vocabulary.BODY_KEYS, "repeat", "first", "last"),
    "joint": vocabulary.JOINT_KEYS,
    "input": vocabulary.INPUT_KEYS,
    "contact": (*contact_words.CONTACT_KEYS, "pairs", "apart"),
    "wall": contact_words.WALL_KEYS,
    "contacts": shapes.PAIR_KEYS,
    "terrain": shapes.TERRAIN_KEYS,
    "half_planes": shapes.HALF_PLANE_KEYS,
    "cable": vocabulary.CABLE_KEYS,
    "pin": vocabulary.PIN_KEYS,
    "closure": tuple({key for keys in couplings.CLOSURE_KEYS.values() for key in keys}),
    "spring": couplings.SPRING_KEYS,
    "push": couplings.PUSH_KEYS,
}


def test_every_word_of_the_vocabulary_is_attacked():
    used = {pair for text in TEXTS for pair in _words(tomllib.loads(text))}
    assert {(entry, key) for entry, keys in VOCABULARY.items() for key in keys} - used == set()


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.split('"')[1])
def test_model_texts_are_read(tmp_path, text):
    file = tmp_path / "model.toml"
    file.write_text(text)
    model = mc.load(file)
    snapshot = model.snapshot(model.start, model.start_velocity)
    assert mc.dynamic_response(snapshot).modes
    assert mc.simulate(model, duration=0.002).completed


@pytest.mark.parametrize("kind", KINDS)
def test_some_cases_of_each_kind_end_well(kind):
    pytest.importorskip("mujoco")
    pytest.importorskip("yourdfpy")
    found = sweep(kind, 60, seed=2026, jobs=1)
    assert (found.done, found.failed) == (60, [])
    assert found.longest < 10
    assert found.most < 1024


# Shapes that failed once
# -----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """The folder of a small study."""
    folder = tmp_path_factory.mktemp("study") / "whole"
    points = studies.latin_hypercube({"mu": (0.3, 0.6), "phi": (0.6, 0.9)}, 4, 0)
    mc.study(
        "rod",
        points,
        ["modes", "thrust"],
        objective="phi",
        torque_limits=[(-5, 5)] * 3,
        executor=1,
        chunk=2,
        out=folder,
    )
    return folder


def _changed(stored, tmp_path, name, change):
    folder = tmp_path / "changed"
    shutil.copytree(stored, folder)
    with np.load(folder / name) as file:
        arrays = {key: file[key] for key in file.files}
    change(arrays)
    np.savez_compressed(folder / name, **arrays)
    return folder


CHANGES = {
    "a column is missing": lambda a: a.pop("modes"),
    "no reasons": lambda a: a.pop("reason"),
    "another shape": lambda a: a.update(modes=a["modes"][:1]),
    "a number": lambda a: a.update(modes=np.array(3.0)),
    "texts for numbers": lambda a: a.update(modes=np.array(["a", "b"])),
    "counts that are none": lambda a: a.update(modes=a["modes"] + 0.5),
    "places beyond the words": lambda a: a.update(reason=a["reason"] + 7),
    "places that are none": lambda a: a.update(reason=a["reason"] * 1.0),
    "words without words": lambda a: a.update({"mode.words": np.arange(3)}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_chunk_that_was_changed_is_made_again(stored, tmp_path, change):
    folder = _changed(stored, tmp_path, "chunk-000001.npz", change)
    found = mc.Study.load(folder)
    assert (found.status, found.failed) == ("incomplete", 2)
    assert len(found.to_pandas()) == 4


def test_points_that_were_changed_are_refused(stored, tmp_path):
    for change in (
        lambda a: a.pop("mu"),
        lambda a: a.update(mu=a["mu"][:2]),
        lambda a: a.update(mu=a["mu"] + 1),
    ):
        folder = _changed(stored, tmp_path, "points.npz", change)
        with pytest.raises(ValueError, match=r"points\.npz .*; expected what `study` wrote"):
            mc.Study.load(folder)
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    "change",
    [{"chunk": 0.5}, {"chunk": 0}, {"design": {}}, {"design": None}, {"columns": [1]}, {"points": 10**9}],
    ids=str,
)
def test_a_manifest_that_was_changed_is_refused(stored, tmp_path, change):
    folder = tmp_path / "changed"
    shutil.copytree(stored, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, **change}))
    with pytest.raises(
        ValueError, match=r"manifest\.json was changed or damaged; expected what `study` wrote"
    ):
        mc.Study.load(folder)


def test_a_manifest_of_strange_bytes_is_refused(stored, tmp_path):
    for data in (b"\xff\xfe", b"[" * 100_000):
        folder = tmp_path / "changed"
        shutil.copytree(stored, folder)
        (folder / "manifest.json").write_bytes(data)
        with pytest.raises(ValueError, match="is no manifest of a study"):
            mc.Study.load(folder)
        shutil.rmtree(folder)


def test_texts_inside_of_energies_are_never_evaluated(tmp_path):
    """A text in a list was: sympy reads it as code."""
    sympy = pytest.importorskip("sympy")
    x, mark = sympy.Symbol("x"), tmp_path / "mark"
    code = f"__import__('pathlib').Path({str(mark)!r}).touch()"
    kinetic = sympy.Symbol("xdot") ** 2 / 2
    for wrong in ([code], np.array(code), np.array([code]), {"a": code}):
        for words in ({"T": wrong, "V": x}, {"T": kinetic, "V": wrong}, {"T": kinetic, "forces": [wrong]}):
            with pytest.raises(ValueError, match="expected a sympy expression"):
                mc.LagrangianModel((x,), **words)
    equations = mc.LagrangianModel((x,), kinetic, x).equations
    with pytest.raises(ValueError, match="expected a number or a sympy expression"):
        equations.subs({"x": code})
    assert not mark.exists()


@pytest.mark.parametrize(
    "name", ["contacts", "inputs", "loops", "parameters", "forces", "velocities", "torque_limits"]
)
@pytest.mark.parametrize(
    "wrong", [1.0, np.ones(3), True, object()], ids=["number", "array", "flag", "object"]
)
def test_parts_of_energies_that_are_none(name, wrong):
    sympy = pytest.importorskip("sympy")
    words = {"coordinates": (sympy.Symbol("x"),), "T": sympy.Symbol("xdot") ** 2 / 2, name: wrong}
    with pytest.raises((ValueError, TypeError), match="; expected"):
        mc.LagrangianModel(**words)


def _circle():
    circle = []
    circle.append(circle)
    return circle


@pytest.mark.parametrize(
    "ask",
    [
        lambda: studies.grid(1.0),
        lambda: studies.grid("nan"),
        lambda: studies.table(1e30),
        lambda: studies.table(np.zeros((3, 0))),
        lambda: studies.latin_hypercube(1e-300, 3),
        lambda: studies.sobol({"mu": (0.0, 1.0)}, 10**30),
        lambda: studies.grid({"mu": [1e300]}),
        lambda: studies.Touching(1e300, "y"),
        lambda: studies.Touching("left", "y")(mc.load("block"), "x"),
        lambda: studies.parameter_map("rod", 1.0, ("mu", [0.5])),
        lambda: studies.parameter_map("rod", ("phi", [0.5]), ("mu", [0.5]), 3),
        lambda: studies.estimate("rod", {"mu": [0.5]}, sample=[[]]),
        lambda: studies.estimate("rod", {"mu": [0.5]}, longest=[1.0]),
        lambda: studies.estimate("rod", {"mu": [0.5]}, workers=np.ones(3)),
        lambda: studies.map_thrust(mc.MaximalThrust(mc.load("rod"), "phi"), 1.0),
        lambda: studies.map_thrust(mc.MaximalThrust(mc.load("rod"), "phi"), {"phi": [0.7]}, base="x"),
        lambda: studies.map_thrust(mc.MaximalThrust(mc.load("rod"), "phi"), {"phi": [0.7]}, threads=1e12),
        lambda: mc.simulate_many(np.zeros((2, 2))),
        lambda: mc.simulate_many([1.0]),
        lambda: mc.simulate(mc.load("block"), duration=0.002, clip=np.ones(9)),
        lambda: mc.simulate(mc.load("block"), duration=0.002, friction_scaling=np.ones(9)),
        lambda: mc.Builder("b", gravity=np.array(1.0)),
        lambda: mc.Builder("b").closure("c", np.zeros(2, "i1,f8")),
        lambda: mc.solve_lcp(np.eye(3) * 1e-289, [-1e131, 1.0, 1.0]),
        lambda: mc.solve_lcp(np.eye(3), -np.ones(3), guess=[[1.0], [1.0, 2.0]]),
        lambda: mc.Study.load(3.0),
        lambda: mc.simulate(mc.load("block"), duration=0.002, drives=np.array([None, 1])),
        lambda: mc.load("rod").passed_through("x"),
        lambda: mc.load("rod").passed_through(np.zeros((2, 2, 2))),
        lambda: mc.Disturbance(torque_error=_circle()),
        lambda: mc.MaximalThrust(mc.load("rod"), "phi", guarantee=np.zeros(0)),
        lambda: mc.MaximalThrust(mc.load("rod"), "phi", lifted=[10**400, 1]),
        lambda: mc.maximize_over_scenarios(3.0, "x"),
        lambda: mc.ModeObserver(mc.load("block"), 3.0, 0.1),
        lambda: mc.ModeObserver(mc.load("block"), "x", [10**400]),
        lambda: mc.ModeObserver(mc.load("block"), "x", 0.1, torque_error=np.array([1 + 2j])),
    ],
    ids=lambda ask: inspect.getsource(ask).strip().removeprefix("lambda: ")[:60],
)
def test_what_was_an_error_from_the_depth_is_a_sentence(ask):
    with pytest.raises((ValueError, TypeError), match=r"; expected|choose|is needed|was expected"):
        ask()


@pytest.mark.parametrize(
    ("name", "wrong"), [("t", "x"), ("tau", "../../etc/passwd"), ("tau", [np.nan]), ("values", "x")]
)
def test_observers_read_what_they_are_shown(name, wrong):
    model = mc.load("block")
    seen = {"t": 0.0, "tau": [0.0], "values": [0.1], name: wrong}
    with pytest.raises(ValueError, match="; expected"):
        mc.ModeObserver(model, "x", 0.1)(seen["t"], seen["tau"], (model.start, np.zeros(3), seen["values"]))


def test_a_promise_at_no_inputs():
    model = mc.load("block").uncertain(mu=(0.3, 0.5))
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-5, 5)])
    for wrong in ("x", [1.0, 2.0], [np.nan], None):
        with pytest.raises(ValueError, match=r"tau is .*expected 1 finite number"):
            mc.promised_value(response, "x", wrong)
    for widths in ("x", [2.0], [[0.1]], 0.5):
        with pytest.raises(ValueError, match="widths"):
            mc.price_of_robustness(response, "x", widths=widths)


def test_a_controller_that_is_hardly_ever_asked():
    """One over a rate times a step was beyond all numbers."""
    for rate in (5e-324, 1e-100, 1e-3):
        asked = []
        mc.simulate(
            mc.load("block"),
            duration=0.004,
            rate=rate,
            controller=lambda t, q, v, asked=asked: asked.append(t) or [0.0],
        )
        assert asked == [0.0]


def test_a_limit_of_the_process_bounds_what_a_run_may_keep():
    """Records were held against the memory of the machine alone."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_DATA)
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, before[1]))
        with pytest.raises(ValueError, match="keep fewer of them"):
            mc.simulate(mc.load("block"), duration=6e4)
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def test_patience_beyond_the_core_is_patience_without_end():
    rhex = mc.load("rhex")
    chosen = [
        mc.MaximalThrust(rhex, "alpha", patience=p)(0.0, at_rest(rhex, rhex.start), np.zeros(6))
        for p in (10**5, 10**400)
    ]
    np.testing.assert_array_equal(*chosen)


def test_a_saved_run_whose_time_does_not_grow_by_steps_is_refused(tmp_path):
    file = mc.simulate(mc.load("block"), duration=0.01).save(tmp_path / "run.npz")
    with np.load(file) as data:
        arrays = {name: data[name] for name in data.files}
    np.savez_compressed(file, **{**arrays, "time": arrays["time"] * 1e-6})
    with pytest.raises(
        ValueError, match=r"time does not grow by whole steps of 0\.001 s; expected a file written by"
    ):
        mc.Trajectory.load(file)


def test_a_study_file_with_an_endless_range_is_refused(tmp_path, capsys):
    from modecontrol.cli import main

    file = tmp_path / "study.toml"
    file.write_text('model = "rod"\n[vary]\nphi = {from = 0.5, to = inf, steps = 3}\n')
    assert main(["study", str(file)]) == 2
    assert "[vary] phi: from 0.5 to inf; expected finite numbers" in capsys.readouterr().err


def test_a_case_that_ends_its_process_and_one_that_never_ends_are_noticed(monkeypatch):
    from hostility import children

    monkeypatch.setattr(children, "SECONDS", 0.5)

    def case(index):
        if index == 1:
            os._exit(3)
        if index == 3:
            os.abort()
        while index == 5:
            pass
        if index == 7:
            os.write(1, b"a remark")
        return None

    found = {index: wrong for index, wrong, _, _ in children.run(case, list(range(9)), jobs=1)}
    assert {index for index, wrong in found.items() if wrong is None} == {0, 2, 4, 6, 8}
    assert (found[1], found[3]) == ("the process ended with 3", "killed by SIGABRT")
    assert found[5] == "no end within 0.5 s"
    assert found[7] == "printed: a remark"
