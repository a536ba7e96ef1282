"""``torch.autograd`` and the switches of recording."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
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
    """Like ``no_grad``."""

    value = False


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


def is_grad_enabled() -> bool:
    """Whether ops are recorded right now."""
    return modes.enabled


def _listed(value: Any) -> list[Any]:
    return [value] if isinstance(value, Tensor) or value is None else list(value)


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """``tensor.backward()`` for several tensors at once."""
    roots = _listed(tensors)
    seeds = [None] * len(roots) if grad_tensors is None else _listed(grad_tensors)
    run_backward(roots, seeds, retain_graph, create_graph, inputs)


def grad(
    outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: bool | None = None, create_graph: bool = False,
    only_inputs: bool = True, allow_unused: bool | None = None, is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:  # fmt: skip
    """The gradients of ``outputs`` for ``inputs``, as a tuple; no ``.grad`` changes."""
    roots, wanted = _listed(outputs), _listed(inputs)
    given = [None] * len(roots) if grad_outputs is None else _listed(grad_outputs)
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
        raise RuntimeError(
            "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if "
            "this is the desired behavior."
        )
    return tuple(found)


def Variable(data: Any, requires_grad: bool = False, volatile: bool = False) -> Tensor:
    """The old way to say that a tensor takes part in autograd: today it is a tensor like any other."""
    out = data.detach()
    if requires_grad:
        out.requires_grad_(True)
    return out  # type: ignore[no-any-return]


class set_detect_anomaly:
    """Accepted for compatibility: the page shows every gradient anyway."""

    def __init__(self, mode: bool = True, check_nan: bool = True) -> None:
        self.mode = mode

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


class detect_anomaly(set_detect_anomaly):
    """See :class:`set_detect_anomaly`."""


# -- checks and derivatives as functions --
def gradcheck(
    func: Callable[..., Any], inputs: Any, *, eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3,
    raise_exception: bool = True, **_: Any,
) -> bool:  # fmt: skip
    """Compare gradients with finite differences. Inputs that require grad should be double.

    :raises GradcheckError: they differ, and ``raise_exception``.
    """
    import numpy as np

    arguments = tuple(inputs) if isinstance(inputs, tuple | list) else (inputs,)
    watched = [x for x in arguments if isinstance(x, Tensor) and x.requires_grad]
    if not watched:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of the them have "
            "requires_grad=True."
        )
    outputs = _listed(func(*arguments))
    for place, output in enumerate(outputs):
        if not output.requires_grad:
            continue
        for number, x in enumerate(watched):
            numeric = np.zeros((x._array.size, output._array.size))
            flat = x._array.reshape(-1)
            for i in range(x._array.size):
                old = flat[i]
                sides = []
                for step in (eps, -eps):
                    flat[i] = old + step
                    with no_grad():
                        sides.append(_listed(func(*arguments))[place]._array.astype(float).reshape(-1).copy())
                flat[i] = old
                numeric[i] = (sides[0] - sides[1]) / (2 * eps)
            analytic = np.zeros_like(numeric)
            for j in range(output._array.size):
                seed = np.zeros_like(output._array)
                seed.reshape(-1)[j] = 1
                (g,) = grad(output, x, Tensor(seed), retain_graph=True, allow_unused=True)
                if g is not None:
                    analytic[:, j] = g._array.reshape(-1)
            if not np.allclose(analytic, numeric, rtol, atol):
                if not raise_exception:
                    return False
                raise GradcheckError(
                    f"Jacobian mismatch for output {place} with respect to input {number},\n"
                    f"numerical:{Tensor(numeric)!r}\nanalytical:{Tensor(analytic)!r}\n"
                )
    return True


class GradcheckError(RuntimeError):
    """Gradients differ from finite differences."""

    __module__ = "torch.autograd.gradcheck"


def _one_or_tuple(values: Sequence[Any], single: bool) -> Any:
    return values[0] if single else tuple(values)


def jacobian(func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False) -> Any:
    """All derivatives of all results of ``func`` for all its inputs."""
    from engine.dialects.torch.joining import stack

    single = isinstance(inputs, Tensor)
    given = [inputs] if single else list(inputs)
    xs = [x if create_graph and x.requires_grad else x.detach().requires_grad_() for x in given]
    with enable_grad():
        result = func(*xs)
    outputs = _listed(result)
    table = []
    for out in outputs:
        rows: list[list[Any]] = [[] for _ in xs]
        for part in out.reshape(-1):
            found = grad(
                part, xs, retain_graph=True, create_graph=create_graph, allow_unused=True, materialize_grads=True
            )
            for row, g in zip(rows, found, strict=True):
                row.append(g)
        blocks = [stack(row).reshape(*out.shape, *x.shape) for row, x in zip(rows, xs, strict=True)]
        table.append(_one_or_tuple(blocks, single))
    return _one_or_tuple(table, isinstance(result, Tensor))


def hessian(func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False) -> Any:
    """All second derivatives of a scalar function."""

    def first(*xs: Any) -> Any:
        return jacobian(func, xs[0] if isinstance(inputs, Tensor) else xs, create_graph=True)

    return jacobian(first, inputs, create_graph)


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The result of ``func``, and the gradients of it weighted by ``v``."""
    single = isinstance(inputs, Tensor)
    xs = [x.detach().requires_grad_() for x in ([inputs] if single else inputs)]
    with enable_grad():
        result = func(*xs)
    found = grad(result, xs, v, create_graph=create_graph, allow_unused=True, materialize_grads=True)
    return (result if create_graph else result.detach()), _one_or_tuple(found, single)
