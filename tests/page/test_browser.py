"""The page in a headless Chromium: what is drawn, what can be reached, and that nothing leaves the machine."""

import json

import browsers
import pytest

import modecontrol as mc
from modecontrol.page import Page, Session
from modecontrol.page.standalone import write_page

pytestmark = pytest.mark.browser

MODELS = {**browsers.SHOWN, "chain": {}, "pendulum": {}, "snake of five inputs": {"n": 6}}


@pytest.fixture(scope="module")
def pages():
    """Served pages by name, opened when they are first asked for."""
    found = {}

    def page_of(name):
        if name not in found:
            found[name] = Page(Session(mc.load(name.split(" ")[0], **MODELS[name])), port=0)
        return found[name]

    yield page_of
    for page in found.values():
        page.close()


@pytest.fixture
def visit(chromium, pages):
    contexts = []

    def go(name, suffix="", **options):
        context = chromium.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
        contexts.append(context)
        return browsers.Visit(context.new_page(), pages(name).address).go(suffix)

    yield go
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
def test_every_model_is_drawn_without_errors_or_foreign_requests(visit, name, width, scheme):
    seen = visit(name, viewport={"width": width, "height": 900}, color_scheme=scheme)
    assert seen.errors == []
    assert seen.foreign() == []
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    assert seen.page.locator(".mc-mechanism path").count() > 0
    paper = seen.page.evaluate(
        "getComputedStyle(document.getElementById('page')).getPropertyValue('--mc-scheme').trim()"
    )
    assert paper == scheme


def test_the_pages_numbers_are_the_librarys(visit):
    """Every number in the tables, with the digits that are shown."""
    seen = visit("rhex")
    model = mc.load("rhex")
    response = mc.dynamic_response(model.snapshot(model.start))
    best = mc.maximize(response, "alpha", margin=0.001)
    answer = response[best.mode]
    shown = seen.page.locator(".mc-table").first.locator("tr").all_inner_texts()
    wanted = dict(zip(answer.acceleration.names, answer.acceleration.value(best.torque), strict=True))
    assert {line.split()[0]: float(line.split()[1].replace("−", "-")) for line in shown} == pytest.approx(
        wanted, rel=5e-4
    )
    forces = seen.page.locator(".mc-table").nth(1).locator("tbody tr").all_inner_texts()
    values = [float(x.replace("−", "-")) for line in forces for x in line.split()[1:]]
    assert values == pytest.approx(answer.force.value(best.torque), rel=5e-4)
    assert seen.page.locator(".mc-count").inner_text() == f"{len(response)} modes can happen"
    assert f"{best.value:.3f}" in seen.page.locator(".mc-best").inner_text()


def test_the_script_works_on_the_very_numbers_of_to_dict(visit):
    """What the browser holds is `resp.to_dict()`, bit for bit."""
    seen = visit("two_link")
    model = mc.load("two_link", mu=0.8)
    wanted = mc.dynamic_response(model.snapshot(model.start)).to_dict()["modes"]
    got = seen.page.evaluate("""async () => (await (await fetch("/ask", {
        method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({ask: "show"})})).json()).modes""")
    assert {entry["mode"]: (entry["set"]["A"], entry["set"]["b"]) for entry in got} == {
        mode: (data["torques"]["A"], data["torques"]["b"]) for mode, data in wanted.items()
    }


def test_one_mode_with_many_motions_is_not_called_one_answer(visit):
    seen = visit("ball_bearing")
    assert seen.page.locator(".mc-verdict-word").inner_text() == "One mode, many motions"
    assert "∞" in seen.page.locator(".mc-tables").inner_text()
    plain = visit("rhex")
    assert plain.page.locator(".mc-verdict-word").inner_text() == "One answer"


