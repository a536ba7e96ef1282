"""The directive: a program, in a file or as the directive's content, recorded when the book is built."""

from __future__ import annotations

import hashlib
import json
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from ..guest import HEIGHT, GuestError, export
from .player import folder_of, player

_ROOT = Path(__file__).resolve().parents[2]


def _paths(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _pixels(text: str | None) -> int:
    found = int(directives.nonnegative_int(text or ""))
    if not 100 <= found <= 10_000:
        raise ValueError("a height is from 100 to 10000 pixels")
    return found


def _seconds(text: str | None) -> float:
    found = float(text or "")
    if not 0 < found <= 3600:
        raise ValueError("a deadline is more than 0 and at most 3600 seconds")
    return found


class Stepgraph(SphinxDirective):
    """``.. stepgraph:: program.py`` with the options of ``docs/books.md``."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {
        "caption": directives.unchanged_required,
        "at": directives.unchanged_required,
        "height": _pixels,
        "seconds": _seconds,
        "with": _paths,
        "alt": directives.unchanged_required,
        "picture": directives.unchanged_required,
        "name": directives.unchanged,
        "class": directives.class_option,
    }

    def run(self) -> list[nodes.Node]:
        """The figure: the player, and its caption. An error of the directive says why there is none."""
        if bool(self.arguments) == bool(self.content):
            raise self.error("stepgraph takes either the file of a program or the program itself")
        try:
            name, program = self._program()
            beside = [self._file(path) for path in self.options.get("with", [])]
            key = self._recorded(name, program, beside)
            picture = self._picture(key)
        except OSError as error:
            raise self.error(f"stepgraph cannot read {error.filename}: {error.strerror}") from None
        except GuestError as error:
            raise self.error(f"stepgraph: {error}") from None
        alt = self.options.get("alt") or f"The graph of {name}, recorded with Stepgraph"
        shown = player(key=key, picture=picture, alt=alt, height=self.options.get("height", HEIGHT))
        figure = nodes.figure("", shown, classes=["stepgraph", *self.options.get("class", [])])
        self.set_source_info(figure)
        if caption := self.options.get("caption"):
            words, problems = self.parse_inline(caption)
            figure += nodes.caption(caption, "", *words, *problems)
        self.add_name(figure)
        return [figure]

    def _program(self) -> tuple[str, str]:
        if not self.arguments:
            return "program.py", "\n".join(self.content) + "\n"
        file = self._file(self.arguments[0])
        return file.name, file.read_text("utf-8")

    def _file(self, path: str) -> Path:
        relative, absolute = self.env.relfn2path(path)
        self.env.note_dependency(relative)
        return Path(absolute)

    def _recorded(self, name: str, program: str, beside: list[Path]) -> str:
        """The key of the recording, which is made unless an earlier build has left it."""
        options = [self.options.get("at", "start"), self.options.get("seconds")]
        what = [name, program, *options, [[str(path), _state(path)] for path in beside], _ours()]
        key = hashlib.sha256(json.dumps(what).encode()).hexdigest()[:20]
        folder = folder_of(self.env)
        if not (folder / f"{key}.html").exists():
            recorded = export(program, name, at=options[0], seconds=options[1], beside=beside)
            folder.mkdir(parents=True, exist_ok=True)
            if recorded.picture is not None:
                (folder / f"{key}.png").write_bytes(recorded.picture)
            (folder / f"{key}.html").write_text(recorded.page, "utf-8")
        return key

    def _picture(self, key: str) -> str:
        """The file of what stands for the player in print, "" if there is none."""
        own = self.options.get("picture")
        found = self._file(own) if own else folder_of(self.env) / f"{key}.png"
        if own:
            found.stat()
        return str(found) if found.exists() else ""


def _state(path: Path) -> list[list[Any]]:
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [[str(file), file.stat().st_mtime_ns, file.stat().st_size] for file in files]


def _ours() -> list[str | int]:
    """Another Stepgraph records otherwise, and another player makes another page."""
    bundle = _ROOT / "static" / "build" / "standalone.js"
    return [metadata.version("stepgraph"), bundle.stat().st_mtime_ns if bundle.exists() else 0]
