"""Other packages: gymnasium, python-control, URDF and MJCF files, tables. Each needs an extra of the
package.

| name                      | gives                                              | extra     |
|---------------------------|----------------------------------------------------|-----------|
| `Environment`             | a `gymnasium.Env` of any model                     | `gym`     |
| `control_system`          | a `control.NonlinearIOSystem` of any model         | `control` |
| `from_urdf`, `read_urdf`  | a model from a URDF file                           | `import`  |
| `from_mjcf`, `read_mjcf`  | a model from a MuJoCo (MJCF) file                  | `import`  |
| `response_frame`          | a `pandas.DataFrame` of contact modes              | `frames`  |
| `trajectory_dataset`      | an `xarray.Dataset` of a simulation                | `frames`  |

The names are imported when they are first used; a missing package says which extra brings it.
"""

from typing import TYPE_CHECKING

from modecontrol.lazy_names import lazy_names

_WHERE = {
    "Environment": "environment",
    "Transition": "transition",
    "control_system": "systems",
    "from_urdf": "urdf",
    "read_urdf": "urdf",
    "from_mjcf": "mjcf",
    "read_mjcf": "mjcf",
    "Imported": "imported",
    "response_frame": "tables",
    "trajectory_dataset": "tables",
}

if TYPE_CHECKING:
    from modecontrol.interop.environment import Environment as Environment
    from modecontrol.interop.imported import Imported as Imported
    from modecontrol.interop.mjcf import from_mjcf as from_mjcf
    from modecontrol.interop.mjcf import read_mjcf as read_mjcf
    from modecontrol.interop.systems import control_system as control_system
    from modecontrol.interop.tables import response_frame as response_frame
    from modecontrol.interop.tables import trajectory_dataset as trajectory_dataset
    from modecontrol.interop.transition import Transition as Transition
    from modecontrol.interop.urdf import from_urdf as from_urdf
    from modecontrol.interop.urdf import read_urdf as read_urdf

__all__ = list(_WHERE)
if not TYPE_CHECKING:  # a type checker shall say what is unknown
    __getattr__, __dir__ = lazy_names(__name__, _WHERE)
