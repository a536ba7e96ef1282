"""``extensions = ["stepgraph"]`` in ``conf.py``: the directive ``stepgraph`` for reStructuredText and MyST."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .directive import Stepgraph
from .player import VISITORS, player

STATIC = Path(__file__).parent / "static"


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_node(player, **VISITORS)
    app.add_directive("stepgraph", Stepgraph)
    app.connect("config-inited", lambda app, config: config.html_static_path.append(str(STATIC)))
    app.add_css_file("stepgraph.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
