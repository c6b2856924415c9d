"""Every folder of models/, found and run by itself, and the geometry of the papers' examples."""

import math
import pickle
import subprocess
import sys
import tomllib
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

from modecontrol.dynamics import library, load, models
from modecontrol.errors import ModelFileError
from modecontrol.timestepping.simulate import simulate

NAMES = models()
APART = {"chain", "climber", "gripper_box", "gripper_disc", "pendulum", "ramone", "rhex_compliant", "stairs"}
"""Models with contacts that do not touch at the start; all contacts of the others touch."""


def test_the_models_that_ship():
    assert sorted(NAMES) == NAMES
    expected = {
        "two_link",
        "table",
        "ball_bearing",
        "rhex",
        "rhex_compliant",
        "rod",
        "block",
        "pendulum",
        "chain",
        "four_bar",
        "snake",
        "biped",
        "climber",
        "compass",
        "ramone",
        "pusher",
        "stairs",
        "gripper_box",
        "gripper_disc",
    }
    assert expected <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_folder_has_model_readme_and_drawing(name):
    folder = library.folder() / name
    readme = (folder / "README.md").read_text()
    assert readme.startswith("# ")
    assert "Source" in readme
    assert "drawing.svg" in readme
    assert (folder / "drawing.svg").read_text().startswith("<svg")
    data = tomllib.loads((folder / "model.toml").read_text())
    assert data["name"] == name
    assert data["about"]
    assert data["source"]


@pytest.mark.parametrize("name", NAMES)
def test_model_runs(name):
    model = load(name)
    assert model.name == name
    snap = model.snapshot(model.start, model.start_velocity)
    n, k = len(model.coordinates), len(model.contacts)
    assert snap.mass.shape == (n, n)
    assert snap.jacobian.shape == (2 * k, n)
    assert np.allclose(snap.mass, snap.mass.T)
    assert np.linalg.eigvalsh(snap.mass)[0] > -1e-12
    assert np.all(np.isfinite(snap.bias))
    assert np.all(snap.friction >= 0)


@pytest.mark.parametrize("name", NAMES)
def test_start_touches_where_it_should_and_penetrates_nothing(name):
    model = load(name)
    gap = model.snapshot(model.start).gap
    assert np.all(gap > -1e-12)
    assert np.allclose(model.loop_residual(model.start), 0.0, atol=1e-12)
    if name not in APART:
        assert np.allclose(gap, 0.0, atol=1e-12)
    velocity = model.snapshot(model.start, model.start_velocity).velocity
    assert np.all(velocity[::2][gap < 1e-9] > -1e-12), "no impact at the start"


@pytest.mark.parametrize("name", NAMES)
def test_every_body_has_an_outline(name):
    for body in load(name).mechanism.bodies:
        assert len(body.outline) >= 3, body.name


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_can_be_changed_and_matters(name):
    model = load(name)
    for parameter, value in model.parameters.items():
        other = value + 1 if parameter in ("n", "collide") else value * 0.9 + 0.003
        changed = load(name, **{parameter: other})
        assert changed.parameters[parameter] != value
        assert replace(changed.numbers, parameters={}) != replace(model.numbers, parameters={}), parameter


@pytest.mark.parametrize("name", NAMES)
def test_models_can_be_sent_to_other_processes(name):
    model = load(name)
    again = pickle.loads(pickle.dumps(model))
    assert again.names == model.names
    assert np.array_equal(again.snapshot(model.start).mass, model.snapshot(model.start).mass)


@pytest.mark.parametrize(
    ("name", "n", "coordinates", "inputs", "contacts"),
    [
        ("pendulum", 30, 30, 0, 60),
        ("pendulum", 2, 2, 0, 4),
        ("chain", 1, 3, 0, 2),
        ("chain", 128, 130, 0, 2),
        ("snake", 1, 3, 0, 2),
        ("snake", 2, 4, 1, 3),
        ("snake", 8, 10, 7, 9),
        ("snake", 81, 83, 80, 82),
    ],
)
def test_numbers_of_links(name, n, coordinates, inputs, contacts):
    model = load(name, n=n)
    assert (len(model.coordinates), len(model.inputs), len(model.contacts)) == (coordinates, inputs, contacts)
    assert np.all(model.snapshot(model.start).gap > -1e-10)


