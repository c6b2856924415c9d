"""The widget where VS Code shows it: in a sandboxed frame, its script taken in as a blob, its questions sent
through messages. The policy of the frame is stricter than VS Code's own: no script from any host, no `eval`, no
connection, no picture.
"""

import json

import browsers
import pytest

import modecontrol as mc
from modecontrol.page.session import Session
from modecontrol.page.widget import ExploreWidget

pytestmark = pytest.mark.browser

POLICY = "default-src 'none'; script-src 'nonce-here' blob:; style-src 'unsafe-inline'"
FRAME = """<!doctype html><html><head>
<meta http-equiv="Content-Security-Policy" content="%(policy)s"><style>%(css)s</style></head>
<body class="%(theme)s"><div id="output"></div><script nonce="here">
const listeners = [];
const model = {
  get: () => %(describe)s,
  on: (event, listener) => listeners.push(listener),
  send: (content) => parent.postMessage(content, "*"),
};
addEventListener("message", ({ data }) => listeners.forEach((listener) => listener(data)));
addEventListener("securitypolicyviolation", (event) => parent.postMessage({ violation: event.violatedDirective }, "*"));
const address = URL.createObjectURL(new Blob([%(esm)s], { type: "text/javascript" }));
import(address).then(({ default: widget }) => widget.render({ model, el: document.getElementById("output") }));
</script></body></html>"""
OUTSIDE = """
frame => {
  const inside = document.createElement("iframe");
  inside.setAttribute("sandbox", frame.sandbox);
  inside.style.cssText = "width: 100%; height: 1300px; border: 0";
  addEventListener("message", async ({ data }) => {
    if (data.violation) return violated(data.violation);
    inside.contentWindow.postMessage({ id: data.id, answer: await answer(data.question) }, "*");
  });
  inside.srcdoc = frame.text;
  document.body.append(inside);
}
"""


def script(text):
    """JSON that may stand inside a script element."""
    return json.dumps(text).replace("</", "<\\/")


@pytest.mark.parametrize("sandbox", ["allow-scripts allow-same-origin allow-forms", "allow-scripts"])
@pytest.mark.parametrize(
    ("theme", "scheme"),
    [
        ("vscode-dark", "dark"),
        ("vscode-light", "light"),
        ("vscode-high-contrast", "dark"),
        ("vscode-high-contrast vscode-high-contrast-light", "light"),
    ],
)
def test_the_widget_works_behind_a_strict_policy(chromium, sandbox, theme, scheme):
    session = Session(mc.load("rhex"))
    context = chromium.new_context(viewport={"width": 900, "height": 1400})
    page = context.new_page()
    errors, violations = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.expose_function("answer", session.answer)
    page.expose_function("violated", lambda directive: violations.append(directive))
    parts = {"policy": POLICY, "css": ExploreWidget._css, "theme": theme}
    describe = json.dumps(session.description, allow_nan=False)
    text = FRAME % {**parts, "describe": script(describe), "esm": script(ExploreWidget._esm)}
    page.evaluate(OUTSIDE, {"sandbox": sandbox, "text": text})
    live = page.frame_locator("iframe").locator(".mc-page[data-draws]")
    live.wait_for(timeout=60_000)
    assert live.evaluate("root => getComputedStyle(root).getPropertyValue('--mc-scheme').trim()") == scheme
    count = live.locator(".mc-count").inner_text()
    browsers.drag_slider(page, live.get_by_label("friction mu_toe", exact=True), 0.02)
    live.locator(".mc-count").filter(has_not_text=count).wait_for(timeout=30_000)
    assert violations == []
    assert errors == []
    context.close()
