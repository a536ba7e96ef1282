"""GraphDef, TensorFlow's format of graphs: read and write it, binary (``.pb``) or as text (``.pbtxt``).

Needs the package ``protobuf``; nothing else of the engine does. A GraphDef has no values of variables: see
:mod:`engine.static.serialise` for checkpoints, or freeze the graph first.

>>> from engine.adapters import graphdef
>>> from engine.static import Graph, Session
>>> g = Graph()
>>> y = g.apply("sum", g.placeholder((None,), name="x") * 2.0, axis=0, name="y")
>>> again = graphdef.loads(graphdef.dumps(g))
>>> print(Session(again).run(again.find("y"), {again.find("x"): [1, 2]}))
6.0
"""

from __future__ import annotations

from typing import Any

from google.protobuf import text_format
from google.protobuf.message import DecodeError

from engine.adapters.graphdef_functions import Library
from engine.adapters.graphdef_reader import READ, Reader
from engine.adapters.graphdef_schema import POOL, GraphDef
from engine.adapters.graphdef_writer import WRITTEN, Writer
from engine.errors import GraphError
from engine.static.graph import Graph


def loads(data: bytes, name: str = "") -> Graph:
    """The graph in the bytes of a ``.pb`` file. Nodes keep their names.

    :raises GraphError: it is no GraphDef, or has something that this engine does not have.
    """
    message = GraphDef()
    try:
        message.ParseFromString(data)
    except (DecodeError, RecursionError) as error:
        raise GraphError(f"this is no GraphDef: {error}") from None
    return _read(message, name)


def loads_text(text: str, name: str = "") -> Graph:
    """The graph in a ``.pbtxt`` file.

    :raises GraphError: as :func:`loads`.
    """
    message = GraphDef()
    try:
        # Fields of newer versions and the like are left out.
        text_format.Parse(text, message, allow_unknown_field=True, descriptor_pool=POOL)
    except (text_format.ParseError, RecursionError, ValueError) as error:
        raise GraphError(f"this is no GraphDef in text form: {error}") from None
    return _read(message, name)


def dumps(graph: Graph) -> bytes:
    """``graph`` as the bytes of a ``.pb`` file.

    :raises GraphError: an op or attribute has no form there; :data:`WRITTEN` are those that have.
    """
    return bytes(Writer(graph).message.SerializeToString(deterministic=True))


def dumps_text(graph: Graph) -> str:
    """``graph`` as the text of a ``.pbtxt`` file.

    :raises GraphError: as :func:`dumps`.
    """
    return str(text_format.MessageToString(Writer(graph).message, descriptor_pool=POOL))


def _read(message: Any, name: str) -> Graph:
    if not message.node:
        raise GraphError("this is no GraphDef, or one without nodes")
    return Reader(message.node, Graph(name), library=Library(message.library.function)).read()


__all__ = ["READ", "WRITTEN", "dumps", "dumps_text", "loads", "loads_text"]
