"""A window with sliders: move the mechanism, see its torque sets follow."""

from __future__ import annotations

from typing import Any

import numpy as np

from modecontrol.view import style as house
from modecontrol.view.ambiguity import plot_ambiguity
from modecontrol.view.mechanism import plot_mechanism

MOST = 8
"""Sliders in one window."""


def has_display() -> bool:
    """Whether matplotlib can open windows here."""
    from matplotlib import pyplot
    from matplotlib.backends import BackendFilter, backend_registry

    return pyplot.get_backend().lower() not in backend_registry.list_builtin(BackendFilter.NON_INTERACTIVE)


class Explorer:
    """The window: the mechanism on the left, the map of its inputs on the right, sliders below.

    Parameters
    ----------
    model
        A `Model`.
    q
        Configuration to begin with.
    names
        Parameters and coordinates that get a slider, at most eight; None takes friction coefficients, then coordinates.
    figure
        Where to draw; None makes a pyplot figure.
    """

    def __init__(self, model: Any, q: Any = None, names: list[str] | None = None, figure: Any = None) -> None:
        from matplotlib.widgets import Slider

        self.base, self.model = model, model
        self.q = np.array(model.start if q is None else q, dtype=float)
        self.names = names if names is not None else default_names(model)
        unknown = [n for n in self.names if n not in model.parameters and n not in model.coordinates]
        if unknown:
            raise ValueError(f"{unknown[0]!r} is no parameter and no coordinate of {model.name!r} (parameters: "
                             f"{', '.join(model.parameters)}; coordinates: {', '.join(model.coordinates)})")
        if figure is None:
            from matplotlib import pyplot

            figure = pyplot.figure(figsize=(11.0, 6.5))
        self.figure = figure
        low = 0.08 + 0.045 * len(self.names)
        self.left = figure.add_axes((0.06, low + 0.06, 0.38, 0.92 - low - 0.08))
        self.right = figure.add_axes((0.53, low + 0.06, 0.3, 0.92 - low - 0.08))
        self.sliders = {}
        for i, name in enumerate(self.names):
            value = self._value(name)
            bounds = _bounds(name, value, name in model.coordinates)
            slider = Slider(figure.add_axes((0.15, 0.04 + 0.045 * i, 0.7, 0.03)), name, *bounds, valinit=value)
            slider.on_changed(lambda _: self.update())
            self.sliders[name] = slider
        self.update()

    def _value(self, name: str) -> float:
        if name in self.base.parameters:
            return float(self.base.parameters[name])
        return float(self.q[self.base.coordinates.index(name)])

    def update(self) -> None:
        """Draw again with the values of the sliders."""
        import modecontrol as mc

        changes = {n: s.val for n, s in self.sliders.items() if n in self.base.parameters and s.val != s.valinit}
        for name, slider in self.sliders.items():
            if name not in self.base.parameters:
                self.q[self.base.coordinates.index(name)] = slider.val
        self.left.clear()
        self.right.clear()
        try:
            self.model = self.base.with_parameters(**changes) if changes else self.base
            plot_mechanism(self.model, self.q, self.left)
            response = mc.dynamic_response(self.model.snapshot(self.q))
            inputs = self.model.inputs
            plot_ambiguity(response, self.right, slice=dict.fromkeys(inputs[3:], 0.0))
            self.left.set_title(f"{len(response)} modes")
        except (ValueError, ArithmeticError) as error:
            house.say(self.right, str(error))
            self.right.set_axis_off()
        else:
            self.right.set_axis_on()
        self.figure.canvas.draw_idle()


def show(explorer: Explorer) -> None:
    """Hand the window to the user until it is closed.

    Parameters
    ----------
    explorer
        The window.
    """
    from matplotlib import pyplot

    pyplot.show()


def default_names(model: Any) -> list[str]:
    """Friction coefficients first, then coordinates.

    Parameters
    ----------
    model
        A `Model`.
    """
    friction = [name for name in model.parameters if name.startswith("mu")]
    return [*friction, *model.coordinates][:MOST]


def _bounds(name: str, value: float, coordinate: bool) -> tuple[float, float]:
    if not coordinate:
        return (0.0, max(1.5, 2 * value)) if value >= 0 else (2 * value, 0.0)
    return value - 1.0, value + 1.0
