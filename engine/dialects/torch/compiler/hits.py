"""Calls that are known: one graph and nothing else, for the very types and values that were there before.

What was captured once under a key is run under the same key without the Python part. A call with a graph break, with
effects, or that reads what cannot be compared, goes through :class:`..capturing.Capture` each time: what it captures
is compared with what was compiled, and only compiled if that is new.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from engine.bridges.function.key import flatten, rebuild
from engine.dialects.torch.compiler.computing import Computing, NotPlain
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.tensor import Tensor
from engine.dynamic import modes

MOST = 64
"""Keys of one function that are remembered."""
_VALUES = frozenset({int, float, bool, str, type(None)})
_NAMED = (BuiltinFunctionType, FunctionType, ModuleType, type)


class Known:
    """A graph with where its inputs come from: an argument by number, or the very tensor."""

    def __init__(
        self, run: Callable[..., Any], inputs: list[tuple[str, Any]], results: list[tuple[str, Any]], structure: Any
    ) -> None:
        self._run, self._inputs, self._results, self._structure = run, inputs, results, structure

    def run(self, leaves: list[Any]) -> Any:
        """The result for the leaves of the arguments."""
        outputs = self._run(*[leaves[x] if kind == "leaf" else x for kind, x in self._inputs])
        found = [outputs[x] if kind == "output" else leaves[x] if kind == "leaf" else x for kind, x in self._results]
        return rebuild(self._structure, iter(found))


class Hits:
    """The known calls of one function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._known: dict[Any, Known] = {}
        self._computing: Computing | None = None
        self._told = False

    def clear(self) -> None:
        """Forget all of them."""
        self._known.clear()

    def key(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
        """What a call is known by, and the leaves of its arguments; ``None`` if it cannot be."""
        if not self._told or (self._computing is not None and not self._computing.holds()):
            self._look()
        if self._computing is None:
            return None, []
        named: list[tuple[str, Any]] = []
        structure = flatten((args, kwargs), "", named)
        leaves = [leaf for _, leaf in named]
        places: dict[int, int] = {}
        try:
            arguments = tuple(_of_leaf(x, places.setdefault(id(x), i)) for i, x in enumerate(leaves))
            around = tuple(_of_outside(read()) for read in self._computing.outside)
        except NotPlain:
            return None, []
        return (repr(structure), arguments, around, modes.enabled), leaves

    def _look(self) -> None:
        """Find out what the function consists of; what is known of another one is forgotten."""
        self._told = True
        self.clear()
        try:
            self._computing = Computing(self._function)
        except NotPlain:
            self._computing = None

    def get(self, key: Any) -> Known | None:
        """The known call of a key."""
        return self._known.get(key) if key is not None else None

    def note(self, key: Any, leaves: list[Any], run: Any, inputs: list[Any], outputs: list[Any], result: Any) -> None:
        """A call under ``key`` was the graph that ``run`` runs, with these tensors in and out, and gave ``result``."""
        if key is None or len(self._known) >= MOST:
            return
        numbers = {id(x): i for i, x in reversed(list(enumerate(leaves)))}
        outside = () if self._computing is None else self._computing.outside
        kept = {id(x) for read in outside for x in _tensors_of(read())}
        if any(id(x) not in numbers and id(x) not in kept and isinstance(x, Tensor) for x in inputs):
            return
        sources = [("leaf", numbers[id(x)]) if id(x) in numbers else ("value", x) for x in inputs]
        places = {id(x): i for i, x in enumerate(outputs)}
        named: list[tuple[str, Any]] = []
        structure = flatten(result, "", named)
        found: list[Any] = []
        for _, x in named:
            if id(x) in places:
                found.append(("output", places[id(x)]))
            elif isinstance(x, Tensor) and id(x) in numbers:
                found.append(("leaf", numbers[id(x)]))
            elif type(x) in _VALUES:
                found.append(("value", x))
            else:
                return
        self._known[key] = Known(run, sources, found, structure)


def _of_leaf(x: Any, place: int) -> Any:
    """What counts of one argument; ``place`` says where the same object stands first."""
    if isinstance(x, Tensor):
        return (type(x), x._array.dtype, x._array.shape, x._array.strides, x._requires_grad, place)
    if type(x) in _VALUES:
        return (type(x), x, math.copysign(1, x)) if type(x) is float else (type(x), x)
    raise NotPlain


def _of_outside(x: Any) -> Any:
    """What counts of something that a function reads beside its arguments."""
    if isinstance(x, Tensor):
        return (id(x), *_of_leaf(x, 0))
    if isinstance(x, Module):
        return tuple(_of_module(part) for part in x.modules())
    if isinstance(x, tuple):
        return tuple(_of_outside(item) for item in x)
    if isinstance(x, _NAMED):
        return x
    return _of_leaf(x, 0)


def _of_module(module: Module) -> Any:
    own = [(k, v) for k, v in vars(module).items() if type(v) in _VALUES or type(v) is tuple]
    held = [_of_outside(x) for x in (*module._parameters.values(), *module._buffers.values()) if x is not None]
    return (module, module.training, repr(own), tuple(held))


def _tensors_of(x: Any) -> list[Tensor]:
    if isinstance(x, Tensor):
        return [x]
    return [*x.parameters(), *x.buffers()] if isinstance(x, Module) else []
