"""The medium of MuJoCo's models: its law by probes, bodies that lie askew, wind, and a robot that swims."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

gymnasium, mujoco = pytest.importorskip("gymnasium"), pytest.importorskip("mujoco")

import modecontrol as mc  # noqa: E402 - after the skips
from modecontrol.interop import read_mjcf  # noqa: E402 - after the skips

pytestmark = pytest.mark.peers
SWIMMER = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / "swimmer.xml"
AGREE = 1e-9


def signs_of(imported):
    return np.array([imported.signs[name] for name in imported.model.coordinates], float)


def written(
    tmp_path,
    *,
    option='density="900" viscosity="0.3"',
    inertia="0.05 0.04 0.03",
    more="",
    pose='euler="0 0 0.4"',
):
    """A body on two slides and a hinge in the plane xy, and a second one hinged to it."""
    path = tmp_path / "r.xml"
    path.write_text(
        f"""<mujoco><compiler angle="radian"/><option gravity="0 0 0" {option}/><worldbody>
        <body name="a" pos="0.1 0.2 0.3"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
        <joint name="t" axis="0 0 -1"/><inertial pos="0.1 0.05 -0.02" mass="2" diaginertia="{inertia}" {pose}/>{more}
        <body name="b" pos="0.3 0 0.1" euler="0 0 0.7"><joint name="p" axis="0 0 1"/>
        <inertial pos="0.2 -0.1 0.1" mass="1.5" diaginertia="0.03 0.04 0.02" {pose}/></body></body>
        </worldbody></mujoco>""",
        encoding="utf-8",
    )
    return path


def worst(path, states, speeds=3.0):
    """Greatest difference of the passive forces at random states, beside the greatest force."""
    imported = read_mjcf(path)
    peer = mujoco.MjModel.from_xml_path(str(path))
    data, signs, model = mujoco.MjData(peer), signs_of(imported), imported.model
    dry = tuple(replace(body, drag=()) for body in model.mechanism.bodies)
    still = mc.Model(replace(model.mechanism, bodies=dry))
    rng, found = np.random.default_rng(5), []
    for q, v in rng.normal(size=(states, 2, peer.nv)):
        data.qpos[:], data.qvel[:] = signs * q, signs * v * speeds
        mujoco.mj_forward(peer, data)
        here = still.snapshot(q, speeds * v).bias - model.snapshot(q, speeds * v).bias
        found.append(np.abs(here - signs * data.qfrc_fluid).max() / max(1.0, np.abs(data.qfrc_fluid).max()))
    return imported, max(found)


def test_the_law_of_the_box_of_inertia_is_mujocos():
    """Finite probes: a unit motion along and about each axis, in a viscous and in a dense medium, against the formulas."""
    from modecontrol.interop.mjcf_fluid import drags, sides
    from modecontrol.interop.mjcf_links import compiled

    text = """<mujoco><option gravity="0 0 0" density="{}" viscosity="{}"/><worldbody><body><freejoint/>
    <inertial pos="0 0 0" mass="2" diaginertia="0.05 0.04 0.03"/></body></worldbody></mujoco>"""
    np.testing.assert_allclose(sides([0.05, 0.04, 0.03], 2.0), np.sqrt([0.06, 0.12, 0.18]), atol=1e-15)
    for density, viscosity in ((1200.0, 0.0), (0.0, 0.7), (300.0, 0.2)):
        peer = mujoco.MjModel.from_xml_string(text.format(density, viscosity))
        data = mujoco.MjData(peer)
        ((_, drag),) = drags(compiled(mujoco, peer, "box")).items()
        for k in range(6):
            for speed in (-2.0, 0.5):
                data.qvel[:] = speed * np.eye(6)[k]
                mujoco.mj_forward(peer, data)
                linear, quadratic = (
                    (drag.linear, drag.quadratic[k])
                    if k < 3
                    else (drag.turning, drag.turning_quadratic[k - 3])
                )
                expected = np.zeros(6)
                expected[k] = -(linear + quadratic * abs(speed)) * speed
                np.testing.assert_allclose(data.qfrc_fluid, expected, rtol=1e-12, atol=1e-12)


def test_a_body_whose_box_lies_in_the_plane_has_one_drag(tmp_path):
    imported, apart = worst(written(tmp_path), 100)
    assert apart < AGREE
    assert [len(body.drag) for body in imported.model.mechanism.bodies if body.mass] == [1, 1]
    assert imported.left_out == ()


@pytest.mark.parametrize(
    ("turn", "count"), [("0.5 0.3 0.4", 3), ("0 0.3 0", 3), ("0 1e-4 0", 3), ("1.5707963267948966 0.3 0", 1)]
)
def test_a_body_whose_box_is_askew_loses_nothing(tmp_path, turn, count):
    imported, apart = worst(written(tmp_path, pose=f'euler="{turn}"'), 100)
    assert apart < AGREE
    assert imported.left_out == ()
    assert [len(body.drag) for body in imported.model.mechanism.bodies if body.mass] == [count, count]


def test_wind_is_the_velocity_of_the_medium(tmp_path):
    option = 'density="900" viscosity="0.3" wind="0.7 -0.4 {}"'
    for across in (0, 0.5):
        imported, apart = worst(written(tmp_path, option=option.format(across)), 100)
        assert apart < AGREE
        assert imported.left_out == ()
        assert imported.model.mechanism.wind == (0.7, -0.4)
    askew = read_mjcf(written(tmp_path, option=option.format(0.5), pose='euler="0.5 0.3 0.4"'))
    assert [said.split(" on ")[0] for said in askew.left_out] == ["the wind across the plane"] * 2
    _, apart = worst(written(tmp_path, option=option.format(0), pose='euler="0.5 0.3 0.4"'), 100)
    assert apart < AGREE
    calm = read_mjcf(written(tmp_path, option='wind="0.7 -0.4 0.5"'))
    assert calm.left_out == ()
    assert calm.model.mechanism.wind == (0.0, 0.0)


def test_flat_and_round_inertias(tmp_path):
    for inertia in ("0.05 0.04 0.09", "0.04 0.04 0.04", "0.09 0.05 0.04"):
        assert worst(written(tmp_path, inertia=inertia), 30)[1] < AGREE


def test_ellipsoids_are_said_to_be_left_out(tmp_path):
    egg = '<geom type="ellipsoid" size="0.1 0.2 0.3" contype="0" conaffinity="0" fluidshape="ellipsoid"/>'
    imported = read_mjcf(written(tmp_path, more=egg))
    assert [said[:31] for said in imported.left_out] == ["the drag of a, which MuJoCo cou"]
    assert [bool(body.drag) for body in imported.model.mechanism.bodies if body.mass] == [False, True]


def test_springs_and_dampers_switched_off_together_switch_the_medium_off(tmp_path):
    flags = {"spring": False, "damper": False, 'spring="disable" damper': True}
    for flag, off in flags.items():
        path = written(tmp_path)
        path.write_text(
            path.read_text().replace("/><worldbody>", f'><flag {flag}="disable"/></option><worldbody>')
        )
        imported, apart = worst(path, 10)
        assert apart < AGREE
        assert any(body.drag for body in imported.model.mechanism.bodies) is not off


def test_two_sides_that_move_as_one_are_braked_as_two(tmp_path):
    """Boxes askew on both sides, mirror images of each other: drag of the merged robot is that of both."""
    leg = """<body name="{0}_leg" pos="0.1 {1}0.2 0"><joint name="{0}_hip" axis="0 1 0"/>
    <inertial pos="0.1 {1}0.05 -0.3" mass="1.5" diaginertia="0.03 0.04 0.02" euler="{1}0.4 0 {1}0.3"/></body>"""
    path = tmp_path / "r.xml"
    path.write_text(
        f"""<mujoco><compiler angle="radian"/><option density="500" viscosity="2" wind="0.3 0 -0.2"/><worldbody>
        <body name="hull" pos="0 0 1"><joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
        <joint name="pitch" axis="0 1 0"/><inertial pos="0 0 0" mass="3" diaginertia="0.1 0.15 0.1"/>
        {leg.format("left", "")}{leg.format("right", "-")}</body></worldbody></mujoco>""",
        encoding="utf-8",
    )
    one, both = (read_mjcf(path, plane="xz", sagittal=merged) for merged in (True, False))
    assert one.left_out == both.left_out == ()
    T = np.array(
        [
            [float(name in (other, other.split("_")[-1])) for name in one.model.coordinates]
            for other in both.model.coordinates
        ]
    )
    for q, v in np.random.default_rng(9).normal(size=(20, 2, 4)):
        merged, whole = one.model.snapshot(q, v), both.model.snapshot(T @ q, T @ v)
        np.testing.assert_allclose(merged.bias, T.T @ whole.bias, rtol=0, atol=1e-9)
    assert worst(path, 50)[1] < AGREE


def test_the_swimmer_at_a_thousand_states():
    imported, apart = worst(SWIMMER, 1000)
    assert apart < AGREE
    assert imported.left_out == ()
    drags = [body.drag for body in imported.model.mechanism.bodies if body.mass]
    assert [len(drag) for drag in drags] == [1, 1, 1]
    assert drags[0][0].quadratic == pytest.approx((58.588, 388.950), abs=1e-3)


def test_the_swimmer_swims_as_in_mujoco():
    """A second with the same inputs, held for 4 ms: the difference falls with the square of the step."""
    peer = mujoco.MjModel.from_xml_path(str(SWIMMER))
    imported = read_mjcf(SWIMMER)
    model, signs = imported.model, signs_of(imported)
    peer.opt.timestep, peer.opt.integrator = 2e-4, mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(peer)
    while data.time < 1.0 - 1e-4:
        data.ctrl[:] = stroke(data.time)
        mujoco.mj_step(peer, data)
    apart = []
    for step in (4e-3, 2e-3, 1e-3):
        run = mc.simulate(
            model, controller=lambda t, q, v: stroke(t), duration=1.0, step=step, integrator="theta"
        )
        assert run.status == "completed"
        apart.append(np.abs(signs * run.q[-1] - data.qpos).max())
    np.testing.assert_allclose(np.log2(np.array(apart[:-1]) / apart[1:]), 2, atol=0.3)
    assert apart[-1] < 1e-5


def stroke(t):
    """Torques of the two motors, from -1 to 1; no joint comes to its stop."""
    t = 4e-3 * np.floor(t / 4e-3 + 1e-6)
    return 0.4 * np.array([np.sin(6.0 * t), np.cos(6.0 * t)])
