"""Where everything of a trace stands: :func:`layout` gives the ``layout`` document (``docs/layout.md``).

The only package that imports graphviz and networkx. It reads traces, runs Graphviz in a subprocess with a deadline, and
never sees the user's program.
"""

from __future__ import annotations

from app.layout.columns import LayoutError
from app.layout.document import layout, undrawn

__all__ = ["LayoutError", "layout", "undrawn"]
