"""The page's numbers are the library's: sets, answers, best torques, code and explanations."""

import contextlib
import io
import json

import numpy as np
import pytest
from browsers import SHOWN
from hypothesis import given, settings
from hypothesis import strategies as st

import modecontrol as mc
from modecontrol.page.instant import ResponseSession
from modecontrol.page.session import Session


def show(session, **more):
    found = session.answer({"ask": "show", **more})
    assert "error" not in found, found
    return found


def response_of(name, **more):
    model = mc.load(name, **SHOWN[name])
    return mc.dynamic_response(model.snapshot(model.start, model.start_velocity), **more)


@pytest.mark.parametrize("name", SHOWN)
def test_torque_sets_are_those_of_to_dict(name):
    found, wanted = show(Session(mc.load(name, **SHOWN[name]))), response_of(name).to_dict()
    assert [entry["mode"] for entry in found["modes"]] == sorted(wanted["modes"])
    if len(wanted["inputs"]) <= 3:
        for entry in found["modes"]:
            T = wanted["modes"][entry["mode"]]["torques"]
            assert (entry["set"]["A"], entry["set"]["b"], entry["set"]["C"], entry["set"]["d"]) == (
                T["A"],
                T["b"],
                T["C"],
                T["d"],
            )
            assert [[found["causes"][i] for i in row] for row in entry["set"]["of"]] == T["labels"]
            assert entry["case"] == wanted["modes"][entry["mode"]]["case"]


@pytest.mark.parametrize("name", SHOWN)
def test_the_answer_at_a_torque_is_the_librarys(name):
    session, response = Session(mc.load(name, **SHOWN[name])), response_of(name)
    rng = np.random.default_rng(1)
    for scale in (0.0, 1.0, 8.0):
        tau = (scale * rng.normal(size=len(response.problem.names.inputs))).tolist()
        at = show(session, state={"tau": tau})["at"]
        tau = at["tau"]
        assert [entry["mode"] for entry in at["modes"]] == response.modes_at(tau)
        accelerations, forces = response.accelerations_at(tau), response.forces_at(tau)
        for entry in at["modes"]:
            for part, ranges in (("accelerations", accelerations), ("forces", forces)):
                got = {
                    k: tuple(np.inf * s if x is None else x for x, s in zip(v, (-1, 1), strict=True))
                    for k, v in entry[part].items()
                }
                assert got == ranges[entry["mode"]]


def test_the_best_torque_is_that_of_maximize():
    session = Session(mc.load("rhex"), task="body.normal >= 10")
    best = show(session)["best"]
    wanted = mc.maximize(response_of("rhex", task="body.normal >= 10"), "alpha", margin=0.001)
    assert (best["mode"], best["value"], best["active"]) == (wanted.mode, wanted.value, list(wanted.active))
    assert best["torque"] == wanted.torque.tolist()
    assert session.start.tau == tuple(wanted.torque)


def test_the_drawn_forces_balance_the_drawn_motion():
    """`M qdd + b = S tau + J^T f` for the arrows of a mode with many answers."""
    model = mc.load("two_link", mu=0.8)
    session = Session(model)
    at = show(session, state={"tau": [-12.0]})["at"]
    entry = next(entry for entry in at["modes"] if entry["mode"] == "FFF")
    snap = model.snapshot(model.start)
    f = np.array(entry["drawn"]["forces"])
    assert snap.bias == pytest.approx(snap.actuation @ [-12.0] + snap.jacobian.T @ f, abs=1e-8)
    assert np.all(np.abs(f[1::2]) <= 0.8 * f[0::2] + 1e-9)


