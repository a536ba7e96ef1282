"""``torch.Tensor``: identity, autograd and conversions. Its arithmetic is attached by :mod:`.methods`."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from engine import events
from engine.dialects.torch import messages, printing
from engine.dialects.torch.types import BY_ARRAY, CPU, Size, device, dtype, word_of
from engine.dynamic.backward import backward as engine_backward
from engine.dynamic import observe
from engine.dynamic.apply import edge_of, refresh_view
from engine.dynamic.facade import Facade
from engine.dynamic.nodes import GradNode, Port, split_edge
from engine.dynamic.tensor import Number, Storage, fresh
from engine.dynamic.tensor import Tensor as EngineTensor
from engine.errors import StepgraphError

NON_LEAF = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be populated "
    "during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, use "
    ".retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the leaf "
    "Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more informations."
)


class Tensor(EngineTensor):
    """A tensor with PyTorch's names. See :class:`engine.dynamic.tensor.Tensor` for what it holds."""

    __module__ = "torch"
    __slots__ = ("__dict__",)
    __array_priority__ = 1000

    def __init__(self, *data: Any, device: Any = None) -> None:
        if len(data) == 1 and type(data[0]) is np.ndarray:  # how this package makes tensors
            EngineTensor.__init__(self, data[0])
            return
        from engine.dialects.torch.creation import legacy_array

        EngineTensor.__init__(self, legacy_array(data, np.dtype(np.float32), "Tensor"))
        announce(self)

    # -- what it is --------------------------------------------------------------------------------------------------
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

    def is_contiguous(self) -> bool:
        return bool(self._array.flags.c_contiguous)

    def data_ptr(self) -> int:
        return int(self._array.ctypes.data)

    def storage_offset(self) -> int:
        base = self._array.base
        if not isinstance(base, np.ndarray):
            return 0
        return (self._array.ctypes.data - base.ctypes.data) // self._array.itemsize

    @property
    def is_leaf(self) -> bool:
        return self._grad_fn is None

    @property
    def is_cuda(self) -> bool:
        return False

    @property
    def is_sparse(self) -> bool:
        return False

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

    # -- autograd ------------------------------------------------------------------------------------------------------
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
                raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")
            if value._array.shape != self._array.shape:
                raise RuntimeError(
                    f"attempting to assign a gradient of size '{messages.sizes(value._array.shape)}' to a tensor of size "
                    f"'{messages.sizes(self._array.shape)}'. Please ensure that the gradient and the tensor are the same size"
                )
            if value._array.dtype != self._array.dtype:
                raise RuntimeError(
                    f"attempting to assign a gradient with dtype '{word_of(value._array.dtype).lower()}' to a tensor with "
                    f"dtype '{word_of(self._array.dtype).lower()}'. Please ensure that the gradient and the tensor have "
                    "the same dtype"
                )
        if value is None:
            clear_gradient(self)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    def backward(
        self, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Any = None
    ) -> None:
        """Add the gradients of this tensor to the ``.grad`` of the leaves that it was computed from."""
        run_backward([self], [gradient], retain_graph, create_graph, inputs)

    @property
    def requires_grad(self) -> bool:
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.requires_grad_(bool(value))

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        if self._grad_fn is not None and not requires_grad:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
                "subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        if requires_grad and self._array.dtype.kind not in "fc":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
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
            if self._hooks is None:
                self._hooks = {}
            return RemovableHandle(self._hooks, hook)
        node, index = split_edge(edge_of(self))
        return RemovableHandle(node.hook_table().before.setdefault(index, {}), hook)

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

    # -- conversions -----------------------------------------------------------------------------------------------------
    def item(self) -> Any:
        """The only element, as a Python number."""
        if self._array.size != 1:
            raise RuntimeError(f"a Tensor with {self._array.size} elements cannot be converted to Scalar")
        return self._array.item()

    def tolist(self) -> Any:
        return self._array.tolist()

    def numpy(self, *, force: bool = False) -> Any:
        """The values as a NumPy array, which shares memory with the tensor."""
        if self.requires_grad and not force:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return self._array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = self.numpy()
        return array if dtype is None else array.astype(dtype)

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
        return self._array.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if self._array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __contains__(self, value: Any) -> bool:
        other = value._array if isinstance(value, Tensor) else value
        return bool((self._array == other).any())

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        node = self.grad_fn
        name = None if node is None else type(node).__name__
        return printing.tensor_text(self._array, self.requires_grad, name)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        if self._array.ndim == 0:
            return format(self._array.item(), spec)
        return object.__format__(self, spec) if spec else repr(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if self._grad_fn is not None:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
                "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, "
                "see https://github.com/pytorch/pytorch/pull/103001"
            )
        twin = type(self).__new__(type(self))
        EngineTensor.__init__(twin, self._array.copy())
        twin._requires_grad = self.requires_grad
        if self._grad is not None:
            twin._grad = self._grad.clone()  # type: ignore[attr-defined]
        memo[id(self)] = twin
        return twin

    def __reduce_ex__(self, protocol: Any) -> Any:
        return rebuild_tensor, (type(self) is not Tensor, self._array.copy(), self.requires_grad)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


