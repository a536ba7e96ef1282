"""Trace keys: what of a call decides which trace it uses.

Tensors count by dtype and shape, variables also by identity, Python numbers and text by type and value, everything
else by identity. What a function reads from outside (globals, closures) is not part of the key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from engine.dynamic.tensor import Tensor
from engine.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """A tensor of this dtype, whose dimensions are as in ``shape`` (``None``: any size).

    >>> TensorSpec(np.dtype("float32"), (None, 2)).takes(TensorSpec(np.dtype("float32"), (3, 2)))
    True
    """

    dtype: np.dtype[Any]
    shape: tuple[int | None, ...]

    def takes(self, other: Spec) -> bool:
        """Whether a trace for this spec can run on arguments of ``other``."""
        return (
            isinstance(other, TensorSpec)
            and self.dtype == other.dtype
            and len(self.shape) == len(other.shape)
            and all(a is None or a == b for a, b in zip(self.shape, other.shape, strict=True))
        )

    @property
    def type(self) -> TensorType:
        """The type of the placeholder."""
        return TensorType(self.dtype, self.shape)

    def __str__(self) -> str:
        return f"tensor {self.dtype} {shape_text(self.shape)}"


@dataclass(frozen=True, slots=True)
class VariableSpec:
    """One variable, known by identity (``number`` counts the variables that a function has met)."""

    number: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    def takes(self, other: Spec) -> bool:
        """Only itself."""
        return self == other

    def __str__(self) -> str:
        return f"variable {self.number} ({self.dtype} {shape_text(self.shape)})"


@dataclass(frozen=True, slots=True)
class ValueSpec:
    """A Python value: the trace holds for exactly this one."""

    kind: type
    value: Any

    def takes(self, other: Spec) -> bool:
        """An equal value of the same type."""
        return self == other

    def __str__(self) -> str:
        return f"the {self.kind.__name__} {str(self.value)[:60] if self.kind is not str else repr(self.value)[:60]}"


@dataclass(frozen=True, slots=True)
class ObjectSpec:
    """Any other object, known by identity (``number`` counts those that a function has met)."""

    number: int
    kind: str

    def takes(self, other: Spec) -> bool:
        """Only itself."""
        return self == other

    def __str__(self) -> str:
        return f"object {self.number} of type {self.kind}"


Spec = TensorSpec | VariableSpec | ValueSpec | ObjectSpec
Structure = Any
"""How leaves are nested: ``None`` for a leaf, ``("list", [...])``, ``("tuple", [...])``, ``("dict", [...], keys)``."""


def shape_text(shape: Sequence[int | None]) -> str:
    """A shape with ``?`` for what is not known.

    >>> shape_text((None, 2))
    '(?, 2)'
    """
    return str(tuple(shape)).replace("None", "?")


class Met:
    """Numbers for variables and objects that a function has met. They are kept, so that an identity stays theirs."""

    def __init__(self) -> None:
        self._numbers: dict[int, tuple[int, Any]] = {}

    def number(self, thing: Any) -> int:
        """The number of this very object."""
        return self._numbers.setdefault(id(thing), (len(self._numbers), thing))[0]


def flatten(value: Any, path: str, leaves: list[tuple[str, Any]]) -> Structure:
    """Append what lists, tuples and dictionaries hold to ``leaves``, with where it stands; returns the structure.

    >>> found: list[tuple[str, Any]] = []
    >>> structure = flatten({"a": [1, 2]}, "x", found); found
    [("x['a'][0]", 1), ("x['a'][1]", 2)]
    >>> rebuild(structure, iter([3, 4]))
    {'a': [3, 4]}
    """
    kind = type(value)
    if kind is list or isinstance(value, tuple):
        inner = [flatten(item, f"{path}[{i}]", leaves) for i, item in enumerate(value)]
        return ("list" if kind is list else kind, inner)
    if kind is dict:
        return ("dict", [flatten(item, f"{path}[{key!r}]", leaves) for key, item in value.items()], list(value))
    leaves.append((path, value))
    return None


def rebuild(structure: Structure, leaves: Any) -> Any:
    """The inverse of :func:`flatten`; ``leaves`` is an iterator."""
    if structure is None:
        return next(leaves)
    kind, inner, *keys = structure
    items = [rebuild(part, leaves) for part in inner]
    if kind == "list":
        return items
    if kind == "dict":
        return dict(zip(keys[0], items, strict=True))
    return kind(*items) if hasattr(kind, "_fields") else kind(items)


def frozen(structure: Structure) -> Any:
    """A structure as a key of a dictionary."""
    if structure is None:
        return None
    kind, inner, *keys = structure
    return (kind, tuple(frozen(part) for part in inner), tuple(repr(key) for key in keys[0]) if keys else ())


@lru_cache(4096)
def tensor_spec(dtype: np.dtype[Any], shape: tuple[int, ...]) -> TensorSpec:
    """The spec of a tensor; the same object for the same type, as it is made at every call."""
    return TensorSpec(dtype, shape)


_PLAIN = frozenset({int, float, bool, str, complex, bytes, type(None)})


def spec_of(value: Any, met: Met) -> Spec:
    """What counts of one leaf."""
    kind = type(value)
    if kind in _PLAIN:
        return ValueSpec(kind, value)
    if isinstance(value, Tensor):
        if value._requires_grad and value._grad_fn is None:
            return VariableSpec(met.number(value), value._array.dtype, value._array.shape)
        return tensor_spec(value._array.dtype, value._array.shape)
    if isinstance(value, np.ndarray | np.generic):
        return tensor_spec(value.dtype, value.shape)
    return ObjectSpec(met.number(value), kind.__name__)


def relaxed(first: TensorSpec, second: TensorSpec) -> TensorSpec | None:
    """The narrowest spec that takes both, if they only differ in sizes.

    >>> f32 = np.dtype("float32")
    >>> str(relaxed(TensorSpec(f32, (3, 2)), TensorSpec(f32, (4, 2))))
    'tensor float32 (?, 2)'
    """
    if first.dtype != second.dtype or len(first.shape) != len(second.shape):
        return None
    return TensorSpec(first.dtype, tuple(a if a == b else None for a, b in zip(first.shape, second.shape, strict=True)))


def difference(path: str, now: Spec, before: Spec) -> str:
    """Why a trace for ``before`` does not serve ``now``, in words; empty if it does."""
    if before.takes(now):
        return ""
    if isinstance(now, TensorSpec) and isinstance(before, TensorSpec):
        if now.dtype != before.dtype:
            return f"{path} has dtype {now.dtype}, {{trace}} takes {before.dtype}"
        return f"{path} has shape {shape_text(now.shape)}, {{trace}} takes {shape_text(before.shape)}"
    return (
        f"{path} is {now}, {{trace}} takes {before}".replace("{trace}", "\0")
        .replace("{", "{{")
        .replace("}", "}}")
        .replace("\0", "{trace}")
    )


Leaves = Sequence[tuple[str, Any]]
Specs = Mapping[str, Spec]
