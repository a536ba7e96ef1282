"""``torch.autograd.Function``: gradients written by hand."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

import numpy as np

from engine.dialects.torch import messages
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic import modes
from engine.dynamic.function import HandNode, attach, hand_node_class, zeros_for
from engine.dynamic.nodes import GradNode


class Context:
    """``ctx``: what forward leaves for backward."""

    def __init__(self) -> None:
        self._saved: tuple[tuple[Any, int] | None, ...] = ()
        self._node: HandNode | None = None
        self._materialize = True
        self._fixed: set[Any] = set()
        self.needs_input_grad: tuple[bool, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors (or ``None``) for backward."""
        for tensor in tensors:
            if tensor is not None and not isinstance(tensor, Tensor):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument 0 is of type {type(tensor).__name__}"
                )
        self._saved = tuple(None if t is None else (t, t._storage.version) for t in tensors)

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        if self._node is not None and self._node.saved is None and self._saved:
            raise RuntimeError(messages.FREED)
        for kept in self._saved:
            if kept is not None and kept[0]._storage.version != kept[1]:
                tensor, expected = kept
                raise RuntimeError(
                    "one of the variables needed for gradient computation has been modified by an inplace operation: "
                    f"[{messages.tensor_kind(tensor._array)} {messages.sizes(tensor._array.shape)}] is at version "
                    f"{tensor._storage.version}; expected version {expected} instead. Hint: enable anomaly "
                    f"detection to find "
                    "the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, "
                    "check_nan=False)."
                )
        return tuple(None if kept is None else kept[0] for kept in self._saved)

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Results that get no gradient."""
        self._fixed.update(tensors)

    def mark_dirty(self, *tensors: Any) -> None:
        """Inputs that forward changed in place; they are passed through."""

    def set_materialize_grads(self, value: bool) -> None:
        """Whether missing gradients arrive as zeros (else as ``None``)."""
        self._materialize = value


class Function:
    """Subclass it with static methods ``forward(ctx, ...)`` and ``backward(ctx, ...)``; call ``Sub.apply(...)``."""

    _nodes: ClassVar[dict[type, type[HandNode]]] = {}

    def __init__(self, *_: Any, **__: Any) -> None:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
            "function with static forward method. (Example: "
            "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def forward(ctx: Any, *arguments: Any, **options: Any) -> Any:
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    @classmethod
    def apply(cls, *arguments: Any) -> Any:
        """Run ``forward`` unrecorded, and record ``backward`` as its gradient."""
        ctx = Context()
        tensors = [x for x in arguments if isinstance(x, Tensor)]
        ctx.needs_input_grad = tuple(isinstance(x, Tensor) and x.requires_grad for x in arguments)
        with modes.grad_mode(False):
            if "setup_context" in cls.__dict__:
                result = cls.forward(*arguments)
                cls.setup_context(ctx, arguments, result)  # type: ignore[attr-defined]
            else:
                result = cls.forward(ctx, *arguments)
        if not modes.enabled or not any(ctx.needs_input_grad):
            return result
        results = [result] if isinstance(result, Tensor) else [r for r in result if isinstance(r, Tensor)]
        fresh = [x.detach() if any(x is y for y in tensors) or x._grad_fn is not None else x for x in results]
        marked = [f for f, r in zip(fresh, results, strict=True) if r not in ctx._fixed]
        node_class = Function._nodes.get(cls)
        if node_class is None:
            node_class = Function._nodes[cls] = hand_node_class(f"{cls.__name__}Backward")
        places = [i for i, x in enumerate(arguments) if isinstance(x, Tensor)]

        def back(gradients: Any) -> Any:
            given = list(gradients)
            if ctx._materialize:
                given = [zeros_for(FACADE, node, i) if g is None else g for i, g in enumerate(given)]
            answer = cls.backward(ctx, *given)
            answers = answer if isinstance(answer, tuple) else (answer,)
            return _checked(cls, answers, len(arguments), places, arguments)

        node = attach(FACADE, node_class, tensors, marked, back, cls.__name__)
        ctx._node = node
        if isinstance(result, Tensor):
            return fresh[0]
        rest = iter(fresh)
        return tuple(next(rest) if isinstance(r, Tensor) else r for r in result)


def once_differentiable(function: Any) -> Any:
    """Say of a hand-written ``backward`` that it cannot be differentiated: it runs unrecorded."""

    @functools.wraps(function)
    def wrapped(ctx: Any, *gradients: Any) -> Any:
        with modes.grad_mode(False):
            return function(ctx, *gradients)

    return wrapped


def _checked(
    cls: type, answers: tuple[Any, ...], count: int, places: list[int], arguments: tuple[Any, ...]
) -> list[Any]:
    """The gradients for the tensors among the arguments, after PyTorch's checks."""
    name = f"{cls.__name__}Backward"
    if len(answers) < count or any(a is not None for a in answers[count:]):
        raise RuntimeError(
            f"function {name} returned an incorrect number of gradients (expected {count}, got {len(answers)})"
        )
    for place, answer in enumerate(answers[:count]):
        if answer is not None and place not in places:
            raise RuntimeError(
                f"function {name} returned a gradient different from None at position {place + 1}, but the "
                f"corresponding "
                "forward input was not a Variable"
            )
        if isinstance(answer, Tensor) and not _fits(answer._array, arguments[place]._array):
            raise RuntimeError(
                f"Function {name} returned an invalid gradient at index {place} - got "
                f"{messages.sizes(answer.shape)} but expected shape compatible with "
                f"{messages.sizes(arguments[place].shape)}"
            )
    return [answers[i] for i in places]


def _fits(gradient: Any, operand: Any) -> bool:
    """Whether a gradient has its operand's shape, or can be summed down to it."""
    try:
        return bool(np.broadcast_shapes(gradient.shape, operand.shape) == gradient.shape)
    except ValueError:
        return False


def _name(self: GradNode) -> str:
    """PyTorch's name of a node of the backward graph."""
    label = type(self).__name__
    return f"torch::autograd::{label}" if label in ("AccumulateGrad", "CopyBackwards", "CopySlices") else label


def _next(self: GradNode) -> tuple[tuple[Any, int], ...]:
    from engine.dynamic.nodes import split_edge

    shown = _SHOWN.get(self.label)
    if shown is None and self.primitive is not None and not self.primitive.op.variadic:
        shown = _differentiable(self.primitive.op)
    edges = self.edges if shown is None else [self.edges[i] for i in shown if i < len(self.edges)]
    return tuple((None, 0) if edge is None else split_edge(edge) for edge in edges)


@functools.cache
def _differentiable(op: Any) -> tuple[int, ...]:
    """The positions of the operands that have a gradient: indices and conditions are no part of the backward graph."""
    return tuple(i for i, name in enumerate(op.inputs) if name in op.gradients)


_SHOWN = {
    "PowBackward0": (0,), "PowBackward2": (1,), "RsubBackward1": (1,), "IndexBackward0": (0,),
    "MaskedSelectBackward0": (0,), "IndexPutBackward0": (0, 1),
}  # fmt: skip
"""Nodes that show fewer edges than they have operands: PyTorch keeps these numbers out of the graph."""


def _repr(self: GradNode) -> str:
    where = "torch.autograd.function." if isinstance(self, HandNode) else ""
    return f"<{where}{type(self).__name__} object at {hex(id(self))}>"


GradNode.__repr__ = _repr  # type: ignore[method-assign, assignment]
GradNode.name = _name  # type: ignore[attr-defined]
GradNode.next_functions = property(_next)  # type: ignore[attr-defined]
