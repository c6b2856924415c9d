"""Put contacts on what they touch: the nearest configuration in which they are closed.

    gap_c(q) = 0  for the chosen contacts c,  changing the chosen coordinates only

Newton's method with the normal rows of the contact Jacobian, `d gap_c / dq = J_n`; the least change of the
coordinates, in the Euclidean norm, when there are more coordinates than contacts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from modecontrol import tolerances
from modecontrol.validation import as_vector, check_texts, did_you_mean

if TYPE_CHECKING:
    from modecontrol.dynamics.model import Model

STEPS = 50
"""Newton steps before a contact counts as out of reach."""


@dataclass(frozen=True)
class Touching:
    """`place(model, q) -> q` for studies: closes contacts by moving some coordinates.

    Parameters
    ----------
    contacts
        Names of the contacts that shall touch.
    coordinates
        Names of the coordinates that may change.

    Examples
    --------
    >>> place = Touching(["body", "rear", "middle", "front"], ["z", "phi1", "phi2", "phi3"])
    """

    contacts: tuple[str, ...]
    coordinates: tuple[str, ...]

    def __init__(self, contacts: Sequence[str], coordinates: Sequence[str]) -> None:
        for what, names in (("contacts", contacts), ("coordinates", coordinates)):
            names = (names,) if isinstance(names, str) else check_texts(names, what)
            if not names:
                raise ValueError(f"{what} is empty; expected at least one name")
            object.__setattr__(self, what, names)

    def __call__(self, model: Model, q: np.ndarray) -> np.ndarray:
        """The configuration with the contacts closed.

        Parameters
        ----------
        model
            The model.
        q
            Where the search begins.
        """
        rows = _places(self.contacts, model.contacts, "contact", model.name)
        free = _places(self.coordinates, model.coordinates, "coordinate", model.name)
        q = as_vector(q, model.coordinates, "q")
        for _ in range(STEPS):
            seen = model.snapshot(q)
            gap = seen.gap[rows]
            if np.abs(gap).max() <= tolerances.GAP / 2:
                return q
            change = np.linalg.lstsq(seen.jacobian[0::2][np.ix_(rows, free)], -gap, rcond=None)[0]
            q[free] += np.clip(change, -0.5, 0.5)
        far = self.contacts[int(np.argmax(np.abs(gap)))]
        raise ValueError(
            f"contact {far!r} is out of reach: moving {', '.join(self.coordinates)} does not close it"
        )


def _places(names: Sequence[str], known: Sequence[str], what: str, model: str) -> list[int]:
    for name in names:
        if name not in known:
            raise ValueError(
                f"{name!r} is no {what} of {model!r}{did_you_mean(name, known)} ({what}s: {', '.join(known)})"
            )
    return [known.index(name) for name in names]
