"""The graph: nodes with inputs, outputs and blocks (the branches of an ``if``, the body of a loop)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.dialects.torch.jit.types import Type
from engine.dialects.torch.tensor import Tensor


class Value:
    """What a node gives. ``name`` is the program's own, if it has one."""

    def __init__(self, node: Node, kind: Type, name: str = "") -> None:
        self._node, self.kind, self.name = node, kind, name
        self.uses: list[tuple[Node, int]] = []

    def type(self) -> Type:
        return self.kind

    def node(self) -> Node:
        return self._node

    def debugName(self) -> str:
        return self._node.graph.names()[self]

    def __repr__(self) -> str:
        return f"{self.debugName()} defined in ({self._node!r})"


class Node:
    """One step: ``aten::add``, ``prim::If``."""

    def __init__(
        self, block: Block, kind: str, inputs: Sequence[Value], attributes: dict[str, Any] | None = None, line: int = 0
    ) -> None:
        self.block, self._kind, self.attributes, self.line = block, kind, attributes or {}, line
        self._inputs: list[Value] = []
        self._outputs: list[Value] = []
        self._blocks: list[Block] = []
        self.scope = ""
        for value in inputs:
            self.add_input(value)

    @property
    def graph(self) -> Graph:
        return self.block.graph

    def add_input(self, value: Value) -> None:
        value.uses.append((self, len(self._inputs)))
        self._inputs.append(value)

    def add_output(self, kind: Type, name: str = "") -> Value:
        value = Value(self, kind, name)
        self._outputs.append(value)
        return value

    def add_block(self) -> Block:
        block = Block(self.graph, self)
        self._blocks.append(block)
        return block

    # -- as PyTorch gives them ----------------------------------------------------------------------------------------
    def kind(self) -> str:
        return self._kind

    def inputs(self) -> Iterator[Value]:
        return iter(self._inputs)

    def outputs(self) -> Iterator[Value]:
        return iter(self._outputs)

    def inputsSize(self) -> int:
        return len(self._inputs)

    def outputsSize(self) -> int:
        return len(self._outputs)

    def inputsAt(self, i: int) -> Value:
        return self._inputs[i]

    def outputsAt(self, i: int) -> Value:
        return self._outputs[i]

    def output(self) -> Value:
        (value,) = self._outputs
        return value

    def input(self) -> Value:
        (value,) = self._inputs
        return value

    def blocks(self) -> Iterator[Block]:
        return iter(self._blocks)

    def scopeName(self) -> str:
        return self.scope

    def attributeNames(self) -> list[str]:
        return [key for key in self.attributes if not key.startswith("_")]

    def hasAttribute(self, name: str) -> bool:
        return name in self.attributes

    def _read(self, name: str) -> Any:
        return self.attributes[name]

    i = f = s = t = ival = _read

    def __repr__(self) -> str:
        return "\n".join(_lines(self, "", self.graph.names()))


class Block:
    """Nodes in order; ``parameters`` are what the node around gives to them, ``results`` what they give back."""

    def __init__(self, graph: Graph, owner: Node | None) -> None:
        self.graph, self.owner = graph, owner
        self.body: list[Node] = []
        self.head = Node(self, "prim::Param", ())
        self.tail = Node(self, "prim::Return", ())

    @property
    def parameters(self) -> list[Value]:
        return self.head._outputs

    @property
    def results(self) -> list[Value]:
        return self.tail._inputs

    def add(self, kind: str, inputs: Sequence[Value], attributes: dict[str, Any] | None = None, line: int = 0) -> Node:
        node = Node(self, kind, inputs, attributes, line)
        self.body.append(node)
        return node

    def nodes(self) -> Iterator[Node]:
        return iter(self.body)

    def inputs(self) -> Iterator[Value]:
        return iter(self.parameters)

    def outputs(self) -> Iterator[Value]:
        return iter(self.results)

    def paramNode(self) -> Node:
        return self.head

    def returnNode(self) -> Node:
        return self.tail


_EFFECTS = ("Print", "RaiseException", "CallMethod", "CallFunction", "PythonOp", "SetAttr")


