"""Opening the page from Python: a widget in a notebook, a page of this machine elsewhere."""

from __future__ import annotations

import atexit
import os
import sys
import webbrowser
from threading import Thread
from typing import TYPE_CHECKING, Any

from modecontrol.page.instant import ResponseSession
from modecontrol.page.replay import ReplaySession, instants_of, replay
from modecontrol.page.server import PageServer
from modecontrol.page.session import Session

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from modecontrol.dynamics.protocol import PlanarModel, State
    from modecontrol.page.widget import ExploreWidget
    from modecontrol.regions.dynamic_response import DynamicResponse
    from modecontrol.timestepping.trajectory import Trajectory


class Page:
    """A page that is being served; it lives as long as the process, or until `close`.

    Parameters
    ----------
    session
        What answers its questions.
    port
        As for `PageServer`.
    """

    def __init__(self, session: Session | ReplaySession, port: int | None = None) -> None:
        self.session = session
        self._server = PageServer(session.answer, port)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
        self._thread.start()
        atexit.register(self.close)  # a script that ends leaves no thread behind that holds its model

    @property
    def address(self) -> str:
        """Where the page is."""
        return self._server.address

    def open(self) -> bool:
        """Show it in a browser of this machine; False when there is no display to show it on."""
        return has_display() and webbrowser.open(self.address)

    def wait(self) -> None:
        """Serve until Ctrl-C or `close`."""
        try:
            while self._thread.is_alive():
                self._thread.join(0.2)
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """Stop serving."""
        atexit.unregister(self.close)
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5.0)

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Page({self.session.description['name']!r} at {self.address}; wait() serves until Ctrl-C, close() ends it)"


def explore_model(
    model: PlanarModel,
    q: State | None = None,
    v: State | None = None,
    tau: ArrayLike | None = None,
    *,
    port: int | None = None,
    browser: bool = True,
    **settings: Any,
) -> ExploreWidget | Page:
    """The live page of a model: a widget in a notebook, otherwise a page that is served from this process.

    Parameters
    ----------
    model
        A `PlanarModel`.
    q, v, tau
        State and inputs to begin with; None takes the model's start and the best guaranteed torque.
    port
        Port of the page; None takes a free one.
    browser
        Whether to show the page in a browser.
    **settings
        Further arguments of `dynamic_response`: `torque_limits`, `physical`, `task`, `velocity_tolerance`.

    Returns
    -------
    ExploreWidget or Page
        In a notebook with anywidget the widget, elsewhere the page.
    """
    return _present(Session(model, q, v, tau, **settings), port, browser)


def explore_response(
    response: DynamicResponse, tau: ArrayLike | None = None, *, port: int | None = None, browser: bool = True
) -> ExploreWidget | Page:
    """The page of one instant: its torque sets, the answer at any torque, the best guaranteed one.

    Parameters
    ----------
    response
        A `DynamicResponse`.
    tau
        Inputs to begin with; None takes the best guaranteed torque.
    port, browser
        As for `explore_model`.

    Returns
    -------
    ExploreWidget or Page
        In a notebook with anywidget the widget, elsewhere the page.
    """
    return _present(ResponseSession(response, tau), port, browser)


def explore_trajectory(
    trajectory: Trajectory, *, title: str = "", port: int | None = None, browser: bool = True
) -> ExploreWidget | Page:
    """A finished run to scrub through: a widget in a notebook, otherwise a page that is served from this
    process.

    Parameters
    ----------
    trajectory
        A `Trajectory`.
    title
        Name of the run.
    port, browser
        As for `explore_model`.

    Returns
    -------
    ExploreWidget or Page
        In a notebook with anywidget the widget, elsewhere the page.
    """
    return _present(
        ReplaySession([replay(trajectory, title=title, respond=instants_of(trajectory))]), port, browser
    )


def _present(session: Session | ReplaySession, port: int | None, browser: bool) -> ExploreWidget | Page:
    if in_notebook():
        from modecontrol.page.widget import ExploreWidget

        return ExploreWidget(session)
    page = Page(session, port)
    if browser:
        page.open()
    return page


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    if "marimo" in sys.modules and sys.modules["marimo"].running_in_notebook():
        return True
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


def has_display() -> bool:
    """Whether a browser could show anything: a terminal's browser would only take the terminal away."""
    if sys.platform.startswith(("win", "darwin")):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
