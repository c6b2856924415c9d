"""The widget in VS Code itself: in the output of a notebook, in its dark and its light theme, moved by keys and mouse.

    python campaigns/vscode/trial.py [--picture FILE]      needs the [browser] extra, a Chromium and `code-server` in the path

code-server is VS Code behind a web server (npm: code-server). Microsoft's Jupyter extension cannot be had there, so a small
extension of our own takes its place: it loads the script as anywidget does and hands messages over by VS Code's channel for
renderers. Frame, policy, themes and channel are VS Code's.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import modecontrol as mc
from modecontrol.page.session import Session
from modecontrol.page.widget import ExploreWidget

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))
FILES = ("package.json", "main.js", "renderer.js")
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011"><Metadata>
<Identity Language="en-US" Id="trial" Version="0.0.1" Publisher="modecontrol"/><DisplayName>trial</DisplayName>
<Description>trial</Description></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>"""
SETTINGS = {
    "security.workspace.trust.enabled": False,
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    "extensions.autoUpdate": False,
}
THEMES = {"Default Dark Modern": "dark", "Default Light Modern": "light"}
SLOW = 240_000
"""Milliseconds that VS Code may take to start (ms)."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--picture", help="file for a picture of the dark theme")
    args = parser.parse_args()
    program = shutil.which("code-server")
    if program is None:
        raise SystemExit("code-server is not in the path; install it with: npm install --global code-server")
    widget = ExploreWidget(Session(mc.load("rhex")))
    kernel = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(widget))
    Thread(target=kernel.serve_forever, daemon=True).start()
    version = re.search(r"^\d.*Code \S+", said(program, "--version"), re.MULTILINE)
    print("code-server", version.group() if version else "of an unknown version")
    for theme, scheme in THEMES.items():
        with tempfile.TemporaryDirectory() as folder:
            try_theme(program, Path(folder), kernel.server_port, theme, scheme, args.picture)
    kernel.shutdown()


def handler_of(widget: ExploreWidget) -> type[BaseHTTPRequestHandler]:
    """What stands in for the kernel: the widget's script once, then answers."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path == "/widget":
                found = {"describe": widget.describe, "esm": widget._esm, "css": widget._css}
            else:
                found = widget.session.answer(question)
            body = json.dumps(found).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


def said(program: str, *words: str) -> str:
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def try_theme(program: str, folder: Path, port: int, theme: str, scheme: str, picture: str | None) -> None:
    """One start of VS Code; what was seen is printed."""
    (folder / "data" / "User").mkdir(parents=True)
    (folder / "work").mkdir()
    (folder / "data" / "User" / "settings.json").write_text(
        json.dumps({**SETTINGS, "workbench.colorTheme": theme})
    )
    (folder / "work" / "live.trial").write_text("model.explore()")
    with zipfile.ZipFile(folder / "trial.vsix", "w") as packed:
        for name in FILES:
            packed.write(HERE / name, f"extension/{name}")
        packed.writestr("extension.vsixmanifest", MANIFEST)
    places = ["--user-data-dir", str(folder / "data"), "--extensions-dir", str(folder / "extensions")]
    said(program, *places, "--install-extension", str(folder / "trial.vsix"))
    words = [program, *places, "--auth", "none", "--bind-addr", "127.0.0.1:0", "--disable-telemetry"]
    words += ["--disable-update-check", str(folder / "work")]
    server = subprocess.Popen(
        words,
        env={**os.environ, "HOME": str(folder), "MODECONTROL_TRIAL": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        assert server.stdout is not None
        told = []
        for line in server.stdout:
            told.append(line)
            if "HTTP server listening" in line:
                break
        else:
            raise SystemExit(f"code-server ended by itself: {''.join(told)}")
        address = line.split()[-1].rstrip("/")
        look(f"{address}/?folder={folder / 'work'}", scheme, picture if scheme == "dark" else None)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)


def look(address: str, scheme: str, picture: str | None) -> None:
    """Open the notebook, run its cell, move a slider by keys and one by the mouse."""
    import browsers
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=browsers.chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1500, "height": 1500})
        page.set_default_timeout(SLOW)
        page.goto(address)
        row = page.locator(".explorer-folders-view .monaco-list-row", has_text="live.trial")
        row.wait_for()
        while (
            page.locator(".notebookOverlay .cell-list-container").count() == 0
        ):  # until the extension is there
            page.keyboard.press("Control+F4")
            row.dblclick()
            page.wait_for_timeout(10_000)
        page.keyboard.press("F1")
        page.keyboard.type("Notebook: Run All", delay=20)
        page.wait_for_timeout(4000)
        page.keyboard.press("Enter")
        live = None
        while live is None:
            page.wait_for_timeout(500)
            live = next((f for f in page.frames if f.locator(".mc-page[data-draws]").count()), None)
        first = live.locator(".mc-count").inner_text()
        if picture:
            page.screenshot(path=picture)
        bar = live.get_by_label("coordinate alpha", exact=True)
        bar.scroll_into_view_if_needed()
        bar.focus()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        page.wait_for_timeout(3000)
        alpha = live.get_by_label("coordinate alpha, as a number").input_value()
        browsers.drag_slider(page, live.get_by_label("friction mu_toe", exact=True), 0.05)
        page.wait_for_timeout(4000)
        shown = live.evaluate(
            "getComputedStyle(document.querySelector('.mc-page')).getPropertyValue('--mc-scheme')"
        )
        mu = live.get_by_label("friction mu_toe, as a number").input_value()
        refused = live.evaluate("window.violations")
        print(
            f"body class {live.evaluate('document.body.className')}, drawn {shown.strip()} (expected {scheme})"
        )
        print(
            f"  {first}; alpha = {alpha} rad by three keys, mu_toe = {mu} by the mouse: {live.locator('.mc-count').inner_text()}"
        )
        print(f"  refused by VS Code's policy: {', '.join(refused) or 'nothing'}")
        browser.close()


if __name__ == "__main__":
    main()
