"""A response as tables, text, pictures and a live page; each is made in a file of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from numpy.typing import ArrayLike

from modecontrol.validation import check_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from modecontrol.regions.dynamic_response import DynamicResponse

__all__ = ["Presentation"]


class Presentation:
    """Tables, text and pictures of a `DynamicResponse`."""

    def rows(self) -> list[dict[str, Any]]:
        """One flat record per mode, ready for `pandas.DataFrame`."""
        from modecontrol.regions.export import records

        return records(cast("DynamicResponse", self))

    def summary(self) -> str:
        """A table of the modes as text."""
        from modecontrol.regions.export import summary

        return summary(cast("DynamicResponse", self))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain lists and numbers (infinite bounds never appear), ready for JSON."""
        from modecontrol.regions.export import to_dict

        return to_dict(cast("DynamicResponse", self))

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict` as JSON text.

        Parameters
        ----------
        indent
            Spaces by which nested lines are moved in; None writes one line.

        """
        import json

        indent = None if indent is None else check_count(indent, "indent", greatest=100)
        return json.dumps(self.to_dict(), indent=indent)

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the torque sets of all modes; returns the axes.

        Parameters
        ----------
        ax
            Matplotlib axes; None makes a figure.
        **options
            As in `modecontrol.view.torques.plot_response`: `slice`, `project`, `window`, ...

        """
        from modecontrol.view import torques

        return torques.plot_response(cast("DynamicResponse", self), ax, **options)

    def plot_ambiguity(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw where one mode answers, where several do and where none does; returns the axes.

        Parameters
        ----------
        ax
            Flat matplotlib axes; None makes a figure.
        **options
            As in `modecontrol.view.ambiguity.plot_ambiguity`: `slice`, `window`, `legend`, `labels`.

        """
        from modecontrol.view import ambiguity

        return ambiguity.plot_ambiguity(cast("DynamicResponse", self), ax, **options)

    def plot_sure(self, mode: str, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the inputs that surely, possibly and never produce a mode; returns the axes.

        Parameters
        ----------
        mode
            Contact mode string.
        ax
            Flat matplotlib axes; None makes a figure.
        **options
            As in `modecontrol.view.uncertainty.plot_sure`: `slice`, `window`.

        """
        from modecontrol.view import uncertainty

        return uncertainty.plot_sure(cast("DynamicResponse", self), mode, ax, **options)

    def plot_friction(self, tau: ArrayLike, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw which modes happen at one torque, over the uncertain parameters of friction; returns the axes.

        Parameters
        ----------
        tau
            Inputs.
        ax
            Flat matplotlib axes; None makes a figure.
        **options
            As in `modecontrol.view.uncertainty.plot_friction_map`: `points`.

        """
        from modecontrol.view import uncertainty

        return uncertainty.plot_friction_map(cast("DynamicResponse", self), tau, ax, **options)

    def explore(self, tau: ArrayLike | None = None, **options: Any) -> Any:
        """The torque sets as a live page: a widget in a notebook, otherwise a page of this machine.

        Parameters
        ----------
        tau
            Inputs to begin with; None takes the best guaranteed torque.
        **options
            As in `modecontrol.page.explore_response`: `port` and `browser`.

        """
        from modecontrol.page import explore_response

        return explore_response(cast("DynamicResponse", self), tau, **options)

    def _repr_html_(self) -> str:
        from modecontrol.regions.export import html

        return html(cast("DynamicResponse", self))
