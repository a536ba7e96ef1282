"""The static graph: what is to be computed, written down once, to be run many times by sessions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from engine import events
from engine.errors import GraphError, StepgraphError
from engine.ops import TABLE
from engine.ops.promotion import operand_dtype
from engine.static.building import announce, infer, refused
from engine.static.control import ControlFlow
from engine.static.control_ops import UNTYPED
from engine.static.frames import ControlFrame
from engine.static.names import Names
from engine.static.node import Node, Output
from engine.static.regions import ControlNames, Region, check_visible
from engine.tensor_type import Shape, TensorType

if TYPE_CHECKING:
    from engine.static.session import Session


class Graph(ControlFlow):
    """An append-only graph of :class:`Node`; names are unique, nothing is computed while it is built.

    >>> from engine.static import Graph, Session
    >>> g = Graph()
    >>> x = g.placeholder((None,), "float32", name="x")
    >>> y = g.apply("sum", x * 2.0, axis=None, keepdims=False)
    >>> print(Session(g).run(y, {x: [1, 2, 3]}))
    12.0
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.nodes: list[Node] = []
        self.names = Names()
        self.labels: Mapping[str, str] = {}
        """What a dialect calls the ops: label and name of a node whose maker gives none."""
        self.control_names = ControlNames()
        self.collections: dict[str, list[Any]] = {}
        self.effects: frozenset[str] = frozenset()
        """Ops that count as effects beside the writes of variables: regions that keep effects run them."""
        self.finalized = False
        self.generation = 0  # how many edits (engine.static.editor) have changed what nodes read
        self.sessions: WeakSet[Session] = WeakSet()
        self.seed: int | None = None
        self._by_name: dict[str, Node] = {}
        self._control: list[ControlFrame] = []
        self._region: Region | None = None
        self._mirrors: Node | None = None
        self._serves: Node | None = None
        self._role = "op"
        self._traced = -1

    @property
    def version(self) -> int:
        """How many nodes there are: it grows with every node and with nothing else."""
        return len(self.nodes)

    @property
    def traced(self) -> int:
        """The listener's id of this graph, announced when first needed; -1 with nobody listening."""
        if self._traced < 0 and events.listener is not None:
            self._traced = events.listener.graph_created("static", self.name)
        return self._traced

    # -- nodes -------------------------------------------------------------------------------------------------------
    def add(
        self,
        op: str,
        inputs: Sequence[Node | Output] = (),
        attributes: Mapping[str, Any] | None = None,
        *,
        name: str = "",
        label: str = "",
        role: str = "",
        type: TensorType | None = None,
        control: Iterable[Node] = (),
        mirrors: Node | None = None,
        serves: Node | None = None,
        regions: tuple[Region, ...] = (),
    ) -> Node:
        """Append a node of ``op`` (a name in the table). ``type`` is worked out by the table's rule unless given.

        :raises GraphError: the graph is finalized, or an input belongs to another graph.
        :raises ShapeError: the operands' shapes cannot go together (likewise :class:`DtypeError`).
        """
        if self.finalized:
            raise GraphError("the graph is finalized and cannot be changed; build everything before finalize()")
        declared = TABLE.get(op)
        if declared is None:
            raise GraphError(f"there is no op {op!r} in the table")
        outputs = tuple((given, 0) if isinstance(given, Node) else given for given in inputs)
        for node, _ in outputs:
            if node.graph is not self:
                raise GraphError(
                    f"{node.name!r} belongs to another graph: an op of this graph cannot read it; "
                    "build both in the same graph"
                )
            if node.region is not self._region:
                check_visible(node, self._region)
        attributes = dict(attributes or {})
        label = label or self.labels.get(op, op)
        base = name or label
        full = base[:-1] if base.endswith("/") else self.names.unique(base)
        node = Node(
            self,
            len(self.nodes),
            op,
            outputs,
            attributes,
            type,
            full,
            label,
            role or self._role,
            self._controls(outputs, control),
            self._mirrors if mirrors is None else mirrors,
            self._serves if serves is None else serves,
        )
        node.region, node.regions = self._region, regions
        for region in regions:
            region.owner = node
        if type is None and op not in UNTYPED:
            try:
                node.type = infer(op, [n.type for n, _ in outputs], attributes)
            except StepgraphError as error:
                raise refused(node, error) from None
        self.nodes.append(node)
        self._by_name[full] = node
        if node.region is not None:
            node.region.nodes.append(node)
        for frame in self._control:
            frame.seen.add(node)
        if events.listener is not None:
            announce(node, events.listener)
        return node

    def apply(self, op: str, *arguments: Any, name: str = "", label: str = "", **attributes: Any) -> Node:
        """An op on nodes, numbers and arrays: the latter become constants, and operands are cast where the op's
        promotion wants it.

        :raises TypeError: an operand or attribute is missing or unknown.
        """
        declared = TABLE.get(op)
        if declared is None:
            raise GraphError(f"there is no op {op!r} in the table")
        given, bound = declared.bind(arguments, attributes)
        typed = [x[0].type if isinstance(x, tuple) else x.type if isinstance(x, Node) else x for x in given]
        typed = [TensorType(x.dtype, x.shape) if isinstance(x, np.ndarray | np.generic) else x for x in typed]
        if declared.unpromoted:
            names = declared.inputs * len(given) if declared.variadic else declared.inputs
            casts = [x not in declared.unpromoted for x in names]
        else:
            casts = [True] * len(given)
        wanted = None
        if declared.promotion:
            chosen = [t for t, c in zip(typed, casts, strict=True) if c and t is not None]
            wanted = operand_dtype(declared.promotion, *chosen)
        inputs = [self._operand(x, wanted if c else None) for x, c in zip(given, casts, strict=True)]
        node = self.add(op, inputs, bound, name=name, label=label)
        for made in inputs:
            operand = made if isinstance(made, Node) else made[0]
            if (
                operand.index >= node.index - len(inputs)
                and operand.op in ("constant", "cast")
                and not any(operand is x for x in given)
            ):
                self.set_serves(operand, node)
        return node

    def _operand(self, value: Any, dtype: np.dtype[Any] | None) -> Node | Output:
        if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], Node):
            return value
        if not isinstance(value, Node):
            return self.constant(value, value.dtype if dtype is None and hasattr(value, "dtype") else dtype)
        if dtype is None or value.type is None or value.type.dtype == dtype:
            return value
        return self.add("cast", [value], {"dtype": dtype})

    def placeholder(self, shape: Shape | None, dtype: Any = "float32", name: str = "placeholder") -> Node:
        """A door for values that every run brings along: ``shape`` may have unknown dimensions (``None``)."""
        return self.add("placeholder", type=TensorType(np.dtype(dtype), shape), name=name, role="input")

    def constant(self, value: Any, dtype: Any = None, name: str = "constant", **more: Any) -> Node:
        """A value that is part of the graph. It is copied: changing ``value`` later changes nothing."""
        array = np.array(value, dtype=dtype)
        if dtype is None and not isinstance(value, np.ndarray | np.generic):
            array = array.astype({"float64": "float32", "int64": "int32"}.get(array.dtype.name, array.dtype))
        array.flags.writeable = False
        more.setdefault("role", "constant")
        return self.add("constant", (), {"value": array}, type=TensorType(array.dtype, array.shape), name=name, **more)

    def constant_shaped(self, shape: tuple[int, ...]) -> Node:
        """A constant of this shape that takes no memory, for ops that only read a shape."""
        return self.constant(np.zeros(shape, np.bool_))

    def variable(self, initial: Any, dtype: Any = None, name: str = "variable") -> Node:
        """A place whose value each session keeps for itself; :meth:`initializer` gives the node that fills it."""
        from engine.static.building_control import inside

        # A variable outlives every branch and loop in which a program may make it.
        with inside(self, None):
            value = initial if isinstance(initial, Node) else self.constant(initial, dtype, name=f"{name}/initial")
            node = self.add("variable", type=value.type, name=name, role="variable")
            start = self.add("assign", [node, value], name=f"{name}/assign", role="update", serves=node)
        self.collect("variables", node)
        self.collect("initializers", start)
        return node

    def initializer(self, name: str = "init") -> Node:
        """One node that fills every variable made so far with its initial value."""
        return self.add("group", control=self.collections.get("initializers", []), name=name, role="control")

    def find(self, name: str) -> Node:
        """The node with exactly this name.

        :raises GraphError: there is none.
        """
        node = self._by_name.get(name)
        if node is None:
            near = get_close_matches(name, self._by_name, n=3) if isinstance(name, str) else []
            words = f"the nearest are {', '.join(map(repr, near))}" if near else f"it has {len(self.nodes)} nodes"
            raise GraphError(f"there is no node {name!r} in this graph; {words}")
        return node

    def by_name(self, name: str) -> Node | None:
        """The node with exactly this name, or ``None``."""
        return self._by_name.get(name)

    def collect(self, key: str, item: Any) -> None:
        """Note ``item`` in the collection ``key``."""
        self.collections.setdefault(key, []).append(item)

    def finalize(self) -> None:
        """Refuse every further node from now on."""
        self.finalized = True

    # -- where new nodes go ------------------------------------------------------------------------------------------
    @contextmanager
    def scope(self, name: str | None) -> Iterator[str]:
        """New nodes get names ``name/...``; yields the full name with a slash, which re-enters exactly this scope."""
        previous = self.names.enter(name)
        try:
            yield f"{self.names.scope}/" if self.names.scope else ""
        finally:
            self.names.scope = previous

    @contextmanager
    def control_dependencies(self, nodes: Iterable[Node] | None) -> Iterator[None]:
        """New nodes run after ``nodes``; ``None`` lifts all such orders inside the block."""
        previous = self._control
        self._control = [] if nodes is None else [*previous, ControlFrame(tuple(nodes))]
        try:
            yield
        finally:
            self._control = previous

    @contextmanager
    def on_behalf(self, *, mirrors: Node | None = None, serves: Node | None = None) -> Iterator[None]:
        """New nodes belong to the gradient of ``mirrors``, or are plumbing of ``serves``."""
        previous = self._mirrors, self._serves
        self._mirrors = previous[0] if mirrors is None else mirrors
        self._serves = previous[1] if serves is None else serves
        try:
            yield
        finally:
            self._mirrors, self._serves = previous

    @contextmanager
    def as_gradient(self) -> Iterator[None]:
        """New nodes are part of a backward graph: their role is ``gradient``."""
        previous, self._role = self._role, "gradient"
        try:
            yield
        finally:
            self._role = previous

    def set_serves(self, node: Node, serves: Node) -> None:
        """``node``, made before ``serves``, is plumbing of it."""
        if node is serves:
            return
        node.serves = serves
        if events.listener is not None and node.traced >= 0:
            events.listener.serves_changed(node.traced, serves.traced)

    # -- inside ------------------------------------------------------------------------------------------------------
    def _controls(self, inputs: Sequence[Output], given: Iterable[Node]) -> tuple[Node, ...]:
        wanted = dict.fromkeys(given)
        for frame in self._control:
            # An input that was made inside the block already runs after its conditions.
            if not any(node in frame.seen for node, _ in inputs):
                wanted.update(dict.fromkeys(frame.nodes))
        direct = {node for node, _ in inputs} if wanted else ()
        for node in wanted:
            if node.graph is not self:
                raise GraphError(f"{node.name!r} belongs to another graph: nothing of this graph can wait for it")
            check_visible(node, self._region)
        return tuple(node for node in wanted if node not in direct)

    def description(self, node: Node) -> str:
        """What errors say of ``node`` beside its name; nothing, where a dialect finds its own words."""
        return ""

    def __repr__(self) -> str:
        return f"<graph {self.name or 'unnamed'} with {len(self.nodes)} nodes>"
