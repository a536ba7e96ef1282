"""Tensors as Python numbers, lists, arrays and text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.dialects.torch import printing
from engine.dynamic.tensor import Tensor as EngineTensor


class Convertible(EngineTensor):
    """What turns a tensor into something else, and copies it."""

    __slots__ = ()

    def item(self) -> Any:
        """The only element, as a Python number."""
        if self._array.size != 1:
            raise RuntimeError(f"a Tensor with {self._array.size} elements cannot be converted to Scalar")
        return self._array.item()

    def tolist(self) -> Any:
        return self._array.tolist()

    def numpy(self, *, force: bool = False) -> Any:
        """The values as a NumPy array, which shares memory with the tensor."""
        if self._requires_grad and not force:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return self._array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = self.numpy()
        return array if dtype is None else array.astype(dtype)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """What NumPy's functions give for tensors: tensors (0 and 1 for bools, as in PyTorch)."""
        return type(self)(np.asarray(array, np.uint8 if array.dtype == bool else None))

    def __bool__(self) -> bool:
        array = self._array
        if array.size == 1:
            return bool(array.item())
        if array.size == 0:
            raise RuntimeError("Boolean value of Tensor with no values is ambiguous")
        raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")

    def _only(self) -> Any:
        if self._array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self._array.item()

    def __float__(self) -> float:
        return float(self._only())

    def __int__(self) -> int:
        return int(self._only())

    def __complex__(self) -> complex:
        return complex(self._only())

    def __index__(self) -> int:
        if self._array.size != 1 or self._array.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._array.item())

    def __len__(self) -> int:
        if self._array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return int(self._array.shape[0])

    def __iter__(self) -> Iterator[Any]:
        if self._array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __contains__(self, value: Any) -> bool:
        other = value._array if isinstance(value, EngineTensor) else value
        return bool((self._array == other).any())

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        node = self.grad_fn
        name = None if node is None else type(node).__name__
        return printing.tensor_text(self._array, self._requires_grad, name)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        if self._array.ndim == 0:
            return format(self._array.item(), spec)
        return object.__format__(self, spec) if spec else repr(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if self._grad_fn is not None:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
                "moment.  If you were attempting to deepcopy a module, this may be because of a "
                "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
            )
        twin = type(self).__new__(type(self))
        EngineTensor.__init__(twin, self._array.copy())
        twin._requires_grad = self._requires_grad
        if self._grad is not None:
            twin._grad = type(self._grad)(self._grad._array.copy())
        memo[id(self)] = twin
        return twin

    def __reduce_ex__(self, protocol: Any) -> Any:
        from engine.dialects.torch.tensor import rebuild_tensor

        return rebuild_tensor, (type(self).__name__ == "Parameter", self._array.copy(), self._requires_grad)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