def test_a_mechanism_of_thousands_of_modes_is_drawn_and_the_search_can_go_on(chromium):
    """The snake as it ships: 2262 modes in seven inputs, hundreds of them at zero torque."""
    with Page(Session(mc.load("snake")), port=0) as served:
        context = chromium.new_context(viewport={"width": 1400, "height": 900})
        seen = browsers.Visit(context.new_page(), served.address).go()
        assert seen.page.locator(".mc-tab").count() == 24
        assert "more, marked in the list" in seen.page.locator(".mc-tabs").inner_text()
        assert "Not found yet" in seen.page.locator(".mc-best").inner_text()
        seen.page.get_by_role("button", name="Search longer").click()
        seen.page.locator(".mc-best", has_text="searches to the end").wait_for(timeout=30_000)
        assert seen.errors == []
        context.close()


def test_a_slider_moves_the_mechanism_and_keeps_its_contacts(visit):
    seen = visit("rhex")
    before = seen.page.locator(".mc-mechanism .mc-body").first.get_attribute("d")
    bar = seen.page.get_by_label("coordinate alpha", exact=True)
    bar.focus()
    for _ in range(4):
        seen.page.keyboard.press("ArrowRight")
    seen.settle()
    assert seen.page.locator(".mc-mechanism .mc-body").first.get_attribute("d") != before
    q = state_of(seen)["q"]
    gaps = mc.load("rhex").snapshot(q).gap
    assert abs(gaps).max() < 1e-9
    assert q[2] == pytest.approx(4 * 3.141592653589793 / 100)


def state_of(seen):
    """The state in the page's address."""
    found = {}
    for part in seen.page.url.partition("#")[2].split("&"):
        key, _, value = part.partition("=")
        found[key] = [float(x) for x in value.split(",")] if key in ("q", "v", "tau") else value
    return found


def test_letting_go_opens_the_contacts(visit):
    seen = visit("rhex")
    seen.page.get_by_label("keep closed contacts closed").uncheck()
    field = seen.page.get_by_label("coordinate z, as a number")
    field.fill("0.2")
    field.press("Enter")
    seen.settle()
    assert state_of(seen)["q"][1] == 0.2
    assert seen.page.locator(".mc-away").count() == 4
    assert seen.page.locator(".mc-count").inner_text() == "1 mode can happen"


def test_a_body_can_be_pulled(visit):
    seen = visit("rhex")
    body = seen.page.locator(".mc-mechanism .mc-body").first.bounding_box()
    x, y = body["x"] + 0.97 * body["width"], body["y"] + 0.3 * body["height"]
    seen.page.mouse.move(x, y)
    seen.page.mouse.down()
    seen.page.mouse.move(x, y - 40, steps=6)
    seen.page.mouse.up()
    seen.settle()
    q = state_of(seen)["q"]
    assert q[2] > 0.05  # pulled up at its front, it pitches
    assert abs(mc.load("rhex").snapshot(q).gap[0]) < 1e-9


def test_the_torque_can_be_dragged_and_every_mode_there_is_listed(visit):
    seen = visit("two_link")
    line = seen.page.locator(".mc-line").bounding_box()
    seen.page.mouse.move(line["x"] + 100, line["y"] + 30)
    seen.page.mouse.down()
    seen.page.mouse.move(line["x"] + 0.9 * line["width"], line["y"] + 30, steps=5)
    seen.page.mouse.up()
    seen.settle()
    model = mc.load("two_link", mu=0.8)
    wanted = mc.dynamic_response(model.snapshot(model.start)).modes_at(state_of(seen)["tau"])
    assert len(wanted) > 1
    assert (
        seen.page.locator(".mc-tab .mc-letters").evaluate_all(
            "all => all.map((one) => one.getAttribute('aria-label'))"
        )
        == wanted
    )
    assert seen.page.locator(".mc-verdict-word").inner_text() == "Ambiguous: several motions"


def test_facets_say_their_cause_on_hover(visit):
    seen = visit("rhex", "#tau=-6,-6,-6")
    plane = seen.page.locator(".mc-plane").bounding_box()
    said = set()
    for i in range(60):
        seen.page.mouse.move(plane["x"] + 58 + 4 * i, plane["y"] + 0.75 * plane["height"])
        if seen.page.locator(".mc-tip").is_visible():
            said.add(seen.page.locator(".mc-tip").inner_text())
    assert any("rear" in text or "slides" in text or "friction" in text for text in said), said
    assert "RFLL" in said