def test_reload_changes_the_number_of_links():
    assert len(load("pendulum", n=3, m=2.0).with_parameters(n=5).coordinates) == 5
    assert load("pendulum", n=3, m=2.0).with_parameters(n=5).parameters["m"] == 2.0


def test_pendulum_with_self_collision():
    model = load("pendulum", n=4, collide=1)
    assert model.contacts[-3:] == ("balls1_3", "balls1_4", "balls2_4")
    assert model.snapshot(model.start).gap[-3:] == pytest.approx([3.0, 6.0, 3.0])


def test_pendulum_of_jain_2014():
    model = load("pendulum")
    points = model.contact_points(model.start)
    last = model.frames(model.start)[-1]
    tip = last[:2] + 2 * 0.5 * np.array([math.cos(last[2]), math.sin(last[2])])
    assert np.allclose(tip, [-12 * math.sqrt(0.5), 10 - 12 * math.sqrt(0.5)])
    assert np.allclose(points.n[0], [0, 1])
    assert np.allclose(points.n[12], [-1, 0])
    assert model.start_velocity[0] == 1.0


def test_two_link_of_greenfield_2005():
    model = load("two_link")
    assert model.coordinates == ("xc", "yc", "theta", "gamma")
    assert model.inputs == ("tau",)
    points = model.contact_points(model.start)
    assert np.allclose(points.position, [[1, 1.2], [0, 0.6], [1, 0]], atol=1e-12)
    assert np.allclose(points.n, [[-1, 0], [1, 0], [-1, 0]], atol=1e-12)
    assert np.allclose(points.t, [[0, 1], [0, -1], [0, 1]], atol=1e-12)
    snap = model.snapshot(model.start)
    assert np.linalg.matrix_rank(snap.jacobian) == 4
    assert snap.bias[1] == pytest.approx(2 * 9.81)


def test_two_link_asymmetric():
    model = load("two_link", elbow=0.9, top=1.3, mu=0.5)
    points = model.contact_points(model.start)
    assert np.allclose(points.position, [[1, 1.3], [0, 0.9], [1, 0]], atol=1e-12)
    assert np.allclose(points.gap, 0, atol=1e-12)


def test_two_link_folding_presses_on_the_walls():
    """A negative torque folds the elbow, and all three normal forces are positive."""
    snap = load("two_link").snapshot(load("two_link").start)
    load_to_carry = snap.bias - snap.actuation @ [-30.0]
    force = np.linalg.lstsq(snap.jacobian.T, load_to_carry, rcond=None)[0]
    assert np.allclose(snap.jacobian.T @ force, load_to_carry)
    assert np.all(force[::2] > 0)


@pytest.mark.parametrize(
    ("parameters", "bound"),
    [
        ({"mu": 0.1}, -29.43),
        ({"mu": 0.2}, -14.715),
        ({"mu": 0.4}, -7.3575),
        ({"mu": 0.5, "elbow": 0.9, "top": 1.3}, -4.905),
        ({"mu": 0.7}, math.inf),
    ],
)
def test_two_link_torques_that_hold_all_contacts_fixed(parameters, bound):
    """T_FFF = (-inf, -m g h/(2 mu)], and everything once mu exceeds h: max tau over static equilibria."""
    model = load("two_link", **parameters)
    snap = model.snapshot(model.start)
    cone = np.kron(np.eye(3), [[-parameters["mu"], 1], [-parameters["mu"], -1]])
    found = linprog(
        [0] * 6 + [-1],
        A_ub=np.hstack([cone, np.zeros((6, 1))]),
        b_ub=np.zeros(6),
        A_eq=np.hstack([snap.jacobian.T, snap.actuation]),
        b_eq=snap.bias,
        bounds=[(0, None), (None, None)] * 3 + [(None, None)],
    )
    assert found.status == (3 if math.isinf(bound) else 0)
    assert math.isinf(bound) or -found.fun == pytest.approx(bound)


