"""Tracing: while a :class:`Tracer` is active, every op of the dynamic mode adds a node to a static graph instead.

What a program then holds are traced tensors: tensors of its own dialect that stand for nodes. All bridges from the
dynamic to the static mode share this one; they differ in what happens when a program wants to see a traced tensor's
value.

    >>> import engine
    >>> from engine.bridges.tracing import Tracer
    >>> tracer = Tracer()
    >>> x = tracer.placeholder((2,), "float32", "x")
    >>> with tracer.active():
    ...     y = (x * 3.0).sum()
    >>> [node.op for node in tracer.graph.nodes]
    ['placeholder', 'constant', 'mul', 'sum']
"""

from __future__ import annotations

from engine.bridges.tracing.traced import is_traced, traced_class
from engine.bridges.tracing.tracer import Capture, Tracer, current

__all__ = ["Capture", "Tracer", "current", "is_traced", "traced_class"]
