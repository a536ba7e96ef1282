"""``tf.TensorSpec``, and what of a call decides which trace it uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.eager.tensor import Valued, array_of
from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.shapes import TensorShape


class TypeSpec:
    """What describes a kind of values."""

    __module__ = "tensorflow.python.framework.type_spec"


class TensorSpec(TypeSpec):
    """Shape and dtype of a tensor; sizes may be open (``None``).

    >>> TensorSpec([None, 2], "int32", name="rows").takes(TensorSpec([3, 2], "int32"))
    True
    """

    __module__ = "tensorflow.python.framework.tensor"

    def __init__(self, shape: Any, dtype: Any = "float32", name: str | None = None) -> None:
        self.shape = TensorShape(shape)
        self.dtype = dtypes.as_dtype(dtype)
        self.name = name

    @classmethod
    def from_spec(cls, spec: TensorSpec, name: str | None = None) -> TensorSpec:
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        given = name or (tensor.op.name if isinstance(tensor, Tensor) else None)
        return cls(tuple(tensor.shape), tensor.dtype, given)

    value_type = property(lambda self: Tensor)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a tensor, an array or another spec fits."""
        if not hasattr(other, "dtype") or not hasattr(other, "shape"):
            array = array_of(other)
            return self.dtype == dtypes.from_numpy(array.dtype) and self.shape.is_compatible_with(array.shape)
        kind = other.dtype if isinstance(other.dtype, dtypes.DType) else dtypes.as_dtype(other.dtype)
        return self.dtype == kind.base_dtype and self.shape.is_compatible_with(_shape_of(other))

    def is_subtype_of(self, other: Any) -> bool:
        return isinstance(other, TensorSpec) and other.takes(self)

    def most_specific_compatible_type(self, other: TensorSpec) -> TensorSpec:
        return TensorSpec(open_shape(self.shape, other.shape), self.dtype)

    def takes(self, other: Any) -> bool:
        """Whether a trace for this spec can run on arguments of ``other``."""
        if not isinstance(other, TensorSpec) or other.dtype != self.dtype:
            return False
        mine, given = self.shape._dims, other.shape._dims
        if mine is None:
            return True
        return given is not None and len(mine) == len(given) and all(
            a is None or a == b for a, b in zip(mine, given, strict=True)
        )  # fmt: skip

    @property
    def width(self) -> int:
        """How many sizes are open; an open rank is more than any number of them."""
        return 100 if self.shape._dims is None else self.shape._dims.count(None)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TensorSpec)
            and type(other) is type(self)
            and (self.shape._dims, self.dtype, self.name) == (other.shape._dims, other.dtype, other.name)
        )

    def __hash__(self) -> int:
        return hash((self.shape._dims, self.dtype.name))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})".replace(
            repr(self.dtype), f"tf.{self.dtype.name}"
        )

    __str__ = __repr__

    def told(self) -> str:
        """In words, for the reason of a trace."""
        return f"tensor {self.dtype.name} {self.shape}"


def _shape_of(other: Any) -> Any:
    shape = other.shape
    return shape if isinstance(shape, TensorShape) else tuple(shape)


def open_shape(first: TensorShape, second: TensorShape) -> TensorShape:
    """The narrowest shape that takes both."""
    a, b = first._dims, second._dims
    if a is None or b is None or len(a) != len(b):
        return TensorShape(None)
    return TensorShape([m if m == n else None for m, n in zip(a, b, strict=True)])


class VariableSpec(TensorSpec):
    """A variable among the arguments. ``alias`` numbers the variables of one call: the same one twice is something
    else than two."""

    __module__ = "tensorflow.python.ops.resource_variable_ops"

    def __init__(self, shape: Any, dtype: Any = "float32", trainable: bool = True, alias: int = 0) -> None:
        super().__init__(shape, dtype)
        self.trainable, self.alias = trainable, alias

    def takes(self, other: Any) -> bool:
        return isinstance(other, VariableSpec) and self.alias == other.alias and super().takes(other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VariableSpec) and super().__eq__(other) and self.alias == other.alias

    def __hash__(self) -> int:
        return super().__hash__()

    def __repr__(self) -> str:
        return (
            f"VariableSpec(shape={self.shape}, dtype=tf.{self.dtype.name}, trainable={self.trainable}, "
            f"alias_id={self.alias})"
        )

    __str__ = __repr__

    def told(self) -> str:
        return f"variable {self.dtype.name} {self.shape}"


class Literal:
    """A Python value: a trace holds for exactly this one. Others than numbers and text count by identity, unless they
    say themselves what equals them."""

    width = 0

    def __init__(self, value: Any) -> None:
        self.value = value
        try:
            self._hash = hash(value)
            self._by_value = True
        except TypeError:
            self._hash, self._by_value = id(value), False

    def takes(self, other: Any) -> bool:
        return bool(self == other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Literal):
            return False
        if self.value is other.value:
            return True
        # By value alone, as in the real one: what was traced for 1 serves True and 1.0 as well.
        return self._by_value and other._by_value and bool(self.value == other.value)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Literal[{self.value!r}]"

    def told(self) -> str:
        return f"{type(self.value).__name__} {str(self.value)[:60]}"


Spec = TensorSpec | Literal


def spec_of(leaf: Any, variables: dict[int, int]) -> Any:
    """What counts of one leaf of the arguments; ``variables`` numbers the variables of the call."""
    if isinstance(leaf, ResourceVariable):
        number = variables.setdefault(id(leaf), len(variables))
        return VariableSpec(leaf._static_shape, leaf.dtype, leaf._trainable, number)
    if isinstance(leaf, Valued):
        return TensorSpec(leaf._array.shape, leaf.dtype)
    if isinstance(leaf, Tensor):
        return TensorSpec(leaf.shape, leaf.dtype.base_dtype)
    if isinstance(leaf, TensorSpec):
        return leaf
    if isinstance(leaf, np.ndarray | np.generic):
        return TensorSpec(leaf.shape, dtypes.from_numpy(leaf.dtype))
    return Literal(leaf)


def differs(path: str, now: Any, before: Any) -> str:
    """Why a trace for ``before`` does not serve ``now``; empty if it does."""
    if before.takes(now):
        return ""
    if isinstance(now, TensorSpec) and isinstance(before, TensorSpec) and type(now) is type(before):
        if now.dtype != before.dtype:
            return f"{path} has dtype {now.dtype.name}, {{trace}} takes {before.dtype.name}"
        return f"{path} has shape {now.shape}, {{trace}} takes {before.shape}"
    told = f"{path} is the {now.told()}, ".replace("{", "{{").replace("}", "}}")
    return f"{told}{{trace}} takes the " + str(before.told()).replace("{", "{{").replace("}", "}}")


def shown(structure: Any, leaves: Sequence[Any]) -> str:
    """A nested structure of specs as signatures of traces show it."""
    return _shown(structure, iter(leaves))


def _shown(structure: Any, leaves: Any) -> str:
    if structure is None:
        leaf = next(leaves)
        return repr(leaf)
    kind, inner, *keys = structure
    parts = [_shown(part, leaves) for part in inner]
    if kind == "dict":
        return f"Dict[{', '.join(f'[{key!r}, {part}]' for key, part in zip(keys[0], parts, strict=True))}]"
    return f"{'List' if kind == 'list' else 'Tuple'}[{', '.join(parts)}]"
