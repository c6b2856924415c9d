"""`maximize` against raw linear programs, sampling and a mixed-integer program."""

from dataclasses import replace

import numpy as np
import pytest
import reference
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

import modecontrol as mc
from modecontrol.thrust.by_pieces import by_pieces
from modecontrol.thrust.objective import Objective
from modecontrol.trials.rhex.observer import RHexObserver

LIMIT = 20.0


def random_case(seed, **shape):
    rng = np.random.default_rng(seed)
    s = reference.random_system(rng, **shape)
    limits = [(-LIMIT, LIMIT)] * s["actuation"].shape[1]
    objective = rng.normal(size=len(s["bias"]))
    return rng, s, limits, objective


def raw_optimum(s, mode, limits, objective, tau=None, sense=1.0):
    """`max sense * objective qdd` over one closed mode in the raw unknowns, at one torque or over all."""
    A, b, C, e, _ = reference.raw_rows(s, mode, limits)
    cost = np.zeros(A.shape[1])
    cost[: len(objective)] = -sense * objective
    if tau is not None:
        lead = A.shape[1] - len(tau)
        b, e = b - A[:, lead:] @ tau + 1e-9, e - C[:, lead:] @ tau
        A, C, cost = A[:, :lead], C[:, :lead], cost[:lead]
    answer = linprog(cost, A, b, C, e, bounds=(None, None))
    return {0: -answer.fun if answer.fun is not None else np.nan, 2: -np.inf, 3: np.inf}.get(
        answer.status, np.nan
    )


def raw_modes(s, limits):
    return [mode for mode in reference.candidate_modes(s) if reference.strictness(s, mode, limits) > 1e-6]


# Optimality
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_no_sampled_unambiguous_torque_does_better(seed):
    rng, s, limits, objective = random_case(100 + seed, contacts=2)
    best = mc.maximize(mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits), objective)
    modes = raw_modes(s, limits)
    corners = 0.999 * LIMIT * rng.choice([-1.0, 1.0], size=(6, len(limits)))
    near = [] if not best else best.torque + 0.5 * rng.normal(size=(4, len(limits)))
    gains = []
    for tau in (*corners, *rng.uniform(-LIMIT, LIMIT, size=(8, len(limits))), *near):
        if np.abs(tau).max() >= LIMIT:
            continue
        inside = [mode for mode in modes if reference.exists_at(s, mode, tau, limits, slack=-1e-6)]
        touched = [mode for mode in modes if reference.exists_at(s, mode, tau, limits, slack=1e-6)]
        if len(inside) == 1 and touched == inside:
            worst = -raw_optimum(s, inside[0], limits, objective, tau, sense=-1.0)
            gains.append((worst - best.value) / (1 + abs(worst)))
    assert bool(gains) == bool(best)  # torques with one answer are seen where there are any
    assert max(gains, default=0.0) <= 1e-5


@pytest.mark.parametrize("seed", range(20))
def test_the_torque_is_explained_by_one_mode_and_by_no_other_within_the_margin(seed):
    rng, s, limits, objective = random_case(200 + seed)
    margin = 0.1
    best = mc.maximize(mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits), objective, margin=margin)
    if not best:
        assert best.reason
        return
    assert np.all(np.abs(best.torque) <= LIMIT * (1 + 1e-9))
    assert reference.exists_at(s, best.mode, best.torque, limits, slack=1e-6)
    others = [mode for mode in raw_modes(s, limits) if mode != best.mode]
    for _ in range(6):
        step = rng.normal(size=len(limits))
        tau = np.clip(best.torque + 0.98 * margin * rng.random() * step / np.linalg.norm(step), -LIMIT, LIMIT)
        assert not [mode for mode in others if reference.exists_at(s, mode, tau, limits, slack=-1e-7)]
    if np.isfinite(best.distance):
        assert best.distance >= 0.99 * margin


