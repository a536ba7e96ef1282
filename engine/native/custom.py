"""Custom functions: an op whose gradient a program writes itself."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.dynamic import modes
from engine.dynamic.function import HandNode, attach, hand_node_class, zeros_for
from engine.errors import DtypeError, ShapeError, StateError
from engine.native.tensors import FACADE, Tensor


class Context:
    """What ``forward`` leaves for ``backward``: saved tensors, and any attributes that it sets."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._kept: tuple[tuple[Tensor, int], ...] = ()
        self._node: HandNode | None = None

    def save(self, *tensors: Tensor) -> None:
        """Keep tensors for ``backward``; writing into one before then is an error there."""
        for x in tensors:
            if not isinstance(x, Tensor):
                raise DtypeError(
                    f"{self._name}: save() keeps tensors, not {type(x).__name__}; set an attribute instead"
                )
        self._kept = tuple((x, x._storage.version) for x in tensors)

    @property
    def saved(self) -> tuple[Tensor, ...]:
        """The tensors given to :meth:`save`.

        :raises StateError: they were freed by an earlier backward, or written to since.
        """
        if self._node is not None and self._node.saved is None:
            raise StateError(
                f"{self._name}: the saved tensors were freed by an earlier backward; keep them with retain_graph=True"
            )
        for x, version in self._kept:
            if x._storage.version != version:
                raise StateError(
                    f"{self._name}: a saved tensor ({x.dtype} {x.shape}) was modified in place after it was saved; "
                    "save a copy instead"
                )
        return tuple(x for x, _ in self._kept)


class Function:
    """Subclass it with static methods ``forward(ctx, *arguments)`` and ``backward(ctx, *gradients)``.

    ``forward`` runs unrecorded and returns a tensor or a tuple of them; ``backward`` gets one gradient for each and
    returns one for each argument of ``forward`` (``None`` for what is no tensor).

    >>> from engine import Function, tensor
    >>> class Cube(Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save(x)
    ...         return x * x * x
    ...     @staticmethod
    ...     def backward(ctx, g):
    ...         x, = ctx.saved
    ...         return g * 3.0 * x * x
    >>> x = tensor(2.0, requires_grad=True)
    >>> Cube.apply(x).backward(); x.grad
    tensor(12.)
    """

    _node_class: ClassVar[type[HandNode] | None] = None

    @staticmethod
    def forward(ctx: Any, *arguments: Any) -> Any:
        """Compute the result."""
        raise NotImplementedError("a Function needs a static method forward(ctx, *arguments)")

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        """Compute the gradients of the arguments from those of the results."""
        raise NotImplementedError("a Function needs a static method backward(ctx, *gradients)")

    @classmethod
    def apply(cls, *arguments: Any) -> Any:
        """Run the function on ``arguments``, and record it as one op."""
        name = cls.__name__
        ctx = Context(name)
        with modes.grad_mode(False):
            result = cls.forward(ctx, *arguments)
        results = list(result) if isinstance(result, tuple) else [result]
        for x in results:
            if not isinstance(x, Tensor):
                raise DtypeError(f"{name}: forward returned {type(x).__name__}; return a tensor or a tuple of tensors")
        places = [i for i, x in enumerate(arguments) if isinstance(x, Tensor)]
        operands = [arguments[i] for i in places]
        if not modes.enabled or not any(x._requires_grad for x in operands):
            return result
        fresh = [x.detach() if x._grad_fn is not None or any(x is y for y in operands) else x for x in results]

        def back(given: Any) -> Any:
            gradients = [zeros_for(FACADE, node, i) if g is None else g for i, g in enumerate(given)]
            answer = cls.backward(ctx, *gradients)
            return _checked(name, answer if isinstance(answer, tuple) else (answer,), arguments, places)

        if "_node_class" not in cls.__dict__:
            cls._node_class = hand_node_class(f"{name}Gradient")
        assert cls._node_class is not None
        node = attach(FACADE, cls._node_class, operands, fresh, back, name)
        ctx._node = node
        return tuple(fresh) if isinstance(result, tuple) else fresh[0]


def _checked(name: str, answers: tuple[Any, ...], arguments: tuple[Any, ...], places: list[int]) -> list[Any]:
    """The gradients of the tensors among the arguments."""
    if len(answers) != len(arguments):
        raise ShapeError(
            f"{name}: backward returned {len(answers)} gradients for the {len(arguments)} arguments of forward; "
            "return one for each, None for what is no tensor",
            op=name,
        )
    for place in places:
        answer, x = answers[place], arguments[place]
        if answer is None:
            continue
        if not isinstance(answer, Tensor):
            raise DtypeError(
                f"{name}: backward returned {type(answer).__name__} for argument {place}; return a tensor or None"
            )
        if answer.shape != x.shape:
            raise ShapeError(
                f"{name}: backward returned a gradient of shape {answer.shape} for argument {place} of shape "
                f"{x.shape}; they must be equal",
                op=name,
                shapes=(x.shape, answer.shape),
            )
    return [answers[place] for place in places]
