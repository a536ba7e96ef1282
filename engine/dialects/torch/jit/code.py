"""Graphs as source, in the way in which PyTorch prints them: what is read once, right after it was made, stands in the
place where it is read; the rest gets a name."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Sequence
from typing import Any

from engine.dialects.torch.jit.ir import Block, Graph, Node, Value
from engine.dialects.torch.jit.schemas import REQUIRED, schema
from engine.dialects.torch.jit.types import Type
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import device, dtype

LONG = 40
"""An expression that would reach this column with its indentation gets a line of its own."""
_RESERVED = frozenset(keyword.kwlist) | frozenset({
    "_", "torch", "aten", "ops", "CONSTANTS", "fork", "attribute", "getattr", "inf", "nan", "infj", "nanj", "range",
    "print", "float", "int", "bool", "str", "Tensor", "List", "Dict", "Tuple", "Optional", "annotate", "unchecked_cast",
    "uninitialized", "tensor", "len", "self_",
})  # fmt: skip
_DTYPES = {
    "uint8": 0, "int8": 1, "int16": 2, "int32": 3, "int64": 4, "float16": 5, "float32": 6, "float64": 7,
    "complex64": 9, "complex128": 10, "bool": 11, "bfloat16": 15,
}  # fmt: skip


class Source:
    """The source of one function, and the tensors that it calls ``CONSTANTS``."""

    def __init__(self, graph: Graph, constants: list[Tensor] | None = None) -> None:
        self.graph = graph
        self.constants: list[Tensor] = [] if constants is None else constants
        self._inline: set[Node] = set()
        self._used: set[str] = set()
        self._next: dict[str, int] = {}
        self._text: dict[Value, str] = {}
        self._lines: list[str] = []
        self._named: set[Value] = set()
        self._scan_block(graph)

    def text(self, defaults: dict[str, Any] | None = None) -> str:
        """The whole function."""
        parameters = []
        for value in self.graph.parameters:
            name = self._name_for(value)
            self._text[value] = name
            given = f"={self._constant(defaults[name])}" if defaults and name in defaults else ""
            parameters.append("self" if value.kind.kind == "Module" else f"{name}: {_annotation(value)}{given}")
        results = self.graph.results
        kind = _annotation(results[0]) if results else "NoneType"
        self._block(self.graph, "  ")
        self._prepare(self.graph.tail, "  ")
        self._lines.append(f"  return {self._of(results[0]) if results else 'None'}")
        head = f"def {self.graph.name}(" + ",\n    ".join(parameters) + f") -> {kind}:"
        return "\n".join([head, *self._lines]) + "\n"

    # -- what is inlined ----------------------------------------------------------------------------------------------
    def _scan_block(self, block: Block) -> None:
        self._scan_node(block.tail, block, len(block.body))
        for place in reversed(range(len(block.body))):
            self._scan_node(block.body[place], block, place)

    def _scan_node(self, node: Node, block: Block, place: int) -> int:
        """Walk what ``node`` reads from the last to the first: each is inlined that was made directly before. Gives
        the place that is expected next."""
        if node in self._inline:
            return place
        for inner in node._blocks:
            self._scan_block(inner)
        expected = _before(block, place)
        for value in reversed(node._inputs):
            source = value.node()
            if source._kind == "prim::Constant":
                self._inline.add(source)
            elif expected >= 0 and source is block.body[expected] and _may_inline(value):
                expected = self._scan_node(source, block, expected)
                self._inline.add(source)
        return expected

    # -- names --------------------------------------------------------------------------------------------------------
    def _name_for(self, value: Value) -> str:
        if not value.name:
            return self._fresh("_")
        base, dot, suffix = value.name.rpartition(".")
        name = base if dot and suffix.isdigit() else value.name
        name = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
        return self._fresh(f"_{name}" if name[:1].isdigit() else name)

    def _fresh(self, candidate: str) -> str:
        name = candidate
        while name in self._used or name in _RESERVED:
            number = self._next.get(name, 0)
            self._next[name] = number + 1
            name = f"{candidate}{number}"
        self._used.add(name)
        return name

    def _of(self, value: Value) -> str:
        node = value.node()
        if value not in self._text and node in self._inline:
            self._text[value] = self._expression(node)
        return self._text[value]

    # -- statements ---------------------------------------------------------------------------------------------------
    def _block(self, block: Block, indent: str) -> None:
        for node in block.body:
            if node not in self._inline and node._kind != "prim::Constant":
                self._statement(node, indent)

    def _split(self, values: Sequence[Value], indent: str) -> None:
        """Give names to long expressions among those that a statement reads, and to those before them."""
        long = 0
        for place, value in enumerate(values):
            if self._is_long(value, indent):
                long = place + 1
        for value in values[:long]:
            if value.node() in self._inline and value.node()._kind != "prim::Constant":
                self._assign(value, indent)

    def _is_long(self, value: Value, indent: str) -> bool:
        node = value.node()
        if node not in self._inline or node._kind == "prim::Constant" or value in self._named:
            return False
        return len(self._of(value)) + len(indent) >= LONG

    def _assign(self, value: Value, indent: str) -> None:
        text = self._of(value)
        if value in self._named:
            return
        self._named.add(value)
        name = self._name_for(value)
        self._lines.append(f"{indent}{name} = {text}")
        self._text[value] = name

    def _prepare(self, node: Node, indent: str) -> None:
        """Before a node is printed: what it reads through inlined expressions, innermost first."""
        for value in node._inputs:
            if value.node() in self._inline and value not in self._named and value.node()._kind != "prim::Constant":
                self._prepare(value.node(), indent)
        self._split(node._inputs, indent)

    def _statement(self, node: Node, indent: str) -> None:
        if node._kind == "prim::If":
            self._if(node, indent)
            return
        if node._kind == "prim::Loop":
            self._loop(node, indent)
            return
        self._prepare(node, indent)
        if node._kind == "prim::SetAttr":
            target, value = node._inputs
            self._lines.append(f"{indent}{self._attribute(target, node.attributes['name'])} = {self._of(value)}")
            return
        text = self._expression(node)
        if not node._outputs:
            self._lines.append(indent + text)
            return
        names = [self._name_for(v) for v in node._outputs]
        left = names[0] if node._kind not in ("prim::TupleUnpack", "prim::ListUnpack") and len(names) == 1 else None
        self._lines.append(f"{indent}{left or ', '.join(names) + ','} = {text}")
        self._text.update(zip(node._outputs, names, strict=True))

    def _if(self, node: Node, indent: str) -> None:
        self._prepare(node, indent)
        names = [self._name_for(v) for v in node._outputs]
        self._text.update(zip(node._outputs, names, strict=True))
        for word, block in zip((f"if {self._of(node._inputs[0])}:", "else:"), node._blocks, strict=True):
            self._lines.append(indent + word)
            before = len(self._lines)
            self._block(block, indent + "  ")
            self._assignments(names, block.results, indent + "  ", block.tail)
            if len(self._lines) == before:
                self._lines.append(f"{indent}  pass")
        if not names and self._lines[-1] == f"{indent}  pass" and self._lines[-2] == f"{indent}else:":
            del self._lines[-2:]

    def _assignments(
        self, names: Sequence[str], values: Sequence[Value], indent: str, tail: Node | None = None
    ) -> None:
        if names:
            if tail is not None:
                self._prepare(tail, indent)
            self._lines.append(f"{indent}{', '.join(names)} = {', '.join(self._of(v) for v in values)}")

    def _loop(self, node: Node, indent: str) -> None:
        most, going, *carried = node._inputs
        (body,) = node._blocks
        counted = most.node().attributes.get("value") != 9223372036854775807 or most.node()._kind != "prim::Constant"
        self._prepare(node, indent)
        names = [self._name_for(v) for v in node._outputs]
        self._text.update(zip(node._outputs, names, strict=True))
        for name, value in zip(names, carried, strict=True):
            self._lines.append(f"{indent}{name} = {self._of(value)}")
        self._text.update(zip(body.parameters[1:], names, strict=True))
        if counted:
            counter = self._name_for(body.parameters[0])
            self._text[body.parameters[0]] = counter
            self._lines.append(f"{indent}for {counter} in range({self._of(most)}):")
            before = len(self._lines)
            self._block(body, indent + "  ")
            self._assignments(names, body.results[1:], indent + "  ", body.tail)
            if len(self._lines) == before:
                self._lines.append(f"{indent}  pass")
            return
        word = self._fresh("_")
        self._lines.append(f"{indent}{word} = {self._of(going)}")
        self._lines.append(f"{indent}while {word}:")
        self._block(body, indent + "  ")
        self._assignments([word, *names], body.results, indent + "  ", body.tail)

    # -- expressions --------------------------------------------------------------------------------------------------
    def _expression(self, node: Node) -> str:
        given = [self._of(v) for v in node._inputs]
        kind = node._kind
        match kind:
            case "prim::Constant":
                return self._constant(node.attributes.get("value"))
            case "prim::ListConstruct":
                text = f"[{', '.join(given)}]"
                inner = node._outputs[0].kind.inside[0]
                plain = given and inner.kind not in ("Optional", "Union")
                return text if plain else f"annotate({_annotation(node._outputs[0])}, {text})"
            case "prim::TupleConstruct":
                return f"({given[0]},)" if len(given) == 1 else f"({', '.join(given)})"
            case "prim::DictConstruct":
                pairs = [f"{k}: {v}" for k, v in zip(given[::2], given[1::2], strict=True)]
                text = "{" + ", ".join(pairs) + "}"
                return text if pairs else f"annotate({_annotation(node._outputs[0])}, {text})"
            case "prim::TupleUnpack" | "prim::ListUnpack":
                return given[0]
            case "prim::TupleIndex":
                return f"({given[0]})[{given[1]}]"
            case "aten::__getitem__":
                base = given[0] if given[0].isidentifier() else f"({given[0]})"
                return f"{base}[{given[1]}]"
            case "prim::GetAttr":
                return self._attribute(node._inputs[0], node.attributes["name"])
            case "prim::CallMethod":
                rest = "".join(f"{x}, " for x in given[1:])
                return f"({given[0]}).{node.attributes['name']}({rest})"
            case "prim::CallFunction":
                rest = "".join(f"{x}, " for x in given)
                return f"__torch__.{node.attributes['name']}({rest})"
            case "prim::PythonOp":
                return f"^{node.attributes['name']}()({', '.join(given)})"
            case "prim::Print":
                return f"print({', '.join(given)})"
            case "prim::unchecked_cast":
                return f"unchecked_cast({_annotation(node._outputs[0])}, {given[0]})"
            case "aten::Bool" | "aten::Int" | "aten::Float" | "aten::str":
                return f"{kind[6:].lower()}({', '.join(given)})"
        space, _, name = kind.partition("::")
        head = f"torch.{name}" if space == "aten" else f"ops.{space}.{name}"
        return f"{head}({', '.join(self._arguments(name, node, given))})"

    def _arguments(self, name: str, node: Node, given: list[str]) -> Iterator[str]:
        """The arguments of a call, without those at the end that are at their defaults."""
        known = schema(name) if node._kind.startswith("aten::") else None
        if known is None or len(given) > len(known[0]) + len(known[1]):
            yield from given
            return
        places = min(len(known[0]), len(given))
        while places and known[0][places - 1][1] is not REQUIRED:
            if not self._is_default(node._inputs[places - 1], known[0][places - 1][1]):
                break
            places -= 1
        yield from given[:places]
        for place in range(len(known[0]), len(given)):
            key, default = known[1][place - len(known[0])]
            if node.attributes.get("_all") or not self._is_default(node._inputs[place], default):
                yield f"{key}={given[place]}"

    def _is_default(self, value: Value, default: Any) -> bool:
        node = value.node()
        if node._kind != "prim::Constant":
            return False
        held = node.attributes.get("value")
        return not isinstance(held, Tensor) and held == default and type(held) in (type(default), int, float, bool)

    def _attribute(self, owner: Value, name: str) -> str:
        base = self._of(owner)
        return f"{base}.{name}" if name.isidentifier() else f'getattr({base}, "{name}")'

    def _constant(self, value: Any) -> str:
        if isinstance(value, Tensor):
            return f"CONSTANTS.c{self._numbered(value)}"
        if isinstance(value, str):
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        if isinstance(value, dtype):
            return str(_DTYPES[str(value).rpartition(".")[2]])
        if isinstance(value, device):
            return f'torch.device("{value}")'
        if isinstance(value, float):
            if value != value or value in (float("inf"), -float("inf")):
                return {"inf": "inf", "-inf": "-inf"}.get(str(value), "nan")
            return f"{value:.0f}." if value == int(value) and abs(value) < 1e15 else f"{value:.17g}"
        if isinstance(value, list | tuple):
            inside = ", ".join(map(self._constant, value))
            return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' if len(value) == 1 else ''})"
        return repr(value)

    def _numbered(self, tensor: Tensor) -> int:
        for number, known in enumerate(self.constants):
            same = known._array.dtype == tensor._array.dtype and known._array.shape == tensor._array.shape
            if same and bool((known._array == tensor._array).all()):
                return number
        self.constants.append(tensor)
        return len(self.constants) - 1


def _before(block: Block, place: int) -> int:
    place -= 1
    while place >= 0 and block.body[place]._kind == "prim::Constant":
        place -= 1
    return place


def _may_inline(value: Value) -> bool:
    node = value.node()
    if len(node._outputs) != 1 or len(value.uses) != 1 or node._blocks or node._kind == "prim::NumToTensor":
        return False
    ((user, place),) = value.uses
    if value.name and user._kind != "prim::Return":
        return False
    return not (user._kind == "prim::Loop" and place >= 2)


def _annotation(value: Value) -> str:
    kind: Type = value.kind
    return "Tensor" if kind.kind == "Tensor" else kind.annotation_str