def test_table_carries_its_weight_evenly():
    model = load("table")
    snap = model.snapshot(model.start)
    A = np.block([[snap.jacobian, np.zeros((4, 4))], [snap.mass, -snap.jacobian.T]])
    assert np.linalg.matrix_rank(A) == 6
    force = np.linalg.lstsq(snap.jacobian.T, snap.bias, rcond=None)[0]
    assert force[::2] == pytest.approx([49.05, 49.05])


def test_ball_bearing_slides_right_on_all_four_flats():
    model = load("ball_bearing")
    velocity = model.snapshot(model.start, model.start_velocity).velocity
    assert np.allclose(velocity[::2], 0.0)
    assert np.allclose(velocity[1::2], 0.1)


def test_ball_bearing_angular_acceleration_while_all_contacts_slide():
    """theta_dd <= -mu r m g (1 + mu)/(I (1 + mu^2)) = -10.684 rad/s2 without torque, and no lower bound."""
    model = load("ball_bearing")
    snap = model.snapshot(model.start, model.start_velocity)
    slide = snap.jacobian.T @ np.kron(np.eye(4), [[1.0], [-0.1]])
    equations = np.block([[snap.mass, -slide], [snap.jacobian[::2], np.zeros((4, 4))]])
    free = [(None, None)] * 3 + [(0, None)] * 4
    right = [*-snap.bias, *-snap.drift[::2]]
    highest = linprog([0, 0, -1, 0, 0, 0, 0], A_eq=equations, b_eq=right, bounds=free)
    assert -highest.fun == pytest.approx(-9.81 * 1.1 / 1.01)
    assert linprog([0, 0, 1, 0, 0, 0, 0], A_eq=equations, b_eq=right, bounds=free).status == 3


def test_rhex_of_table_4():
    model = load("rhex")
    assert model.coordinates == ("y", "z", "alpha", "phi1", "phi2", "phi3")
    assert model.inputs == ("tau1", "tau2", "tau3")
    assert model.contacts == ("body", "rear", "middle", "front")
    snap = model.snapshot(model.start)
    assert np.allclose(snap.mass, np.diag([8.5, 8.5, 0.144, 0, 0, 0]))
    assert np.allclose(snap.friction, [0.2, 0.6, 0.6, 0.6])
    assert np.allclose(snap.torque_limits, [[-11, 11]] * 3)
    reach = math.sqrt(0.17**2 - 0.05**2)
    assert np.allclose(
        model.contact_points(model.start).position,
        [[-0.25, 0], [-0.19 + reach, 0], [0.015 + reach, 0], [0.22 + reach, 0]],
    )
    half_speed = model.snapshot(model.start, {"phi2": 20.0}).torque_limits
    assert np.allclose(half_speed, [[-11, 11], [-5.5, 5.5], [-11, 11]])


def test_rhex_compliant_agrees_with_rhex_where_it_is_the_same():
    soft, stiff = load("rhex_compliant"), load("rhex")
    assert soft.contacts[:4] == stiff.contacts
    assert soft.inputs == stiff.inputs
    assert soft.coordinates[:6] == stiff.coordinates
    rng = np.random.default_rng(2)
    q, v = rng.normal(size=(2, 6))
    one = soft.snapshot([*q, 0.17, 0.17, 0.17], [*v, 0, 0, 0])
    other = stiff.snapshot(q, v)
    assert np.allclose(one.gap[:4], other.gap)
    assert np.allclose(one.velocity[:8], other.velocity)
    assert np.allclose(one.jacobian[:8, :6], other.jacobian)
    massless = load("rhex_compliant", mt=0).snapshot([*q, 0.17, 0.17, 0.17])
    assert np.allclose(massless.mass[:6, :6], other.mass)
    stretched = soft.snapshot([*q, 0.18, 0.17, 0.17]).bias - soft.snapshot([*q, 0.17, 0.17, 0.17]).bias
    assert stretched[6] == pytest.approx(50.0, rel=1e-2), "the leg's spring pulls back, kl 0.01 m"


