import json
import re
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from study_functions import noisy, several, slow_sum, touchy, upright, worker

import modecontrol as mc
from modecontrol.studies import Study, estimate, latin_hypercube, sobol, table
from modecontrol.studies.chunks import bounds, chunk_size

GRID = {"mu": [0.25, 0.5, 0.75], "phi": [0.8, 0.9, 1.0, 1.1]}
ASKED = {"quantities": ["modes", touchy, several, noisy], "place": upright, "seed": 3}


def same(one, other):
    assert list(one.columns) == list(other.columns)
    for name in one.columns:
        np.testing.assert_array_equal(one[name], other[name])


@pytest.fixture(scope="module")
def reference():
    return mc.study("rod", GRID, **ASKED, executor=1, chunk=12)


# Who works, and in which order ------------------------------------------------------------------------------


@pytest.mark.parametrize(("executor", "chunk"), [(1, 1), (1, 5), (2, 1), (2, 3), (5, 2), (None, 4)])
def test_results_do_not_depend_on_workers_or_chunks(reference, executor, chunk):
    same(reference, mc.study("rod", GRID, **ASKED, executor=executor, chunk=chunk))


@pytest.mark.parametrize("make", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_gives_the_same_and_stays_open(reference, make):
    with make(2) as pool:
        same(reference, mc.study("rod", GRID, **ASKED, executor=pool, chunk=2))
        assert pool.submit(len, "open").result() == 4


class Backwards(ThreadPoolExecutor):
    """Answers in the wrong order."""

    def submit(self, function, *arguments):
        held = self._held = [*getattr(self, "_held", []), (function, arguments)]
        future = super().submit(lambda: None)
        future.result()
        made = type(future)()
        if len(held) < 4:
            self._made = [*getattr(self, "_made", []), made]
            return made
        for waiting, (call, words) in zip([*self._made, made][::-1], held[::-1], strict=True):
            waiting.set_result(call(*words))
        self._held, self._made = [], []
        return made


def test_the_order_of_answers_plays_no_part(reference):
    with Backwards(1) as pool:
        same(reference, mc.study("rod", GRID, **ASKED, executor=pool, chunk=3))


def test_all_cores_work():
    found = mc.study("rod", {"mu": np.linspace(0.1, 1, 40)}, [worker], executor=3, chunk=1)
    assert len(np.unique(found["worker"])) == 3


def test_chunks_cover_every_point_once():
    for points in (1, 3, 4, 5, 64, 1000, 64001, 10**6):
        spans = bounds(points, chunk_size(points))
        assert [first for first, _ in spans] == [0, *(last for _, last in spans[:-1])]
        assert spans[-1][1] == points


# Designs and forms ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "design",
    [
        latin_hypercube({"mu": (0.1, 0.9), "phi": (0.5, 1)}, 6, 2),
        sobol({"mu": (0.1, 0.9)}, 8),
        table({"mu": [0.3, 0.1], "phi": [1.0, 0.7]}),
    ],
    ids=lambda design: design.kind,
)
def test_every_design_is_visited_as_it_stands(tmp_path, design):
    found = mc.study("rod", design, ["modes"], place=upright, out=tmp_path / "out", executor=1)
    for i, name in enumerate(design.names):
        np.testing.assert_array_equal(found[name], design.rows[:, i])
    again = Study.load(tmp_path / "out")
    same(found, again)
    np.testing.assert_array_equal(again.design.rows, design.rows)
    assert found.to_xarray().sizes == {"point": len(design)}


def test_frame_and_dataset_have_names(reference):
    frame, dataset = reference.to_pandas(), reference.to_xarray()
    assert list(frame) == ["mu", "phi", "modes", "touchy", "steep", "name", "legs", "noisy", "reason"]
    assert len(frame) == 12
    assert frame.loc[(frame.mu == 0.75) & (frame.phi == 0.9), "modes"].item() == dataset.modes.sel(
        mu=0.75, phi=0.9
    )
    assert dataset.sizes == {"mu": 3, "phi": 4}
    assert dataset.attrs["model"] == "rod"


def test_a_study_says_what_it_is(reference):
    assert reference
    assert repr(reference) == (
        "Study(rod: modes, touchy, steep, name, legs, noisy over mu, phi; 12 points, complete, 8 points "
        "without an answer)"
    )
    assert reference.reasons() == {"a quarter has no answer": 4, "touchy: float division by zero": 4}
    with pytest.raises(KeyError, match="did you mean 'modes'"):
        reference["mode"]


