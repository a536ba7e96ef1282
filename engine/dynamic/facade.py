"""How one dialect names what the engine does.

A :class:`Facade` stands for a dialect: its tensor class, its names for ops and gradients, its words for errors. A
:class:`Primitive` is an op under one such name; the same op may have several (PyTorch's ``view`` and ``reshape``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine.dynamic.nodes import GradNode
from engine.dynamic.recipes import Recipe, write_recipe
from engine.dynamic.tensor import InferenceError, Operand, Tensor, UnsavedError, fresh
from engine.errors import StateError
from engine.ops.kernels import F as KERNELS
from engine.ops.registry import TABLE, Op

NO_ATTRIBUTES: dict[str, Any] = {}


class Primitive:
    """An op under a dialect's name, with the recipes of its gradient. ``run(*tensors)`` applies it to tensors alone,
    with the defaults of its attributes."""

    __slots__ = (
        "differentiable",
        "facade",
        "is_view",
        "kernel",
        "label",
        "name",
        "node_class",
        "op",
        "promotes",
        "recipes",
        "repairs",
        "result",
        "run",
        "writes_through",
    )

    def __init__(self, facade: Facade, op: Op, label: str, gradient_label: str) -> None:
        self.facade = facade
        self.op = op
        self.name = op.name
        self.label = label
        self.kernel = op.kernel
        self.result = facade.tensor
        self.is_view = op.view
        self.promotes = promotes(op)
        self.repairs = op.elementwise or (op.promotion != "" and (op.variadic or len(op.inputs) > 1))
        self.differentiable = bool(op.gradients)
        # A ufunc of two operands that gives the operands' own dtype may write over one of them.
        self.writes_through = (
            self.differentiable
            and op.accepts_out
            and op.elementwise
            and (isinstance(op.kernel, np.ufunc) and op.kernel.nin == 2)
            and op.kernel not in (np.maximum, np.minimum)  # these want out= by name
        )
        self.run: Callable[..., Any] = self._first_run
        self.recipes: dict[int, Recipe] = {}
        self.node_class: type[GradNode] = type(
            gradient_label, (GradNode,), {"__slots__": (), "primitive": self, "label": gradient_label}
        )

    def _first_run(self, *operands: Tensor) -> Any:
        """What ``run`` is until it is called: see :func:`engine.dynamic.direct.direct`."""
        from engine.dynamic.direct import direct  # stands on this module

        self.run = direct(self)
        return self.run(*operands)

    def recipe(self, mask: int, count: int) -> Recipe:
        """The recipe for these operands, written at first use. The key holds both numbers."""
        key = mask << 20 | count
        known = self.recipes.get(key)
        if known is None:
            known = self.recipes[key] = write_recipe(self.op, mask, count, self.node_class, self.facade.helpers)
        return known

    def __repr__(self) -> str:
        return f"<{self.facade.name} {self.label}>"


def promotes(op: Op) -> int:
    """How an op treats its operands' dtypes: 0 takes them as they are; bit 0: makes floats of integers; bit 1: makes
    several agree."""
    promotion = op.promotion
    if promotion not in ("common", "float"):
        return 0
    if len(op.inputs) == 1 and not op.variadic:
        return 1 if promotion == "float" else 0
    return 3 if promotion == "float" else 2


def explain_plainly(
    primitive: Primitive, operands: tuple[Operand, ...], attributes: Mapping[str, Any], error: BaseException
) -> BaseException:
    """The engine's own words: what the type rule says, else the kernel's error."""
    return error


class ModifiedError(StateError):
    """A value saved for backward was overwritten since. ``node`` is the gradient node, ``position`` the operand (-1:
    result)."""

    def __init__(self, node: GradNode, position: int) -> None:
        what = "its result" if position < 0 else f"operand {position}"
        super().__init__(
            f"{node.label}: {what} was modified in place after it was saved for backward; work on a copy (clone) "
            f"instead"
        )
        self.node = node
        self.position = position


class FreedError(StateError):
    """Backward ran a second time through a node that let go of what it had saved. ``gradient`` is what arrived there:
    it has the shape and dtype of the op's result."""

    def __init__(self, node: GradNode, gradient: Any = None) -> None:
        super().__init__(
            f"{node.label}: the values saved for backward were freed by an earlier backward; keep them with "
            f"retain_graph=True"
        )
        self.node = node
        self.gradient = gradient


