"""Pictures of the pages and of the README, and a record of what each shows.

    python docs/figures.py                  draws all of them anew into docs/_static (make figures)
    python docs/figures.py flip_pitch       draws some of them
    python docs/figures.py --check          says which no longer show what the code gives

`docs/_static/figures.json` keeps, for each picture, a digest of its file and what it shows: titles, axes,
legends and the ends of every curve. `tests/test_figures.py` draws them again in memory and compares, so that a
picture that is older than what the code gives is found. Screens need a Chromium (extra [browser]).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

from figure_record import differences, digest, shows
from law_figure import laws

import modecontrol as mc

ROOT = Path(__file__).resolve().parents[1]
STATIC = ROOT / "docs" / "_static"
MANIFEST = STATIC / "figures.json"
SCREEN = {"width": 1280, "height": 960}

# What is drawn ---------------------------------------------------------------------------------------------


def torque_sets() -> Any:
    """Torque sets of RHex at rest."""
    return rhex().plot().figure


def ambiguity() -> Any:
    """Two links between walls of friction 0.8: one torque, several motions."""
    model = mc.load("two_link", mu=0.8)
    return mc.dynamic_response(model.snapshot(model.start)).plot_ambiguity().figure


def flip_pitch() -> Any:
    """Pitch of the four flips."""
    from modecontrol.view.flip import plot_pitch

    return plot_pitch(flips()).figure


def flip_modes() -> Any:
    """The mode-aware flip at friction 0.6: predicted against simulated."""
    from modecontrol.view.flip import plot_flip

    return plot_flip(flips()[3])


def toe_velocities() -> Any:
    """Figure 12 of the paper: predicted and simulated velocities of the contacts."""
    from modecontrol.view.flip import plot_toe_velocities

    return plot_toe_velocities(flips()[2])


def tutorial_torques() -> Any:
    """What the tutorial draws first."""
    return tutorial()["torques.png"]


def tutorial_timeline() -> Any:
    """What the tutorial draws last."""
    return tutorial()["timeline.png"]


def beside_mujoco() -> Any:
    """One second of gymnasium's hopper, here and in MuJoCo."""
    import beside_mujoco as runs

    return runs.figure()


def shapes_that_touch() -> Any:
    """Features of polygons and of terrain."""
    import matplotlib.pyplot as plt

    from modecontrol.view.mechanism import plot_mechanism

    box = [(-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1)]

    def made(name: str, shape: Any, **start: float) -> Any:
        joint = mc.planar("x", "y", "theta")
        return mc.Builder(name).body(name, joint=joint, mass=1, inertia=0.02, outline=shape).start(**start)

    pair = made("upper", box, x=0.12, y=0.3).body(
        "lower", parent="world", joint=mc.planar("u", "v", "w"), mass=1, inertia=0.02, outline=box
    )
    pair.start(v=0.1).contact("faces", "upper", type="polygon", other="lower", mu=0.4)
    pair.contact("floor", "lower", type="polygon", mu=0.4)
    groove = made("ball", (), y=0.2 * 2**0.5).terrain("groove", [(-1, 1), (0, 0), (1, 1)])
    groove.contact("sides", "ball", type="disc", radius=0.2, terrain="groove", mu=0.4)
    steps = [(-0.6, 0.15), (-0.3, 0.15), (-0.3, 0), (0.2, 0), (0.2, 0.2), (0.6, 0.2)]
    lean = 0.6  # the lower left corner on the tread, the edge of the next one under the side
    c, s, corner = math.cos(lean), math.sin(lean), 0.2 - 0.2 / math.tan(lean)
    tilted = made("box", box, x=corner + 0.2 * c - 0.1 * s, y=0.2 * s + 0.1 * c, theta=lean).terrain(
        "stairs", steps
    )
    tilted.contact("sole", "box", type="polygon", terrain="stairs", touches=2, mu=0.4)
    figure, axes = plt.subplots(1, 4, figsize=(14, 3.6), layout="constrained")
    for ax, model in zip(
        axes, (pair.build(), groove.build(), tilted.build(), mc.load("gripper_box")), strict=True
    ):
        plot_mechanism(model, ax=ax, frames=False)
    axes[-1].set_xlim(-0.17, 0.17)  # room for the names of contacts on both sides
    return figure


@cache
def rhex() -> Any:
    model = mc.load("rhex", mu_toe=0.6)
    return mc.dynamic_response(model.snapshot(model.start))


@cache
def flips() -> list[Any]:
    from modecontrol.trials.rhex.flip import compare

    return list(compare())


@cache
def tutorial() -> dict[str, Any]:
    """Figures that the tutorial's code saves, by the name of the file."""
    from matplotlib.figure import Figure

    page = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(toml|python)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    saved: dict[str, Any] = {}
    plain = Figure.savefig

    def keep(figure: Any, name: Any, **options: Any) -> None:
        saved[str(name)] = figure

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Figure.savefig = keep  # type: ignore[method-assign, assignment]
        try:
            names: dict[str, Any] = {}
            for language, text in blocks:
                if language == "toml":
                    Path("tipper").mkdir()
                    Path("tipper/model.toml").write_text(text, encoding="utf-8")
                else:
                    with contextlib.redirect_stdout(io.StringIO()):
                        exec(compile(text, "tutorial.md", "exec"), names)
        finally:
            Figure.savefig = plain  # type: ignore[method-assign]
    return saved


