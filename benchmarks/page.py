"""How quick the live page is, in a headless Chromium: first paint, and from a slider to the new picture.

    python benchmarks/page.py [MODEL ...] [--moves N] [--requests N]      needs the [browser] extra and a Chromium

`--requests` sends that many random requests to the server afterwards and looks whether it still answers as
before. A slider's way: input event -> question -> Python -> answer -> picture made -> the frame after it shown.
"""

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import modecontrol as mc
from modecontrol.page import Page, Session

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

MOVES = """async ({label, values}) => {
  const root = document.getElementById("page");
  const bar = [...document.querySelectorAll("input[type=range]")].find((one) => one.getAttribute("aria-label") === label);
  const times = [];
  for (const value of values) {
    const began = performance.now();
    const drawn = new Promise((resolve) => root.addEventListener("mc-drawn", resolve, {once: true}));
    bar.value = value;
    bar.dispatchEvent(new Event("input"));
    await drawn;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    times.push(performance.now() - began);
  }
  return times;
}"""

MODELS = {
    "rhex": ("coordinate alpha", -0.05, 0.2),
    "two_link": ("friction mu", 0.1, 0.9),
    "biped": ("coordinate pitch", -0.2, 0.2),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("models", nargs="*", help=f"of {', '.join(MODELS)}; all when none is given")
    parser.add_argument("--moves", type=int, default=150, help="moves of the slider")
    parser.add_argument("--requests", type=int, default=10_000, help="random requests to the server")
    args = parser.parse_args()
    measure_pages(args.models or list(MODELS), args.moves)
    print()
    if args.requests:
        trouble_server(args.requests)


def measure_pages(names: list[str], moves: int) -> None:
    import browsers
    from playwright.sync_api import sync_playwright

    print(
        f"{'model':10} {'modes':>5} {'first paint':>12} {'drawn':>9} {'slider median':>14} {'p95':>8} {'Python median':>14}"
    )
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=browsers.chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        for name in names:
            label, low, high = MODELS[name]
            session = Session(mc.load(name))
            spent = []
            with Page(timed(session, spent), port=0) as served:
                page = browser.new_page(viewport={"width": 1400, "height": 900})
                page.goto(served.address)  # once to warm up, as a second visit of a reader
                page.wait_for_selector("#page[data-draws]")
                began = time.perf_counter()
                page.goto(served.address)
                page.wait_for_selector("#page[data-draws]")
                drawn = 1e3 * (time.perf_counter() - began)
                paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
                values = [low + (high - low) * (i % 50) / 49 for i in range(moves)]
                spent.clear()
                times = sorted(page.evaluate(MOVES, {"label": label, "values": values}))
                modes = len(session.answer({"ask": "show"})["modes"])
                print(
                    f"{name:10} {modes:5d} {paint:9.0f} ms {drawn:6.0f} ms {statistics.median(times):11.1f} ms "
                    f"{times[int(0.95 * len(times))]:5.1f} ms {statistics.median(spent):11.1f} ms"
                )
                page.close()
        browser.close()


def timed(session: Session, spent: list[float]) -> Session:
    answer = session.answer

    def measured(question):
        found = answer(question)
        spent.append(found.get("milliseconds", 0.0))
        return found

    session.answer = measured
    return session


def trouble_server(count: int) -> None:
    """Random requests, four at a time, then one that has a sense."""
    from random_requests import send_all

    with Page(Session(mc.load("table")), port=0) as served:
        port = int(served.address.rstrip("/").rpartition(":")[2])
        before = show(port)
        began = time.perf_counter()
        failed = send_all(port, count)
        took = time.perf_counter() - began
        same = show(port) == before
    word = "answers as before" if same else "DOES NOT ANSWER AS BEFORE"
    print(
        f"{count} random requests in {took:.1f} s: {len(failed)} neither answered nor refused; the server {word}"
    )


def show(port: int) -> dict:
    from random_requests import send

    body = '{"ask": "show"}'
    head = f"Host: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    answer = send(port, f"POST /ask HTTP/1.1\r\n{head}\r\nConnection: close\r\n\r\n{body}".encode())
    found = json.loads(answer.partition(b"\r\n\r\n")[2])
    return {key: value for key, value in found.items() if key != "milliseconds"}


if __name__ == "__main__":
    main()
