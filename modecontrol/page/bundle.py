"""The page's modules as one script: every module becomes a function scope, imports become names taken from
it.

No build step and no tool: modules may only use `import { a, b } from "./other.js"` and `export` before a
declaration.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "static"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([a-z_]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async function|function|const|class) (\w+)", re.MULTILINE)


def read(name: str) -> str:
    """The text of one of the page's files.

    Parameters
    ----------
    name
        Name of the file, such as "page.css".
    """
    return (FOLDER / name).read_text(encoding="utf-8")


@cache
def script(entry: str = "main") -> str:
    """All modules that the entry needs, in order, as the text of one module that exports what the entry
    exports.

    Parameters
    ----------
    entry
        Name of the first module, without its ending.
    """
    order: list[str] = []
    _visit(entry, order, ())
    parts = [_scope(name) for name in order]
    names = ", ".join(exports(entry))
    return "\n".join([*parts, f"export const {{ {names} }} = module_{entry};", ""])


def exports(name: str) -> list[str]:
    """Names that a module exports.

    Parameters
    ----------
    name
        Name of the module.
    """
    return _EXPORT.findall(read(f"{name}.js"))


def _visit(name: str, order: list[str], above: tuple[str, ...]) -> None:
    if name in above:
        raise ValueError(f"modules import each other in a circle: {' -> '.join((*above, name))}")
    if name in order:
        return
    for _, other in _IMPORT.findall(read(f"{name}.js")):
        _visit(other, order, (*above, name))
    order.append(name)


def _scope(name: str) -> str:
    text = read(f"{name}.js")
    missing = [
        (what, other)
        for names, other in _IMPORT.findall(text)
        for what in _split(names)
        if what not in exports(other)
    ]
    if missing:
        raise ValueError(f"{name}.js imports {missing[0][0]!r}, which {missing[0][1]}.js does not export")
    text = _IMPORT.sub(
        lambda found: f"const {{ {', '.join(_split(found[1]))} }} = module_{found[2]};\n", text
    )
    text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
    return f"const module_{name} = (() => {{\n{text}return {{ {', '.join(exports(name))} }};\n}})();"


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]