@pytest.mark.parametrize("seed", range(20))
def test_the_value_is_the_worst_case_of_the_raw_mode_and_margins_only_cost(seed):
    _, s, limits, objective = random_case(300 + seed)
    response = mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits)
    values = []
    for margin in (0.0, 0.01, 1.0):
        best = mc.maximize(response, objective, margin=margin)
        values.append(best.value)
        if not best:
            assert best.reason
            continue
        assert best.value <= best.ambiguous_value + 1e-7 * (1 + abs(best.ambiguous_value))
        worst = -raw_optimum(s, best.mode, limits, objective, best.torque, sense=-1.0)
        assert worst == pytest.approx(best.value, rel=1e-5, abs=1e-5)
        assert objective @ best.acceleration == pytest.approx(best.value, rel=1e-6, abs=1e-6)
        assert response.snapshot.mass @ best.acceleration + s["bias"] == pytest.approx(
            s["actuation"] @ best.torque + s["jacobian"].T @ best.force,
            abs=1e-6 * (1 + np.abs(best.force).max()),
        )
    assert values == sorted(values, reverse=True) or np.allclose(
        values, sorted(values, reverse=True), rtol=1e-7
    )


def mixed_integer_optimum(s, limits, objective, big=2e3):
    """One program over all contact modes: a binary per contact and letter, its rows released by `big`.

    Returns its optimum and the mode it chose; nothing when `big` was in the way.
    """
    k = len(s["friction"])
    candidates = [[i, letter] for i in range(k) for letter in reference.letters(s, i)]
    free = dict(
        s,
        friction=np.zeros(0),
        jacobian=np.zeros((0, len(s["bias"]))),
        drift=np.zeros(0),
        velocity=np.zeros(0),
    )
    A, _, C, _, _ = reference.raw_rows(s, "S" * k, limits)
    _, _, C0, e0, _ = reference.raw_rows(free, "", limits)
    size, n = A.shape[1], len(s["bias"])
    rows, low, high = [], [], []

    def add(row, binaries, below, above):
        rows.append(np.concatenate([row, binaries]))
        low.append(below)
        high.append(above)

    nothing = np.zeros(len(candidates))
    for row, value in zip(C[: len(C0)], e0, strict=True):  # the equations of motion, whatever the mode
        add(row, nothing, value, value)
    alone = [(-np.inf, np.inf)] * len(limits)
    for z, (i, letter) in enumerate(candidates):
        on = np.eye(len(candidates))[z]
        one = dict(
            s,
            friction=s["friction"][[i]],
            jacobian=s["jacobian"][2 * i : 2 * i + 2],
            drift=s["drift"][2 * i : 2 * i + 2],
            velocity=s["velocity"][2 * i : 2 * i + 2],
        )
        Ai, bi, Ci, ei, _ = reference.raw_rows(one, letter, alone)

        def spread(row, i=i):
            out = np.zeros(size)
            out[:n], out[n + 2 * i : n + 2 * i + 2], out[n + 2 * k :] = row[:n], row[n : n + 2], row[n + 2 :]
            return out

        for row, value in zip(Ai, bi, strict=True):
            add(spread(row), big * on, -np.inf, value + big)
        for row, value in zip(Ci[n:], ei[n:], strict=True):
            add(spread(row), big * on, -np.inf, value + big)
            add(spread(-row), big * on, -np.inf, -value + big)
    for i in range(k):
        add(np.zeros(size), np.array([float(j == i) for j, _ in candidates]), 1.0, 1.0)
    bound = np.concatenate([np.full(size - len(limits), big / 4), [high for _, high in limits]])
    answer = milp(
        np.concatenate([-objective, np.zeros(size - n + len(candidates))]),
        constraints=LinearConstraint(np.array(rows), low, high),
        integrality=np.repeat([0, 1], [size, len(candidates)]),
        bounds=Bounds(np.append(-bound, nothing), np.append(bound, nothing + 1)),
        options={"mip_rel_gap": 1e-9, "time_limit": 20},
    )
    if answer.status != 0 or np.abs(answer.x[: size - len(limits)]).max() > big / 5:
        return None
    chosen = [letter for z, (_, letter) in enumerate(candidates) if answer.x[size + z] > 0.5]
    return -answer.fun, "".join(chosen)


def test_plain_optimum_equals_a_mixed_integer_program():
    compared = 0
    for seed in range(30):
        _, s, limits, objective = random_case(400 + seed, contacts=2)
        found = mixed_integer_optimum(s, limits, objective)
        best = mc.maximize(
            mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits), objective, guarantee="none"
        )
        if found is None:
            continue
        value, mode = found
        exact = raw_optimum(s, mode, limits, objective)
        assert best.value >= exact - 1e-6 * (1 + abs(exact)), seed
        assert best.value <= value + 1e-4 * (1 + abs(value)), seed  # big-M lets a binary leak
        assert best.value == pytest.approx(exact, rel=1e-5, abs=1e-5), seed
        compared += 1
    assert compared >= 12


