"""Blocks made of blocks: pipes, compositions, records, choices, declarations that are resolved later."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import contextmanager
from typing import Any

from engine.dialects.tensorflow_fold.blocks import CYCLES, Block, Building, Identity, as_block
from engine.dialects.tensorflow_fold.types import PyObjectType, ResultType, SequenceType, TupleType, VoidType
from engine.dialects.tensorflow_fold.weaving import Weaver


class Pipe(Block):
    """One block after the other: ``a >> b``."""

    def __init__(self, *blocks: Any, name: str | None = None) -> None:
        super().__init__(name)
        parts: list[Block] = []
        self._parts: list[Block]
        for given in blocks:
            block = as_block(given)
            parts += block._parts if isinstance(block, Pipe) else [block]
        self._parts = parts
        if parts:
            self._input, self._output = parts[0]._input, parts[-1]._output

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        for block in self._parts:
            given = block.infer(building, given)
        return given

    def weave(self, weaver: Weaver, value: Any) -> Any:
        for block in self._parts:
            value = block.weave(weaver, value)
        return value

    def __repr__(self) -> str:
        return f"<td.Pipe {' >> '.join(map(repr, self._parts))}>"


class Nth(Block):
    """One of several values, or of a sequence."""

    def __init__(self, key: Any, name: str | None = None) -> None:
        super().__init__(name)
        self._key = key

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        if isinstance(given, TupleType):
            found: ResultType = given.items[self._key]
            return found
        if isinstance(given, SequenceType):
            return given.element
        if isinstance(given, PyObjectType):
            return given
        raise TypeError(f"{given!r} has no parts")

    def weave(self, weaver: Weaver, value: Any) -> Any:
        return value[self._key]


class AllOf(Block):
    """Every block on the same input: a tuple."""

    def __init__(self, *children: Any, name: str | None = None) -> None:
        super().__init__(name)
        if not children:
            raise ValueError("AllOf requires at least one child block")
        self._children = [as_block(child) for child in children]

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        return TupleType(tuple(child.infer(building, given) for child in self._children))

    def weave(self, weaver: Weaver, value: Any) -> Any:
        return tuple(child.weave(weaver, value) for child in self._children)


class Record(Block):
    """A block for each key of a dictionary (or each place of a tuple): a tuple of what they give."""

    def __init__(self, named_children: Any, name: str | None = None) -> None:
        super().__init__(name)
        if isinstance(named_children, dict):
            # Like the real one: plain dictionaries in the order of their keys, ordered ones as they are.
            ordered = type(named_children) is not dict
            keys = list(named_children) if ordered else sorted(named_children)
            self._children = [(key, as_block(named_children[key])) for key in keys]
        else:
            self._children = [(key, as_block(child)) for key, child in named_children]
        if not self._children:
            raise ValueError("a record needs at least one child block")

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        def part(key: Any) -> ResultType:
            return given.items[key] if isinstance(given, TupleType) else PyObjectType()

        if not isinstance(given, TupleType | PyObjectType):
            raise TypeError(f"a record reads an object or a tuple, not {given!r}")
        return TupleType(tuple(child.infer(building, part(key)) for key, child in self._children))

    def weave(self, weaver: Weaver, value: Any) -> Any:
        return tuple(child.weave(weaver, value[key]) for key, child in self._children)

    def __getitem__(self, key: Any) -> Block:
        names = [name for name, _ in self._children]
        return Pipe(self, Nth(names.index(key) if key in names else key))


class OneOf(Block):
    """The block that ``key_fn`` of the example chooses."""

    def __init__(self, key_fn: Any, case_blocks: Any, pre_block: Any = None, name: str | None = None) -> None:
        super().__init__(name)
        pairs = case_blocks.items() if isinstance(case_blocks, dict) else enumerate(case_blocks)
        self._cases = {}
        for place, case in pairs:
            key, block = case if isinstance(case, tuple) and not isinstance(case_blocks, dict) else (place, case)
            self._cases[key] = as_block(block)
        if not self._cases:
            raise ValueError("OneOf requires at least one case block")
        self._key = key_fn if isinstance(key_fn, Block) else None
        self._function = None if self._key is not None else key_fn
        if self._key is None and not callable(key_fn):
            raise TypeError(f"key_fn is not callable: {key_fn}")
        self._before = None if pre_block is None else as_block(pre_block)

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        inner = given if self._before is None else self._before.infer(building, given)
        if self._key is not None:
            self._key.infer(building, given)
        found = {key: block.infer(building, inner) for key, block in self._cases.items()}
        kinds = list(dict.fromkeys(found.values()))
        if len(kinds) > 1:
            raise TypeError(f"the cases of {self!r} give different types: {kinds}")
        return kinds[0]

    def weave(self, weaver: Weaver, value: Any) -> Any:
        key = self._key.weave(weaver, value) if self._key is not None else self._function(value)  # type: ignore[misc]
        if key not in self._cases:
            raise KeyError(key)
        inner = value if self._before is None else self._before.weave(weaver, value)
        return self._cases[key].weave(weaver, inner)


class ForwardDeclaration:
    """A block that is told later what it is: ``expr = td.ForwardDeclaration(...)``, ``expr()``, ``resolve_to``."""

    def __init__(self, input_type: Any = None, output_type: Any = None, name: str | None = None) -> None:
        self.name = name or "ForwardDeclaration"
        self._types = input_type, output_type
        self._target: Block | None = None

    def __call__(self) -> Block:
        return Reference(self)

    def resolve_to(self, target_block: Any) -> None:
        """Say what it is. :raises ValueError: that was said already."""
        if self._target is not None:
            raise ValueError(f"Forward declaration {self.name} was already resolved to {self._target!r}.")
        block = as_block(target_block)
        if self._types[0] is not None:
            block.set_input_type(self._types[0])
        if self._types[1] is not None and not isinstance(block, Reference):
            block.set_output_type(self._types[1])
        self._target = block

    def __repr__(self) -> str:
        return f"<td.ForwardDeclaration {self.name}>"


class Reference(Block):
    """Where a declared block is used."""

    def __init__(self, declaration: ForwardDeclaration) -> None:
        super().__init__(declaration.name, *declaration._types)
        self._declaration = declaration

    def is_forward_declaration_ref(self) -> bool:
        return True

    def _target(self) -> Block:
        if self._declaration._target is None:
            raise ValueError(f"Forward declaration {self._declaration.name} was never resolved.")
        return self._declaration._target

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        target = self._target()
        if self._output is None:
            raise TypeError(
                f"{self._declaration!r} needs an output type: td.ForwardDeclaration(input_type, output_type)"
            )
        building.waiting.append((target, given))
        return self._output

    def weave(self, weaver: Weaver, value: Any) -> Any:
        return self._target().weave(weaver, value)


# -- compositions ----------------------------------------------------------------------------------------------------
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
