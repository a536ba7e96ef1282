"""An optimizer's arithmetic, told op by op.

Optimizers compute on plain arrays. While somebody listens, the arrays that they get are :class:`Told` ones: each op on
such an array becomes a node that serves the parameter's ``update`` node, and runs on the plain arrays below, so that a
recorded program computes what an unrecorded one does.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from engine import events
from engine.dialects.torch.tensor import Tensor
from engine.dynamic import observe
from engine.ops.registry import TABLE
from engine.tensor_type import TensorType

_NAMES = {
    "multiply": "mul", "subtract": "sub", "divide": "div", "absolute": "abs", "negative": "neg", "fabs": "abs",
    "power": "pow", "array_equal": "equal",
}  # fmt: skip
"""What NumPy calls otherwise than the table of ops."""


class Step:
    """The update of one parameter. An op waits until the next one begins: a step that is but one op is told by the
    update node alone."""

    def __init__(self, listener: events.Listener, parameter: Tensor, label: str) -> None:
        self.listener = listener
        self.graph = observe.graph_of(listener)
        self.parameter = parameter
        self.source = observe.node_of(listener, parameter)
        self.inputs = [(self.source, 0)]
        if parameter._accumulate is not None:
            self.inputs.append((observe.accumulate_node(listener, parameter._accumulate), 0))
        self.update = listener.node_created(
            self.graph, "sub", self.inputs, observe.type_of(parameter), role="update", label=label
        )
        self.waiting: Callable[[], None] | None = None
        self.several = False
        self.start = events.clock()

    def arrays(self) -> tuple[Any, Any]:
        """The parameter's values and its gradient, with their nodes."""
        gradient = self.parameter._grad
        assert gradient is not None
        return self.holding(self.parameter._array, self.source), self.holding(gradient._array, self.inputs[-1][0])

    def holding(self, array: Any, node: int) -> Told:
        """``array`` as what ``node`` computed."""
        told: Told = array.view(Told)
        told.step, told.node = self, node
        return told

    def kept(self, tensor: Tensor, name: str) -> Told:
        """A tensor of the optimizer's state: a variable, as later passes of a loop go on with it."""
        if tensor._node < 0:
            tensor._node = self.listener.node_created(
                self.graph, "input", (), observe.type_of(tensor), role="variable", label=name, name=name,
                serves=self.update,
            )  # fmt: skip
            observe.leaves.add(tensor._node)
            observe.written(self.listener, tensor, tensor._node, "initial")
        return self.holding(tensor._array, tensor._node)

    def run(self, op: str, operands: Sequence[Any], compute: Callable[[], Any], into: Told | None, shown: Any) -> Any:
        """Compute and tell: ``into`` is the array that is overwritten, if one is."""
        if self.waiting is not None:
            self.waiting()
            self.several, self.waiting = True, None
        inputs = [(x.node, 0) for x in operands if x.__class__ is Told]
        start = events.clock()
        value = compute()
        end = events.clock()
        out = self.holding(np.asarray(value), -1) if into is None else into

        def tell() -> None:
            value = plain(out)
            out.node = self.listener.node_created(
                self.graph, op, inputs, TensorType(value.dtype, value.shape), role="op" if into is None else "update",
                label=op if into is None else f"{op}_", attributes=shown or None, serves=self.update,
            )  # fmt: skip
            self.listener.op_ran(out.node, value, start, end)

        self.waiting = tell
        return out

    def end(self) -> None:
        """The parameter has its new values."""
        if self.waiting is not None and self.several:
            self.waiting()
        parameter, now = self.parameter, events.clock()
        self.listener.op_ran(
            self.update, parameter._array, now if self.several else self.start, now,
            storage=observe.storage_number(parameter._storage), version=parameter._storage.version,
        )  # fmt: skip
        observe.written(self.listener, parameter, self.source)


class Told(np.ndarray[Any, Any]):
    """An array of one parameter's step: ``node`` computed it."""

    step: Step
    node: int

    def __array_finalize__(self, made_from: Any) -> None:
        if made_from.__class__ is Told and "step" in made_from.__dict__:
            self.step, self.node = made_from.step, made_from.node

    def __array_ufunc__(self, ufunc: Any, method: str, *operands: Any, out: Any = (), **options: Any) -> Any:
        into = out[0] if out and out[0].__class__ is Told else None
        if out:
            options["out"] = tuple(map(plain, out))
        name = _NAMES.get(ufunc.__name__, ufunc.__name__)
        compute = functools.partial(getattr(ufunc, method), *map(plain, operands), **options)
        return self._tell(name, operands, compute, into)

    def __array_function__(self, function: Any, kinds: Any, operands: Any, options: Any) -> Any:
        compute = functools.partial(function, *map(plain, operands), **{k: plain(v) for k, v in options.items()})
        if function.__name__ not in TABLE:
            return compute()
        return self._tell(function.__name__, operands, compute, options.get("out"))

    def __setitem__(self, place: Any, value: Any) -> None:
        self._tell("copy", (self, value), functools.partial(plain(self).__setitem__, place, plain(value)), self)

    def _tell(self, op: str, operands: Sequence[Any], compute: Callable[[], Any], into: Any) -> Any:
        names = TABLE[op].inputs if op in TABLE else ()
        numbers = {
            name: x.item() if isinstance(x, np.generic) else x
            for name, x in zip(names, operands, strict=False)
            if isinstance(x, int | float | np.generic)
        }
        return self.step.run(op, operands, compute, into, numbers)


def plain(array: Any) -> Any:
    """The array below a told one; anything else as it is."""
    return array.view(np.ndarray) if array.__class__ is Told else array


@contextlib.contextmanager
def changing(parameter: Tensor, label: str) -> Iterator[Any]:
    """The array of a parameter, for one change that the optimizer ``label`` makes in place."""
    parameter._storage.version += 1
    if events.listener is None:
        yield parameter._array
        return
    step = Step(events.listener, parameter, label)
    yield step.holding(parameter._array, step.source)
    step.end()


def one_op(op: str, arrays: int, names: Sequence[str] = (), in_place: bool = True) -> Callable[[Any], Any]:
    """A function whose first ``arrays`` arguments are arrays, told as the one op that PyTorch has for it. ``names`` are
    those of the numbers that follow."""

    def around(function: Any) -> Any:
        @functools.wraps(function)
        def told(*arguments: Any) -> Any:
            first = arguments[0]
            if first.__class__ is not Told:
                return function(*map(plain, arguments)) if events.listener is not None else function(*arguments)
            compute = functools.partial(function, *map(plain, arguments))
            shown = {name: float(x) for name, x in zip(names, arguments[arrays:], strict=True)}
            return first.step.run(op, arguments[:arrays], compute, first if in_place else None, shown)

        return told

    return around


def array_state(values: dict[str, Any], name: str, like: Any, make: Callable[[Any], Any] = np.zeros_like) -> Any:
    """A state tensor's array, beside the array ``like``; it is made when first asked for, of zeros."""
    tensor = values.get(name)
    if tensor is None:
        tensor = values[name] = Tensor(make(plain(like)))
    return tensor._array if like.__class__ is not Told else like.step.kept(tensor, name)