class RemovableHandle:
    """What registering a hook gives; ``remove()`` takes the hook away."""

    def __init__(self, hooks: dict[int, Any], hook: Any) -> None:
        self.id = max(hooks, default=-1) + 1
        self._hooks = hooks
        hooks[self.id] = hook

    def remove(self) -> None:
        """Take the hook away; a second time does nothing."""
        self._hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def rebuild_tensor(parameter: bool, array: Any, requires_grad: bool) -> Tensor:
    """A tensor from what pickling kept of it."""
    out = Tensor(array)
    if parameter:
        from engine.dialects.torch.nn.parameter import Parameter

        return Parameter(out, requires_grad)
    out._requires_grad = requires_grad
    return out


def check_dim(dim: int, rank: int) -> int:
    """``dim`` counted from the front.

    :raises IndexError: there is no such dimension.
    """
    reach = max(rank, 1)
    if not -reach <= dim < reach:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-reach}, {reach - 1}], but got {dim})")
    return dim % reach


def announce(tensor: Tensor, label: str = "tensor") -> Tensor:
    """Tell a listener of a tensor that no op made."""
    if events.listener is not None:
        observe.created(events.listener, tensor, label)
    return tensor


def clear_gradient(tensor: EngineTensor) -> None:
    """Tell a listener that ``.grad`` is about to be ``None`` or zero."""
    listener = events.listener
    if listener is not None and tensor._grad is not None and tensor._accumulate is not None:
        listener.gradient_cleared(observe.accumulate_node(listener, tensor._accumulate))


def seed_for(root: Tensor, gradient: Any) -> Tensor:
    """The gradient with which backward starts at ``root``."""
    if gradient is None:
        if root._array.size != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        if root._array.dtype.kind == "c":
            raise RuntimeError(
                f"grad can be implicitly created only for real scalar outputs but got {BY_ARRAY[root._array.dtype]!r}"
            )
        one = np.array(1, root._array.dtype)
        return fresh(Tensor, one if not root._array.ndim else one.reshape(root._array.shape))
    if not isinstance(gradient, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(gradient).__name__}")
    if gradient._array.shape != root._array.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[0] has a shape of {Size(gradient._array.shape)!r} and output[0] has a shape of "
            f"{Size(root._array.shape)!r}."
        )
    if gradient._array.dtype != root._array.dtype:
        return Tensor(gradient._array.astype(root._array.dtype))
    return gradient


def check_roots(roots: Sequence[Tensor]) -> None:
    """Refuse to start backward where there is nothing to go back through."""
    for index, root in enumerate(roots):
        if not root.requires_grad:
            raise RuntimeError(f"element {index} of tensors does not require grad and does not have a grad_fn")


def run_backward(
    roots: Sequence[Tensor], gradients: Sequence[Any], retain_graph: bool | None, create_graph: bool, inputs: Any = None
) -> None:
    """``torch.autograd.backward`` after its arguments were sorted out."""
    check_seeds = [seed_for(r, g) if r.requires_grad else None for r, g in zip(roots, gradients, strict=True)]
    check_roots(roots)
    keep = create_graph if retain_graph is None else retain_graph
    wanted = None if inputs is None else [inputs] if isinstance(inputs, Tensor) else list(inputs)
    if wanted is not None and not wanted:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    try:
        engine_backward(
            FACADE, roots, check_seeds, retain_graph=keep, create_graph=create_graph, inputs=wanted  # type: ignore[arg-type]
        )
    except StepgraphError as error:
        raise messages.translate(error) from None


def number(value: Any) -> Number | None:
    """A Python or NumPy number as an operand; ``None`` if it is neither."""
    if isinstance(value, (bool, int, float, complex)):
        return Number(value if type(value) in (bool, int, float, complex) else float(value))
    if isinstance(value, np.number | np.bool_):
        return Number(value.item())
    return None


FACADE = Facade("torch", Tensor, gradient_label=lambda label: f"{label.title().replace('_', '')}Backward0", explain=messages.explain)
"""How this dialect names what the engine does."""

Operand = Tensor | Number
