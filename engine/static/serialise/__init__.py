"""Saving and restoring: a graph as readable JSON, variables' values as a checkpoint, both together as a frozen graph.

A graph has no values and a checkpoint has no graph; whoever wants to go on later needs both, or freezes.

>>> import io
>>> from engine.static import Graph, Session, serialise
>>> g = Graph()
>>> w = g.variable([1.0, 2.0], name="w")
>>> y = g.apply("mul", w, 3.0, name="y")
>>> session = Session(g)
>>> session.run(g.initializer())
>>> again = serialise.graph_from_json(serialise.graph_to_json(g))
>>> file = io.BytesIO()
>>> serialise.save(session, file)
['w']
>>> other = Session(again)
>>> _ = file.seek(0)
>>> serialise.restore(other, file)
['w']
>>> print(other.run(again.find("y")))
[3. 6.]
"""

from engine.static.serialise.checkpoints import restore, save, values_in
from engine.static.serialise.freezing import freeze
from engine.static.serialise.graph_json import graph_from_json, graph_to_json

__all__ = ["freeze", "graph_from_json", "graph_to_json", "restore", "save", "values_in"]
