"""``td.Composition``: blocks wired as a graph."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import contextmanager
from typing import Any

from engine.dialects.tensorflow_fold.blocks import Block, Building, as_block
from engine.dialects.tensorflow_fold.single_values import Identity
from engine.dialects.tensorflow_fold.types import ResultType, TupleType, VoidType
from engine.dialects.tensorflow_fold.weaving import Weaver

CYCLES = "Composition cannot have cycles."

_open: list[Composition] = []


def current_composition() -> Composition:
    """The composition whose scope is open. :raises RuntimeError: none is."""
    if not _open:
        raise RuntimeError("reads() must be called inside a composition scope")
    return _open[-1]


class Part(Block):
    """One of the values that a block inside a composition gives."""

    def __init__(self, composition: Composition, of: Block, key: Any) -> None:
        super().__init__()
        self._of, self._key, self._owner = of, key, composition

    def _part_owner(self) -> Any:
        return self._owner


class Composition(Block):
    """Blocks that read each other's results: a graph without cycles. ``with td.Composition().scope(): b.reads(a)``."""

    def __init__(self, children: Iterable[Any] | None = None, name: str | None = None) -> None:
        super().__init__(name)
        self._edges: dict[Block, list[Any]] = {}
        self._result: list[Any] | None = None
        self.input = Identity(name="input")
        self.input.__dict__["_part_owner"] = lambda: self
        self.output = Identity(name="output")
        self._children: list[Block] = []
        for child in children or ():
            self.add(child)

    def add(self, child: Any) -> Block:
        """Take a block in."""
        block = as_block(child)
        if block not in self._children:
            self._children.append(block)
            block.__dict__["_part_owner"] = lambda: self
        return block

    @contextmanager
    def scope(self) -> Any:
        """Inside, ``block.reads(...)`` connects blocks of this composition."""
        _open.append(self)
        try:
            yield self
        finally:
            _open.remove(self)

    def connect(self, a: Any, b: Any) -> None:
        """Let ``b`` read ``a`` (a block, a part of one, or several of them).

        :raises ValueError: ``b`` reads something already, or it would read itself over others.
        """
        sources = list(a) if isinstance(a, list | tuple) else [a]
        several = isinstance(a, list | tuple)
        for place, source in enumerate(sources):
            base = source._of if isinstance(source, Part) else source
            if base is not self.input and not isinstance(source, Part):
                sources[place] = base = self.add(source)
        target = b if b is self.output else self.add(b)
        if target in self._edges:
            raise ValueError(f"input of block is already connected: {target!r}")
        self._edges[target] = [several, sources]
        if self._cyclic(target):
            del self._edges[target]
            raise ValueError(CYCLES)

    def _cyclic(self, start: Block) -> bool:
        seen: set[Block] = set()
        todo = self._sources(start)
        while todo:
            block = todo.pop()
            if block is start:
                return True
            if block not in seen:
                seen.add(block)
                todo += self._sources(block)
        return False

    def _sources(self, block: Block) -> list[Block]:
        found = []
        for source in self._edges.get(block, (False, []))[1]:
            while isinstance(source, Part):
                source = source._of
            found.append(source)
        return found

    def _worked(self, start: Any, of: Any) -> Any:
        """The output, when ``of(block, input)`` says what a block makes of its input."""
        if self.output not in self._edges:
            raise ValueError(f"{self!r}: nothing is connected to the output; use composition.output.reads(...)")
        known: dict[Block, Any] = {self.input: start}

        def value(source: Any) -> Any:
            if isinstance(source, Part):
                whole = value(source._of)
                return whole.items[source._key] if isinstance(whole, TupleType) else whole[source._key]
            if source not in known:
                known[source] = of(source, given(source))
            return known[source]

        def given(block: Block) -> Any:
            if block not in self._edges:
                return _NOTHING
            several, sources = self._edges[block]
            found = tuple(value(source) for source in sources)
            return found if several else found[0]

        for child in self._children:
            value(child)
        return given(self.output)

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        def kind(value: Any) -> ResultType:
            if value is _NOTHING:
                return VoidType()
            return TupleType(tuple(kind(item) for item in value)) if isinstance(value, tuple) else value

        return kind(self._worked(given, lambda block, inner: block.infer(building, kind(inner))))

    def weave(self, weaver: Weaver, value: Any) -> Any:
        def of(block: Block, inner: Any) -> Any:
            return block.weave(weaver, None if inner is _NOTHING else inner)

        return self._worked(value, of)


_NOTHING = object()
