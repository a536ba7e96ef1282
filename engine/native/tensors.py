"""The native tensor: identity, conversions, and its part of the tape. :mod:`.methods` attaches ops and operators."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import events
from engine.dynamic import modes, observe
from engine.dynamic.apply import edge_of
from engine.dynamic.facade import Facade
from engine.dynamic.nodes import split_edge, watch
from engine.dynamic.tensor import Tensor as EngineTensor
from engine.errors import DtypeError, ShapeError, StateError
from engine.native.words import explain
from engine.ops.promotion import DEFAULT_FLOAT, DEFAULT_INTEGER, DType, category

Array = np.ndarray[Any, Any]


class Tensor(EngineTensor):
    """An array of numbers with a past. Made by :func:`tensor` and by ops; ``Tensor(array)`` shares the array's memory.

    >>> x = tensor([[1.0, 2.0]], requires_grad=True)
    >>> y = (x @ x.T).sum()
    >>> y
    tensor(5., requires_grad=True)
    >>> y.backward(); x.grad
    tensor([[2., 4.]])
    """

    __slots__ = ()
    if TYPE_CHECKING:
        # Attached by engine.native.methods: operators, and every op as a method.
        T: Tensor

        def __getattr__(self, name: str) -> Any: ...
        def __getitem__(self, key: Any) -> Tensor: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...

    __array_priority__ = 1000
    __hash__ = object.__hash__

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of all dimensions."""
        return self._array.shape

    @property
    def dtype(self) -> DType:
        """The type of the elements, a ``numpy.dtype``."""
        return self._array.dtype

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return self._array.ndim

    @property
    def size(self) -> int:
        """How many elements there are."""
        return self._array.size

    @property
    def version(self) -> int:
        """How often the memory behind this tensor was written in place.

        :raises StateError: it was made in inference mode, where nobody counts.
        """
        if self._storage.inference:
            raise StateError(f"version: this tensor ({self._described()}) was made in inference mode and keeps none")
        return self._storage.version

    @property
    def is_inference(self) -> bool:
        """Whether it was made under :class:`engine.inference_mode`: it can be computed with, but never enters a
        recording."""
        return self._storage.inference

    # -- autograd ------------------------------------------------------------------------------------------------------
    @property
    def requires_grad(self) -> bool:
        """Whether backward sends a gradient here. Settable on leaves."""
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.requires_grad_(value)

    def requires_grad_(self, value: bool = True) -> Tensor:
        """Make a leaf a parameter (or no longer one); returns the tensor itself.

        :raises StateError: the result of an op. :raises DtypeError: the elements are no floating-point numbers.
        """
        if self._grad_fn is not None and not value:
            raise StateError(f"requires_grad: this tensor ({self._described()}) is the result of an op; use detach()")
        if value and self._array.dtype.kind not in "fc":
            raise DtypeError(
                f"requires_grad: a tensor of {self._described()} cannot have a gradient, only floating-point values "
                "can; cast it first"
            )
        if value and self._storage.inference and not modes.inference:
            raise StateError(
                f"requires_grad: this tensor ({self._described()}) was made in inference mode and cannot become a "
                "parameter; make a copy of it outside inference mode"
            )
        changed, self._requires_grad = self._requires_grad != bool(value), bool(value)
        listener = events.listener
        if listener is not None and changed and self._node >= 0 and self._grad_fn is None:
            listener.role_changed(self._node, "variable" if value else "input")
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded op made this tensor."""
        return self._grad_fn is None

    @property
    def grad(self) -> Tensor | None:
        """The gradient accumulated by :meth:`backward`; ``None`` before. Settable, to clear or replace it."""
        return self._grad  # type: ignore[return-value]

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            if not isinstance(value, Tensor):
                raise DtypeError(f"grad: a gradient is a tensor or None, not {type(value).__name__}")
            if value.shape != self.shape or value.dtype != self.dtype:
                raise ShapeError(
                    f"grad: a gradient of {value._described()} does not fit a tensor of {self._described()}; "
                    "they must be equal",
                    op="grad",
                    shapes=(self.shape, value.shape),
                )
            if events.listener is not None and self._grad_fn is None:
                observe.gradient_assigned(events.listener, self, value)
        elif events.listener is not None and self._grad is not None and self._accumulate is not None:
            events.listener.gradient_cleared(observe.accumulate_node(events.listener, self._accumulate))
        self._grad = value

    def detach(self) -> Tensor:
        """The same memory, without a past: writing into one writes into both."""
        out = Tensor(self._array)
        out._storage = self._storage
        out._node = self._node
        return out

    def retain_grad(self) -> Tensor:
        """Keep the gradient of a result of an op, too, in ``.grad``; returns the tensor itself."""
        self._needs_gradient("retain_grad")
        if self._grad_fn is not None:
            node, index = split_edge(edge_of(self))
            node.hook_table().retains[index] = weakref.ref(self)
        return self

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Callable[[], None]:
        """Call ``hook(gradient)`` whenever this tensor's gradient is complete; a tensor that it returns takes its
        place. Returns a function that removes the hook.

        >>> x = tensor(2.0, requires_grad=True)
        >>> remove = x.register_hook(lambda g: g * 10)
        >>> (x * 3.0).backward(); x.grad
        tensor(30.)
        """
        self._needs_gradient("register_hook")
        if self._grad_fn is None:
            watch()
            self._hooks = self._hooks if self._hooks is not None else {}
            hooks = self._hooks
        else:
            node, index = split_edge(edge_of(self))
            hooks = node.hook_table().before.setdefault(index, {})
        key = max(hooks, default=-1) + 1
        hooks[key] = hook
        return lambda: hooks.pop(key, None) and None

    def _needs_gradient(self, what: str) -> None:
        if not self._requires_grad:
            raise StateError(
                f"{what}: this tensor ({self._described()}) requires no gradient; make it with requires_grad=True, "
                "or compute it from one that does"
            )

    # -- conversions --------------------------------------------------------------------------------------------------
    def item(self) -> Any:
        """The only element, as a Python number."""
        if self._array.size != 1:
            raise ShapeError(
                f"item: a tensor of shape {self.shape} has {self._array.size} elements; index it to get a single one",
                op="item",
                shapes=(self.shape,),
            )
        return self._array.item()

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        return self._array.tolist()

    def numpy(self) -> Array:
        """The values as an array that shares memory with the tensor.

        :raises StateError: gradients would not know of what is done to the array.
        """
        if self._requires_grad:
            raise StateError(f"numpy: this tensor ({self._described()}) requires a gradient; use x.detach().numpy()")
        return self._array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __bool__(self) -> bool:
        return bool(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iub":
            raise DtypeError(f"index: a tensor of {self._described()} is no index; indices are integers")
        return int(self.item())

    def __len__(self) -> int:
        if not self._array.ndim:
            raise ShapeError("len: a tensor of shape () has no length", op="len", shapes=((),))
        return int(self._array.shape[0])

    def __iter__(self) -> Iterator[Tensor]:
        return (self[i] for i in range(len(self)))

    def _described(self) -> str:
        return f"{self._array.dtype} {self._array.shape}"

    def __repr__(self) -> str:
        text = np.array2string(self._array, separator=", ", prefix="tensor(", threshold=1000)
        plain = self._array.dtype in (DEFAULT_FLOAT, DEFAULT_INTEGER, np.bool_)
        dtype = "" if plain else f", dtype={self._array.dtype}"
        return f"tensor({text}{dtype}{', requires_grad=True' if self._requires_grad else ''})"


def tensor(values: Any, dtype: Any = None, *, requires_grad: bool = False) -> Tensor:
    """A tensor of these values: numbers, nested lists, an array or a tensor. They are copied.

    Python floats become float32 and integers int64; arrays keep their dtype. ``requires_grad`` makes it a parameter.

    >>> tensor([[1, 2], [3, 4]]).dtype, tensor(1.5).dtype
    (dtype('int64'), dtype('float32'))

    :raises DtypeError: the values are no numbers. :raises ShapeError: nested lists of different lengths.
    """
    made = Tensor(array_of(values, dtype))
    if requires_grad:
        made.requires_grad_()
    if events.listener is not None:
        observe.created(events.listener, made)
    return made


def array_of(values: Any, dtype: Any = None) -> Array:
    """The array of :func:`tensor`: a copy of the values, in the dtype that they get.

    :raises DtypeError: the values are no numbers. :raises ShapeError: nested lists of different lengths.
    """
    source = values._array if isinstance(values, EngineTensor) else values
    if isinstance(source, list | tuple):
        source = _plain(source)
    try:
        array = np.array(source, None if dtype is None else np.dtype(dtype))
    except (TypeError, ValueError) as error:
        if "inhomogeneous" in str(error):
            raise ShapeError(f"tensor: nested lists of different lengths are no tensor: {error}", op="tensor") from None
        raise DtypeError(f"tensor: {type(values).__name__} holds no numbers: {error}") from None
    category(array.dtype)
    if dtype is None and not isinstance(source, np.ndarray | np.generic):
        array = array.astype({"f": DEFAULT_FLOAT, "i": DEFAULT_INTEGER}.get(array.dtype.kind, array.dtype), copy=False)
    return array


def _plain(values: Any) -> Any:
    """Nested lists with the tensors among them as arrays."""
    if isinstance(values, list | tuple):
        return [_plain(value) for value in values]
    return values._array if isinstance(values, EngineTensor) else values


FACADE = Facade("native", Tensor, explain=explain, shows_defaults=True)
"""How the native API names what the engine does: by the table's own names."""
