"""Drag of a medium: its law by hand, recursion against symbols, words and refusals, and where it is shown."""

import pickle

import numpy as np
import pytest

import modecontrol as mc
from modecontrol.dynamics.model_file import parse
from modecontrol.errors import ModelFileError

WORDS = {
    "linear": (0.3, 0.5),
    "quadratic": (2.0, 20.0),
    "turning": 0.01,
    "turning_quadratic": 0.2,
    "at": (0.2, -0.1),
    "angle": 0.3,
}
TEXT = """
gravity = [0, 0]
wind = ["flow", 0.1]
[parameters]
flow = 0.3
rho = 1000
[[body]]
name = "fin{i}"
repeat = 2
parent = "world"
joint = {type = "planar", coordinates = ["x{i}", "y{i}", "t{i}"]}
mass = 1
inertia = 0.1
drag = {quadratic = ["rho*0.002", "rho*0.01*{i}"], linear = [0.1, 0.2]}
"""


def plate(drag=WORDS, **medium):
    made = mc.Builder("plate", gravity=(0, 0), **medium)
    return made.body("plate", joint=mc.planar("x", "y", "t"), mass=2, inertia=0.1, drag=drag).build()


def swimmer(rng, links=4):
    """A tree with all kinds of joints, every body braked somewhere, some of them twice, one of them welded."""

    def drag(count):
        return [
            {
                "linear": tuple(rng.uniform(0, 2, 2)),
                "quadratic": tuple(rng.uniform(0, 20, 2)),
                "turning": rng.uniform(0, 1),
                "turning_quadratic": rng.uniform(0, 1),
                "angle": rng.uniform(-3, 3),
                **({"at": tuple(rng.uniform(-1, 1, 2))} if rng.random() < 0.5 else {}),
            }
            for _ in range(count)
        ]

    made = mc.Builder("swimmer", wind=tuple(rng.normal(size=2)))
    kinds = [mc.planar("x", "y", "t", angle=0.2), mc.revolute("a", at=(0.4, 0.1), angle=0.3)]
    kinds += [mc.prismatic("s", at=(0.1, 0.2), angle=-0.4), mc.weld(at=(0.3, -0.2), angle=0.7)]
    for i in range(links):
        made.body(
            f"b{i}",
            joint=kinds[i],
            mass=rng.uniform(0.5, 2),
            inertia=rng.uniform(0.1, 1),
            com=tuple(rng.uniform(-0.5, 0.5, 2)),
            drag=drag(1 + i % 2),
        )
    return made.build()


def test_the_force_is_the_law_of_both_axes_and_of_the_turning():
    model, wind = plate(wind=(0.4, -0.2)), np.array([0.4, -0.2])
    rng = np.random.default_rng(1)
    for q, v in rng.normal(size=(20, 2, 3)):
        at = q[2] + WORDS["angle"]
        axes = np.array([[np.cos(at), np.sin(at)], [-np.sin(at), np.cos(at)]])
        x, y = np.array([[np.cos(q[2]), -np.sin(q[2])], [np.sin(q[2]), np.cos(q[2])]]) @ WORDS["at"]
        u = axes @ (v[:2] + v[2] * np.array([-y, x]) - wind)
        force = axes.T @ (-(np.array(WORDS["linear"]) + np.array(WORDS["quadratic"]) * abs(u)) * u)
        moment = -(WORDS["turning"] + WORDS["turning_quadratic"] * abs(v[2])) * v[2]
        expected = [*force, x * force[1] - y * force[0] + moment]
        np.testing.assert_allclose(model.snapshot(q, v).bias, -np.array(expected), rtol=0, atol=1e-12)


def test_recursion_and_symbols_agree():
    rng = np.random.default_rng(2)
    for links in (2, 4):
        model = swimmer(rng, links)
        for q, v in rng.normal(size=(8, 2, len(model.coordinates))):
            said = model.equations.evaluate(q, v)
            np.testing.assert_allclose(model.snapshot(q, v).bias, said["bias"], rtol=0, atol=1e-10)


def test_symbols_are_printed_and_differentiated():
    """The derivative by the velocities against differences of snapshots; `abs(u) u` stays what it is."""
    import sympy as sp

    e = swimmer(np.random.default_rng(3), links=2).equations
    model = swimmer(np.random.default_rng(3), links=2)
    written = e.passive.jacobian(list(e.velocities)).tolist()
    slopes = sp.lambdify([e.coordinates, e.velocities], written, "math", cse=True)
    for q, v in np.random.default_rng(4).normal(size=(5, 2, 4)):
        rows = [
            (model.snapshot(q, v - 1e-6 * d).bias - model.snapshot(q, v + 1e-6 * d).bias) / 2e-6
            for d in np.eye(4)
        ]
        coriolis = np.array(
            [
                (e.evaluate(q, v + 1e-6 * d)["coriolis"] - e.evaluate(q, v - 1e-6 * d)["coriolis"]) / 2e-6
                for d in np.eye(4)
            ]
        )
        there = np.array(slopes(q, v), float)
        np.testing.assert_allclose(there, (np.array(rows) + coriolis).T, atol=1e-6 * np.abs(there).max())
    one = plate({"quadratic": (2.0, 0.0)}).equations
    assert "Abs(xdot*cos(t) + ydot*sin(t))" in str(one.passive[0])
    assert r"\left|" in one.latex()
    again = pickle.loads(pickle.dumps(one))
    assert again.passive == one.passive
    u = one.velocities[0]
    assert one.passive[0].subs({"t": 0, "ydot": 0}).diff(u).subs(u, -3.0) == -12.0