def test_explanations_come_on_request(visit):
    seen = visit("two_link")
    for i, letter in enumerate("LFF"):
        seen.page.locator(".mc-pickers select").nth(i).select_option(letter)
    seen.page.get_by_role("button", name="Explain").click()
    seen.page.wait_for_selector(".mc-said h4")
    assert "cannot happen" in seen.page.locator(".mc-said").inner_text()
    seen.page.locator(".mc-mode-button[data-mode='LRL']").click()
    seen.page.wait_for_selector(".mc-said pre")
    assert "normal force" in seen.page.locator(".mc-said pre").inner_text()


def test_two_handles_shrink_the_sure_part(visit):
    seen = visit("table")
    seen.page.get_by_label("known as an interval").check()
    seen.settle()
    width = "all => all.filter((one) => one.getAttribute('fill') === '#0b5394').map((one) => Number(one.getAttribute('width')))[0]"
    narrow = seen.page.locator("g:has(> .mc-depends) rect.mc-verdict").evaluate_all(width)
    least = seen.page.get_by_label("least friction mu")
    least.focus()
    for _ in range(8):
        seen.page.keyboard.press("ArrowLeft")
    seen.settle()
    assert seen.page.locator("g:has(> .mc-depends) rect.mc-verdict").evaluate_all(width) < narrow
    assert "between.mu=" in seen.page.url
    legend = seen.page.locator(".mc-card-space .mc-legend")
    legend.filter(has_text="holds for every friction in the intervals").wait_for(timeout=30_000)


def test_a_link_shows_the_same_state(visit):
    seen = visit("rhex")
    for label, value in (
        ("coordinate alpha, as a number", "0.2"),
        ("friction mu_toe, as a number", "0.45"),
        ("input tau1, as a number", "-3.5"),
    ):
        field = seen.page.get_by_label(label)
        field.fill(value)
        field.press("Enter")
        seen.settle()
    again = visit("rhex", "#" + seen.page.url.partition("#")[2])
    again.settle()
    for selector in (".mc-tables", ".mc-count", ".mc-best"):
        assert again.page.locator(selector).inner_text() == seen.page.locator(selector).inner_text()
    assert state_of(again) == state_of(seen)


@pytest.mark.parametrize(
    "hash_",
    [
        "#q=1,2",
        "#tau=NaN,1,2",
        "#set.nothing=3",
        "#objective=%E0%A4%A",
        "#axes=tau9",
        "#between.mu_toe=5,1",
        "#&&=&q",
        "#margin=-1",
    ],
)
def test_a_damaged_link_is_told_or_passed_over(visit, chromium, pages, hash_):
    context = chromium.new_context()
    seen = browsers.Visit(context.new_page(), pages("rhex").address)
    seen.page.goto(seen.home + hash_)
    seen.page.wait_for_selector("#page[data-draws], .mc-notes p", timeout=30_000)
    assert seen.errors == []
    context.close()


def test_python_is_shown_for_copying(visit):
    seen = visit("two_link")
    seen.page.get_by_role("button", name="Copy as Python").click()
    seen.page.wait_for_selector(".mc-dialog[open]")
    code = seen.page.locator(".mc-code").inner_text()
    scope = {}
    exec(compile(code, "copied", "exec"), scope)
    assert scope["resp"].modes == ["FFF", "FFS", "LRL", "SFF", "SSS"]
    seen.page.keyboard.press("Escape")
    assert not seen.page.locator(".mc-dialog").is_visible()


@pytest.mark.parametrize("name", ["rhex", "two_link", "snake of five inputs"])
def test_every_control_is_reached_by_keyboard(visit, name):
    seen = visit(name)
    seen.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    count = """() => [...document.querySelectorAll('button, input, select, summary, [tabindex="0"]')]
        .filter((one) => one.checkVisibility() && !one.disabled).length"""
    wanted = seen.page.evaluate(count)
    seen.page.evaluate("window.reached = new Set()")
    for _ in range(wanted + 5):
        seen.page.keyboard.press("Tab")
        seen.page.evaluate("() => { window.reached.add(document.activeElement); }")
    reached = seen.page.evaluate(
        """() => [...window.reached].filter((one) => one !== document.body).length"""
    )
    assert reached == wanted
    named = seen.page.evaluate("""() => [...document.querySelectorAll('button, input, select, [tabindex="0"]')].filter((one) =>
        !(one.getAttribute('aria-label') || one.textContent.trim() || (one.labels && one.labels.length)))
        .map((one) => one.outerHTML.slice(0, 90))""")
    assert named == []