def test_rod_lower_end():
    """Jacobian of the rod in Painleve's example: normal (0, 1, -c/2), tangential (1, 0, s/2)."""
    model = load("rod", theta=0.7)
    snap = model.snapshot(model.start)
    c, s = math.cos(0.7), math.sin(0.7)
    assert np.allclose(snap.jacobian, [[0, 1, -c / 2], [1, 0, s / 2]])
    assert np.allclose(snap.actuation, np.eye(3))
    assert np.allclose(snap.mass, np.diag([1, 1, 1 / 12]))


@pytest.mark.parametrize("slope", [-0.4, 0.0, 0.3])
def test_block_stands_on_any_slope(slope):
    model = load("block", slope=slope)
    snap = model.snapshot(model.start)
    assert np.allclose(snap.gap, 0, atol=1e-12)
    along = np.array([math.cos(slope), math.sin(slope)])
    assert np.allclose(np.diff(model.contact_points(model.start).position, axis=0), 0.4 * along)


def test_four_bar_closes_at_every_crank_angle():
    for angle in np.linspace(0, 2 * math.pi, 9):
        model = load("four_bar", angle=float(angle))
        assert np.allclose(model.loop_residual(model.start), 0, atol=1e-12)
        assert np.allclose(model.snapshot(model.start).gap, 0, atol=1e-12)


def test_snake_zigzags():
    model = load("snake", n=4)
    points = model.contact_points(model.start)
    assert np.allclose(points.position, [[0, 0], [1, 0.6], [0, 1.2], [1, 1.8], [0, 2.4]], atol=1e-12)
    assert np.allclose(points.n[:, 0], [1, -1, 1, -1, 1])


def test_biped_stands_between_its_feet():
    model = load("biped")
    position = model.contact_points(model.start).position
    assert position[0, 0] > position[3, 0], "the left heel is in front of the right toe"
    mass = model.snapshot(model.start).mass
    assert mass[0, 0] == pytest.approx(70.0)
    centre = model.snapshot(model.start).bias[2] / (9.81 * 70.0)
    assert position[2, 0] < centre < position[1, 0], "the centre of mass is between right heel and left toe"


def holds(model, **changes):
    """Whether some torques within their limits keep the mechanism at rest at its start: a raw linear program."""
    model = model.with_parameters(**changes)
    snap, k = model.snapshot(model.start), len(model.mechanism.contacts)
    rows, right, bounds = [], [], []
    for i, contact in enumerate(model.numbers.contacts):
        for sign in (1, -1):
            row = np.zeros(2 * k + len(model.inputs))
            row[2 * i : 2 * i + 2] = -contact.mu, sign
            rows.append(row)
            right.append(contact.mu * contact.pull)
        bounds += [(-contact.pull, None), (None, None)]
    stops = [i for i, name in enumerate(model.contacts) if name.endswith(".stop") and snap.gap[i] < 1e-9]
    pressed = np.array([snap.jacobian[2 * i] for i in stops]).reshape(len(stops), len(model.coordinates)).T
    equal = np.hstack([snap.jacobian[: 2 * k].T, snap.actuation, pressed])
    rows = np.hstack([np.array(rows), np.zeros((len(rows), len(stops)))])
    found = linprog(
        np.zeros(equal.shape[1]),
        A_ub=rows,
        b_ub=right,
        A_eq=equal,
        b_eq=snap.bias,
        bounds=[*bounds, *model.torque_limits(model.start_velocity).tolist(), *[(0, None)] * len(stops)],
    )
    return found.status == 0


def test_climber_holds_by_adhesion_alone():
    """Forces across the wall must add up to nothing, so that without pull there is no friction either."""
    model = load("climber")
    assert model.snapshot(model.start).mass[0, 0] == pytest.approx(2.0)
    assert holds(model)
    assert not holds(model, pull=0.0)
    # the weight on two feet that only adhere: 2 mu pull >= m g
    least = 2.0 * 9.81 / (2 * model.parameters["mu"])
    assert holds(model, pull=1.001 * least)
    assert not holds(model, pull=0.999 * least)


