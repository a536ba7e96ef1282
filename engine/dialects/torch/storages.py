"""The memory behind tensors: what views share.

Source: torch.storage in PyTorch's documentation.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from engine.dialects.torch.types import BY_ARRAY


def memory_of(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array that owns the memory which ``array`` looks at."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


class UntypedStorage:
    """Memory as bytes. A tensor and its views have the same.

    >>> UntypedStorage(np.zeros(3, np.float32)).nbytes()
    12
    """

    __module__ = "torch.storage"

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self._memory = memory_of(array)

    def data_ptr(self) -> int:
        return int(self._memory.ctypes.data)

    def nbytes(self) -> int:
        return int(self._memory.nbytes)

    def size(self) -> int:
        return self.nbytes()

    def __len__(self) -> int:
        return self.nbytes()

    def tolist(self) -> list[int]:
        return list(self._memory.tobytes())

    def __getitem__(self, place: Any) -> Any:
        return self.tolist()[place]

    def __repr__(self) -> str:
        return _listed(self.tolist(), f"torch.storage.UntypedStorage(device=cpu) of size {len(self)}")


class TypedStorage:
    """Memory as numbers of one dtype: the older kind."""

    __module__ = "torch.storage"

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        warnings.warn(
            "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage "
            "class. This should only matter to you if you are using storages directly.  To access UntypedStorage "
            "directly, use tensor.untyped_storage() instead of tensor.storage()",
            stacklevel=3,
        )
        self._memory = memory_of(array)
        self.dtype = BY_ARRAY[array.dtype]

    def untyped(self) -> UntypedStorage:
        return UntypedStorage(self._memory)

    def data_ptr(self) -> int:
        return int(self._memory.ctypes.data)

    def nbytes(self) -> int:
        return int(self._memory.nbytes)

    def size(self) -> int:
        return int(self._memory.size)

    def __len__(self) -> int:
        return self.size()

    def tolist(self) -> list[Any]:
        return self._memory.ravel("K").tolist()

    def __getitem__(self, place: Any) -> Any:
        return self.tolist()[place]

    def __repr__(self) -> str:
        kind = f"torch.storage.TypedStorage(dtype={self.dtype}, device=cpu) of size {len(self)}"
        return _listed(self.tolist(), kind)


def _listed(values: list[Any], kind: str) -> str:
    return "".join(f" {value}\n" for value in values) + f"[{kind}]"
