"""A graph as Python source."""

from __future__ import annotations

import builtins
import enum
import linecache
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.dialects.torch.fx.naming import Namespace
from engine.dialects.torch.fx.node import Node, qualified_name, type_text
from engine.dialects.torch.tensor import Tensor

if TYPE_CHECKING:
    from engine.dialects.torch.fx.graph import Graph

REFLECTED = {
    "add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "floordiv": "{} // {}", "truediv": "{} / {}",
    "mod": "{} % {}", "pow": "{} ** {}", "lshift": "{} << {}", "rshift": "{} >> {}", "and_": "{} & {}",
    "or_": "{} | {}", "xor": "{} ^ {}", "getitem": "{}[{}]", "matmul": "{} @ {}",
}  # fmt: skip
"""Operators that have a twin for the right-hand operand, and how they are written."""
MAGIC = {
    "eq": "{} == {}", "ne": "{} != {}", "lt": "{} < {}", "gt": "{} > {}", "le": "{} <= {}", "ge": "{} >= {}",
    "pos": "+{}", "neg": "-{}", "invert": "~{}", **REFLECTED,
}  # fmt: skip
_IN_PLACE = {
    "iadd": "+=", "iand": "&=", "ifloordiv": "//=", "ilshift": "<<=", "imod": "%=", "imul": "*=", "imatmul": "@=",
    "ior": "|=", "ipow": "**=", "irshift": ">>=", "isub": "-=", "itruediv": "/=", "ixor": "^=",
}  # fmt: skip


@dataclass
class PythonCode:
    """Source of a ``forward``, and the globals that it needs."""

    src: str
    globals: dict[str, Any]


def path(base: str, target: str) -> str:
    """
    >>> path("self", "seq.0.weight")
    'getattr(self.seq, "0").weight'
    """
    for part in target.split("."):
        base = f"{base}.{part}" if part.isidentifier() else f'getattr({base}, "{part}")'
    return base