def test_keys_move_the_torque_and_turn_the_solid(visit):
    seen = visit("rhex", "#tau=-6,-6,-6")
    seen.page.locator(".mc-plane").focus()
    seen.page.keyboard.press("ArrowRight")
    seen.page.keyboard.press("Shift+ArrowUp")
    seen.settle()
    tau = state_of(seen)["tau"]
    assert tau[0] > -6
    assert -6 < tau[1] < -5.9
    canvas = seen.page.locator(".mc-solid")
    before = canvas.screenshot()
    canvas.focus()
    seen.page.keyboard.press("ArrowLeft")
    assert canvas.screenshot() != before


def test_two_browsers_at_once_do_not_disturb_each_other(visit):
    one, two = visit("rhex"), visit("rhex")
    for seen, value in ((one, "0.1"), (two, "0.25")):
        field = seen.page.get_by_label("coordinate alpha, as a number")
        field.fill(value)
        field.press("Enter")
    one.settle()
    two.settle()
    assert (state_of(one)["q"][2], state_of(two)["q"][2]) == (0.1, 0.25)
    assert one.errors + two.errors == []


@pytest.mark.parametrize("name", ["two_link", "rhex", "table", "ball_bearing", "snake of five inputs"])
def test_a_file_answers_as_python_does(chromium, tmp_path, name):
    """Opened from the disk without a network: modes, accelerations and forces at random torques, ranges over
    `w` among them.
    """
    session = Session(mc.load(name.split(" ")[0], **MODELS[name]))
    path = write_page(tmp_path / "page.html", session)
    context = chromium.new_context(offline=True)
    seen = browsers.Visit(context.new_page(), path.as_uri()).go()
    assert seen.errors == []
    assert seen.requests == [path.as_uri()]
    import numpy as np

    rng = np.random.default_rng(3)
    count = len(session.model.inputs)
    for tau in [
        np.zeros(count),
        *(-abs(rng.normal(size=(6, count))) * 5),
        *(rng.normal(size=(6, count)) * 20),
    ]:
        wanted = json.loads(json.dumps(session.answer({"ask": "at", "state": {"tau": tau.tolist()}})["at"]))
        got = seen.page.evaluate("(tau) => window.modecontrol.at(tau)", tau.tolist())
        assert [entry["mode"] for entry in got["modes"]] == [entry["mode"] for entry in wanted["modes"]]
        assert got["verdict"] == wanted["verdict"]
        for mine, theirs in zip(got["modes"], wanted["modes"], strict=True):
            for part in ("accelerations", "forces"):
                size = max([1.0, *(abs(x) for pair in theirs[part].values() for x in pair if x is not None)])
                for key, pair in theirs[part].items():
                    for x, y in zip(mine[part][key], pair, strict=True):
                        assert (x is None) == (y is None), (key, mine[part][key], pair)
                        assert x is None or abs(x - y) <= 1e-6 * size
    context.close()


def test_a_file_scrubs_through_its_states(chromium, tmp_path):
    path = write_page(tmp_path / "page.html", Session(mc.load("two_link")), "mu", [0.1, 0.2, 0.4, 0.8])
    context = chromium.new_context(offline=True)
    seen = browsers.Visit(context.new_page(), path.as_uri()).go()
    assert seen.page.locator(".mc-count").inner_text() == "3 modes can happen"
    bar = seen.page.get_by_label("mu", exact=True)
    bar.focus()
    seen.page.keyboard.press("End")
    seen.settle()
    assert seen.page.locator(".mc-count").inner_text() == "5 modes can happen"
    assert seen.errors == []
    context.close()
