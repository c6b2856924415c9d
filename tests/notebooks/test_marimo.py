"""The widget in marimo, in a headless Chromium: drawn, pulled by the mouse, answered by marimo's kernel."""

import os
import socket
import sys
import urllib.error
import urllib.request

import browsers
import pytest

import modecontrol as mc

pytestmark = pytest.mark.browser

NOTEBOOK = """
import marimo

app = marimo.App()


@app.cell
def _():
    import modecontrol as mc

    model = mc.load("two_link", mu=0.8)
    return mc, model


@app.cell
def _(model):
    model.explore()
    return


@app.cell
def _(mc, model):
    mc.dynamic_response(model.snapshot(model.start)).explore()
    return
"""


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """Address of a marimo server with one notebook, its settings in a folder of their own."""
    home = tmp_path_factory.mktemp("marimo")
    folder = home / "notebooks"
    folder.mkdir()
    (folder / "live.py").write_text(NOTEBOOK, encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    places = {name: str(home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")}
    path = os.pathsep.join(filter(None, sys.path))
    words = [sys.executable, "-m", "marimo", "run", "live.py", "--headless", "--no-token"]
    words += ["--host", "127.0.0.1", "--port", str(port)]
    with browsers.served(words, folder, {**os.environ, **places, "PYTHONPATH": path}) as settled:
        yield settled(lambda: _answering(f"http://127.0.0.1:{port}/"))


def _answering(address):
    try:
        with urllib.request.urlopen(address, timeout=10):
            return address
    except (urllib.error.URLError, OSError):
        return None


@pytest.fixture
def page(chromium, notebook):
    """The notebook as a reader whose system is dark opens it; marimo itself is light."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1400}, color_scheme="dark")
    page = context.new_page()
    page.errors, page.requests = [], []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("request", lambda request: page.requests.append(request.url))
    page.goto(notebook)
    page.locator(".mc-page[data-draws]").nth(1).wait_for(timeout=120_000)
    yield page
    context.close()


def test_a_pulled_slider_gives_a_new_picture(page, notebook):
    live = page.locator(".mc-page").nth(0)
    count = live.locator(".mc-count")
    assert count.inner_text() == "5 modes can happen"
    before = live.locator(".mc-mechanism").screenshot()
    draws = int(live.get_attribute("data-draws"))
    browsers.drag_slider(page, live.get_by_label("friction mu", exact=True), 0.1)
    count.filter(has_not_text="5 modes can happen").wait_for(timeout=60_000)
    live.locator(".mc-busy:not(.mc-on)").wait_for(state="attached", timeout=30_000)
    assert int(live.get_attribute("data-draws")) > draws
    assert live.locator(".mc-mechanism").screenshot() != before

    # what is shown is the library's answer for the friction that is shown
    mu = float(live.get_by_label("friction mu, as a number").input_value())
    assert mu < 0.4
    model = mc.load("two_link", mu=mu)
    modes = mc.dynamic_response(model.snapshot(model.start)).modes
    assert count.inner_text() == f"{len(modes)} modes can happen"
    assert page.locator(".mc-page").nth(1).locator(".mc-count").inner_text() == "5 modes can happen"
    assert page.errors == []
    assert [url for url in page.requests if not url.startswith((notebook, "data:", "blob:"))] == []


def test_the_widget_is_as_light_or_dark_as_the_notebook(page):
    live = page.locator(".mc-page").nth(0)
    scheme = "root => getComputedStyle(root).getPropertyValue('--mc-scheme').trim()"
    assert live.evaluate(scheme) == "light"
    page.evaluate("document.body.className = 'dark dark-theme'")
    page.wait_for_timeout(100)
    assert live.evaluate(scheme) == "dark"
    live.get_by_role("button", name="Light or dark").click()  # the reader's own choice goes before it
    assert live.evaluate(scheme) == "light"
