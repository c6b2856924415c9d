"""A headless Chromium for the tests of pages: found on this machine, started once per file of tests."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
REQUIRED = os.environ.get("MODECONTROL_BROWSER") == "required"
"""Set by `.ci/run`: a machine without a browser is then an error."""
HOW = "install Debian's chromium (apt-get install chromium) or name one in MODECONTROL_CHROMIUM"

SHOWN = {
    "rhex": {},
    "two_link": {"mu": 0.8},
    "rod": {},
    "table": {},
    "snake": {"n": 4},
    "biped": {},
    "ball_bearing": {},
    "four_bar": {},
}
"""Models that pages show in the tests, with their parameters."""


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


@contextmanager
def served(words, folder, environment=None):
    """A server of notebooks, ended at the end; gives `settled(ask)`, which asks until an answer comes."""
    log = folder.parent / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(words, env=environment, stdout=out, stderr=out, cwd=folder)

    def settled(ask):
        end = time.monotonic() + 120
        while time.monotonic() < end:
            assert process.poll() is None, log.read_text()
            if (answer := ask()) is not None:
                return answer
            time.sleep(0.1)
        raise AssertionError(log.read_text())

    try:
        yield settled
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def drag_slider(page, slider, part):
    """Pull a slider's knob by the mouse to a part of its length, from where it stands."""
    box = slider.bounding_box()
    here = slider.evaluate("bar => (bar.value - bar.min) / (bar.max - bar.min)")
    knob = 16  # its width in Chromium; the knob's middle stays half of it away from the ends
    start, end = (box["x"] + knob / 2 + at * (box["width"] - knob) for at in (here, part))
    middle = box["y"] + box["height"] / 2
    page.mouse.move(start, middle)
    page.mouse.down()
    page.mouse.move(end, middle, steps=6)
    page.mouse.up()
