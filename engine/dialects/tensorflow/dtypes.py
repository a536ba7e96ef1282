"""``tf.float32`` and its relatives."""

from __future__ import annotations

from typing import Any

import numpy as np

# name -> (NumPy dtype, name in messages, number in GraphDef)
_KNOWN: dict[str, tuple[Any, str, int]] = {
    "float32": (np.float32, "float", 1),
    "float64": (np.float64, "double", 2),
    "int32": (np.int32, "int32", 3),
    "uint8": (np.uint8, "uint8", 4),
    "int16": (np.int16, "int16", 5),
    "int8": (np.int8, "int8", 6),
    "string": (np.object_, "string", 7),
    "complex64": (np.complex64, "complex64", 8),
    "int64": (np.int64, "int64", 9),
    "bool": (np.bool_, "bool", 10),
    "uint16": (np.uint16, "uint16", 17),
    "complex128": (np.complex128, "complex128", 18),
    "float16": (np.float16, "half", 19),
    "uint32": (np.uint32, "uint32", 22),
    "uint64": (np.uint64, "uint64", 23),
}
_ALIASES = {"float": "float32", "double": "float64", "half": "float16", "int": "int32"}


class DType:
    """One element type. ``float32_ref`` is what a variable of 1.x says of itself: a reference to ``float32``."""

    def __init__(self, name: str, ref: bool = False) -> None:
        scalar, self._message, number = _KNOWN[name]
        self._base = name
        self._ref = ref
        self._numpy = np.dtype(scalar)
        self.as_datatype_enum = number + 100 * ref

    @property
    def name(self) -> str:
        return self._base + "_ref" * self._ref

    @property
    def base_dtype(self) -> DType:
        return DTYPES[self._base]

    @property
    def _as_ref(self) -> DType:
        return REFS[self._base]

    @property
    def as_numpy_dtype(self) -> Any:
        return self._numpy.type

    @property
    def is_floating(self) -> bool:
        return bool(self._numpy.kind == "f")

    @property
    def is_integer(self) -> bool:
        return bool(self._numpy.kind in "iu")

    @property
    def is_bool(self) -> bool:
        return bool(self._numpy.kind == "b")

    @property
    def is_complex(self) -> bool:
        return bool(self._numpy.kind == "c")

    @property
    def size(self) -> int:
        return 1 if self._numpy.kind == "O" else self._numpy.itemsize

    @property
    def min(self) -> Any:
        return _limits(self._numpy).min

    @property
    def max(self) -> Any:
        return _limits(self._numpy).max

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __eq__(self, other: object) -> bool:
        try:
            found = as_dtype(other)
        except TypeError:
            return False
        return found._base == self._base and found._ref == self._ref

    def __hash__(self) -> int:
        return hash((self._base, self._ref))

    def __reduce__(self) -> Any:
        return as_dtype, (self.name,)


def _limits(dtype: np.dtype[Any]) -> Any:
    if dtype.kind in "iu":
        return np.iinfo(dtype)
    if dtype.kind in "fc":
        return np.finfo(dtype)
    raise TypeError(f"Cannot find minimum value of {dtype}.")


DTYPES = {name: DType(name) for name in _KNOWN}
REFS = {name: DType(name, ref=True) for name in _KNOWN}
_BY_NUMPY = {dtype._numpy: dtype for dtype in DTYPES.values()}


def as_dtype(value: Any) -> DType:
    """``tf.as_dtype``: from a name, a NumPy dtype or a Python type.

    >>> as_dtype("float").name, as_dtype(bool).name
    ('float32', 'bool')

    :raises TypeError: it is none.
    """
    if isinstance(value, DType):
        return value
    if isinstance(value, str):
        name = _ALIASES.get(value, value)
        if name in DTYPES:
            return DTYPES[name]
        if name.endswith("_ref") and name[:-4] in REFS:
            return REFS[name[:-4]]
    if value is float:
        return DTYPES["float32"]
    if value is int:
        return DTYPES["int64"]
    if value is str or value is bytes:
        return DTYPES["string"]
    if isinstance(value, int) and not isinstance(value, bool):
        for dtype in DTYPES.values():
            if dtype.as_datatype_enum == value:
                return dtype
    if value is not None and not isinstance(value, str):
        try:
            dtype = np.dtype(value)
        except TypeError:
            pass
        else:
            if dtype.kind in "US":
                return DTYPES["string"]
            if dtype in _BY_NUMPY:
                return _BY_NUMPY[dtype]
    raise TypeError(f"Cannot convert the argument `type_value`: {value!r} to a TensorFlow DType.")


def from_numpy(dtype: np.dtype[Any]) -> DType:
    """The TensorFlow dtype of an engine dtype."""
    return _BY_NUMPY[dtype]
