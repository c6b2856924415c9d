"""Contact-mode analysis and control design for planar mechanisms with friction.

The names below stand in the order of the data flow. Each is imported when it is first used, so that
`import modecontrol` costs nothing.
"""

from importlib import import_module

__version__ = "0.1.0"

_WHERE = {
    # 1 dynamics: model file -> symbols -> numbers at one instant
    "models": "dynamics",
    "load": "dynamics",
    "Model": "dynamics",
    "LagrangianModel": "dynamics",
    "Builder": "dynamics",
    "planar": "dynamics",
    "revolute": "dynamics",
    "prismatic": "dynamics",
    "weld": "dynamics",
    "ModelFileError": "dynamics",
    "Snapshot": "dynamics",
    "Names": "dynamics",
    # 2 modes: which contact modes exist and what each would do
    "kinematic_modes": "modes",
    "Constraint": "modes",
    "quantity": "modes",
    "ImpactError": "modes",
    "ModeResponse": "modes",
    # 3 polytopes: sets
    "Polytope": "polytopes",
    "Region": "polytopes",
    "UncheckedError": "polytopes",
    # 4 regions: where one mode is the only answer
    "dynamic_response": "regions",
    "DynamicResponse": "regions",
    "Clash": "regions",
    # 5 thrust: choose inputs
    "maximize": "thrust",
    "Thrust": "thrust",
    "design": "thrust",
    "Controller": "thrust",
    "MaximalThrust": "thrust",
    "BlindThrust": "thrust",
    # 6 time stepping: check by simulation
    "simulate": "timestepping",
    "Trajectory": "timestepping",
    "solve_lcp": "timestepping",
    "LCPSolution": "timestepping",
}

__all__ = ["__version__", *_WHERE]


def __getattr__(name: str):
    if name not in _WHERE:
        raise AttributeError(f"module 'modecontrol' has no attribute {name!r}")
    value = getattr(import_module(f"modecontrol.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
