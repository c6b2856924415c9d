"""A response asked at one torque: which modes, which motions and forces, for which friction."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.modes.letters import codes
from modecontrol.validation import as_vector, check_word

if TYPE_CHECKING:
    from modecontrol.regions.dynamic_response import DynamicResponse

__all__ = ["AtInputs"]


class AtInputs:
    """What a `DynamicResponse` says of one torque."""

    def modes_at(self, tau: ArrayLike) -> list[str]:
        """Every mode that `tau` can produce, sorted; an empty list means that no answer exists
        (inconsistent).

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.

        """
        mine, tau = cast("DynamicResponse", self), self._inputs(tau)
        return [mode for mode in mine if mine[mode].allows(tau)]

    def accelerations_at(self, tau: ArrayLike) -> dict[str, dict[str, tuple[float, float]]]:
        """For each mode that `tau` can produce: least and greatest value of every acceleration over `w`.

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.

        """
        return self._ranges(tau, "acceleration")

    def forces_at(self, tau: ArrayLike) -> dict[str, dict[str, tuple[float, float]]]:
        """For each mode that `tau` can produce: least and greatest value of every contact force over `w`.

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.

        """
        return self._ranges(tau, "force")

    def _ranges(self, tau: ArrayLike, what: str) -> dict[str, dict[str, tuple[float, float]]]:
        from modecontrol.regions.fibre import ranges_at

        mine, tau = cast("DynamicResponse", self), self._inputs(tau)
        return {mode: ranges_at(mine[mode], getattr(mine[mode], what), tau) for mode in self.modes_at(tau)}

    def _inputs(self, tau: ArrayLike) -> np.ndarray:
        return as_vector(tau, cast("DynamicResponse", self).problem.names.inputs, "tau")

    # Friction at one torque --------------------------------------------------------------------------------

    def friction_interval(self, tau: ArrayLike, mode: str, contact: str) -> tuple[float, float] | None:
        """Least and greatest friction of one contact with which a mode explains `tau`; None when none does.

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.
        mode
            Contact mode string.
        contact
            Name of a contact; the others keep what is known of their friction.

        """
        from modecontrol.regions.friction_witness import friction_range

        problem = cast("DynamicResponse", self).problem
        names = problem.names.contacts
        codes(str(mode), len(names))
        check_word(contact, "contact", names)
        return friction_range(problem, str(mode), self._inputs(tau), names.index(contact))

    def witnesses_at(self, tau: ArrayLike) -> dict[str, np.ndarray]:
        """For each mode that `tau` can produce: coefficients (k,) with which it does, contacts taken one by one.

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.

        """
        from modecontrol.regions.friction_witness import witness

        mine, tau = cast("DynamicResponse", self), self._inputs(tau)
        return {mode: witness(mine[mode], tau) for mode in self.modes_at(tau)}

    def friction_margin(self, tau: ArrayLike) -> float:
        """Largest `rho` up to 1 such that one mode surely happens alone at `tau` for all friction within `mu
        (1 -+ rho)`.

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.

        """
        from modecontrol.regions.friction_witness import friction_margin

        mine = cast("DynamicResponse", self)
        box = mine.snapshot.uncertainty
        if (box is None or box.is_exact) and self.answer_at(tau) is None:
            return (
                0.0  # the one rule sees modes that are all but singular, which corners of the friction do not
            )
        return friction_margin(mine.problem, self._inputs(tau))

    def answer_at(self, tau: ArrayLike) -> str | None:
        """The mode whose motions are all that `tau` can produce, for every friction; None when there is no answer, or more
        than one.

        Parameters
        ----------
        tau
            Inputs: one finite number each, in model order.

        """
        from modecontrol.regions.ambiguity import only_answer

        return only_answer(cast("DynamicResponse", self), self.modes_at(tau), self._inputs(tau))