def test_arrows_of_the_bodies_are_their_accelerations():
    """Second differences of a simulated flight agree with what is drawn."""
    model = mc.load("rhex")
    at = show(Session(model, v={"alpha": 0.0}), state={"tau": [-11.0, -11.0, -11.0]})["at"]["modes"][0]
    qdd = [low for low, _ in at["accelerations"].values()]
    assert at["drawn"]["bodies"][0] == pytest.approx([qdd[0], qdd[1], qdd[2]], rel=1e-6, abs=1e-6)
    leg = at["drawn"]["bodies"][1]
    assert leg[2] == pytest.approx(qdd[2] + qdd[3], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", ["rhex", "two_link", "rod", "snake"])
def test_copied_python_gives_the_same_answer(name):
    session = Session(mc.load(name, **SHOWN[name]))
    parameter = "mu_toe" if name == "rhex" else "mu"
    found = show(session, change={"kind": "parameter", "name": parameter, "value": 0.45})
    code = session.answer({"ask": "python", "state": found["state"]})["code"]
    scope = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "copied", "exec"), scope)
    assert scope["resp"].modes_at(scope["tau"]) == [entry["mode"] for entry in found["at"]["modes"]]
    assert scope["resp"].modes == [entry["mode"] for entry in found["modes"]]
    assert scope["best"].mode == found["best"]["mode"]


def test_copied_python_keeps_what_the_page_was_opened_with():
    session = Session(
        mc.load("two_link"),
        torque_limits=[[-30.0, float("inf")]],
        velocity_tolerance=np.array([0.1, 0.1, 0.1]),
    )
    scope = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(session.answer({"ask": "python"})["code"], "copied", "exec"), scope)
    assert scope["resp"].torque_set.bounding_box[0] == -30.0
    assert scope["resp"].modes == [entry["mode"] for entry in show(session)["modes"]]


def test_explanations_are_the_librarys():
    session, response = Session(mc.load("two_link")), response_of_two_link()
    for mode in ("FFF", "LFF", "SSS"):
        said = session.answer({"ask": "explain", "mode": mode})
        assert (said["possible"], said["text"]) == (
            response.explain(mode).possible,
            response.explain(mode).text,
        )
    assert "expected 3 letters" in session.answer({"ask": "explain", "mode": "FF"})["error"]


def response_of_two_link():
    model = mc.load("two_link")
    return mc.dynamic_response(model.snapshot(model.start))


def test_a_massless_leg_in_the_air_has_one_torque():
    session = Session(mc.load("rhex"))
    found = show(session, change={"kind": "coordinate", "name": "alpha", "value": 0.35})
    assert found["notes"] == ["out of reach, so open: front"]
    assert found["forced"] == {"tau3": 0.0}
    assert found["at"]["tau"][2] == 0.0
    assert found["at"]["verdict"] in ("unique", "border")


def test_velocity_counts_and_an_impact_is_told():
    found = show(Session(mc.load("rod", mu=1.6), v={"x": -1.0}))
    assert {entry["mode"] for entry in found["modes"]} == {"L", "S"}
    assert found["at"]["verdict"] == "inconsistent"  # Painleve
    falling = show(Session(mc.load("rod"), v={"y": -1.0}))
    assert "approaches" in falling["trouble"]
    assert falling["scene"] is not None


def test_verdicts():
    session = Session(mc.load("two_link", mu=0.8))
    assert show(session, state={"tau": [-12.0]})["at"]["verdict"] == "unique"
    assert show(session, state={"tau": [1.0]})["at"]["verdict"] == "ambiguous"
    border = show(Session(mc.load("two_link")), state={"tau": [0.0]})["at"]
    assert (len(border["modes"]), border["verdict"]) == (2, "border")


def test_over_an_interval_of_friction_the_sure_set_is_what_holds_at_its_ends():
    """The table holds still up to `mu m g`: surely up to the least mu, at most up to the greatest."""
    found = show(Session(mc.load("table")), state={"intervals": {"mu": [0.2, 0.4]}, "tau": [25.0]})
    rows = found["interval"]["sure"]["FF"]
    ends = min(b / a for part in rows for (a,), b in zip(part["A"], part["b"], strict=True) if a > 0)
    assert ends == pytest.approx(0.2 * 98.1)
    assert found["at"]["over"] == ["FF", "RR"]
    assert found["interval"]["corners"] == 2


