"""The player as a node of a document, and what each kind of output makes of it.

Where scripts run it is a frame, with its page in a file of its own; on paper, in EPUB and in LaTeX it is a picture, and
where there are no pictures the words that stand for it.
"""

from __future__ import annotations

import shutil
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.util.osutil import relative_uri

from ..guest import frame_of

FOLDER = "_stepgraph"


class player(nodes.General, nodes.Element):  # noqa: N801 - nodes of docutils are written small
    """``key`` of the recording, the file of its ``picture`` or "", its ``alt`` text and ``height`` in pixels."""


def folder_of(env: Any) -> Path:
    """Where builds keep recordings, so that a program runs again only when it has changed."""
    return Path(env.doctreedir) / FOLDER


def _html(self: Any, node: player) -> None:
    builder, key, alt = self.builder, node["key"], escape(node["alt"])
    up = relative_uri(builder.get_target_uri(builder.current_docname), FOLDER)
    out = Path(builder.outdir) / FOLDER
    out.mkdir(exist_ok=True)
    picture = _copied(node, out)
    scripted = "epub" not in builder.name
    if scripted:
        shutil.copyfile(folder_of(builder.env) / f"{key}.html", out / f"{key}.html")
        self.body.append(frame_of(f"{up}/{key}.html", node["alt"], node["height"]) + "\n")
    if picture:
        shown = ' class="stepgraph-print"' if scripted else ""
        self.body.append(f'<img{shown} src="{escape(up)}/{picture}" alt="{alt}">\n')
    elif not scripted:
        self.body.append(f"<p>{alt}</p>\n")
    raise nodes.SkipNode


def _latex(self: Any, node: player) -> None:
    if picture := _copied(node, Path(self.builder.outdir)):
        self.body.append(rf"\noindent\sphinxincludegraphics{{{{{Path(picture).stem}}}{Path(picture).suffix}}}" + "\n")
    else:
        self.body.append(self.encode(node["alt"]))
    raise nodes.SkipNode


def _words(self: Any, node: player) -> None:
    text = f"[{node['alt']}]"
    if hasattr(self, "add_text"):
        self.new_state()
        self.add_text(text)
        self.end_state()
    else:
        self.body.append(text)
    raise nodes.SkipNode


def _copied(node: player, out: Path) -> str:
    """The name of the picture's copy in the output, "" if there is none."""
    if not node["picture"]:
        return ""
    source = Path(node["picture"])
    name = f"stepgraph-{node['key']}{source.suffix}"
    shutil.copyfile(source, out / name)
    return name


VISITORS: dict[str, Any] = {
    "html": (_html, None),
    "latex": (_latex, None),
    "text": (_words, None),
    "man": (_words, None),
    "texinfo": (_words, None),
}
