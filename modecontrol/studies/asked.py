"""What all points are asked, checked before the first of them is: a wrong name should cost no study."""

from __future__ import annotations

from modecontrol.errors import ModeControlError
from modecontrol.modes.constraints import stack, torque_rows
from modecontrol.studies.points import Recipe
from modecontrol.thrust.maximize import GUARANTEES
from modecontrol.thrust.objective import Objective
from modecontrol.validation import check_margin, check_word


def check_asked(recipe: Recipe) -> None:
    """Look up the names in objective, task, physical rows and limits in the model, and read the other options.

    Where the model has no snapshot at its start nothing is said: points keep their own reasons.

    Parameters
    ----------
    recipe
        What all points share.
    """
    model, options = recipe.model, recipe.options
    check_word(options.get("guarantee", GUARANTEES[0]), "guarantee", GUARANTEES)
    check_margin(options.get("margin", 0.0))
    try:
        snapshot = model.snapshot(model.start if recipe.q is None else recipe.q)
    except (ModeControlError, ArithmeticError):
        return
    for name in ("task", "physical"):
        stack(options.get(name, ()), snapshot)
    torque_rows(options.get("torque_limits"), snapshot)
    if recipe.objective is not None:
        Objective.of(recipe.objective, snapshot)
