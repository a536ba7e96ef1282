"""Blocks made of blocks: pipes, records, choices, declarations that are resolved later."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow_fold.blocks import Block, Building, as_block
from engine.dialects.tensorflow_fold.types import PyObjectType, ResultType, SequenceType, TupleType
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
