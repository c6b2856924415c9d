"""Results as labelled tables: `pandas.DataFrame` of a response, `xarray.Dataset` of a trajectory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modecontrol.interop.extras import needs
from modecontrol.regions.dynamic_response import DynamicResponse
from modecontrol.timestepping.trajectory import Trajectory
from modecontrol.validation import shown

if TYPE_CHECKING:
    import pandas
    import xarray

PARTS = ("normal", "tangent")


def response_frame(response: DynamicResponse) -> pandas.DataFrame:
    """The modes of a response, one row each, indexed by the mode string.

    Parameters
    ----------
    response
        From `modecontrol.dynamic_response`.

    Returns
    -------
    pandas.DataFrame
        Columns as in `response.rows()`.
    """
    if not isinstance(response, DynamicResponse):
        raise TypeError(f"response is {shown(response)}; expected what modecontrol.dynamic_response gives")
    with needs("pandas", "frames"):
        import pandas
    rows = response.rows()
    frame = pandas.DataFrame(rows)
    return frame.set_index("mode") if rows else frame


def trajectory_dataset(trajectory: Trajectory) -> xarray.Dataset:
    """A trajectory with named axes.

    Parameters
    ----------
    trajectory
        From `modecontrol.simulate`.

    Returns
    -------
    xarray.Dataset
        `q`, `v` over (time, coordinate); `torque` over (step, input), `force` over (step, contact, part),
        `letter` over (step, contact), `residual` and `impacts` over step. `step` is the time at which a step
        begins; the header of the trajectory is among the attributes.
    """
    if not isinstance(trajectory, Trajectory):
        raise TypeError(f"trajectory is {shown(trajectory)}; expected what modecontrol.simulate gives")
    with needs("xarray", "frames"):
        import xarray
    names, steps, k = trajectory.header["names"], len(trajectory), trajectory.letters.shape[1]
    letters = trajectory.letters.view("S1").astype("U1")
    return xarray.Dataset(
        {
            "q": (("time", "coordinate"), trajectory.q),
            "v": (("time", "coordinate"), trajectory.v),
            "torque": (("step", "input"), trajectory.torque),
            "force": (("step", "contact", "part"), trajectory.force.reshape(steps, k, 2)),
            "letter": (("step", "contact"), letters),
            "residual": ("step", trajectory.residual),
            "impacts": ("step", trajectory.impacts),
        },
        coords={
            "time": trajectory.time,
            "step": trajectory.time[:-1],
            "coordinate": names["coordinates"],
            "input": names["inputs"],
            "contact": names["contacts"],
            "part": list(PARTS),
        },
        attrs={
            "model": trajectory.header["model"],
            "status": trajectory.status,
            "step_size": trajectory.step,
            **{f"parameter_{key}": value for key, value in trajectory.header["parameters"].items()},
        },
    )