def test_what_is_proven_over_an_interval_is_the_librarys():
    """The uncertain model's sets, and never more than the check at the ends shows."""
    model = mc.load("table")
    session = Session(model)
    state = {"intervals": {"mu": [0.2, 0.4]}, "tau": [5.0]}
    found = session.answer({"ask": "sure", "state": state})
    response = mc.dynamic_response(model.uncertain(mu=(0.2, 0.4)).snapshot(model.start))
    assert found["interval"]["proven"]
    for part, name in (("sure", "sure_torques"), ("possible", "torques")):
        wanted = {mode: getattr(response[mode], name) for mode in response}
        assert sorted(found["interval"][part]) == [mode for mode, P in wanted.items() if not P.is_empty]
        for mode, (rows,) in found["interval"][part].items():
            assert (rows["A"], rows["b"]) == (wanted[mode].A.tolist(), wanted[mode].b.tolist())
    ends = min(
        b / a
        for (a,), b in zip(*(found["interval"]["sure"]["FF"][0][key] for key in "Ab"), strict=True)
        if a > 0
    )
    assert ends == pytest.approx(0.2 * 98.1)
    best = mc.maximize(response, session.start.objective, margin=0.001)
    assert (found["best"]["mode"], found["best"]["reason"]) == (best.mode, best.reason)
    assert "no friction" in session.answer({"ask": "sure"})["error"]


def test_copied_python_asks_for_what_is_sure_over_the_intervals():
    session = Session(mc.load("table"), torque_limits=[[-100.0, 100.0]])
    code = session.answer({"ask": "python", "state": {"intervals": {"mu": [0.2, 0.4]}}})["code"]
    scope = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "copied", "exec"), scope)
    told = session.answer({"ask": "sure", "state": {"intervals": {"mu": [0.2, 0.4]}}})["best"]
    assert (scope["best"].mode, scope["best"].value) == (told["mode"], told["value"])


def test_inputs_beyond_three_are_held():
    model = mc.load("snake", n=6)
    session = Session(model)
    tau = [1.0, 2.0, 3.0, 4.0, 5.0]
    found = show(session, state={"axes": ["tau2", "tau5"], "tau": tau})
    response = mc.dynamic_response(model.snapshot(model.start))
    shown = 0
    for entry in found["modes"]:
        P = response[entry["mode"]].torques
        if entry["set"] is None:
            assert not P.contains(tau)
            continue
        shown += 1
        A, b = np.array(entry["set"]["A"]).reshape(-1, 2), np.array(entry["set"]["b"])
        x = np.array([tau[1], tau[4]])
        assert (P.A @ tau - P.b) == pytest.approx(A @ x - b, abs=1e-9)
    assert 0 < shown < len(found["modes"])


def test_a_response_alone_can_be_explored():
    response = response_of_two_link()
    session = ResponseSession(response)
    found = show(session, state={"tau": [-20.0]})
    assert [entry["mode"] for entry in found["at"]["modes"]] == response.modes_at([-20.0])
    assert found["scene"] is None
    assert "only its inputs" in session.answer({"ask": "show", "change": {"kind": "close"}})["error"]


def test_arrays_alone_can_be_explored():
    snap = mc.Snapshot(
        mass=np.eye(2),
        bias=[0.0, 9.81],
        actuation=[[1.0], [0.0]],
        jacobian=[[0.0, 1.0], [1.0, 0.0]],
        drift=[0.0, 0.0],
        friction=0.5,
        velocity=[0.0, 0.0],
    )
    response = mc.dynamic_response(snap)
    found = show(ResponseSession(response), state={"tau": [1.0]})
    assert [entry["mode"] for entry in found["at"]["modes"]] == response.modes_at([1.0])


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(
            st.sampled_from(
                [
                    "ask",
                    "state",
                    "change",
                    "mode",
                    "q",
                    "v",
                    "tau",
                    "kind",
                    "name",
                    "value",
                    "body",
                    "point",
                    "target",
                    "axes",
                    "keep",
                    "intervals",
                    "parameters",
                    "mu",
                    "objective",
                    "margin",
                    "tasks",
                ]
            )
            | st.text(max_size=6),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@pytest.fixture(scope="module")
def table():
    return Session(mc.load("table"))


@given(request=ANYTHING, ask=st.sampled_from(["show", "at", "explain", "python", None]))
@settings(max_examples=400, deadline=None)
def test_whatever_is_asked_is_answered_with_plain_data(table, request, ask):
    if ask is not None and isinstance(request, dict):
        request = {**request, "ask": ask}
    answer = table.answer(request)
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
    assert isinstance(answer.get("error", ""), str)


STATES = st.fixed_dictionaries(
    {},
    optional={
        "q": st.lists(st.floats(-1e12, 1e12, allow_nan=False), min_size=3, max_size=3),
        "v": st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3),
        "tau": st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=1),
        "parameters": st.dictionaries(st.just("mu"), st.floats(-2, 5)),
        "intervals": st.dictionaries(st.just("mu"), st.tuples(st.floats(-1, 3), st.floats(-1, 3)).map(list)),
        "keep": st.lists(st.sampled_from(["left", "right"]), max_size=2),
        "objective": st.sampled_from(["x", "-x", "nonsense", "left.normal", "x +"]),
        "margin": st.floats(-1, 10),
    },
)


