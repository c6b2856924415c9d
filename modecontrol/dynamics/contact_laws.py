"""Laws of contact at one instant that are not Coulomb's alone: what each entry of a mode may do beside `friction`.

| kind        | entries                     | what holds                                                                      |
|-------------|-----------------------------|---------------------------------------------------------------------------------|
| `COULOMB`   | contacts                    | `abs(f_t) <= mu (f_n + pull)`, with `mu_static` while it sticks; one way where `way` |
| `ONE_SIDED` | stops, cables               | `0 <= f_n`, `0 <= a_n`, one of them zero; no tangential force                    |
| `DRY`       | dry joints                  | `least <= f_t <= most`, a limit where it slides; no normal force                 |
| `DRIVE`     | prescribed joints           | `a_t = 0` whatever force within `least .. most` that takes                       |
| `ROLLING`   | resistance to rolling       | `abs(f_t) <= most (f_n + pull)`, with the normal force of the contact `host`     |
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from modecontrol.validation import real_array, shown

COULOMB, ONE_SIDED, DRY, DRIVE, ROLLING = range(5)
"""Codes of the kinds, as the core has them."""


@dataclass(frozen=True, eq=False)
class ContactLaws:
    """Numbers of the laws beside Coulomb's, each with one entry per contact.

    Parameters
    ----------
    kind
        `COULOMB` and so on.
    mu_static
        Coefficient while the contact sticks; where it is below the friction of the snapshot, that counts.
    pull
        Adhesion: the normal force may fall to `-pull`.
    way
        The only way in which it slides: 1 right, -1 left; 0 both.
    least, most
        Tangential force of a dry or prescribed joint; `most` of a resistance to rolling is its length (m).
    host
        Place of the contact whose normal force a resistance to rolling has; -1 for every other kind.
    """

    kind: np.ndarray
    mu_static: np.ndarray
    pull: np.ndarray
    way: np.ndarray
    least: np.ndarray
    most: np.ndarray
    host: np.ndarray = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        k = real_array(self.kind, "laws: kind", infinite=True).size
        if self.host is None:
            object.__setattr__(self, "host", np.full(k, -1))
        for f in fields(self):
            code = f.name in ("kind", "way")
            array = real_array(getattr(self, f.name), f"laws: {f.name}", infinite=True)
            whole = code or f.name == "host"
            if whole and not np.all((np.abs(array) <= (ROLLING if code else k)) & (array == np.round(array))):
                raise ValueError(f"laws: {f.name} is {shown(array)}; expected whole numbers, one per contact")
            if array.shape != (k,):
                raise ValueError(
                    f"laws: {f.name} has shape {array.shape}; expected {(k,)}, one number per contact"
                )
            array = array.astype(np.int8 if code else np.int64) if whole else array
            array.setflags(write=False)
            object.__setattr__(self, f.name, array)
        rolls = self.kind == ROLLING
        for name, bad, expected in (
            (
                "kind",
                (self.kind < COULOMB) | (self.kind > ROLLING),
                "COULOMB, ONE_SIDED, DRY, DRIVE or ROLLING",
            ),
            ("mu_static", ~((self.mu_static >= 0) & np.isfinite(self.mu_static)), "a coefficient >= 0"),
            ("pull", ~((self.pull >= 0) & np.isfinite(self.pull)), "a force >= 0"),
            ("way", np.abs(self.way) > 1, "-1, 0 or 1"),
            ("least", ~(self.least <= self.most), "least <= most"),
            ("host", self._astray(k), "-1, or for ROLLING the place of a COULOMB contact"),
            ("most", rolls & ~(np.isfinite(self.most) & (self.most >= 0)), "a length >= 0"),
            ("least", (self.kind == DRY) & ~np.isfinite(self.least), "the finite force of a dry joint"),
            ("most", (self.kind == DRY) & ~np.isfinite(self.most), "the finite force of a dry joint"),
        ):
            if bad.any():
                i = int(np.argmax(bad))
                raise ValueError(f"laws: {name}[{i}] is {getattr(self, name)[i]}; expected {expected}")

    def _astray(self, k: int) -> np.ndarray:
        """Where the host is not one that the kind has."""
        place = np.clip(self.host, 0, max(k - 1, 0))
        led = (self.host >= 0) & (self.host < k) & (self.kind[place] == COULOMB if k else False)
        return np.where(self.kind == ROLLING, ~led, self.host != -1)

    @staticmethod
    def of(k: int, **columns: Any) -> ContactLaws:
        """Coulomb's law for `k` contacts but for what is given.

        Parameters
        ----------
        k
            Number of contacts.
        **columns
            Some of the arrays, or one number for all.

        Examples
        --------
        >>> ContactLaws.of(2, pull=[5.0, 0.0]).pull
        array([5., 0.])
        """
        made = {f.name: np.full(k, -1.0 if f.name == "host" else 0.0) for f in fields(ContactLaws)}
        for name, value in columns.items():
            if name not in made:
                raise ValueError(f"laws: unknown {name!r}; expected some of {', '.join(made)}")
            array = real_array(value, f"laws: {name}", infinite=True)
            if array.size not in (1, k):
                raise ValueError(
                    f"laws: {name} has {array.size} numbers; expected one, or {k}, one per contact"
                )
            made[name] = np.broadcast_to(array, (k,)) + 0.0
        return ContactLaws(**made)

    def arrays(self) -> tuple[np.ndarray, ...]:
        """The columns as the core reads them."""
        return self.kind, self.mu_static, self.pull, self.way, self.least, self.most, self.host

    def numbers(self, contact: int) -> tuple[Any, ...]:
        """Those of one contact, as the core reads them.

        Parameters
        ----------
        contact
            Its place.
        """
        return tuple(column[contact].item() for column in self.arrays())