# Within a mode
# -----------------------------------------------------------------------------------------------


def test_ball_bearing_worst_case_over_w():
    """All contacts slide right: angular acceleration is only bounded above, so its negative has a sure value."""
    model = mc.load("ball_bearing")
    snap = model.snapshot(model.start, model.start_velocity)
    response = mc.dynamic_response(snap, torque_limits=[(-1.0, 0.0)])
    assert "theta" in response["RRRR"].ambiguity
    sure = mc.maximize(response, "-theta")
    names = ("mass", "bias", "actuation", "jacobian", "drift", "friction", "velocity")
    s = {name: getattr(snap, name) for name in names}
    expected = max(
        -raw_optimum(s, "RRRR", [(-1.0, 0.0)], np.array([0, 0, -1.0]), np.array([tau]), sense=-1.0)
        for tau in np.linspace(-1, 0, 11)
    )
    assert sure.mode == "RRRR"
    assert sure.value == pytest.approx(expected, rel=1e-6)
    assert sure.value == pytest.approx(10.684 + 100.0, abs=1e-3)  # 1 N m on 0.01 kg m2
    assert sure.ambiguous_value == np.inf
    hoped = mc.maximize(response, "theta", guarantee="none")
    surely = mc.maximize(response, "theta")
    assert hoped.value == pytest.approx(-10.684, abs=1e-3)
    assert not surely
    assert surely.value == -np.inf


def test_table_forces_count_at_their_worst():
    model = mc.load("table")
    snap = model.snapshot(model.start)
    limits = [(-20.0, 20.0)]
    response = mc.dynamic_response(snap, torque_limits=limits)
    assert response.modes_at([5.0]) == ["FF"]
    sure = mc.maximize(response, "left.tangent")
    hoped = mc.maximize(response, "left.tangent", guarantee="none")
    least, greatest = zip(
        *(response.forces_at([push])["FF"]["left.tangent"] for push in np.linspace(-20, 20, 81)), strict=True
    )
    assert sure.value == pytest.approx(max(least), rel=1e-6)
    assert hoped.value == pytest.approx(max(greatest), rel=1e-6)
    assert sure.value < hoped.value


def test_the_value_for_a_massless_leg_is_the_promised_one_to_the_last_digits():
    """A massless leg in the air may turn at many rates; the least one counts, not that of rows loosened by a tolerance."""
    model = mc.load("rhex")
    snapshot = model.snapshot([0.0107534, 0.2534728, 0.0206735, -0.1590504, -0.4606665, -0.4374675])
    snapshot = replace(snapshot, gap=np.zeros(4))
    response = mc.dynamic_response(snapshot, torque_limits=[(-10.0, 10.0)] * 3)
    best = mc.maximize(response, "phi2")
    least, greatest = response.accelerations_at(best.torque)[best.mode]["phi2"]
    assert greatest > least + 1.0  # it depends on w
    assert best.value == pytest.approx(least, rel=1e-12)
    assert best.value == pytest.approx(
        by_pieces(response, Objective.of("phi2", snapshot), 0.0, "mode", None).value, rel=1e-12
    )


def test_task_holds_whatever_w_is():
    """`left.tangent >= -10` can always be hoped for; surely it holds only where the whole fibre keeps it."""
    model = mc.load("table")
    response = mc.dynamic_response(
        model.snapshot(model.start), torque_limits=[(-20.0, 20.0)], task="left.tangent >= -10"
    )
    sure, hoped = (
        mc.maximize(response, "push", guarantee=guarantee) for guarantee in ("unambiguous", "none")
    )
    assert hoped.torque == pytest.approx([20.0])
    assert sure.torque[0] < hoped.torque[0]
    assert response.forces_at(sure.torque)["FF"]["left.tangent"][0] == pytest.approx(-10.0, abs=1e-5)
    assert response.forces_at(sure.torque + 0.1)["FF"]["left.tangent"][0] < -10.0


# Answers that are no torque
# ----------------------------------------------------------------------------------


def test_unbounded_says_so_and_in_which_mode():
    model = mc.load("table")
    response = mc.dynamic_response(model.snapshot(model.start))
    for guarantee in ("unambiguous", "none"):
        best = mc.maximize(response, "x", guarantee=guarantee)
        assert not best
        assert best.value == np.inf
        assert best.mode in response
        assert "torque limits" in best.reason


