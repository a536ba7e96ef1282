"""Derivatives of functions, and their check against finite differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.dialects.torch.autograd import enable_grad, grad, listed, no_grad
from engine.dialects.torch.creation import ones_like, zeros_like
from engine.dialects.torch.joining import stack
from engine.dialects.torch.tensor import Tensor


def gradcheck(
    func: Callable[..., Any], inputs: Any, *, eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3,
    raise_exception: bool = True, **_: Any,
) -> bool:  # fmt: skip
    """Compare gradients with finite differences. Inputs that require grad should be double.

    :raises GradcheckError: they differ, and ``raise_exception``.
    """
    arguments = tuple(inputs) if isinstance(inputs, tuple | list) else (inputs,)
    watched = [x for x in arguments if isinstance(x, Tensor) and x.requires_grad]
    if not watched:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of the them have "
            "requires_grad=True."
        )
    outputs = listed(func(*arguments))
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
                        sides.append(listed(func(*arguments))[place]._array.astype(float).reshape(-1).copy())
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


def _tensors_only(result: Any, name: str) -> Any:
    """What a function gave, if it can be differentiated, in PyTorch's words."""
    given = "outputs of the user-provided function"
    if isinstance(result, Tensor):
        return result
    if not isinstance(result, tuple):
        raise TypeError(
            f"The {given} given to {name} must be either a Tensor or a tuple of Tensors but the given {given} has type "
            f"{type(result)}."
        )
    for place, part in enumerate(result):
        if not isinstance(part, Tensor):
            raise TypeError(
                f"The {given} given to {name} must be either a Tensor or a tuple of Tensors but the value at index "
                f"{place} of the given {given} has type {type(part)}."
            )
    return result


def _one_or_tuple(values: Sequence[Any], single: bool) -> Any:
    return values[0] if single else tuple(values)


def jacobian(func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False) -> Any:
    """All derivatives of all results of ``func`` for all its inputs."""
    single = isinstance(inputs, Tensor)
    given = [inputs] if single else list(inputs)
    xs = [x if create_graph and x.requires_grad else x.detach().requires_grad_() for x in given]
    with enable_grad():
        result = func(*xs)
    outputs = listed(_tensors_only(result, "jacobian"))
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


def jvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The result of ``func``, and how it changes when its inputs move by ``v``: the gradient of a gradient."""
    single = isinstance(inputs, Tensor)
    given = [inputs] if single else list(inputs)
    xs = [x.detach().requires_grad_() for x in given]
    moves = [ones_like(x) for x in xs] if v is None else listed(v)
    with enable_grad():
        result = func(*xs)
        weight = zeros_like(result).requires_grad_()
        found = grad(result, xs, weight, create_graph=True, allow_unused=True, materialize_grads=True)
    (moved,) = grad(found, weight, moves, create_graph=create_graph, allow_unused=True, materialize_grads=True)
    return (result, moved) if create_graph else (result.detach(), moved)


def hvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The result of a scalar function, and its second derivatives times ``v``."""
    single = isinstance(inputs, Tensor)
    xs = [x.detach().requires_grad_() for x in ([inputs] if single else inputs)]
    moves = [ones_like(x) for x in xs] if v is None else listed(v)
    with enable_grad():
        result = func(*xs)
        first = grad(result, xs, create_graph=True, allow_unused=True, materialize_grads=True)
    found = grad(first, xs, moves, create_graph=create_graph, allow_unused=True, materialize_grads=True)
    return (result if create_graph else result.detach()), _one_or_tuple(found, single)


vhp = hvp  # second derivatives are symmetric


def gradgradcheck(func: Callable[..., Any], inputs: Any, grad_outputs: Any = None, **options: Any) -> bool:
    """:func:`gradcheck` of the gradient."""
    arguments = tuple(inputs) if isinstance(inputs, tuple | list) else (inputs,)
    watched = [i for i, x in enumerate(arguments) if isinstance(x, Tensor) and x.requires_grad]
    weights = grad_outputs or [ones_like(out).requires_grad_() for out in listed(func(*arguments))]

    def first(*xs: Any) -> Any:
        seeds = list(xs[len(arguments) :])
        with enable_grad():
            outs = listed(func(*xs[: len(arguments)]))
            wanted = [xs[i] for i in watched]
            return grad(outs, wanted, seeds, create_graph=True, allow_unused=True, materialize_grads=True)

    return gradcheck(first, (*arguments, *listed(weights)), **options)