def prune(block: Block) -> None:
    """Remove what nothing reads and that has no effect."""
    for node in reversed(block.body):
        for inner in node._blocks:
            prune(inner)
        name = node._kind.partition("::")[2]
        stays = name.endswith("_") or name in (
            "Print",
            "RaiseException",
            "CallMethod",
            "CallFunction",
            "PythonOp",
            "SetAttr",
        )
        if not stays and not node._blocks and not any(v.uses for v in node._outputs):
            block.body.remove(node)
            for value in node._inputs:
                value.uses = [(user, place) for user, place in value.uses if user is not node]


class Graph(Block):
    """A function as a graph. ``file`` is where its source is."""

    def __init__(self, name: str, file: str = "") -> None:
        self.name, self.file = name, file
        self.pool: dict[Any, Value] = {}
        super().__init__(self, None)

    def names(self) -> dict[Value, str]:
        """The names of all values: the program's own, else numbers, each once."""
        found: dict[Value, str] = {}
        taken: set[str] = set()
        number = 0
        for value in _values(self):
            if value.name and value.name not in taken:
                name = value.name
            elif value.name:
                suffix = 1
                while f"{value.name}.{suffix}" in taken:
                    suffix += 1
                name = f"{value.name}.{suffix}"
            else:
                while str(number) in taken:
                    number += 1
                name = str(number)
            number += 1
            taken.add(name)
            found[value] = name
        return found

    def findNode(self, kind: str, recurse: bool = True) -> Node | None:
        return next(iter(self.findAllNodes(kind, recurse)), None)

    def findAllNodes(self, kind: str, recurse: bool = True) -> list[Node]:
        return [n for n in _nodes(self, recurse) if n._kind == kind]

    def __str__(self) -> str:
        names = self.names()
        first = ",\n      ".join(f"%{names[v]} : {_kind(v)}" for v in self.parameters)
        lines = [f"graph({first}):"]
        for node in self.body:
            lines += _lines(node, "  ", names)
        lines.append(f"  return ({', '.join(f'%{names[v]}' for v in self.results)})")
        return "\n".join(lines) + "\n"

    __repr__ = __str__


def _nodes(block: Block, recurse: bool = True) -> Iterator[Node]:
    for node in block.body:
        yield node
        for inner in node._blocks if recurse else ():
            yield from _nodes(inner)


def _values(block: Block) -> Iterator[Value]:
    yield from block.parameters
    for node in block.body:
        for inner in node._blocks:
            yield from _values(inner)
        yield from node._outputs


def _kind(value: Value) -> str:
    return f"__torch__.{value.kind.detail}" if value.kind.kind == "Module" else str(value.kind)


def shown(value: Any) -> str:
    """An attribute as graphs print it."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float):
        return f"{value:.17g}" if value != int(value) else f"{value:.0f}."
    if isinstance(value, Tensor):
        return f"{{{value._array.item()}}}" if value._array.size == 1 else "<Tensor>"
    return str(value)


def _lines(node: Node, indent: str, names: dict[Value, str]) -> list[str]:
    outputs = ", ".join(f"%{names[v]} : {_kind(v)}" for v in node._outputs)
    attributes = ", ".join(f"{k}={shown(v)}" for k, v in node.attributes.items() if v is not None and k[0] != "_")
    inputs = ", ".join(f"%{names[v]}" for v in node._inputs)
    text = f"{outputs} = " if outputs else ""
    text += node._kind + (f"[{attributes}]" if attributes else "") + f"({inputs})"
    if node.scope:
        text += f", scope: {node.scope}"
    if node.graph.file and node.line:
        text += f" # {node.graph.file}:{node.line}:{node.attributes.get('_column', 0)}"
    lines = [indent + text]
    for i, block in enumerate(node._blocks):
        given = ", ".join(f"%{names[v]} : {_kind(v)}" for v in block.parameters)
        lines.append(f"{indent}  block{i}({given}):")
        for inner in block.body:
            lines += _lines(inner, indent + "    ", names)
        lines.append(f"{indent}    -> ({', '.join(f'%{names[v]}' for v in block.results)})")
    return lines
