"""`Model`: a planar mechanism ready to be evaluated, `q, v -> Snapshot`, with names for everything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from modecontrol.dynamics.contact_entries import entries
from modecontrol.dynamics.couplings import loop_names, loop_rows
from modecontrol.dynamics.description import Description, describe
from modecontrol.dynamics.evaluation import INSTANT as INSTANT
from modecontrol.dynamics.evaluation import Evaluated
from modecontrol.dynamics.joining_plan import Plan, plan_of
from modecontrol.dynamics.mechanism import Mechanism
from modecontrol.dynamics.names import Names
from modecontrol.dynamics.printing import model_table
from modecontrol.dynamics.protocol import State
from modecontrol.dynamics.state import read_state
from modecontrol.dynamics.tree import Tree, tree_of
from modecontrol.dynamics.units import input_units
from modecontrol.validation import counted, did_you_mean, real_array

if TYPE_CHECKING:
    from modecontrol.dynamics.friction_box import FrictionBox
    from modecontrol.dynamics.symbols.equations import Equations
    from modecontrol.dynamics.undeclared import Passage, Watch


@dataclass(frozen=True, eq=False, repr=False)
class Model(Evaluated):
    """`M(q) qdd + b(q, v) = S tau + J(q)^T f + G(q)^T lam` of a mechanism, by recursion over its tree.

    Parameters
    ----------
    mechanism
        The description; expressions in it are evaluated with `mechanism.parameters`.
    reload
        How to make the model again with changed parameters: called as `reload(**changes)`, returns a `Model`.
        A model that was read from a file has one, because some parameters change its structure (the number of
        links).
    intervals
        Parameters of friction that are known as intervals only; `uncertain` checks and sets them. None takes those of
        the description.

    Examples
    --------
    >>> model = Model(mechanism)                                            # doctest: +SKIP
    >>> model.snapshot({"alpha": 0.1}, {}).mass                             # doctest: +SKIP
    """

    mechanism: Mechanism
    reload: Callable[..., Model] | None = None
    intervals: Mapping[str, tuple[float, float]] = None  # type: ignore[assignment]
    """Parameters of friction that are known as intervals only; `uncertain` sets them."""

    def __post_init__(self) -> None:
        _ = self.tree  # complains now rather than at the first snapshot
        if self.intervals is None:
            object.__setattr__(self, "intervals", self.mechanism.within)

    # What it is -----------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of the mechanism."""
        return self.mechanism.name

    @cached_property
    def names(self) -> Names:
        """Names of coordinates, inputs, contacts and pins."""
        m = self.mechanism
        return Names(
            m.coordinates,
            tuple(i.name for i in m.inputs),
            tuple(entry.name for entry in entries(m)),
            loop_names(m),
            input_units(m),
            loop_rows(m),
        )

    @property
    def parameters(self) -> Mapping[str, float]:
        """Values of the parameters."""
        return MappingProxyType(dict(self.mechanism.parameters))

    @cached_property
    def numbers(self) -> Mechanism:
        """The mechanism with every expression replaced by its value."""
        return self.mechanism.evaluated()

    def describe(self) -> Description:
        """What it is made of, in words: joints with their laws, contacts with their shapes, stops, cables, terrain.

        Examples
        --------
        >>> print(mc.load("compass").describe())                                # doctest: +SKIP
        """
        return describe(self.numbers)

    @cached_property
    def tree(self) -> Tree:
        """Tables of numbers, and `tree.core`, the same in the compiled core."""
        return tree_of(self.numbers)

    @cached_property
    def plan(self) -> Plan:
        """Which bodies divide and conquer joins with which (`modecontrol/_core/dynamics/divide_conquer.hpp`)."""
        return plan_of(self.tree, self.coordinates)

    @cached_property
    def start(self) -> np.ndarray:
        """A sensible configuration to look at first (n,)."""
        q = read_state(dict(self.numbers.start), self.coordinates, "start")
        q.setflags(write=False)
        return q

    @property
    def assumed(self) -> tuple[str, ...]:
        """Contact modes that a blind controller assumes one after the other; none for most models."""
        return self.mechanism.assumed

    @cached_property
    def start_velocity(self) -> np.ndarray:
        """The velocity that goes with `start` (n,)."""
        v = read_state(dict(self.numbers.start_velocity), self.coordinates, "start_velocity")
        v.setflags(write=False)
        return v

    @cached_property
    def equations(self) -> Equations:
        """The same equations in symbols (`modecontrol.dynamics.symbols.equations.Equations`).

        Shapes touch in them with the features that are nearest at `start`; `with_features(q).equations` has those of another
        configuration.
        """
        from modecontrol.dynamics.symbols.equations import equations_of

        return equations_of(self.with_features(self.start).mechanism)

    def with_features(self, q: State) -> Model:
        """The model whose shapes touch with the features that are nearest at `q`, and with no others.

        Each contact of a polygon or with terrain becomes one of a point or disc with a half-plane or disc, under its name. A
        model without shapes is returned as it is.

        Parameters
        ----------
        q
            Configuration (n,), or a mapping by coordinate name.
        """
        from modecontrol.dynamics.fixed_features import fixed_features

        made = fixed_features(self.mechanism, self.tree, read_state(q, self.coordinates, "q"))
        return self if made is self.mechanism else Model(made, intervals=self.intervals)

    def with_parameters(self, **changes: float) -> Model:
        """The same mechanism with other parameters.

        Parameters
        ----------
        **changes
            New values by parameter name; the others stay. What was known as an interval is known exactly then.
        """
        for name in changes:
            if name not in self.mechanism.parameters:
                hint = did_you_mean(name, tuple(self.mechanism.parameters))
                raise ValueError(
                    f"model {self.name!r} has no parameter {name!r}{hint} "
                    f"(parameters: {', '.join(self.mechanism.parameters) or 'none'})"
                )
        intervals = MappingProxyType({k: pair for k, pair in self.intervals.items() if k not in changes})
        if self.reload is not None:
            made = self.reload(
                **changes
            )  # making a model once more only for its intervals would cost as much again
            return made if made.intervals == intervals else replace(made, intervals=intervals)
        values = MappingProxyType({**self.mechanism.parameters, **changes})
        return Model(replace(self.mechanism, parameters=values), intervals=intervals)

    def uncertain(self, **intervals: tuple[float, float]) -> Model:
        """The same mechanism with coefficients of friction that are known as intervals only.

        Contacts that share a parameter share its value, whatever it is; separate parameters are independent.
        Snapshots of such a model carry the intervals, and all answers about them hold for every friction
        inside.

        Parameters
        ----------
        **intervals
            Pairs (least, greatest) by parameter name; only parameters that nothing but friction depends on
            are allowed.

        Examples
        --------
        >>> model.uncertain(mu_toe=(0.45, 0.75), mu_body=(0.1, 0.3))            # doctest: +SKIP
        """
        from modecontrol.dynamics.friction_box import another, check_alone, friction_box, read_intervals

        found = read_intervals(self.mechanism, intervals)
        for name, pair in found.items():
            value = another(self.mechanism, name, pair)
            if self.reload is not None and value is not None:
                check_alone(self.mechanism, self.reload(**{name: value}).mechanism, name)
        found = {**self.intervals, **found}
        friction_box(self.mechanism, found)
        return replace(self, intervals=MappingProxyType(found))

    @cached_property
    def friction_box(self) -> FrictionBox | None:
        """Coefficients of the contacts over the intervals (`FrictionBox`); None when friction is known
        exactly.
        """
        from modecontrol.dynamics.friction_box import friction_box

        return friction_box(self.mechanism, self.intervals) if self.intervals else None

    @cached_property
    def _watch(self) -> Watch:
        """Bodies between which no contact is declared (`undeclared.py`)."""
        from modecontrol.dynamics.undeclared import watch

        return watch(self)

    def passed_through(self, configurations: ArrayLike) -> tuple[Passage, ...]:
        """Bodies that are inside each other along a motion because no contact between them is declared.

        Looked at are convex outlines of bodies that no joint connects and that are apart at `start`, and terrain.

        Parameters
        ----------
        configurations
            (m, n), such as `trajectory.q`; up to 200 of them are looked at.

        Returns
        -------
        tuple of Passage
            `first`, `second` and `row`, the row in which they are first seen inside each other.
        """
        from modecontrol.dynamics.undeclared import passages

        rows = np.atleast_2d(real_array(configurations, "configurations"))
        if rows.ndim != 2 or rows.shape[1] != len(self.coordinates):
            raise ValueError(
                f"configurations has shape {rows.shape}; expected rows of {counted(len(self.coordinates), 'number')}"
            )
        return passages(self._watch, rows)

    # Pictures -------------------------------------------------------------------------------------

    def plot(self, q: State | None = None, ax: Any = None, **options: Any) -> Any:
        """Draw the mechanism at one configuration; returns the axes.

        Parameters
        ----------
        q
            Configuration, sequence or dict; None takes the model's start.
        ax
            Flat matplotlib axes; None makes a figure.
        **options
            As in `modecontrol.view.mechanism.plot_mechanism`: `forces`, `modes`, `cones`, `labels`, ...
        """
        from modecontrol.view.mechanism import plot_mechanism

        return plot_mechanism(self, q, ax, **options)

    # The live page --------------------------------------------------------------------------------

    def explore(self, q: State | None = None, v: State | None = None, tau: Any = None, **options: Any) -> Any:
        """The mechanism as a live page: a widget in a notebook, otherwise a page of this machine.

        Parameters
        ----------
        q, v, tau
            State and inputs to begin with; None takes the model's start and the best guaranteed torque.
        **options
            As in `modecontrol.page.explore_model`: `port`, `browser`, and arguments of `dynamic_response`.
        """
        from modecontrol.page import explore_model

        return explore_model(self, q, v, tau, **options)

    # Representation -------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return (
            f"Model({self.name!r}: coordinates {', '.join(self.coordinates) or 'none'}; "
            f"inputs {', '.join(self.inputs) or 'none'}; contacts {', '.join(self.contacts) or 'none'})"
        )

    def _repr_html_(self) -> str:
        return model_table(self)

    def __getstate__(self) -> dict[str, Any]:
        """For process pools: read-only mappings cannot be pickled, and caches need not be."""
        return {
            "reload": self.reload,
            "mechanism": _mappings(self.mechanism, dict),
            "intervals": dict(self.intervals),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        mechanism = _mappings(state["mechanism"], MappingProxyType)
        self.__dict__.update(
            reload=state["reload"], mechanism=mechanism, intervals=MappingProxyType(state["intervals"])
        )


def _mappings(mechanism: Mechanism, make: Callable[[Mapping], Any]) -> Mechanism:
    """The mechanism with `make(mapping)` for each of its mappings."""
    values = {f.name: getattr(mechanism, f.name) for f in fields(mechanism)}
    return replace(
        mechanism, **{name: make(value) for name, value in values.items() if isinstance(value, Mapping)}
    )