def test_progress_counts_points():
    seen = []
    mc.study(
        "rod",
        {"mu": [0.1, 0.2, 0.3]},
        [slow_sum],
        executor=1,
        chunk=2,
        progress=lambda *now: seen.append(now),
    )
    assert seen == [(0, 3), (2, 3), (3, 3)]


def test_a_bar_can_be_shown(capsys):
    mc.study("rod", {"mu": [0.1, 0.2, 0.3]}, [slow_sum], executor=1, progress=True)
    assert capsys.readouterr().out == ""


def test_an_estimate_is_measured():
    expected = estimate("rod", {"mu": np.linspace(0.1, 1, 1000)}, [slow_sum], workers=4, sample=5)
    assert (expected.points, expected.sampled, expected.workers, expected.failed) == (1000, 5, 4, 0)
    assert expected.per_point >= 0.01
    assert expected.total == pytest.approx(expected.per_point * 250)
    assert estimate("rod", {"mu": [0.25]}, [touchy]).reason == "a quarter has no answer"


def test_an_estimate_ends_in_time():
    assert estimate("rod", {"mu": np.linspace(0.1, 1, 1000)}, [slow_sum], longest=0.0).sampled == 2


# Mistakes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"points": {"muu": [1.0]}},
            "'muu' is no parameter, coordinate or velocity of 'rod'; did you mean 'mu'?",
        ),
        ({"points": {"mu": []}}, "at least one number"),
        ({"points": {}}, "nothing varies"),
        ({"quantities": ["thrust"]}, "'thrust' needs an objective, such as objective='phi'"),
        ({"quantities": ["thrust", "loss"]}, "'thrust', 'loss' need an objective"),
        ({"quantities": ["thrust"], "objective": "phii"}, "unknown quantity 'phii'; did you mean 'phi'?"),
        ({"task": "tipp.normal >= 0"}, "unknown quantity 'tipp.normal'"),
        ({"torque_limits": {"pushh": (-1, 1)}}, "torque_limits names the unknown input 'pushh'"),
        ({"margin": -1.0}, "margin is -1.0"),
        ({"guarantee": "sure"}, "guarantee is 'sure'"),
        ({"marjin": 0.1}, "unknown option 'marjin'; did you mean 'margin'?"),
        ({"executor": 0}, "executor is 0; expected a number of processes >= 1"),
        ({"executor": "all"}, "executor is 'all'; expected a concurrent.futures.Executor"),
        ({"chunk": 0}, "chunk is 0"),
        ({"seed": 1.5}, "seed is 1.5"),
        ({"place": "floor"}, "place is 'floor'; expected a function"),
        ({"model": "rodd"}, "no model 'rodd'"),
    ],
)
def test_mistakes_are_named_before_anything_runs(tmp_path, change, message):
    words = {
        "model": "rod",
        "points": {"mu": [0.5]},
        "quantities": ["modes"],
        "out": tmp_path / "out",
        **change,
    }
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        mc.study(**words)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert not list(tmp_path.glob("out/chunk*"))


@pytest.mark.parametrize("executor", [2, "pool"])
def test_a_function_that_cannot_travel_says_what_to_do(executor, tmp_path):
    def inner(point):
        return 1.0

    with (
        ProcessPoolExecutor(1) as pool,
        pytest.raises(ValueError, match="cannot be sent to other processes") as raised,
    ):
        mc.study(
            "rod",
            {"mu": np.linspace(0, 1, 9)},
            [inner],
            executor=pool if executor == "pool" else executor,
            chunk=1,
            out=tmp_path / "out",
        )
    assert not (tmp_path / "out").exists()  # what is mended then is another study, and finds its folder free
    assert str(raised.value).startswith("the quantity 'inner' cannot be sent to other processes")
    assert "executor=1" in str(raised.value)


def test_the_manifest_is_plain_json(tmp_path, reference):
    mc.study("rod", GRID, **ASKED, executor=1, out=tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["format"] == "modecontrol study 1"
    assert [column["name"] for column in manifest["columns"]] == list(reference.types)
    assert manifest["design"]["axes"] == [GRID["mu"], GRID["phi"]]
