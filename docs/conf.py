"""Documentation: Sphinx with MyST; every page, formula and picture is made offline."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from docutils import nodes
from latex2mathml.converter import convert

from modecontrol import __version__

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from example_cells import cells  # noqa: E402
from printed_tables import typeset  # noqa: E402

EXAMPLES = HERE.parent / "examples"
DRAWN = HERE / "_static" / "examples"
project = "modecontrol"
author = "The modecontrol developers"
copyright = "the modecontrol developers, BSD-3-Clause"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown"}

myst_enable_extensions = ["amsmath", "attrs_inline", "dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
myst_dmath_double_inline = True

autosummary_generate = False
autodoc_member_order = "bysource"
autodoc_default_options = {
    "inherited-members": "object, dict, tuple, BaseException, Exception, Mapping, Sequence, Generic"
}
autodoc_typehints = "none"  # the signature and the numpydoc sections say it in words
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

default_role = "code"  # docstrings write `x` for code
nitpicky = False

html_theme = "pydata_sphinx_theme"
html_title = "modecontrol"
html_static_path = ["_static"]
templates_path = ["_templates"]
html_sidebars = {"**": ["all_pages"]}
html_show_sourcelink = False
html_show_sphinx = False
html_math_renderer = "mathml"
html_theme_options = {
    "navigation_with_keys": False,
    "navbar_center": [],
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}


# Formulas: MathML, which browsers typeset themselves; no script is fetched
# --------------------------------------


def _mathml(node: nodes.Node, display: str) -> str:
    """MathML of a formula; latex2mathml knows `align*` and not `aligned`, and takes the signs of
    complementarity and of "such that" for letters.
    """
    made = convert(node.astext().strip().replace("{aligned}", "{align*}"), display=display)
    wide = '<mo lspace="0.28em" rspace="0.28em">'
    return re.sub(r"<m([io])>&#x0(?:22A5|27C2);</m\1>", f"{wide}&#x022A5;</mo>", made).replace(
        "<mi>:</mi>", f"{wide}:</mo>"
    )


def _inline(self, node: nodes.math) -> None:
    self.body.append(_mathml(node, "inline"))
    raise nodes.SkipNode


def _block(self, node: nodes.math_block) -> None:
    number = f'<span class="eqno">({node["number"]})</span>' if node.get("number") else ""
    anchor = f' id="equation-{node["label"]}"' if node.get("label") else ""
    self.body.append(f'<div class="math formula"{anchor}>{number}{_mathml(node, "block")}</div>')
    raise nodes.SkipNode


# Pages made from folders: a line `<!-- models -->` or `<!-- examples -->` stands for their contents
# -----------------


def _models() -> str:
    """README and drawing of every model that ships, one section each."""
    parts = []
    for readme in sorted((HERE.parent / "models").glob("*/README.md")):
        text = readme.read_text(encoding="utf-8")
        text = re.sub(r"\[([^\]]*)\]\(\.\./(\w+)/README\.md\)", r"`\2`", text)  # a neighbour on the same page
        text = text.replace("](drawing.svg)", f"](../models/{readme.parent.name}/drawing.svg)")
        title, _, rest = text.removeprefix("# ").partition("\n")
        rest = re.sub(r"^#", "##", rest, flags=re.MULTILINE)
        parts.append(f"## `{readme.parent.name}`: {title}\n{rest}")
    return "\n".join(parts)


def _examples() -> str:
    """Every numbered script: its story, its cells (`# %%` begins one, comments first) and what it drew."""
    if os.environ.get("MODECONTROL_GALLERY"):
        for script in sorted(EXAMPLES.glob("[0-9]*.py")):
            _run(script)
    parts = []
    for script in sorted(EXAMPLES.glob("[0-9]*.py")):
        text = script.read_text(encoding="utf-8")
        story = (ast.get_docstring(ast.parse(text)) or script.stem).strip()
        title, _, rest = story.partition("\n")
        rest = re.sub(r"^[=-]{3,}\n", "", rest)
        code = re.sub(r" +# noqa.*", "", text.split('"""', 2)[-1])
        parts += [f"## {title.rstrip('.')}", f"`examples/{script.name}`", rest]
        for k, cell in enumerate(cells(code)):
            parts += [*cell, *_done(f"{script.stem}_{k}", title)]
    return "\n\n".join(parts) or "The folder `examples/` of this copy is empty."


