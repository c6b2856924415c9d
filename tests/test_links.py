"""Links between the pages of the repository lead to files, and to headings, that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    page
    for folder in (
        ROOT,
        ROOT / "docs",
        ROOT / "docs" / "api",
        ROOT / "docs" / "howto",
        *(ROOT / "models").iterdir(),
    )
    for page in folder.glob("*.md")
)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The names that headings of a page get in links."""
    heads = re.findall(
        r"^#+ (.*)$", CODE.sub(lambda code: code[0].strip("`"), page.read_text(encoding="utf-8")), re.M
    )
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"https?://|mailto:", link):
            continue
        name, _, heading = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{page.relative_to(ROOT)} links to {link}, which is not there"
        if heading and target.suffix == ".md":
            assert heading in anchors(target), f"{page.relative_to(ROOT)} links to {link}: no such heading"


def test_there_are_links_to_look_at():
    assert sum(len(LINK.findall(page.read_text(encoding="utf-8"))) for page in PAGES) > 50
