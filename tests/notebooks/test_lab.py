"""The widget in JupyterLab, in a headless Chromium: drawn, moved, answered by the kernel."""

import json
import os
import sys

import browsers
import pytest

import modecontrol as mc

pytestmark = pytest.mark.browser

CELLS = (
    "import modecontrol as mc\nmodel = mc.load('two_link', mu=0.8)",
    "model.explore()",
    "mc.dynamic_response(model.snapshot(model.start)).explore()",
)


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A JupyterLab of its own, with folders of its own; gives its address and the folder of notebooks."""
    home = tmp_path_factory.mktemp("lab")
    for name in ("notebooks", "runtime", "config", "data"):
        (home / name).mkdir()
    cells = [
        dict(cell_type="code", id=f"c{i}", metadata={}, source=text, outputs=[], execution_count=None)
        for i, text in enumerate(CELLS)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (home / "notebooks" / "live.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    environment = {
        **os.environ,
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "config" / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "config" / "workspaces"),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    words = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root"]
    words += ["--expose-app-in-browser", "--LabApp.news_url=None"]
    words += ["--IdentityProvider.token=", "--LabApp.extension_manager=readonly"]
    words += ["--ServerApp.disable_check_xsrf=True", f"--ServerApp.root_dir={home / 'notebooks'}"]
    with browsers.served(words, home / "notebooks", environment) as settled:
        yield settled(lambda: _address(home))


def _address(home):
    for path in (home / "runtime").glob("jpserver-*.json"):
        try:
            return json.loads(path.read_text(encoding="utf-8"))["url"]
        except ValueError:
            pass  # being written
    return None


def test_the_widget_is_drawn_and_answers(lab, chromium):
    context = chromium.new_context(viewport={"width": 1500, "height": 1000})
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{lab}lab/tree/live.ipynb")
    page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=120_000)
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'",
        timeout=120_000,
    )
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
    live = page.locator(".jp-Cell").nth(1)
    live.locator(".mc-mechanism .mc-bar, .mc-mechanism .mc-body").first.wait_for(timeout=120_000)
    assert live.locator(".mc-count").inner_text() == "5 modes can happen"

    # a number typed into the widget goes to the kernel, and its answer is the library's
    field = live.get_by_label("friction mu, as a number")
    field.fill("0.4")
    field.press("Enter")
    model = mc.load("two_link", mu=0.4)
    count = len(mc.dynamic_response(model.snapshot(model.start)))
    live.locator(".mc-count").filter(has_text=f"{count} modes can happen").wait_for(timeout=60_000)

    # the page of one instant has its own widget in the next cell
    instant = page.locator(".jp-Cell").nth(2)
    instant.locator(".mc-count").filter(has_text="5 modes can happen").wait_for(timeout=60_000)
    assert [error for error in errors if "mc-" in error or "modecontrol" in error] == []
    context.close()
