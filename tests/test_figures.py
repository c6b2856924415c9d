"""Pictures of the pages and of the README are made by scripts and show what the code gives today."""

import copy
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs"))

import figures  # noqa: E402
from figure_record import differences, digest  # noqa: E402

PAGES = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "howto").glob("*.md")]
IMAGE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)|<img[^>]*src=\"([^\"]+)\"")


def shown_on(page):
    return [first or second for first, second in IMAGE.findall(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("name", [*figures.FIGURES, "flip"])
def test_a_picture_shows_what_the_code_gives(name):
    assert figures.stale([name]) == []


@pytest.mark.browser
@pytest.mark.parametrize("name", figures.SCREENS)
def test_a_photographed_page_shows_what_it_shows_today(chromium, name):
    with figures.screen(chromium, name) as page:
        assert figures.screen_shows(page) == figures.manifest()[f"{name}.png"]["shows"]
    assert digest(figures.STATIC / f"{name}.png") == figures.manifest()[f"{name}.png"]["digest"]


def test_a_changed_curve_or_word_is_found():
    kept = figures.manifest()["flip_pitch.png"]["shows"]
    assert differences(kept, copy.deepcopy(kept)) == []
    later = copy.deepcopy(kept)
    later[0]["curves"][1][2][4] *= 1.01
    assert len(differences(kept, later)) == 1
    renamed = copy.deepcopy(kept)
    renamed[0]["legend"][0] = "another"
    assert len(differences(kept, renamed)) == 1
    assert differences(kept, kept[:-1])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pictures_of_a_page_exist_and_are_made_by_a_script(page):
    scripts = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "campaigns").glob("*.py"))
    for name in shown_on(page):
        path = (page.parent / name).resolve()
        assert path.is_file(), f"{page.name} shows {name}, which is not there"
        if path.parent == figures.STATIC:
            drawn = path.name in figures.manifest() or path.name in scripts
            assert drawn, f"no script of the repository draws {name}"


def test_every_kept_picture_is_shown_and_small():
    names = {Path(name).name for page in PAGES for name in shown_on(page)}
    for name in figures.manifest():
        assert name in names, f"{name} is drawn and shown nowhere"
        assert (figures.STATIC / name).stat().st_size < (1e6 if name.endswith(".gif") else 2e5)


def test_the_readme_begins_with_two_pictures_and_a_film():
    top = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    names = [first or second for first, second in IMAGE.findall(top)]
    assert sum(name.endswith(".gif") for name in names) == 1
    assert sum(name.endswith(".png") for name in names) == 2