class Facade:
    """One dialect's view of the engine.

    >>> from engine.dynamic.tensor import Tensor
    >>> native = Facade("native", Tensor)
    >>> native.primitive("mul").node_class.label
    'MulGradient'
    """

    def __init__(
        self,
        name: str,
        tensor: type[Tensor],
        *,
        gradient_label: Callable[[str], str] = lambda label: f"{label.title().replace('_', '')}Gradient",
        explain: Callable[..., BaseException] = explain_plainly,
        rewritten_view: str | None = None,
        shows_defaults: bool = False,
        variants: Mapping[str, Op] | None = None,
    ) -> None:
        self.name = name
        self.tensor = tensor
        self.gradient_label = gradient_label
        self.explain = explain
        self.helpers: dict[str, Any] = {
            "changed": _changed,
            "freed": _freed,
            "rebuild": self.rebuild,
            "unsaved": _unsaved,
        }
        self.defaults: dict[str, Primitive] = {}
        self._tape: Any = None
        self.rewritten_view = rewritten_view
        self.shows_defaults = shows_defaults
        """Whether a recording shows attributes that were left at their defaults."""
        self.variants = variants or {}
        """Ops that this dialect computes otherwise than the table's rows of the same names."""
        self.kernels: Any = KERNELS if variants is None else KERNELS.with_variants(variants.values())
        """The interpreter that runs gradients on arrays."""
        self._rewritten: dict[Primitive, Primitive] = {}

    def primitive(
        self, op: str, label: str | None = None, gradient: str | None = None, *, default: bool = False
    ) -> Primitive:
        """The op ``op`` under the name ``label``; ``default``: gradients of gradients use this one."""
        label = label or op
        made = Primitive(self, self.variants.get(op) or TABLE[op], label, gradient or self.gradient_label(label))
        if default:
            self.defaults[op] = made
        return made

    def default(self, op: str) -> Primitive:
        """The primitive that gradients of gradients use for ``op``: the first one declared, or a new one."""
        known = self.defaults.get(op)
        if known is None:
            known = self.primitive(op, default=True)
        return known

    def rewritten(self, primitive: Primitive) -> Primitive:
        """``primitive`` as the past of a view whose base was written to, for which a dialect may have a name of its
        own."""
        if self.rewritten_view is None:
            return primitive
        known = self._rewritten.get(primitive)
        if known is None:
            known = self._rewritten[primitive] = Primitive(self, primitive.op, primitive.label, self.rewritten_view)
        return known

    @property
    def tape(self) -> Any:
        """The op table on this dialect's tensors."""
        if self._tape is None:
            from engine.dynamic.tape import Tape  # the tape stands on this module

            self._tape = Tape(self)
        return self._tape

    def rebuild(self, node: GradNode) -> Tensor:
        """The result that ``node`` saved, as a tensor with its past."""
        assert node.recipe is not None
        position = 2 * len(node.recipe.operands)
        out = fresh(self.tensor, node.saved[position])
        out._storage = node.saved[position + 1]
        out._requires_grad = True
        out._grad_fn = node
        out._node = node.forward
        return out


def _changed(node: GradNode, position: int) -> None:
    raise ModifiedError(node, position)


def _freed(node: GradNode, g: Any) -> None:
    raise FreedError(node, g)


def _unsaved(node: GradNode, operands: tuple[Operand, ...], error: InferenceError) -> BaseException:
    """What to raise for an op that would take an inference tensor into a recording."""
    assert node.primitive is not None
    names = node.primitive.op.inputs
    for place, x in enumerate(operands):
        if x._storage.inference:
            name = names[min(place, len(names) - 1)]
            told: BaseException = UnsavedError(
                f"operand {name!r} was made in inference mode and cannot be saved for backward; "
                f"make a copy of it outside inference mode"
            )
            break
    else:
        told = error
    return node.primitive.facade.explain(node.primitive, operands, node.attributes, told)


__all__ = ["Facade", "FreedError", "ModifiedError", "Primitive"]
