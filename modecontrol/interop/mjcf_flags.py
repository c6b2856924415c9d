"""Flags by which an MJCF file switches forces off."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from modecontrol.interop.spatial import Link

WIDER = {
    "LIMIT": "CONSTRAINT",
    "EQUALITY": "CONSTRAINT",
    "FRICTIONLOSS": "CONSTRAINT",
    "CONTACT": "CONSTRAINT",
    "SPRING": "PASSIVE",
    "DAMPER": "PASSIVE",
}
"""Flags that switch off others, too."""


class Switched:
    """The flags of a compiled model.

    Parameters
    ----------
    mujoco
        The module.
    m
        A `mujoco.MjModel`.
    """

    def __init__(self, mujoco: Any, m: Any) -> None:
        self.flags, self.bits = int(m.opt.disableflags), mujoco.mjtDisableBit

    def off(self, name: str) -> bool:
        """Whether something is switched off.

        Parameters
        ----------
        name
            As MuJoCo has it: "LIMIT", "GRAVITY", ...
        """
        names = [name, *([WIDER[name]] if name in WIDER else [])]
        return any(self.flags & int(getattr(self.bits, f"mjDSBL_{each}", 0)) for each in names)

    def link(self, link: Link) -> Link:
        """The link without what is switched off.

        Parameters
        ----------
        link
            As it was read.
        """
        gone: dict[str, Any] = {}
        if self.off("LIMIT"):
            gone.update(lower=-np.inf, upper=np.inf)
        for flag, key in (("FRICTIONLOSS", "friction"), ("SPRING", "stiffness"), ("DAMPER", "damping")):
            if self.off(flag):
                gone[key] = 0.0
        return replace(link, joints=tuple(replace(j, **gone) for j in link.joints)) if gone else link
