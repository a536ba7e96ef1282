"""Guards: what a graph was compiled for, and why a call does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.dialects.torch.fx.node import Node
from engine.dialects.torch.tensor import Tensor
from engine.dynamic import modes

Number = int | float


@dataclass(frozen=True)
class Shape:
    """What a captured graph computes: ``form`` whatever the sizes and numbers, ``kinds`` of its inputs, ``numbers``
    with what each of them is called, ``values`` what Python values around it were."""

    form: tuple[Any, ...]
    kinds: tuple[Any, ...]
    numbers: tuple[Number, ...]
    words: tuple[str, ...]
    values: tuple[Any, ...]
    literals: int
    grad: bool

    def guards(self) -> list[str]:
        """What a call must be like for its graph to hold, in words."""
        sizes: dict[str, list[str]] = {}
        for word, number in zip(self.words[self.literals :], self.numbers[self.literals :], strict=True):
            sizes.setdefault(word.split("'")[1], []).append(str(number))
        kinds = [
            f"tensor '{source}': {_legacy(dtype)} [{', '.join(sizes.get(source, []))}]"
            for source, dtype, *_ in self.kinds
        ]
        return [*kinds, *(f"{name} == {value}" for name, value in self.values)]


def shape_of(nodes: Sequence[Node], inputs: Sequence[tuple[str, Any]], values: tuple[Any, ...]) -> Shape:
    """The shape of a graph whose placeholders stand for ``inputs`` (their sources and values)."""
    order = {node: i for i, node in enumerate(nodes)}
    numbers: list[Number] = []
    words: list[str] = []

    def form(value: Any) -> Any:
        if isinstance(value, Node):
            return ("node", order[value])
        if isinstance(value, int | float) and not isinstance(value, bool):
            numbers.append(value)
            words.append("")
            return (type(value).__name__,)
        if isinstance(value, tuple | list):
            return (type(value).__name__, *(form(item) for item in value))
        if isinstance(value, slice):
            return ("slice", form(value.start), form(value.stop), form(value.step))
        return ("value", repr(value))

    forms = tuple((n.op, _target(n), form(n.args), form(tuple(sorted(n.kwargs.items())))) for n in nodes)
    literals = len(numbers)
    kinds = []
    for source, value in inputs:
        assert isinstance(value, Tensor)
        kinds.append((source, str(value.dtype), value._array.ndim, value._requires_grad))
        for axis, size in enumerate(value._array.shape):
            numbers.append(size)
            words.append(f"tensor '{source}' size mismatch at index {axis}")
    return Shape(forms, tuple(kinds), tuple(numbers), tuple(words), values, literals, modes.enabled)


def _target(node: Node) -> Any:
    return node.target if isinstance(node.target, str) else id(node.target)


@dataclass
class Entry:
    """One compiled graph: ``open`` are the numbers that may differ."""

    shape: Shape
    open: frozenset[int]
    run: Any
    graph: Any = None
    lifted: list[int] = field(default_factory=list)
    reason: str = ""

    def takes(self, other: Shape) -> bool:
        """Whether all guards hold."""
        mine = self.shape
        if (mine.form, mine.kinds, mine.grad) != (other.form, other.kinds, other.grad):
            return False
        if _looked_at(mine.values) != _looked_at(other.values):
            return False
        pairs = zip(mine.numbers, other.numbers, strict=True)
        return all(a == b or (i in self.open and _may_vary(b)) for i, (a, b) in enumerate(pairs))

    def differing(self, other: Shape) -> Iterator[int]:
        """The numbers in which a graph of the same form differs."""
        if self.shape.form == other.form and len(self.shape.numbers) == len(other.numbers):
            for i, (a, b) in enumerate(zip(self.shape.numbers, other.numbers, strict=True)):
                if a != b:
                    yield i

    def why_not(self, other: Shape) -> str:
        """The first guard that fails."""
        mine = self.shape
        if mine.values != other.values:
            for (name, a), (_, b) in zip(mine.values, other.values, strict=False):
                if a != b:
                    return f"{name} == {a}"
        if mine.grad != other.grad:
            return "GLOBAL_STATE changed: grad_mode"
        for a, b in zip(mine.kinds, other.kinds, strict=False):
            if a[1] != b[1]:
                return f"tensor '{a[0]}' dtype mismatch. expected {_legacy(a[1])}, actual {_legacy(b[1])}"
            if a[2] != b[2]:
                return f"tensor '{a[0]}' rank mismatch. expected {a[2]}, actual {b[2]}"
            if a[3] != b[3]:
                return f"tensor '{a[0]}' requires_grad mismatch. expected requires_grad={int(a[3])}"
        for i in self.differing(other):
            a_number, b_number = mine.numbers[i], other.numbers[i]
            word = mine.words[i]
            return f"{word}. expected {a_number}, actual {b_number}" if word else f"{a_number} == {b_number}"
        return "the program takes another way"


def _looked_at(values: tuple[Any, ...]) -> list[Any]:
    """Without ``training``: where it matters, the graph has another form."""
    return [(name, value) for name, value in values if not name.endswith(".training")]


def _may_vary(size: Number) -> bool:
    """Sizes 0 and 1 mean something else (broadcasting)."""
    return not isinstance(size, int) or size not in (0, 1)


def _legacy(name: str) -> str:
    words = {"float32": "Float", "float64": "Double", "int64": "Long", "int32": "Int", "bool": "Bool"}
    return words.get(name.rpartition(".")[2], name)