@given(
    state=STATES,
    change=st.none()
    | st.fixed_dictionaries(
        {"kind": st.sampled_from(["coordinate", "velocity", "parameter", "pull", "close", "jump"])},
        optional={
            "name": st.sampled_from(["x", "y", "theta", "mu", "z"]),
            "value": st.floats(-1e3, 1e3),
            "body": st.integers(-1, 2),
            "point": st.just([0.1, 0.1]),
            "target": st.lists(st.floats(-5, 5), min_size=2, max_size=2),
        },
    ),
)
@settings(max_examples=300, deadline=None)
def test_states_that_make_sense_and_states_that_do_not(table, state, change):
    answer = table.answer({"ask": "show", "state": state, "change": change})
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
    assert "error" in answer or len(answer["state"]["q"]) == 3


def test_the_best_torque_is_searched_with_patience_and_longer_on_request():
    """Seven links, 976 modes: a moving page gives the search up, and the longer one finds what `maximize` finds."""
    session = Session(mc.load("snake", n=7))
    shown = session.answer({"ask": "show"})
    assert shown["best"]["stopped"]
    assert shown["best"]["torque"] is None
    found = session.answer({"ask": "best"})["best"]
    response = session.kept.response_at(session.start)
    wanted = mc.maximize(response, session.start.objective, margin=session.start.margin)
    assert not found["stopped"]
    assert found["mode"] == wanted.mode
    assert found["value"] == pytest.approx(wanted.value)


@pytest.mark.parametrize("name", ["rhex", "biped", "ball_bearing", "two_link", "rod"])
def test_quick_looks_leave_nothing_out(name):
    """Modes at a torque and slices against the plain questions, on facets and off them."""
    from modecontrol.page.answer import not_far_from
    from modecontrol.page.sets import Causes, mode_sets, rows_of

    model = mc.load(name)
    response = mc.dynamic_response(model.snapshot(model.start))
    count = len(model.inputs)
    rng = np.random.default_rng(5)
    corners = [response[mode].torques.maximize(rng.normal(size=count)).point for mode in response.modes[:8]]
    torques = [p for p in corners if p is not None] + list(8.0 * rng.normal(size=(8, count)))
    seen = 0
    for tau in torques:
        near = not_far_from(response, tau, response.modes)
        holding = [mode for mode in response if response[mode].torques.contains(tau)]
        assert set(holding) <= set(near)
        seen += len(holding)
        axes = list(range(min(3, count)))
        for entry in mode_sets(response, axes, tau, Causes()):
            plain = rows_of(response[entry["mode"]].torques, axes, tau, Causes())
            assert (entry["set"] is None) == (plain is None)
    assert seen


def test_a_file_stays_of_a_size_that_browsers_open(monkeypatch, caplog):
    from modecontrol.page import standalone

    session = Session(mc.load("two_link"))
    whole = standalone.page(session, "mu")
    one = len(json.dumps(standalone.frame(session, {})))
    assert whole.count('"trouble"') == standalone.STATES
    monkeypatch.setattr(standalone, "LARGEST", 9.5 * one)
    assert standalone.page(session, "mu").count('"trouble"') == 9
    with pytest.raises(ValueError, match="10 states were asked for and 9 fit"):
        standalone.page(session, "mu", [0.1 * i for i in range(10)])
    monkeypatch.setattr(standalone, "LARGEST", 3.5 * one)
    assert standalone.page(session, "mu").count('"trouble"') == 1
    assert "without a slider" in caplog.text
    monkeypatch.setattr(standalone, "LARGEST", 0.5 * one)
    with pytest.raises(ValueError, match="modecontrol explore serves"):
        standalone.page(session)
