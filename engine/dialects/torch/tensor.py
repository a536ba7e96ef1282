"""``torch.Tensor``: identity, autograd and conversions. Its arithmetic is attached by :mod:`.methods`."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import events
from engine.dialects.torch import messages
from engine.dialects.torch.conversion import Convertible
from engine.dialects.torch.hooks import RemovableHandle
from engine.dialects.torch.memory_formats import is_in
from engine.dialects.torch.numbers import check_dim
from engine.dialects.torch.ops.variants import VARIANTS
from engine.dialects.torch.storages import TypedStorage, UntypedStorage
from engine.dialects.torch.types import BY_ARRAY, CPU, Size, device, dtype
from engine.dynamic import modes, observe
from engine.dynamic.apply import edge_of, refresh_view
from engine.dynamic.facade import Facade
from engine.dynamic.nodes import GradNode, Port, split_edge, watch
from engine.dynamic.tensor import Number, Storage, fresh
from engine.dynamic.tensor import Tensor as EngineTensor

NON_LEAF = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
    "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf "
    "Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you "
    "access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more informations."
)


class Tensor(Convertible):
    """A tensor with PyTorch's names. See :class:`engine.dynamic.tensor.Tensor` for what it holds."""

    __module__ = "torch"
    __slots__ = ("__dict__",)
    __array_priority__ = 1000

    def __init__(self, *data: Any, device: Any = None) -> None:
        if len(data) == 1 and type(data[0]) is np.ndarray:  # how this package makes tensors
            EngineTensor.__init__(self, data[0])
            return
        from engine.dialects.torch.typed_tensors import legacy_array

        EngineTensor.__init__(self, legacy_array(data, np.dtype(np.float32), "Tensor"))
        announce(self)

    # -- what it is --
    @property
    def shape(self) -> Size:
        return Size(self._array.shape)

    def size(self, dim: int | None = None) -> Any:
        if dim is None:
            return Size(self._array.shape)
        return self._array.shape[check_dim(dim, self._array.ndim)]

    @property
    def dtype(self) -> dtype:
        return BY_ARRAY[self._array.dtype]

    @property
    def device(self) -> device:
        return CPU

    @property
    def ndim(self) -> int:
        return self._array.ndim

    def dim(self) -> int:
        return self._array.ndim

    ndimension = dim

    def numel(self) -> int:
        return self._array.size

    nelement = numel

    def element_size(self) -> int:
        return self._array.itemsize

    @property
    def itemsize(self) -> int:
        return self._array.itemsize

    @property
    def nbytes(self) -> int:
        return self._array.nbytes

    def stride(self, dim: int | None = None) -> Any:
        strides = tuple(s // self._array.itemsize for s in self._array.strides)
        return strides if dim is None else strides[dim]

    def is_contiguous(self, memory_format: Any = None) -> bool:
        return is_in(self._array, memory_format)

    def data_ptr(self) -> int:
        return int(self._array.ctypes.data)

    def untyped_storage(self) -> UntypedStorage:
        """The memory that this tensor shares with its views."""
        return UntypedStorage(self._array)

    def storage(self) -> TypedStorage:
        """As :meth:`untyped_storage`, with numbers of a dtype."""
        return TypedStorage(self._array)

    def _is_view(self) -> bool:
        """Whether this looks at the memory of another tensor (outside ``no_grad``)."""
        return self._view is not None

    def storage_offset(self) -> int:
        base = self._array.base
        if not isinstance(base, np.ndarray):
            return 0
        return int(self._array.ctypes.data - base.ctypes.data) // self._array.itemsize

    @property
    def is_leaf(self) -> bool:
        return self._grad_fn is None

    @property
    def is_cuda(self) -> bool:
        return False

    @property
    def is_sparse(self) -> bool:
        return False

    def is_inference(self) -> bool:
        """Whether this was made inside ``torch.inference_mode``."""
        return bool(self._storage.inference)

    def is_floating_point(self) -> bool:
        return self._array.dtype.kind == "f"

    def is_complex(self) -> bool:
        return self._array.dtype.kind == "c"

    @property
    def _version(self) -> int:
        return self._storage.version

    @property
    def _base(self) -> Tensor | None:
        return None if self._view is None else self._view.base  # type: ignore[return-value]

    # -- autograd --
    @property
    def grad_fn(self) -> GradNode | None:
        if self._grad_fn is None:
            return None
        if self._view is not None:
            refresh_view(self)
        edge = self._grad_fn
        return edge.target if type(edge) is Port else edge  # type: ignore[return-value]

    @property
    def grad(self) -> Tensor | None:
        if self._grad is None and self._grad_fn is not None and not self.retains_grad:
            warnings.warn(NON_LEAF, UserWarning, stacklevel=2)
        return self._grad  # type: ignore[return-value]

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            if not isinstance(value, Tensor):
                raise TypeError(
                    f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}"
                )
            if value._array.shape != self._array.shape:
                raise RuntimeError(
                    f"attempting to assign a gradient of size '{messages.sizes(value._array.shape)}' to a tensor of "
                    f"size "
                    f"'{messages.sizes(self._array.shape)}'. Please ensure that the gradient and the tensor are the "
                    f"same size"
                )
            if value._array.dtype != self._array.dtype:
                kinds = BY_ARRAY[value._array.dtype].word, BY_ARRAY[self._array.dtype].legacy
                raise RuntimeError(
                    f"attempting to assign a gradient with dtype '{kinds[0]}' to a tensor with grad_dtype "
                    f"'{kinds[1]}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). "
                    "You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. "
                    "Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break "
                    "downstream systems that assume they match."
                )
        if value is None:
            clear_gradient(self)
        elif events.listener is not None and self._grad_fn is None:
            observe.gradient_assigned(events.listener, self, value)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        clear_gradient(self)
        self._grad = None

    @property
    def requires_grad(self) -> bool:
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.requires_grad_(bool(value))

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        if self._grad_fn is not None and not requires_grad:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable "
                "in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        if requires_grad and self._array.dtype.kind not in "fc":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if requires_grad and self._storage.inference and not modes.inference:
            raise RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
        was = self._requires_grad
        self._requires_grad = requires_grad
        listener = events.listener
        if listener is not None and self._node >= 0 and was != requires_grad and self._grad_fn is None:
            listener.role_changed(self._node, "variable" if requires_grad else "input")
        return self

    def retain_grad(self) -> None:
        """Keep the gradient of a tensor that is no leaf."""
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if self._grad_fn is None:
            return
        node, index = split_edge(edge_of(self))
        node.hook_table().retains[index] = weakref.ref(self)

    @property
    def retains_grad(self) -> bool:
        if self._grad_fn is None:
            return False
        node, index = split_edge(self._grad_fn)
        kept = None if node.hooks is None else node.hooks.retains.get(index)
        return kept is not None and kept() is self

    def register_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Call ``hook`` with the gradient of this tensor whenever it is computed; what it returns replaces it."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self._grad_fn is None:
            watch()
            if self._hooks is None:
                self._hooks = {}
            return RemovableHandle(self._hooks, hook)
        node, index = split_edge(edge_of(self))
        return RemovableHandle(node.hook_table().before.setdefault(index, {}), hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Call ``hook`` with this leaf whenever its gradient was added to.

        :raises RuntimeError: it is no leaf.
        """
        if not self._requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self._grad_fn is not None:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        watch()
        hooks = self.__dict__.setdefault("_after", {})
        return RemovableHandle(hooks, hook)

    def detach(self) -> Tensor:
        """The same memory without a past."""
        out = fresh(Tensor, self._array)
        out._storage = self._storage
        out._node = self._node
        return out

    def detach_(self) -> Tensor:
        self._grad_fn = None
        self._requires_grad = False
        return self

    @property
    def data(self) -> Tensor:
        """The same memory without a past, and with a version counter of its own."""
        out = Tensor(self._array)
        out._storage = Storage()
        out._node = self._node
        return out

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
        self._array = value._array
        listener = events.listener
        if listener is not None:
            observe.written(listener, self, observe.node_of(listener, self), "assign")


def rebuild_tensor(parameter: bool, array: Any, requires_grad: bool) -> Tensor:
    """A tensor from what pickling kept of it."""
    out = Tensor(array)
    if parameter:
        from engine.dialects.torch.nn.parameter import Parameter

        return Parameter(out, requires_grad)
    out._requires_grad = requires_grad
    return out


def announce(tensor: Tensor, label: str = "tensor") -> Tensor:
    """Tell a listener of a tensor that no op made."""
    if events.listener is not None:
        observe.created(events.listener, tensor, label)
    return tensor


def clear_gradient(tensor: EngineTensor, zeros: np.ndarray[Any, Any] | None = None) -> None:
    """Tell a listener that ``.grad`` is about to be ``None``, or is ``zeros`` now."""
    listener = events.listener
    if listener is not None and tensor._grad is not None and tensor._accumulate is not None:
        listener.gradient_cleared(observe.accumulate_node(listener, tensor._accumulate), zeros)


FACADE = Facade(
    "torch",
    Tensor,
    gradient_label=lambda label: f"{label.title().replace('_', '')}Backward0",
    explain=messages.explain,
    rewritten_view="AsStridedBackward0",
    variants=VARIANTS,
)
for _op, _label, _gradient in (
    ("relu_grad", "threshold_backward", "ThresholdBackwardBackward0"),
    ("leaky_relu_grad", "leaky_relu_backward", "LeakyReluBackwardBackward0"),
    ("tanh_slope", "tanh_backward", "TanhBackwardBackward0"),
    ("sigmoid_slope", "sigmoid_backward", "SigmoidBackwardBackward0"),
    ("spread_mean", "mean_backward", "DivBackward1"),
    ("mse_loss_grad", "mse_loss_backward", "MseLossBackwardBackward0"),
    ("softmax_slope", "softmax_backward", "SoftmaxBackwardDataBackward0"),
    ("log_softmax_slope", "log_softmax_backward", "LogSoftmaxBackwardDataBackward0"),
):
    FACADE.primitive(_op, _label, _gradient, default=True)
"""How this dialect names what the engine does."""

Operand = Tensor | Number
