"""What everybody who decides on ambiguity says of one input: the rule, the regions, both searches, design and pictures."""

import modecontrol as mc
from modecontrol.regions.cells import ambiguity_cells
from modecontrol.thrust.by_pieces import by_pieces
from modecontrol.thrust.maximize import _compiled
from modecontrol.thrust.objective import Objective


class Judges:
    """Verdicts "one", "several" and "none" on inputs of one instant.

    Parameters
    ----------
    s
        Arrays of a `Snapshot`.
    limits
        As for `dynamic_response`.
    **options
        Likewise.
    """

    def __init__(self, s, limits, **options):
        self.s, self.options = s, options
        self.response = mc.dynamic_response(mc.Snapshot(**s), torque_limits=limits, **options)
        self.inputs = s["actuation"].shape[1]
        self.alone = {mode: self.response.unambiguous(mode) for mode in self.response}
        self.several, self.none = self.response.ambiguous(), self.response.inconsistent()
        self.cells = ambiguity_cells(self.response) if self.inputs in (1, 2) else None

    def verdicts(self, tau, *, design=False, picture=False):
        """A word from each judge, by name."""
        found = self.response.modes_at(tau)
        said = {
            "rule": "none" if not found else "one" if self.response.answer_at(tau) is not None else "several"
        }
        one = any(
            region.contains(tau) and not any(c.torques.contains(tau) for c in region.crossings)
            for region in self.alone.values()
        )
        said["regions"] = "one" if one else "several" if self.several.contains(tau) else "none"
        # limits that leave this input alone: a search finds it if and only if it is sure
        pinned = mc.dynamic_response(
            mc.Snapshot(**self.s), torque_limits=[(value, value) for value in tau], **self.options
        )
        goal = Objective.of("q1", pinned.snapshot)
        quick = _compiled(pinned, goal, 0.0, "mode", None)
        searches = {"core": quick, "pieces": by_pieces(pinned, goal, 0.0, "mode", None)}
        if design:
            searches["design"] = mc.design(pinned, "effort")
        # the goal may be open or endless within the mode although its motions are all there is
        for name, best in searches.items():
            if best is not None and "unbounded" not in best.reason and "missed" not in best.reason:
                said[name] = "one" if best else "several" if pinned.modes_at(tau) else "none"
        if picture and self.cells is not None:
            shown = [cell for cell in self.cells.cells if cell.torques.contains(tau, margin=1e-6)]
            words = {"unambiguous": "one", "ambiguous": "several", "inconsistent": "none"}
            if len(shown) == 1:
                said["picture"] = words[shown[0].verdict]
        return said
