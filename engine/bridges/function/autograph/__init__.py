"""Control flow from a function's source: ``if``, ``while``, ``for`` on traced tensors become nodes of the graph.

The source is rewritten so that every such statement asks at run time what it deals with (:mod:`.operators`): Python
values take the Python way, traced tensors the graph's. Lines and columns stay those of the source.
"""

from __future__ import annotations

from engine.bridges.function.autograph.convert import converted, converted_source, why_not_converted

__all__ = ["converted", "converted_source", "why_not_converted"]