def test_compass_rests_on_its_stops():
    model = load("compass")
    snap = model.snapshot(model.start)
    assert snap.mass[0, 0] == pytest.approx(1.6)
    assert model.contacts == ("left_foot", "right_foot", "left_knee.stop", "right_knee.stop")
    np.testing.assert_allclose(snap.gap, 0, atol=1e-12)
    for slope, spread in ((0.0, 0.2), (0.1, 0.4)):
        other = load("compass", slope=slope, spread=spread)
        np.testing.assert_allclose(other.snapshot(other.start).gap, 0, atol=1e-12)
    bent = model.snapshot({**dict(zip(model.coordinates, model.start, strict=True)), "left_knee": -0.1})
    assert bent.gap[2] == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("name", "knees"), [("compass", ("left_knee", "right_knee")), ("ramone", ("left_knee", "right_knee"))]
)
def test_knees_never_pass_their_stops(name, knees):
    """Without torques the walkers fall; their knees straighten and bend, and stay on their side."""
    model = load(name)
    run = simulate(model, duration=0.6)
    assert run.status == "completed"
    columns = [model.coordinates.index(knee) for knee in knees]
    assert run.q[:, columns].max() < 1e-6
    assert run.q[:, columns].min() < -0.5


def test_ramone_of_smit_anseeuw_2017():
    model = load("ramone")
    bodies = {body.name: body for body in model.numbers.bodies}
    assert [bodies[name].mass for name in ("torso", "left_thigh", "right_shank")] == [7.9026, 0.7887, 0.51]
    assert [bodies[name].inertia for name in ("torso", "left_thigh", "right_shank")] == [
        0.08,
        0.00221,
        0.00652,
    ]
    assert model.snapshot(model.start).mass[0, 0] == pytest.approx(7.9026 + 2 * (0.7887 + 0.51))
    frames = dict(zip(bodies, model.frames(model.start), strict=True))
    for side in ("left", "right"):
        knee, hip = frames[f"{side}_shank"], frames[f"{side}_thigh"]
        assert np.hypot(*(knee - hip)[:2]) == pytest.approx(0.2)
        foot = knee[:2] + 0.2385 * np.array([math.cos(knee[2]), math.sin(knee[2])])
        assert foot[1] == pytest.approx(0.02815)
    assert holds(model)
    assert np.allclose(model.snapshot(model.start).gap, [0, 0, 0.4, 0.4])


# load and models -----------------------------------------------------------------------------------------


def test_load_by_path(tmp_path):
    source = library.folder() / "rod"
    assert load(source).name == "rod"
    assert load(str(source / "model.toml"), mu=2).parameters["mu"] == 2.0
    copy = tmp_path / "stick.toml"
    copy.write_text((source / "model.toml").read_text())
    assert load(copy).contacts == ("tip",)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rehx", r"no model 'rehx' \(did you mean 'rhex'\?\)"),
        ("nowhere/model.toml", "expected a path"),
        ("", "no model"),
    ],
)
def test_unknown_models(name, message):
    with pytest.raises(ModelFileError, match=message):
        load(name)


def test_unknown_parameters():
    with pytest.raises(ModelFileError, match=r"unknown parameter 'mu_toes' \(did you mean 'mu_toe'\?\)"):
        load("rhex", mu_toes=0.6)


def test_installed_models_come_first(tmp_path, monkeypatch):
    package = tmp_path / "modecontrol"
    (package / "dynamics").mkdir(parents=True)
    monkeypatch.setattr(library, "__file__", str(package / "dynamics" / "library.py"))
    assert library.folder() == tmp_path / "models"
    assert library.models() == []
    (package / "models" / "toy").mkdir(parents=True)
    (package / "models" / "toy" / "model.toml").write_text("")
    assert library.folder() == package / "models"
    assert library.models() == ["toy"]


def test_reading_a_file_imports_nothing_heavy():
    code = (
        "import sys; from modecontrol.dynamics import models, ModelFileError, Builder; models();"
        "from modecontrol.dynamics.model_file import read;"
        "from modecontrol.dynamics.library import locate;"
        "read(locate('rhex'));"
        "print([m for m in ('numba', 'sympy', 'matplotlib', 'cvxpy', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
