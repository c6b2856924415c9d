"""7 Pictures. Results draw themselves (`set.plot()`, `resp.plot()`, `traj.animate(...)`); these functions do it for them.

Each takes `ax`, returns the axes and never calls `show`. The names are imported when they are first used, and
matplotlib with them.
"""

from typing import TYPE_CHECKING

from modecontrol.lazy_names import lazy_names

_WHERE = {
    "plot_set": "sets",
    "plot_response": "torques",
    "plot_ambiguity": "ambiguity",
    "plot_ambiguity_figure": "ambiguity",
    "plot_domain": "domains",
    "plot_domains": "domains",
    "plot_sure": "uncertainty",
    "plot_friction_map": "uncertainty",
    "plot_price": "uncertainty",
    "plot_mechanism": "mechanism",
    "plot_study": "study",
    "plot_map": "parameter_map",
    "plot_maps": "parameter_map",
    "plot_trajectory": "trajectory",
    "plot_energy": "trajectory",
    "plot_residual": "trajectory",
    "plot_acceleration": "trajectory",
    "overview": "trajectory",
    "plot_timeline": "timeline",
    "plot_stroboscope": "stroboscope",
    "animate": "animation",
    "Camera": "camera",
    "plot_flip": "flip",
    "plot_pitch": "flip",
    "plot_toe_velocities": "flip",
}

if TYPE_CHECKING:
    from modecontrol.view.ambiguity import plot_ambiguity as plot_ambiguity
    from modecontrol.view.ambiguity import plot_ambiguity_figure as plot_ambiguity_figure
    from modecontrol.view.animation import animate as animate
    from modecontrol.view.camera import Camera as Camera
    from modecontrol.view.domains import plot_domain as plot_domain
    from modecontrol.view.domains import plot_domains as plot_domains
    from modecontrol.view.flip import plot_flip as plot_flip
    from modecontrol.view.flip import plot_pitch as plot_pitch
    from modecontrol.view.flip import plot_toe_velocities as plot_toe_velocities
    from modecontrol.view.mechanism import plot_mechanism as plot_mechanism
    from modecontrol.view.parameter_map import plot_map as plot_map
    from modecontrol.view.parameter_map import plot_maps as plot_maps
    from modecontrol.view.sets import plot_set as plot_set
    from modecontrol.view.stroboscope import plot_stroboscope as plot_stroboscope
    from modecontrol.view.study import plot_study as plot_study
    from modecontrol.view.timeline import plot_timeline as plot_timeline
    from modecontrol.view.torques import plot_response as plot_response
    from modecontrol.view.trajectory import overview as overview
    from modecontrol.view.trajectory import plot_acceleration as plot_acceleration
    from modecontrol.view.trajectory import plot_energy as plot_energy
    from modecontrol.view.trajectory import plot_residual as plot_residual
    from modecontrol.view.trajectory import plot_trajectory as plot_trajectory
    from modecontrol.view.uncertainty import plot_friction_map as plot_friction_map
    from modecontrol.view.uncertainty import plot_price as plot_price
    from modecontrol.view.uncertainty import plot_sure as plot_sure

__all__ = list(_WHERE)

if not TYPE_CHECKING:  # a type checker shall say what is unknown
    __getattr__, __dir__ = lazy_names(__name__, _WHERE)
