"""The page in a notebook: an anywidget whose questions travel through the kernel's channel instead of a
server.
"""

from __future__ import annotations

import json
from typing import Any

from modecontrol.page import bundle
from modecontrol.page.replay import ReplaySession
from modecontrol.page.session import Session

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        'the page in a notebook needs anywidget; install it with: pip install "modecontrol[notebook]"',
        name=error.name,
    ) from None


class ExploreWidget(anywidget.AnyWidget):
    """The live page of a session, for Jupyter, VS Code and marimo.

    Parameters
    ----------
    session
        What answers its questions.
    """

    _esm = bundle.script() + "\nexport default { render };\n"
    _css = bundle.read("page.css")
    describe = traitlets.Unicode("{}").tag(sync=True)

    def __init__(self, session: Session | ReplaySession) -> None:
        super().__init__(describe=json.dumps(session.description, allow_nan=False))
        self.session = session
        self.on_msg(self._answer)

    def _answer(self, _: Any, content: Any, buffers: Any) -> None:
        if isinstance(content, dict) and isinstance(content.get("id"), str):
            self.send({"id": content["id"], "answer": self.session.answer(content.get("question"))})
