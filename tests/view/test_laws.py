"""Every law has a sign on paper, at its place, and a mechanism without laws has none."""

import math

import matplotlib.pyplot as plt
import numpy as np
import pytest

import modecontrol as mc
from modecontrol.view.laws import draw_laws


def arm(**laws):
    made = mc.Builder("arm").body("a", joint=mc.revolute("hip", at=(1, 2), **laws), mass=1, com=(0.4, 0))
    return made.build()


def slider(**laws):
    return mc.Builder("cart").body("a", joint=mc.prismatic("s", at=(1, 2), **laws), mass=1).build()


def block(**law):
    made = mc.Builder("block").body("block", joint=mc.planar("x", "y", "r"), mass=2, inertia=0.1)
    return made.contact("foot", "block", point=(0.3, -0.1), **law).start(x=0.7, y=2.1).build()


def load():
    made = mc.Builder("load").body("load", joint=mc.planar("x", "y", "r"), mass=1, inertia=0.1)
    return made.cable("rope", "load", other="world", other_point=(1, 2), length=9.0).start(x=1, y=1.9).build()


@pytest.fixture
def ax():
    figure, ax = plt.subplots()
    ax.set_xlim(0, 3)
    ax.set_ylim(0, 3)
    yield ax
    plt.close(figure)


@pytest.mark.parametrize("joint", [arm, slider])
@pytest.mark.parametrize(
    ("laws", "signs"),
    [
        ({}, 0),
        ({"armature": 0.3, "damping": 0.1}, 0),
        ({"upper": 0.0}, 1),
        ({"lower": -0.5, "upper": 0.5}, 2),
        ({"friction": 2.0}, 2),
        ({"prescribed": True}, 2),
        ({"friction": 2.0, "upper": 1.0}, 3),
    ],
)
def test_laws_of_joints_are_drawn_at_the_joint(ax, joint, laws, signs):
    model = joint(**laws)
    made = draw_laws(ax, model, model.start, 1.0)
    assert len(made) == signs
    for sign in made:
        if hasattr(sign, "get_xydata"):
            assert np.hypot(*(sign.get_xydata().mean(axis=0) - (1, 2))) <= (1.1 if joint is slider else 0.15)


@pytest.mark.parametrize(
    ("law", "signs"),
    [
        ({"mu": 0.5}, 0),
        ({"mu": 0.5, "mu_static": 0.5}, 0),
        ({"mu": 0.5, "mu_static": 0.7}, 2),
        ({"pull": 3.0}, 1),
        ({"one_way": "left"}, 1),
        ({"speed": -0.2}, 1),
        ({"mu": 0.5, "mu_static": 0.7, "pull": 3.0, "one_way": "right", "speed": 0.1}, 5),
    ],
)
def test_laws_of_contacts_are_drawn_at_the_contact(ax, law, signs):
    model = block(**law, wall={"origin": (0, 2)})
    made = draw_laws(ax, model, model.start, 1.0)
    assert len(made) == signs
    for sign in made:
        if hasattr(sign, "get_path") and hasattr(sign, "get_patch_transform"):
            corners = sign.get_patch_transform().transform(sign.get_path().vertices)
            assert np.hypot(*(corners - (1.0, 2.0)).T).max() < 0.2


def test_the_sides_of_static_friction_have_its_angle_and_a_claw_is_upright_where_it_holds(ax):
    model = block(mu=0.3, mu_static=0.8, one_way="right", wall={"origin": (0, 2)})
    made = draw_laws(ax, model, model.start, 1.0)
    lines = [sign.get_xydata() for sign in made if hasattr(sign, "get_xydata")]
    for line in lines:
        x, y = line[1] - line[0]
        assert abs(x) / y == pytest.approx(0.8)
    (tooth,) = [sign for sign in made if not hasattr(sign, "get_xydata")]
    assert tooth.get_xy()[:, 0].min() == pytest.approx(
        1.0
    )  # its back is over the contact, its slope goes to the right
    assert tooth.get_xy()[:, 0].max() > 1.01


def test_a_slack_cable_is_dashed_and_a_taut_one_is_not(ax):
    (slack,) = draw_laws(ax, load(), load().start, 1.0)
    (taut,) = draw_laws(ax, load(), np.array([1.0, 2.0 - 9.0, 0.0]), 1.0)
    assert slack.is_dashed()
    assert not taut.is_dashed()
    assert math.dist(*taut.get_xydata()) == pytest.approx(9.0)


def test_resistance_to_rolling_is_a_bar_as_long_as_the_normal_force_can_move(ax):
    made = mc.Builder("wheel").body("wheel", joint=mc.planar("x", "y", "r"), mass=2, inertia=0.03)
    made.contact("rim", "wheel", type="disc", radius=0.3, mu=0.4, rolling=0.05)
    model = made.start(x=0.7, y=0.3).build()
    (bar,) = draw_laws(ax, model, model.start, 1.0)
    assert bar.get_xydata() == pytest.approx(
        np.array([[0.75, 0.0], [0.65, 0.0]])
    ) or bar.get_xydata() == pytest.approx(np.array([[0.65, 0.0], [0.75, 0.0]]))
    assert draw_laws(ax, model, np.array([0.7, 0.4, 0.0]), 1.0) == []  # open


def test_drag_is_two_waves_beside_its_point_along_its_first_axis(ax):
    drag = {"linear": (0.1, 2.0), "at": (0.5, 0.0), "angle": 0.4}
    made = mc.Builder("fin").body("fin", joint=mc.planar("x", "y", "r"), mass=1, inertia=0.1, drag=drag)
    model = made.build()
    waves = [sign.get_xydata() for sign in draw_laws(ax, model, np.array([1.0, 2.0, 0.3]), 1.0)]
    assert len(waves) == 2
    middle = np.mean([wave.mean(axis=0) for wave in waves], axis=0)
    assert middle == pytest.approx([1.0 + 0.5 * np.cos(0.3), 2.0 + 0.5 * np.sin(0.3)])
    for wave in waves:
        along = wave[-1] - wave[0]
        assert np.arctan2(along[1], along[0]) == pytest.approx(0.7)
