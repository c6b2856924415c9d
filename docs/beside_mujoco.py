"""One second of gymnasium's hopper and of its swimmer: this library beside MuJoCo.

    python docs/beside_mujoco.py            prints how far the runs are apart

The hopper falls 4 cm, lands on its foot, is driven by sines of three torques, tips over, and lands on thigh and torso; its
joints hit their stops. MuJoCo's contacts and stops are springs and dampers whose strength the file sets; made twenty times
quicker they come near rigid ones.

The swimmer touches nothing; it is braked by its water alone, and swims by two torques. MuJoCo makes small steps of fourth
order; this library's steps of second order come to the same place, the nearer the smaller they are.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

DURATION = 1.0
HARD = {"solref": (0.001, 1.0), "solimp": (0.99, 0.99, 0.001)}
"""Softness of the hard run: time constant (s) and damping ratio, impedance."""
SHOWN = ("rootz", "rooty", "leg_joint", "foot_joint")
WORDS = ("height of the torso (m)", "pitch (rad)", "knee (rad)", "ankle (rad)")


def torques(t: float) -> np.ndarray:
    """Inputs of the three motors, from -1 to 1."""
    return np.array([-0.15, -0.3, 0.1]) * np.sin(6.0 * t)


def stroke(t: float) -> np.ndarray:
    """Inputs of the swimmer's two motors, from -1 to 1, held for 4 ms."""
    t = 4e-3 * np.floor(t / 4e-3 + 1e-6)
    return 0.4 * np.array([np.sin(6.0 * t), np.cos(6.0 * t)])


def file(name: str = "hopper") -> Path:
    """A robot as gymnasium ships it."""
    import gymnasium

    return Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / f"{name}.xml"


def by_mujoco(hard: bool, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Times, and the coordinates of the file by name."""
    import mujoco

    m = mujoco.MjModel.from_xml_path(str(file()))
    m.opt.timestep = step
    if hard:
        m.opt.iterations = 200
        m.geom_margin[:] = 0.0
        for table in (m.geom_solref, m.jnt_solref):
            table[:] = HARD["solref"]
        for table in (m.geom_solimp, m.jnt_solimp):
            table[:, :3] = HARD["solimp"]
    data = mujoco.MjData(m)
    times, places = [], []
    while data.time <= DURATION + step / 2:
        times.append(data.time)
        places.append(data.qpos.copy())
        data.ctrl[:] = torques(data.time)
        mujoco.mj_step(m, data)
    places = np.array(places)
    names = [mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_JOINT, j) for j in range(m.njnt)]
    return np.array(times), np.array([places[:, names.index(name)] for name in SHOWN])


def by_modecontrol(step: float) -> tuple[np.ndarray, np.ndarray]:
    """The same of this library, turned into the signs of the file."""
    import modecontrol as mc
    from modecontrol.interop import read_mjcf

    imported = read_mjcf(file())
    model = imported.model
    run = mc.simulate(model, controller=lambda t, q, v: torques(t), duration=DURATION, step=step)
    if run.status != "completed":
        raise RuntimeError(f"the run ended at {run.time[-1]} s: {run.status}")
    columns = [imported.signs[name] * run.q[:, model.coordinates.index(name)] for name in SHOWN]
    return np.asarray(run.time), np.array(columns)


def runs() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The three runs by their legend."""
    return {
        "this library, rigid": by_modecontrol(5e-4),
        "MuJoCo, hard contacts": by_mujoco(True, 2e-4),
        "MuJoCo, as the file has it": by_mujoco(False, 2e-3),
    }


def figure() -> Any:
    """Four coordinates over one second."""
    from modecontrol.view import palette, style

    fig = style.figure(8.4, 4.8)
    axes = fig.subplots(2, 2, sharex=True).ravel()
    lines = zip(
        runs().items(), ((palette.LINES[0], "-"), (palette.LINES[2], "--"), (palette.QUIET, ":")), strict=True
    )
    for (label, (t, values)), (colour, dash) in lines:
        for ax, y in zip(axes, values, strict=True):
            ax.plot(t, y, dash, color=colour, label=label, linewidth=1.6)
    for ax, word in zip(axes, WORDS, strict=True):
        ax.set_ylabel(word)
    for ax in axes[2:]:
        ax.set_xlabel("time (s)")
    axes[0].legend(frameon=False, fontsize=8)
    return fig


def swimming() -> dict[float, float]:
    """By step of this library: greatest difference of a coordinate of the swimmer at the end (m or rad)."""
    import mujoco

    import modecontrol as mc
    from modecontrol.interop import read_mjcf

    m = mujoco.MjModel.from_xml_path(str(file("swimmer")))
    m.opt.timestep, m.opt.integrator = 2e-4, mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(m)
    while data.time < DURATION - m.opt.timestep / 2:
        data.ctrl[:] = stroke(data.time)
        mujoco.mj_step(m, data)
    imported, found = read_mjcf(file("swimmer")), {}
    signs = np.array([imported.signs[name] for name in imported.model.coordinates])
    for step in (4e-3, 2e-3, 1e-3, 5e-4):
        run = mc.simulate(
            imported.model,
            controller=lambda t, q, v: stroke(t),
            duration=DURATION,
            step=step,
            integrator="theta",
        )
        if run.status != "completed":
            raise RuntimeError(f"the run ended at {run.time[-1]} s: {run.status}")
        found[step] = float(np.abs(signs * run.q[-1] - data.qpos).max())
    return found


def main() -> int:
    """Greatest differences, before and after the hopper falls over; those of the swimmer by step."""
    found = runs()
    t, own = found["this library, rigid"]
    for label, (times, values) in list(found.items())[1:]:
        here = np.array([np.interp(times, t, y) for y in own])
        for end in (0.2, 0.4, DURATION):
            far = np.abs(here - values)[:, times <= end].max(axis=1)
            words = ", ".join(f"{name} {x:.4f}" for name, x in zip(SHOWN, far, strict=True))
            sys.stdout.write(f"{label}, to {end:g} s: {words}\n")
    sys.stdout.write("swimmer, greatest difference after 1 s by step:")
    sys.stdout.write("".join(f" {step:g} s {x:.1e}," for step, x in swimming().items()).rstrip(",") + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