def test_unbounded_without_contacts_is_in_free_motion():
    slider = mc.Builder("slider").body("a", joint=mc.prismatic("s"), mass=1).input("f", "s").build()
    response = mc.dynamic_response(slider.snapshot(slider.start))
    assert mc.maximize(response, "s").reason == "unbounded in free motion: give torque limits"


def test_infeasible_names_the_constraint():
    model = mc.load("rhex")
    snap = model.snapshot(model.start)
    one = mc.maximize(mc.dynamic_response(snap, task=["body.normal >= 10", "body.normal >= 1e6"]), "alpha")
    assert not one
    assert "body.normal >= 1e6" in one.reason
    both = mc.maximize(mc.dynamic_response(snap, task=["alpha >= 80", "alpha <= -10"]), "alpha")
    assert not both
    assert "together" in both.reason
    none = mc.maximize(mc.dynamic_response(snap, physical="body.normal >= 1e6"), "alpha")
    assert not none
    assert "no contact mode" in none.reason


def test_nothing_unambiguous_is_told_apart_from_nothing_at_all():
    model = mc.load("two_link", mu=0.8)
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-4.0, -1.0)])
    assert len(response.modes_at([-2.0])) > 1
    best = mc.maximize(response, "gamma")
    assert not best
    assert "another mode" in best.reason
    assert best.ambiguous_mode in response
    assert mc.maximize(response, "gamma", guarantee="none").value == pytest.approx(best.ambiguous_value)


def test_misuse_is_explained():
    model = mc.load("table")
    response = mc.dynamic_response(model.snapshot(model.start))
    with pytest.raises(ValueError, match="guarantee"):
        mc.maximize(response, "x", guarantee="perhaps")
    with pytest.raises(ValueError, match="margin"):
        mc.maximize(response, "x", margin=-1.0)
    with pytest.raises(ValueError, match="margin"):
        mc.maximize(response, "x", margin=np.nan)
    with pytest.raises(ValueError, match="margin"):
        mc.maximize(response, "x", margin="1")
    with pytest.raises(ValueError, match="patience"):
        mc.maximize(response, "x", patience=-1)
    with pytest.raises(ValueError, match="patience"):
        mc.maximize(response, "x", patience=1.5)
    with pytest.raises(ValueError, match="objective has shape"):
        mc.maximize(response, [1.0, 2.0])
    with pytest.raises(ValueError, match=r"objective\[0\] is nan; expected numbers"):
        mc.maximize(response, [np.nan, 0.0, 0.0])
    with pytest.raises(ValueError, match=r"objective is not an array of numbers: \['a', 'b', 'c'\]"):
        mc.maximize(response, ["a", "b", "c"])


# RHex
# --------------------------------------------------------------------------------------------------------


def rest(pitch):
    model = mc.load("rhex", mu_toe=0.6)
    q = np.array([0, 0, np.radians(pitch), -0.5, -0.5, -0.5])
    q, v, _ = RHexObserver.of(model)(0.0, q, np.zeros(6))
    return model, q, v


@pytest.mark.parametrize(
    ("pitch", "mode", "value", "torque"),
    [(0.0, "RFLL", 86.261, (-11, -11, -11)), (20.0, "RRLS", 23.697, (-6.578, -11, 0))],
)
def test_rhex_at_rest(pitch, mode, value, torque):
    model, q, v = rest(pitch)
    best = mc.maximize(mc.dynamic_response(model.snapshot(q, v), task="body.normal >= 10"), "alpha")
    assert best.mode == mode
    assert best.value == pytest.approx(value, abs=1e-3)
    assert best.torque == pytest.approx(torque, abs=1e-3)
    assert best.ambiguous_value == pytest.approx(best.value)
    assert best.distance > 0.1
    assert "tau2 lower limit" in best.active


def test_patience_is_kept():
    model = mc.load("two_link", mu=0.7)
    response = mc.dynamic_response(model.snapshot(model.start), torque_limits=[(-20.0, 20.0)])
    hurried = mc.maximize(response, "tau", patience=0)
    assert not hurried
    assert "patience of 0" in hurried.reason
    assert mc.maximize(response, "tau", patience=1000)
