"""``%load_ext stepgraph``: the cell magic ``%%stepgraph``, and traces of ``engine.record()`` that show themselves."""

from .magic import load, unload
from .shown import as_html

__all__ = ["as_html", "load", "unload"]