@dataclass
class Writer:
    """Writes one graph. ``verbose`` says of which dtype and shape results are."""

    graph: Graph
    root: str
    verbose: bool = False
    names: Namespace = field(default_factory=Namespace)
    globals: dict[str, Any] = field(default_factory=dict)
    wrapped: dict[str, None] = field(default_factory=dict)

    def write(self) -> PythonCode:
        """The source, in the form in which PyTorch prints it."""
        nodes = list(self.graph.nodes)
        last = _last_uses(nodes)
        parameters: list[str] = []
        body: list[str] = []
        returns = before = ""
        for node in nodes:
            if node.op == "placeholder":
                body += self._placeholder(node, parameters)
                continue
            if node.op == "output":
                returns = "" if node.type is None else f" -> {self._type(node.type)}"
                body += [f"return {self.text(node.args[0])}", ""]
                continue
            if self.verbose:
                told = _place(node)
                body += ["", told] if told != before else []
                before = told
            done = [*last.get(node, []), *([] if node.users else [node])]
            freed = f";  {' = '.join([*map(repr, done), 'None'])}" if done else ""
            body.append(self.statement(node) + freed)
        head = self.graph.signature(parameters, returns)
        text = "\n".join("    " + line for line in "\n".join(body or ["pass", ""]).lstrip("\n").split("\n"))
        wraps = "\n".join(f'torch.fx._symbolic_trace.wrap("{name}")' for name in self.wrapped)
        return PythonCode(f"\n{wraps}\n\n{head}\n{text}", self.globals)

    def _placeholder(self, node: Node, parameters: list[str]) -> list[str]:
        default = f" = {self.text(node.args[0])}" if node.args else ""
        parameters.append(f"{node.target}{self._annotation(node)}{default}")
        plain = node.target.replace("*", "")
        return [] if plain == node.name else [f"{node.name} = {plain}"]

    def _annotation(self, node: Node) -> str:
        if self.verbose:
            meta = node.meta.get("val", node.meta.get("tensor_meta", node.meta.get("example_value")))
            if meta is not None and hasattr(meta, "shape"):
                return f': "{_SHORT[str(meta.dtype)]}{list(meta.shape)}"'
        return "" if node.type is None else f" : {self._type(node.type)}"

    def _type(self, kind: Any) -> str:
        return type_text(kind) if kind is not None and kind != () else "()"

    def statement(self, node: Node) -> str:
        """The assignment that a node becomes."""
        head = f"{node.name}{self._annotation(node)} = "
        if node.op == "call_method":
            return f"{head}{path(self.text(node.args[0]), node.target)}({self._arguments(node.args[1:], node.kwargs)})"
        if node.op == "call_module":
            return f"{head}{path(self.root, node.target)}({self._arguments(node.args, node.kwargs)})"
        if node.op == "get_attr":
            return f"{head}{path(self.root, node.target)}"
        function = node.target
        if getattr(function, "__module__", "") == "_operator":
            shown = [self.text(x) for x in node.args]
            if function.__name__ in MAGIC:
                return head + MAGIC[function.__name__].format(*shown)
            if function.__name__ in _IN_PLACE:
                written = f"{shown[0]} {_IN_PLACE[function.__name__]} {shown[1]}"
                return f"{written};  {head}{shown[0]}"
            if function.__name__ == "setitem":
                return f"{shown[0]}[{shown[1]}] = {shown[2]};  {head}{shown[0]}"
        called = self.name_of(qualified_name(function), function)
        if called == "getattr" and len(node.args) == 2 and str(node.args[1]).isidentifier():
            return head + path(self.text(node.args[0]), node.args[1])
        if node.meta.get("is_wrapped", False):
            self.wrapped.setdefault(called)
        return f"{head}{called}({self._arguments(node.args, node.kwargs)})"

    def name_of(self, name: str, value: Any) -> str:
        """How the source calls a global; those of torch are reached from it."""
        if name.startswith("torch.") and not name.startswith("torch._dynamo"):
            self.globals.setdefault(name.replace(".", "_"), value)
            return name
        if getattr(builtins, name, None) is value:
            self.globals[name] = value
            return name
        plain = name.replace(".", "_")
        for known, held in self.globals.items():
            if held is value and known.startswith(plain):
                return known
        made = self.names.create_name(plain, value)
        self.globals[made] = value
        return made

    def _arguments(self, args: Any, kwargs: Any) -> str:
        return ", ".join([*map(self.text, args), *(f"{key} = {self.text(x)}" for key, x in kwargs.items())])

    def text(self, value: Any) -> str:
        """An argument as source."""
        if isinstance(value, Node):
            return value.name
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return f"{self.name_of(qualified_name(type(value)), type(value))}{tuple(value)!r}"
        if isinstance(value, tuple):
            inside = ", ".join(map(self.text, value))
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        if isinstance(value, list):
            return f"[{', '.join(map(self.text, value))}]"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key!r}: {self.text(item)}" for key, item in value.items()) + "}"
        if isinstance(value, slice):
            return f"slice({self.text(value.start)}, {self.text(value.stop)}, {self.text(value.step)})"
        if isinstance(value, enum.Enum):
            return f"{self.name_of(type(value).__name__, type(value))}.{value.name}"
        if isinstance(value, Tensor):
            return f"torch.Tensor(size={list(value.shape)}, dtype={str(value.dtype).rpartition('.')[2]})"
        if isinstance(value, float) and not math.isfinite(value):
            self.globals.update(inf=math.inf, nan=math.nan)
        return repr(value)


_SHORT = {
    "torch.float32": "f32", "torch.float64": "f64", "torch.float16": "f16", "torch.int64": "i64", "torch.int32": "i32",
    "torch.int16": "i16", "torch.int8": "i8", "torch.uint8": "u8", "torch.bool": "b8", "torch.complex64": "c64",
    "torch.complex128": "c128", "torch.bfloat16": "bf16",
}  # fmt: skip


def _place(node: Node) -> str:
    """Where in the program a node comes from, as a comment."""
    place = node.meta.get("place")
    if place is None:
        return "#  No stacktrace found for following nodes"
    file, line, function = place
    code = linecache.getline(file, line).strip()
    return f"# File: {file}:{line} in {function}, code: {code}"


def _last_uses(nodes: list[Node]) -> dict[Node, list[Node]]:
    """For each node, those that nothing after it reads."""
    seen: set[Node] = set()
    found: dict[Node, list[Node]] = {}
    for node in reversed(nodes):
        for read in node._input_nodes:
            if read not in seen:
                seen.add(read)
                found.setdefault(node, []).append(read)
    return found