def _done(cell: str, title: str) -> list[str]:
    """What a cell of an example printed and drew when it was run."""
    printed = DRAWN / f"{cell}.txt"
    lines = printed.read_text(encoding="utf-8").strip().splitlines() if printed.exists() else []
    pictures = sorted(DRAWN.glob(f"{cell}_*.png"))
    return [typeset(lines), *(f"![{title}](_static/examples/{picture.name})" for picture in pictures)]


def _run(script: Path) -> None:
    """Execute an example in a process of its own, unless what it printed and drew is newer than the script."""
    DRAWN.mkdir(parents=True, exist_ok=True)
    kept = list(DRAWN.glob(f"{script.stem}_*"))
    if kept and min(file.stat().st_mtime for file in kept) > script.stat().st_mtime:
        return
    for old in kept:
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, str(HERE / "example_cells.py"), str(script), str(DRAWN / script.stem)]
        subprocess.run(words, cwd=folder, check=True)


def _names() -> str:
    """Every public name with the module in which it lives and the first sentence of its docstring."""
    import modecontrol as mc

    lines = ["| name | lives in | what it is |", "|---|---|---|"]
    for name in sorted(set(mc.__all__) - {"__version__"}, key=str.lower):
        thing = getattr(mc, name)
        home = getattr(thing, "__module__", "modecontrol")
        text = " ".join((getattr(thing, "__doc__", "") or "").split("\n\n")[0].split()).partition(": ")
        said = " ".join(part for part in text if part).replace(" : ", ": ")
        first = re.split(r"(?<=[.;])\s", said)[0].rstrip(".;").replace("|", "\\|")
        lines.append(f"| {{py:obj}}`{name} <modecontrol.{name}>` | `{home}` | {first} |")
    return "\n".join(lines)


def _recorded(found: re.Match) -> str:
    """What a script printed when it was recorded (`benchmarks/record.py`), with its command, version and
    date.
    """
    text = (HERE / "recorded" / f"{found[1]}.txt").read_text(encoding="utf-8")
    head, _, printed = text.partition("\n\n")
    facts = dict(line[2:].split(": ", 1) for line in head.splitlines())
    return (
        f"`{facts['command']}`, version {facts['version']}, {facts['date']}, {facts['machine']}:\n\n"
        + typeset(printed.rstrip().splitlines())
    )


def _expand(app, name: str, source: list[str]) -> None:
    source[0] = re.sub(r"<!-- recorded: ([\w-]+) -->", _recorded, source[0])
    for mark, make in (
        ("<!-- models -->", _models),
        ("<!-- examples -->", _examples),
        ("<!-- names -->", _names),
    ):
        if mark in source[0]:
            source[0] = source[0].replace(mark, make())


def _made(app, env, added, changed, removed) -> list[str]:
    """Pages made from other files (records, folders) are read anew in every build."""
    return [
        name for name in env.found_docs if "<!-- " in Path(env.doc2path(name)).read_text(encoding="utf-8")
    ]


def _plurals(app, what: str, name: str, thing, options, lines: list[str]) -> None:
    # `Polytope`s is a word to a reader and an error to reStructuredText, which wants an escaped space (marks
    # are taken in pairs, so that the end of one piece of code is not read as the beginning of the next)
    lines[:] = [re.sub(r"``.*?``|`[^`]+`(?P<letter>[A-Za-z])?", _escaped, line) for line in lines]


def _escaped(found: re.Match) -> str:
    return found[0] if found["letter"] is None else f"{found[0][:-1]}\\ {found['letter']}"


def _font(app, _) -> None:
    """A font with mathematical metrics beside the pages: without one browsers set exponents too high."""
    try:
        import ziamath
    except ImportError:
        return
    for font in (Path(ziamath.__file__).parent / "fonts").glob("*Math*.ttf"):
        target = Path(app.outdir) / "_static" / "formulas.ttf"
        if app.builder.format == "html" and target.parent.is_dir():
            shutil.copyfile(font, target)


def _public(app, what, name, obj, options, signature, returns) -> tuple[str, str] | None:
    """Signatures without the private arguments of a class, which nobody hands in."""
    return (re.sub(r"(, )?\b_\w+=[^,()]+(?=[,)])", "", signature), returns) if signature else None


def setup(app) -> None:
    """Register the renderer, the expansion of folders and the reader of docstrings."""
    app.connect("autodoc-process-docstring", _plurals)
    app.connect("autodoc-process-signature", _public)
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("env-get-outdated", _made)
    app.connect("source-read", _expand)
    app.connect("build-finished", _font)
    app.add_css_file("house.css")
