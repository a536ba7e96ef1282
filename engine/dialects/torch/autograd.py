"""``torch.autograd`` and the switches of recording."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from engine.dialects.torch import messages
from engine.dialects.torch.start import check_roots, run_backward, seed_for
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic import modes
from engine.dynamic.backward import grad as engine_grad
from engine.errors import StepgraphError


class _Switch:
    """A context manager and decorator that sets whether ops are recorded."""

    value = True

    def __new__(cls, function: Any = None) -> Any:
        self = object.__new__(cls)
        return self(function) if callable(function) and cls is not set_grad_enabled else self

    def __init__(self, *_: Any) -> None:
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(modes.set_enabled(self.value))

    def __exit__(self, *_: object) -> None:
        modes.set_enabled(self._before.pop())

    def __call__(self, function: Any) -> Any:
        value = self.value
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def generator(*arguments: Any, **options: Any) -> Any:
                with modes.grad_mode(value):
                    yield from function(*arguments, **options)

            return generator

        @functools.wraps(function)
        def wrapped(*arguments: Any, **options: Any) -> Any:
            before = modes.set_enabled(value)
            try:
                return function(*arguments, **options)
            finally:
                modes.set_enabled(before)

        return wrapped


class no_grad(_Switch):
    """Nothing is recorded inside."""

    value = False


class enable_grad(_Switch):
    """Ops are recorded inside, even within ``no_grad``."""


class inference_mode(_Switch):
    """Nothing is recorded inside, and what is made there never takes part in a recording."""

    def __new__(cls, mode: Any = True) -> Any:
        self = object.__new__(cls)
        self.__init__()  # type: ignore[misc]
        return self(mode) if callable(mode) else self

    def __init__(self, mode: Any = True) -> None:
        self._modes: list[modes.inference_mode] = []
        self._wanted = True if callable(mode) else bool(mode)

    def __enter__(self) -> None:
        self._modes.append(modes.inference_mode(self._wanted))
        self._modes[-1].__enter__()

    def __exit__(self, *_: object) -> None:
        self._modes.pop().__exit__()

    def __call__(self, function: Any) -> Any:
        return modes.inference_mode(self._wanted)(function)


def is_inference_mode_enabled() -> bool:
    """Whether :class:`inference_mode` is on."""
    return modes.inference


class set_grad_enabled(_Switch):
    """Switch recording on or off, for good or inside a ``with``."""

    def __new__(cls, mode: bool) -> Any:
        return object.__new__(cls)

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.value = bool(mode)
        self._first = modes.set_enabled(self.value)

    def __enter__(self) -> None:
        self._before.append(self._first)
        modes.set_enabled(self.value)


class save_on_cpu:
    """``torch.autograd.graph.save_on_cpu``: what ops save is on the CPU anyway."""

    __module__ = "torch.autograd.graph"

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        self.pin_memory = pin_memory

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


def is_grad_enabled() -> bool:
    """Whether ops are recorded right now."""
    return modes.enabled


def listed(value: Any) -> list[Any]:
    """One tensor or several, as a list."""
    return [value] if isinstance(value, Tensor) or value is None else list(value)


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """``tensor.backward()`` for several tensors at once."""
    roots = listed(tensors)
    seeds = [None] * len(roots) if grad_tensors is None else listed(grad_tensors)
    run_backward(roots, seeds, retain_graph, create_graph, inputs)


def grad(
    outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: bool | None = None, create_graph: bool = False,
    only_inputs: bool = True, allow_unused: bool | None = None, is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:  # fmt: skip
    """The gradients of ``outputs`` for ``inputs``, as a tuple; no ``.grad`` changes."""
    roots, wanted = listed(outputs), listed(inputs)
    given = [None] * len(roots) if grad_outputs is None else listed(grad_outputs)
    seeds = [seed_for(r, g) for r, g in zip(roots, given, strict=True)]
    check_roots(roots)
    for tensor in wanted:
        if not tensor.requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    try:
        found = engine_grad(
            FACADE, roots, wanted, seeds,
            retain_graph=create_graph if retain_graph is None else retain_graph, create_graph=create_graph,
        )  # fmt: skip
    except StepgraphError as error:
        raise messages.translate(error) from None
    if materialize_grads:
        from engine.dialects.torch.creation import zeros_like

        found = [zeros_like(x) if g is None else g for g, x in zip(found, wanted, strict=True)]
    elif not allow_unused and any(g is None for g in found):
        place = next(i for i, g in enumerate(found) if g is None)
        raise RuntimeError(
            f"The differentiated Tensor at index {place} appears to not have been used in the graph. Set "
            "allow_unused=True if this is the desired behavior."
        )
    return tuple(found)


class _VariableKind(type):
    """Every tensor is a variable, and calling the class gives a tensor."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, Tensor)

    def __call__(cls, data: Any, requires_grad: bool = False, volatile: bool = False) -> Any:
        out = data.detach()
        if requires_grad:
            out.requires_grad_(True)
        return out


class Variable(metaclass=_VariableKind):
    """The old way to say that a tensor takes part in autograd: today it is a tensor like any other."""

    __module__ = "torch.autograd"
