"""A controller at any instant: a model that has one snapshot, judged by the same rule of contacts as its response."""

from dataclasses import dataclass

import modecontrol as mc
from modecontrol.thrust.instants import Instant


@dataclass(frozen=True)
class OneInstant:
    """As much of a model as a controller asks for."""

    only: mc.Snapshot

    @property
    def coordinates(self):
        return self.only.names.coordinates

    @property
    def inputs(self):
        return self.only.names.inputs

    @property
    def contacts(self):
        return self.only.names.contacts

    def snapshot(self, q=None, v=None):
        return self.only

    def settle_velocity(self, q, v, **held):
        return v


def decide(response, objective, limits, **options):
    """What `MaximalThrust` decides at the instant of a response, within a box of inputs."""
    from dataclasses import replace

    settled = replace(response.snapshot, torque_limits=limits)
    touching = response.problem.touching
    control = mc.MaximalThrust(OneInstant(settled), objective, v0=1e9, **options)
    return control.choose(0.0, Instant(settled, touching, ~touching.free))