FIGURES: dict[str, Callable[[], Any]] = {
    made.__name__: made
    for made in (
        torque_sets,
        ambiguity,
        flip_pitch,
        flip_modes,
        toe_velocities,
        tutorial_torques,
        tutorial_timeline,
        beside_mujoco,
        shapes_that_touch,
        laws,
    )
}


def film(path: Path) -> None:
    """The mode-aware flip at friction 0.6, ten times slowed down."""
    flips()[3].trajectory.animate(path, speed=0.1, fps=12.0, dpi=70)


def film_shows() -> dict[str, Any]:
    flip = flips()[3]
    return {
        "end": float(flip.trajectory.time[-1]),
        "q": flip.trajectory.q[-1].tolist(),
        "modes": [mode for _, mode in flip.story],
    }


SCREENS = {"page_rhex": ("rhex", {}, "tau=-6,-4,-3")}
"""Pages that are photographed: model, parameters, and the part of the address that holds the state."""


@contextlib.contextmanager
def screen(browser: Any, name: str) -> Iterator[Any]:
    """A page of `SCREENS`, drawn."""
    from modecontrol.page import Page, Session

    model, parameters, state = SCREENS[name]
    with Page(Session(mc.load(model, **parameters)), port=0) as served:
        context = browser.new_context(viewport=SCREEN, color_scheme="light")
        page = context.new_page()
        page.goto(f"{served.address}#{state}")
        page.wait_for_selector("#page[data-draws]")
        page.wait_for_selector(".mc-busy:not(.mc-on)", state="attached")
        page.wait_for_timeout(300)
        yield page
        context.close()


def screen_shows(page: Any) -> dict[str, Any]:
    """The words and numbers of a page."""
    return {
        part: page.locator(f".mc-{part}").all_inner_texts()
        for part in ("verdict-word", "tables", "count", "best")
    }


# Drawing and checking --------------------------------------------------------------------------------------


def manifest() -> dict[str, Any]:
    """What is kept of the pictures, by the name of the file."""
    return json.loads(MANIFEST.read_text(encoding="utf-8")) if MANIFEST.exists() else {}


def draw(names: list[str]) -> None:
    """Make pictures anew and keep what they show."""
    kept = manifest()

    def keep(path: Path, what: Any) -> None:
        kept[path.name] = {"digest": digest(path), "shows": what}
        sys.stdout.write(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} kB\n")

    for name in names:
        if name in FIGURES:
            figure = FIGURES[name]()
            path = STATIC / f"{name}.png"
            figure.savefig(path, dpi=110, bbox_inches="tight", metadata={"Software": None})
            smaller(path)
            keep(path, shows(figure))
        elif name == "flip":
            film(STATIC / "flip.gif")
            keep(STATIC / "flip.gif", film_shows())
        else:
            with chromium() as browser, screen(browser, name) as page:
                path = STATIC / f"{name}.png"
                page.screenshot(path=path)
                smaller(path)
                keep(path, screen_shows(page))
    MANIFEST.write_text(
        json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def smaller(path: Path) -> None:
    """A picture of few colours needs no more than 256 of them."""
    from PIL import Image

    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """A headless Chromium of this machine."""
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, str(ROOT / "tests"))
    import browsers

    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=browsers.chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


def stale(names: list[str]) -> list[str]:
    """Pictures whose file was changed by hand, or that show something else than the code gives."""
    kept, found = manifest(), []
    for name in names:
        path = STATIC / ("flip.gif" if name == "flip" else f"{name}.png")
        if path.name not in kept or not path.exists() or digest(path) != kept[path.name]["digest"]:
            found.append(f"{path.name}: not the file that was drawn; make figures")
        elif name in FIGURES or name == "flip":
            now = json.loads(json.dumps(film_shows() if name == "flip" else shows(FIGURES[name]())))
            found += [f"{path.name}{text}" for text in differences(kept[path.name]["shows"], now)]
    return found


def main() -> int:
    """Draw, or check."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [*FIGURES, "flip", *SCREENS]
    parser.add_argument("names", nargs="*", help=f"of {', '.join(names)}; all when none is given")
    parser.add_argument(
        "--check", action="store_true", help="draw nothing; list pictures that are out of date"
    )
    args = parser.parse_args()
    unknown = sorted(set(args.names) - set(names))
    if unknown:
        parser.error(f"there is no picture {', '.join(unknown)}; there are {', '.join(names)}")
    if args.check:
        found = stale(args.names or names)
        sys.stdout.write(("\n".join(found) or "every picture shows what the code gives") + "\n")
        return 1 if found else 0
    draw(args.names or names)
    return 0


if __name__ == "__main__":
    sys.exit(main())
