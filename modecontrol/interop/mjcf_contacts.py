"""MuJoCo's rules for what touches what, and with which friction.

1. A pair that the file lists (`contact/pair`) touches, with its own friction.
2. Otherwise two geoms touch when the bits of `contype` of one meet those of `conaffinity` of the other, their bodies
   are neither one rigid piece nor parent and child (the world excepted), and the file does not exclude the bodies.
3. Friction is that of the geom with the higher priority, or the larger coefficient of the two; `condim` 1 has none.
"""

from __future__ import annotations

from modecontrol.interop.mjcf_links import Compiled


class ContactRules:
    """The rules of one compiled model.

    Parameters
    ----------
    model
        The compiled model.
    off
        Whether contacts are switched off altogether.
    """

    def __init__(self, model: Compiled, off: bool = False) -> None:
        m = model.m
        self.model, self.m, self.off = model, m, off
        self.listed = {frozenset((int(m.pair_geom1[i]), int(m.pair_geom2[i]))): i for i in range(m.npair)}
        self.excluded = {int(s) for s in m.exclude_signature} if m.nexclude else set()
        self.rolls: set[str] = set()

    def friction(self, a: int, b: int) -> float | None:
        """Coefficient of friction of two geoms; None when they never touch.

        Parameters
        ----------
        a, b
            Numbers of the geoms.
        """
        m = self.m
        if self.off:
            return None
        listed = self.listed.get(frozenset((a, b)))
        if listed is not None:
            self._rolling(int(m.pair_dim[listed]), float(max(m.pair_friction[listed][3:5])), a, b)
            return 0.0 if m.pair_dim[listed] == 1 else float(m.pair_friction[listed][0])
        if not (m.geom_contype[a] & m.geom_conaffinity[b] or m.geom_contype[b] & m.geom_conaffinity[a]):
            return None
        if self._filtered(int(m.geom_bodyid[a]), int(m.geom_bodyid[b])):
            return None
        chosen = [a, b]
        if m.geom_priority[a] != m.geom_priority[b]:
            chosen = [a if m.geom_priority[a] > m.geom_priority[b] else b]
        dim = int(max(m.geom_condim[g] for g in chosen))
        self._rolling(dim, float(max(m.geom_friction[g][2] for g in chosen)), a, b)
        return 0.0 if dim == 1 else float(max(m.geom_friction[g][0] for g in chosen))

    def _filtered(self, b1: int, b2: int) -> bool:
        m = self.m
        low, high = sorted((b1, b2))
        if (low << 16) + high in self.excluded:
            return True
        w1, w2 = int(m.body_weldid[b1]), int(m.body_weldid[b2])
        if w1 == w2:
            return True
        if m.opt.disableflags & int(self.model.mj.mjtDisableBit.mjDSBL_FILTERPARENT):
            return False
        p1, p2 = (int(m.body_weldid[m.body_parentid[w]]) for w in (w1, w2))
        return bool(w1 and w2 and (w1 == p2 or w2 == p1))

    def _rolling(self, dim: int, coefficient: float, a: int, b: int) -> None:
        if dim == 6 and coefficient > 0:
            self.rolls.update(self.model.called("GEOM", g) for g in (a, b))

    def remarks(self) -> list[str]:
        """Sentences about what the rules found and the library has not."""
        if not self.rolls:
            return []
        return ["friction against rolling (condim 6) of " + ", ".join(sorted(self.rolls))]