def test_a_body_that_moves_with_the_medium_feels_nothing():
    rng = np.random.default_rng(5)
    model = plate(wind=(0.7, -0.4))
    for q in rng.normal(size=(5, 3)):
        np.testing.assert_array_equal(model.snapshot(q, [0.7, -0.4, 0.0]).bias, 0.0)
    still = plate()
    power = [v @ still.snapshot(q, v).bias for q, v in rng.normal(size=(200, 2, 3))]
    assert min(power) > 0.0


def test_a_weld_brakes_with_the_body_that_carries_it():
    """One drag in the frame of a welded body, and the same told in the frame of its carrier."""
    drag = {"linear": (1.0, 2.0), "quadratic": (3.0, 4.0), "turning": 0.5}
    a = mc.Builder("a", gravity=(0, 0)).body("hull", joint=mc.planar("x", "y", "t"), mass=1, inertia=1)
    a.body("fin", joint=mc.weld(at=(0.3, 0.2), angle=0.6), drag={**drag, "at": (0.1, 0.4), "angle": 0.2})
    c, s = np.cos(0.6), np.sin(0.6)
    at = (0.3 + c * 0.1 - s * 0.4, 0.2 + s * 0.1 + c * 0.4)
    b = mc.Builder("b", gravity=(0, 0)).body(
        "hull", joint=mc.planar("x", "y", "t"), mass=1, inertia=1, drag={**drag, "at": at, "angle": 0.8}
    )
    one, other = a.build(), b.build()
    for q, v in np.random.default_rng(6).normal(size=(5, 2, 3)):
        np.testing.assert_allclose(one.snapshot(q, v).bias, other.snapshot(q, v).bias, rtol=0, atol=1e-13)


def test_what_the_world_carries_is_not_braked():
    made = mc.Builder("post").body("post", joint=mc.weld(), drag=WORDS)
    model = made.body("arm", joint=mc.revolute("q"), mass=1, com=(0.5, 0)).build()
    assert len(model.tree.drags) == 1
    assert model.snapshot([0.3], [2.0]).bias[0] == pytest.approx(9.81 * 0.5 * np.cos(0.3))


def test_words_of_a_model_file():
    mechanism = parse(TEXT)
    model = mc.Model(mechanism)
    assert mechanism.evaluated().wind == (0.3, 0.1)
    assert [body.drag[0].quadratic for body in model.numbers.bodies] == [(2.0, 10.0), (2.0, 20.0)]
    bias = model.with_parameters(rho=500, flow=0).snapshot([0] * 6, [1.0, 0, 0, 0, 1.0, 0]).bias
    np.testing.assert_allclose(bias[[0, 4]], [1 * 1.0 + 0.1, 10 * 0.81 + 0.2 * 0.9], atol=1e-12)
    assert list(model.describe().needs) == ["drag"]
    assert model.describe().tables["drag"][1][0] == (
        "fin1",
        "0.1 u + 2 abs(u) u N",
        "0.2 u + 10 abs(u) u N",
        "none",
        "0 rad",
    )
    assert model.describe().tables["drag"][1][2][:3] == ("wind", "0.3 m/s", "0.1 m/s")
    assert "<th" in model._repr_html_()
    assert "fin1, fin2" in model._repr_html_()


@pytest.mark.parametrize(
    ("drag", "sentence"),
    [
        (
            "3",
            "drag: found 3 (int); a table with the keys linear, quadratic, turning, turning_quadratic, at, angle, or a list",
        ),
        ("{linear = 3}", "drag: linear: found 3 (int); two numbers [x, y] were expected"),
        ("{linear = [1, 2, 3]}", "drag: linear: found [1, 2, 3] (list); two numbers [x, y] were expected"),
        ("{liner = [1, 2]}", "drag: unknown key 'liner' (did you mean 'linear'?)"),
        ("[{turning = 1}, {turning = 'x y'}]", "drag 2: turning:"),
        ("[4]", "drag 1: found 4 (int); a table with the keys"),
        ("{linear = [1, -2]}", "body 'fin1': drag linear = -2; a number that is not negative was expected"),
        (
            "{quadratic = ['-rho', 0]}",
            "drag quadratic = -1000 ('-rho'); a number that is not negative was expected",
        ),
        ("[{}, {turning_quadratic = -1}]", "drag 2 turning_quadratic = -1; a number that is not negative"),
        ("{turning = inf}", "drag turning = inf; a finite number was expected"),
        ("{at = [0, inf]}", "drag at = inf; a finite number was expected"),
        ("{angle = nan}", "drag: angle: "),
    ],
)
def test_mistakes_are_told(drag, sentence):
    text = TEXT.replace('{quadratic = ["rho*0.002", "rho*0.01*{i}"], linear = [0.1, 0.2]}', drag)
    with pytest.raises(ModelFileError) as caught:
        parse(text)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("wind", "sentence"),
    [
        ("[1]", "wind: found [1] (list); two numbers [x, y] were expected"),
        ("[0, inf]", "wind: wind = inf; a finite number"),
    ],
)
def test_the_wind_is_two_finite_numbers(wind, sentence):
    with pytest.raises(ModelFileError) as caught:
        parse(TEXT.replace('["flow", 0.1]', wind))
    assert sentence in str(caught.value)


def test_wind_without_drag_is_odd():
    from modecontrol.dynamics.lint import lint

    found = {
        name: [each.kind for each in lint(model)]
        for name, model in (("dry", plate((), wind=(1, 0))), ("wet", plate(wind=(1, 0))))
    }
    assert found == {"dry": ["unused wind"], "wet": []}


def test_studies_tell_media_apart():
    from modecontrol.studies.description import digest_of_model

    models = [plate(), plate(wind=(1, 0)), plate({**WORDS, "angle": 0.4}), plate(())]
    assert len({digest_of_model(model) for model in models}) == 4
