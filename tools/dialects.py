"""Writes docs/dialects.md, the names that each dialect has: ``python tools/dialects.py`` (``--check``: is it current?).

The names are those of the modules that a program imports (:func:`engine.dialects.importer.modules_of`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(folder) for folder in (ROOT, ROOT / "tools") if str(folder) not in sys.path]

from generated_page import DOCS, write_or_check  # noqa: E402

from engine.dialects.importer import DIALECTS, modules_of  # noqa: E402

PAGE = DOCS / "dialects.md"
HEAD = """# What the dialects have

Generated from the code by `tools/dialects.py`.

`import torch` and `import tensorflow` inside a run give the modules below. A name that is not listed fails with an
error that says so and names the nearest ones. CUDA is present and answers that there is none; downloads and
distributed training are left out.
"""
TITLES = {"torch": "PyTorch", "tf1": "TensorFlow 1.x", "tf2": "TensorFlow 2.x"}
OBJECTS = {"torch": {"torch.Tensor": "Tensor"}, "tf1": {}, "tf2": {}}
"""Classes whose attributes are listed, too."""


def page() -> str:
    """The whole page."""
    lines = [HEAD]
    sections = {dialect: list(section(dialect)) for dialect in DIALECTS}
    lines += [f"- [{TITLES[d]}](#{anchor(TITLES[d])}): {count(modules_of(d))} names" for d in DIALECTS]
    for dialect in DIALECTS:
        lines += ["", f"## {TITLES[dialect]}", "", *sections[dialect]]
    return "\n".join(lines).rstrip() + "\n"


def anchor(heading: str) -> str:
    """The fragment that a heading gets."""
    return heading.lower().replace(" ", "-").replace(".", "")


def section(dialect: str) -> Iterable[str]:
    """One dialect: a paragraph for each module; one with the names of another is only mentioned."""
    modules = modules_of(dialect)
    seen: dict[tuple[tuple[str, int], ...], str] = {}
    same: dict[str, list[str]] = {}
    for name, module in modules.items():
        content = tuple((public, id(value)) for public, value in sorted(members(module).items()))
        if content and content in seen:
            same.setdefault(seen[content], []).append(name)
        elif content:
            seen[content] = name
    for name, module in modules.items():
        if name not in seen.values():
            continue
        yield from paragraph(name, members(module), same.get(name, []))
        for full, attribute in OBJECTS[dialect].items():
            if full.rpartition(".")[0] == name:
                yield from paragraph(full, attributes(getattr(module, attribute)), [])


def paragraph(name: str, found: Iterable[str], same: list[str]) -> Iterable[str]:
    """The names of one module or class."""
    listed = ", ".join(f"`{public}`" for public in sorted(found, key=lambda n: (n.lower(), n)))
    also = f" (also {', '.join(f'`{other}`' for other in same)})" if same else ""
    yield f"**{name}**{also}: {listed}"
    yield ""


def members(module: ModuleType) -> Mapping[str, Any]:
    """What a module offers: its public names, other modules left out."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }


def attributes(kind: type) -> list[str]:
    """The public attributes of a class."""
    return [name for name in dir(kind) if not name.startswith("_")]


def count(modules: Mapping[str, ModuleType]) -> int:
    """How many different things the modules have."""
    return len({id(value) for module in modules.values() for value in members(module).values()})


if __name__ == "__main__":
    sys.exit(write_or_check(PAGE.name, page(), __doc__, "python tools/dialects.py"))
