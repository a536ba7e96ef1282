"""``torch.func``: functions of functions. ``vmap`` runs the function once for each example, and stacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from engine.dialects.torch import autograd, derivatives
from engine.dialects.torch.joining import stack
from engine.dialects.torch.tensor import Tensor


def _leaves(value: Any) -> list[Tensor]:
    """The tensors in nested lists, tuples and dictionaries."""
    if isinstance(value, Tensor):
        return [value]
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple | list) else ()
    return [leaf for part in parts for leaf in _leaves(part)]


def _mapped(value: Any, change: Callable[[Tensor], Any]) -> Any:
    """The same structure with other tensors."""
    if isinstance(value, Tensor):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _mapped(part, change) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(_mapped(part, change) for part in value)
    return value


def _watched(value: Tensor) -> Any:
    """A tensor to differentiate for: itself behind a node where an outer transform watches it, else a new leaf."""
    return value.view_as(value) if value.requires_grad else value.detach().requires_grad_()


def grad_and_value(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that gives the gradient of a scalar function, and its value."""

    def transformed(*arguments: Any, **options: Any) -> Any:
        places = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        given = list(arguments)
        nested = any(leaf.requires_grad for place in places for leaf in _leaves(given[place]))
        with autograd.enable_grad():
            for place in places:
                given[place] = _mapped(given[place], _watched)
            out = func(*given, **options)
            value, aux = out if has_aux else (out, None)
            if not isinstance(value, Tensor) or value.ndim:
                shape = value.dim() if isinstance(value, Tensor) else type(value)
                raise RuntimeError(
                    "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
                    f"{shape} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            wanted = [leaf for place in places for leaf in _leaves(given[place])]
            found = iter(autograd.grad(value, wanted, create_graph=nested, allow_unused=True, materialize_grads=True))
        gradients = tuple(_mapped(given[place], lambda _: next(found)) for place in places)
        answer = gradients[0] if isinstance(argnums, int) else gradients
        shown = value if nested else value.detach()
        return (answer, (shown, aux)) if has_aux else (answer, shown)

    return transformed


def grad(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that gives the gradient of a scalar function for its argument ``argnums``."""
    both = grad_and_value(func, argnums, has_aux)

    def transformed(*arguments: Any, **options: Any) -> Any:
        found, value = both(*arguments, **options)
        return (found, value[1]) if has_aux else found

    return transformed


def vmap(
    func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *, chunk_size: Any = None
) -> Callable[..., Any]:
    """``func`` for each example of a batch along ``in_dims``, the results stacked along ``out_dims``."""

    def transformed(*arguments: Any, **options: Any) -> Any:
        dims = in_dims if isinstance(in_dims, tuple | list) else (in_dims,) * len(arguments)
        if len(dims) != len(arguments):
            raise ValueError(
                f"vmap({getattr(func, '__name__', func)}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible "
                f"with the structure of inputs. in_dims has {len(dims)} dimensions and there are {len(arguments)} "
                "inputs."
            )
        sizes = {
            leaf.shape[dim]
            for argument, dim in zip(arguments, dims, strict=True)
            if dim is not None
            for leaf in _leaves(argument)
        }
        if len(sizes) != 1:
            raise ValueError(
                "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
                f"{sorted(sizes)} for the mapped dimension"
                if sizes
                else f"vmap({getattr(func, '__name__', func)}, in_dims={in_dims}, ...)(<inputs>): got no inputs"
            )
        (size,) = sizes
        results = [func(*_example(arguments, dims, i), **options) for i in range(size)]
        return _stacked(results, out_dims)

    return transformed


def _example(arguments: Any, dims: Any, place: int) -> list[Any]:
    """The arguments for one example of the batch."""
    pairs = zip(arguments, dims, strict=True)
    return [a if dim is None else _mapped(a, partial(_select, dim=dim, place=place)) for a, dim in pairs]


def _select(x: Any, dim: int, place: int) -> Any:
    return x.select(dim, place)


def _stacked(results: list[Any], dim: Any) -> Any:
    first = results[0]
    if isinstance(first, Tensor):
        return stack(results, dim)
    if isinstance(first, Mapping):
        return {key: _stacked([r[key] for r in results], dim) for key in first}
    if isinstance(first, tuple | list):
        dims = dim if isinstance(dim, tuple | list) else (dim,) * len(first)
        return type(first)(_stacked([r[i] for r in results], d) for i, d in enumerate(dims))
    raise ValueError(f"vmap: `func` must only return Tensors, got type {type(first)}")


def jacrev(func: Callable[..., Any], argnums: int = 0, **_: Any) -> Callable[..., Any]:
    """A function that gives all derivatives of ``func`` for its argument ``argnums``."""

    def transformed(*arguments: Any) -> Any:
        def of_one(x: Any) -> Any:
            return func(*arguments[:argnums], x, *arguments[argnums + 1 :])

        nested = arguments[argnums].requires_grad
        return derivatives.jacobian(of_one, arguments[argnums], create_graph=nested)

    return transformed


jacfwd = jacrev
"""The same numbers; this engine finds them backwards."""


def hessian(func: Callable[..., Any], argnums: int = 0) -> Callable[..., Any]:
    """A function that gives all second derivatives of a scalar function."""

    def transformed(*arguments: Any) -> Any:
        def of_one(x: Any) -> Any:
            return func(*arguments[:argnums], x, *arguments[argnums + 1 :])

        return derivatives.hessian(of_one, arguments[argnums])

    return transformed


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The result of ``func``, and a function from weights of it to gradients for the primals."""
    with autograd.enable_grad():
        xs = [_mapped(x, _watched) for x in primals]
        result = func(*xs)
    value, aux = result if has_aux else (result, None)

    def back(*weights: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        given = [leaf for w in weights for leaf in _leaves(w)]
        found = autograd.grad(
            _leaves(value), [leaf for x in xs for leaf in _leaves(x)], given, retain_graph=True, allow_unused=True,
            materialize_grads=True,
        )  # fmt: skip
        return tuple(found)

    shown = _mapped(value, lambda x: x.detach())
    return (shown, back, aux) if has_aux else (shown, back)


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, **_: Any) -> Any:
    """The result of ``func``, and how it changes when the primals move by the tangents."""
    single = len(primals) == 1
    return derivatives.jvp(func, primals[0] if single else tuple(primals), tangents[0] if single else tuple(tangents))


def functional_call(module: Any, parameter_and_buffer_dicts: Any, args: Any = (), kwargs: Any = None, **_: Any) -> Any:
    """Call a module with other tensors in the places of its parameters and buffers."""
    given = parameter_and_buffer_dicts
    values = dict(given) if isinstance(given, Mapping) else {k: v for part in given for k, v in part.items()}
    arguments = args if isinstance(args, tuple) else (args,)
    before = []
    try:
        for path, value in values.items():
            owner, _, name = path.rpartition(".")
            holder = module.get_submodule(owner)
            before.append((holder, name, holder.__dict__[name]))
            holder.__dict__[name] = value
        return module(*arguments, **(kwargs or {}))
    finally:
        for holder, name, old in reversed(before):
            holder.__dict__[name] = old


def stack_module_state(models: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters and the buffers of several modules of a kind, stacked by name."""
    parameters = [dict(m.named_parameters()) for m in models]
    buffers = [dict(m.named_buffers()) for m in models]
    return (
        {name: stack([p[name] for p in parameters]).detach().requires_grad_() for name in parameters[0]},
        {name: stack([b[name] for b in buffers]) for name in buffers[0]},
    )


NAMES = "grad grad_and_value vmap jacrev jacfwd hessian vjp jvp functional_call stack_module_state"
