"""A headless Chromium for the tests of pages: found on this machine, started once per file of tests."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
REQUIRED = os.environ.get("MODECONTROL_BROWSER") == "required"
"""Set by `.ci/run`: a machine without a browser is then an error."""
HOW = "install Debian's chromium (apt-get install chromium) or name one in MODECONTROL_CHROMIUM"


def chromium() -> str | None:
    """Path of a Chromium, None when there is none."""
    named = os.environ.get("MODECONTROL_CHROMIUM")
    if named:
        return named if Path(named).is_file() else None
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Visit:
    """A page with a record of what went wrong on it: errors, console messages, requests to other hosts."""

    def __init__(self, page, home):
        self.page, self.home = page, home
        self.errors, self.requests = [], []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "console",
            lambda message: (
                self.errors.append(message.text) if message.type in ("error", "warning") else None
            ),
        )
        page.on("request", lambda request: self.requests.append(request.url))

    def go(self, suffix=""):
        self.page.goto(self.home + suffix)
        self.page.wait_for_selector("#page[data-draws]", timeout=60_000)
        return self

    def draws(self):
        return int(self.page.locator("#page").get_attribute("data-draws"))

    def settle(self):
        """Until nothing is asked any more."""
        self.page.wait_for_timeout(60)  # the address follows a moment after the picture
        self.page.wait_for_selector(".mc-busy:not(.mc-on)", timeout=30_000, state="attached")
        self.page.wait_for_timeout(200)

    def foreign(self):
        return [url for url in self.requests if not url.startswith((self.home.split("#")[0], "data:"))]
