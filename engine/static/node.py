"""A node of a static graph: what is to be computed, from what, under which name; never a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Never

from engine.tensor_type import Shape, TensorType

if TYPE_CHECKING:
    from engine.static.graph import Graph
    from engine.static.regions import Region

Output = tuple["Node", int]


class Node:
    """One place in one :class:`~engine.static.graph.Graph`, made by :meth:`Graph.add`. Only :mod:`engine.static.editor`
    changes what it reads later: ``changed`` is then that edit's number in the graph. ``order`` says where it comes in
    an order in which everything can run.

    ``inputs`` are ``(node, port)`` pairs; ``type`` is ``None`` for an op without a result (``group``, ``no_op``);
    ``mirrors`` is the forward node that a gradient node belongs to, ``serves`` the op under which plumbing is shown;
    ``region`` is the branch or loop body that it lies in (``None``: none), ``regions`` are those that it owns.

    >>> from engine.static import Graph
    >>> g = Graph()
    >>> x = g.placeholder((None, 2), "float32", name="x")
    >>> (x + x).name, (x + x).name
    ('add', 'add_1')
    """

    __slots__ = (
        "attributes",
        "changed",
        "control",
        "graph",
        "index",
        "inputs",
        "label",
        "mirrors",
        "name",
        "op",
        "order",
        "region",
        "regions",
        "role",
        "serves",
        "traced",
        "type",
    )

    def __init__(
        self,
        graph: Graph,
        index: int,
        op: str,
        inputs: tuple[Output, ...],
        attributes: Mapping[str, Any],
        type: TensorType | None,
        name: str,
        label: str,
        role: str,
        control: tuple[Node, ...],
        mirrors: Node | None,
        serves: Node | None,
    ) -> None:
        self.graph = graph
        self.index = index
        self.op = op
        self.inputs = inputs
        self.attributes = attributes
        self.type = type
        self.name = name
        self.label = label
        self.role = role
        self.control = control
        self.mirrors = mirrors
        self.serves = serves
        self.region: Region | None = None
        self.regions: tuple[Region, ...] = ()
        self.order = index
        self.changed = 0
        self.traced = -1

    @property
    def shape(self) -> Shape | None:
        """The static shape: ``None`` for an unknown rank, ``None`` inside for an unknown dimension."""
        return None if self.type is None else self.type.shape

    def __repr__(self) -> str:
        shape = "?" if self.type is None or self.type.shape is None else _shape_text(self.type.shape)
        dtype = "none" if self.type is None else self.type.dtype.name
        return f"<node {self.name}: {self.op} {dtype} {shape}>"

    def __bool__(self) -> bool:
        raise TypeError(
            f"node {self.name!r} has no value while the graph is built, so it is neither true nor false; "
            "run it in a Session, or choose inside the graph"
        )

    def __add__(self, other: Any) -> Node:
        return self.graph.apply("add", self, other)

    def __radd__(self, other: Any) -> Node:
        return self.graph.apply("add", other, self)

    def __sub__(self, other: Any) -> Node:
        return self.graph.apply("sub", self, other)

    def __rsub__(self, other: Any) -> Node:
        return self.graph.apply("sub", other, self)

    def __mul__(self, other: Any) -> Node:
        return self.graph.apply("mul", self, other)

    def __rmul__(self, other: Any) -> Node:
        return self.graph.apply("mul", other, self)

    def __truediv__(self, other: Any) -> Node:
        return self.graph.apply("div", self, other)

    def __rtruediv__(self, other: Any) -> Node:
        return self.graph.apply("div", other, self)

    def __matmul__(self, other: Any) -> Node:
        return self.graph.apply("matmul", self, other)

    def __pow__(self, other: Any) -> Node:
        return self.graph.apply("pow", self, other)

    def __lt__(self, other: Any) -> Node:
        return self.graph.apply("less", self, other)

    def __le__(self, other: Any) -> Node:
        return self.graph.apply("less_equal", self, other)

    def __gt__(self, other: Any) -> Node:
        return self.graph.apply("greater", self, other)

    def __ge__(self, other: Any) -> Node:
        return self.graph.apply("greater_equal", self, other)

    def __iter__(self) -> Never:
        raise TypeError(f"node {self.name!r} has no value while the graph is built, so it cannot be iterated over")

    def __float__(self) -> Never:
        raise TypeError(
            f"node {self.name!r} has no value while the graph is built, so it is no number; run it in a Session"
        )

    __int__ = __index__ = __float__

    def __neg__(self) -> Node:
        return self.graph.apply("neg", self)


def _shape_text(shape: Shape) -> str:
    inner = ", ".join("?" if n is None else str(n) for n in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"
