"""Changing a graph after it was built: reroute, swap, connect, bypass, detach, copy. In the manner of
``tf.contrib.graph_editor``.

Core graphs only grow; an edit changes what existing nodes read. All of an edit is done, or nothing (a cycle, operands
whose types do not go together, a finalized graph, another graph's node). A session that has run something keeps running
its plan as it was made (:attr:`engine.static.Plan.stale`), and a warning says so; a new session sees the edited graph.

>>> from engine.static import Graph, Session, editor
>>> g = Graph()
>>> a, b = g.constant(1.0, name="a"), g.constant(5.0, name="b")
>>> y = g.apply("neg", a, name="y")
>>> editor.reroute_ts(b, a)
1
>>> print(Session(g).run(y))
-5.0
"""

from engine.static.editor.copying import Copied, copy, copy_with_input_replacements
from engine.static.editor.operations import bypass, connect, detach, detach_inputs, detach_outputs
from engine.static.editor.rerouting import reroute_ts, swap_ts
from engine.static.editor.rewiring import StalePlanWarning
from engine.static.editor.views import SubGraph, select_ops, sgv, sgv_scope

__all__ = [
    "Copied",
    "StalePlanWarning",
    "SubGraph",
    "bypass",
    "connect",
    "copy",
    "copy_with_input_replacements",
    "detach",
    "detach_inputs",
    "detach_outputs",
    "reroute_ts",
    "select_ops",
    "sgv",
    "sgv_scope",
    "swap_ts",
]
