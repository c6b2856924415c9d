"""This file puts `tests/` on the path, so that test modules share helpers such as `random_mechanisms`.

Tests marked `browser` need a Chromium. Without one they are left out and the summary says so; with
`MODECONTROL_BROWSER=required`, which `.ci/run` sets, they fail instead. Tests of other packages are skipped where these
are not installed; with `MODECONTROL_SKIPS=forbidden`, set there too, a run that skipped a test fails.
"""

import signal

import browsers
import hypothesis
import pytest
from skips import pytest_sessionfinish  # noqa: F401 -- a hook

# no time limits: examples on a busy machine take what they take
hypothesis.settings.register_profile("house", deadline=None)
hypothesis.settings.load_profile("house")

# A shell that runs the tests in the background has them ignore Ctrl-C, and so would all processes that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _no_browser():
    return browsers.chromium() is None and not browsers.REQUIRED


def pytest_collection_modifyitems(config, items):
    if _no_browser():
        left_out = [item for item in items if item.get_closest_marker("browser")]
        items[:] = [item for item in items if not item.get_closest_marker("browser")]
        config.hook.pytest_deselected(items=left_out)


def pytest_terminal_summary(terminalreporter):
    if _no_browser():
        terminalreporter.write_line(
            f"tests of pages were left out: there is no Chromium; {browsers.HOW}", yellow=True
        )


@pytest.fixture(scope="module")
def chromium():
    """A headless Chromium for the tests marked `browser`."""
    path = browsers.chromium()
    assert path is not None, f"there is no Chromium; {browsers.HOW}"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--headless"]
        )
        yield browser
        browser.close()
