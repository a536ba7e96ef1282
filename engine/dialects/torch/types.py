"""dtypes, sizes and devices under PyTorch's names."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np


class dtype:
    """A dtype that prints as ``torch.float32``."""

    __module__ = "torch"
    __slots__ = ("array", "legacy", "name", "word")

    def __init__(self, name: str, array: str, legacy: str, word: str) -> None:
        self.name = name
        self.array = np.dtype(array)
        self.legacy = legacy
        self.word = word

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name

    @property
    def is_floating_point(self) -> bool:
        return self.array.kind == "f"

    @property
    def is_complex(self) -> bool:
        return self.array.kind == "c"

    @property
    def is_signed(self) -> bool:
        return self.array.kind not in "ub"

    @property
    def itemsize(self) -> int:
        return self.array.itemsize


# name, NumPy's, the word in tensor types and messages, the word of C++ messages
ALL = [
    dtype("float32", "float32", "Float", "float"),
    dtype("float64", "float64", "Double", "double"),
    dtype("float16", "float16", "Half", "c10::Half"),
    dtype("int64", "int64", "Long", "long int"),
    dtype("int32", "int32", "Int", "int"),
    dtype("int16", "int16", "Short", "short int"),
    dtype("int8", "int8", "Char", "signed char"),
    dtype("uint8", "uint8", "Byte", "unsigned char"),
    dtype("bool", "bool", "Bool", "bool"),
    dtype("complex64", "complex64", "ComplexFloat", "c10::complex<float>"),
    dtype("complex128", "complex128", "ComplexDouble", "c10::complex<double>"),
    dtype("uint16", "uint16", "UInt16", "unsigned short"),
    dtype("uint32", "uint32", "UInt32", "unsigned int"),
    dtype("uint64", "uint64", "UInt64", "unsigned long"),
]
BY_NAME = {d.name: d for d in ALL}
BY_ARRAY: dict[Any, dtype] = {d.array: d for d in ALL}
ALIASES = {
    "float": "float32", "double": "float64", "half": "float16", "long": "int64", "int": "int32", "short": "int16",
    "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip


class Word:
    """A constant that prints as its name, like ``torch.strided``."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


STRIDED = Word("torch.strided")


class _Default:
    """The dtype of new floating-point tensors."""

    float = BY_NAME["float32"]


DEFAULT = _Default()


def as_array_dtype(wanted: Any, name: str = "to") -> np.dtype[Any]:
    """NumPy's dtype for one of ours, or for Python's ``float``, ``int`` and ``bool``.

    >>> as_array_dtype(float)
    dtype('float32')
    """
    if isinstance(wanted, dtype):
        return wanted.array
    if wanted is float:
        return DEFAULT.float.array
    if wanted is int:
        return np.dtype(np.int64)
    if wanted is bool:
        return np.dtype(np.bool_)
    raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {type(wanted).__name__}")


def word_of(array_dtype: Any) -> str:
    """``Float``, ``Long``, … as messages write a dtype."""
    return BY_ARRAY[array_dtype].legacy


class Size(tuple[int, ...]):
    """A shape that prints as ``torch.Size([2, 3])``."""

    __module__ = "torch"
    __slots__ = ()

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(str(int(n)) for n in self)}])"

    def numel(self) -> int:
        """The number of elements."""
        return prod(self)

    def __add__(self, other: Any) -> Any:
        return Size(tuple.__add__(self, tuple(other)))

    def __getitem__(self, key: Any) -> Any:
        part = tuple.__getitem__(self, key)
        return Size(part) if isinstance(key, slice) else part


_DEVICES = (
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, "
    "privateuseone"
)


class device:
    """A device. The teaching engine has one: ``cpu``."""

    __module__ = "torch"
    __slots__ = ("index", "type")

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        if isinstance(type, device):
            self.type: str = type.type
            self.index: int | None = type.index
            return
        if not isinstance(type, str):
            kind = type.__class__.__name__
            raise TypeError(f"Device(): argument 'type' (position 1) must be str, not {kind}")
        name, _, number = type.partition(":")
        if any(c.isdigit() or not (c.isalpha() or c == "_") for c in name) or (":" in type and not number.isdigit()):
            raise RuntimeError(f"Invalid device string: '{type}'")
        if name not in _DEVICES.split(", "):
            raise RuntimeError(f"Expected one of {_DEVICES} device type at start of device string: {name}")
        self.type = name
        self.index = int(number) if number else index

    def __repr__(self) -> str:
        number = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{number})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))


CPU = device("cpu")


def check_device(wanted: Any) -> None:
    """Refuse devices that this engine does not have, in PyTorch's words.

    :raises AssertionError: CUDA is asked for.
    :raises RuntimeError: any other device that is not the CPU.
    """
    if wanted is None:
        return
    kind = device(wanted).type
    if kind == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    if kind in ("mps", "xpu", "hpu", "mtia"):
        raise RuntimeError(f"PyTorch is not linked with support for {kind} devices")
    if kind != "cpu":
        raise RuntimeError(f"the teaching engine has no device '{kind}': it computes on 'cpu'")
