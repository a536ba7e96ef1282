"""``torch.func``: functions of functions, but for :mod:`.vmap`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.dialects.torch import autograd, derivatives
from engine.dialects.torch.creation import zeros_like
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
        parts = [_mapped(part, change) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value


def _watched(value: Tensor) -> Any:
    """A tensor to differentiate for: itself behind a node where an outer transform watches it, else a new leaf."""
    return value.view_as(value) if value.requires_grad else value.detach().requires_grad_()


def _is_watched(value: Any) -> bool:
    """Whether an outer transform (or backward) follows the value."""
    return any(leaf.requires_grad for leaf in _leaves(value))


def grad_and_value(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that gives the gradient of a scalar function, and its value."""

    def transformed(*arguments: Any, **options: Any) -> Any:
        places = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        given = list(arguments)
        nested = _is_watched([given[place] for place in places])
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


def _jacobian(func: Callable[..., Any], argnums: Any, has_aux: bool) -> Callable[..., Any]:
    places = (argnums,) if isinstance(argnums, int) else tuple(argnums)

    def transformed(*arguments: Any) -> Any:
        beside: list[Any] = []

        inputs = [arguments[place] for place in places]

        def of_leaves(*xs: Any) -> Any:
            rest = iter(xs)
            given = list(arguments)
            for place, x in zip(places, _mapped(inputs, lambda _: next(rest)), strict=True):
                given[place] = x
            result = func(*given)
            if has_aux:
                result, aux = result
                beside.append(aux)
            return result

        def placed(row: Any) -> Any:
            """The derivatives of one result, in the structure of the arguments."""
            rest = iter(row)
            blocks = tuple(_mapped(inputs, lambda _: next(rest)))
            return blocks[0] if isinstance(argnums, int) else blocks

        nested = _is_watched(inputs)
        rows = derivatives.jacobian(of_leaves, tuple(_leaves(inputs)), create_graph=nested)
        found = placed(rows) if rows and isinstance(rows[0], Tensor) else tuple(map(placed, rows))
        return (found, _shown(beside[0], nested)) if has_aux else found

    return transformed


def jacrev(
    func: Callable[..., Any], argnums: Any = 0, *, has_aux: bool = False, chunk_size: int | None = None
) -> Callable[..., Any]:
    """A function that gives all derivatives of ``func`` for its argument ``argnums``, row by row."""
    return _jacobian(func, argnums, has_aux)


def jacfwd(
    func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable[..., Any]:
    """The same numbers as :func:`jacrev`; this engine finds them backwards, and calls ``func`` once."""
    return _jacobian(func, argnums, has_aux)


def hessian(func: Callable[..., Any], argnums: Any = 0) -> Callable[..., Any]:
    """A function that gives all second derivatives of a scalar function."""
    return jacfwd(jacrev(func, argnums), argnums)


def _shown(value: Any, nested: bool) -> Any:
    """A result for the program: without its past, unless an outer transform follows it."""
    return value if nested else _mapped(value, lambda x: x.detach())


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The result of ``func``, and a function from weights of it to gradients for the primals."""
    nested = _is_watched(primals)
    with autograd.enable_grad():
        xs = _mapped(primals, _watched)
        result = func(*xs)
    value, aux = result if has_aux else (result, None)

    def back(cotangents: Any) -> Any:
        found = iter(
            autograd.grad(
                _leaves(value), _leaves(xs), _leaves(cotangents), retain_graph=True,
                create_graph=nested or _is_watched(cotangents), allow_unused=True, materialize_grads=True,
            )
        )  # fmt: skip
        return _mapped(xs, lambda _: next(found))

    return (_shown(value, nested), back, _shown(aux, nested)) if has_aux else (_shown(value, nested), back)


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> Any:
    """The result of ``func``, and how it changes when the primals move by the tangents: the gradient of a gradient."""
    if not isinstance(primals, tuple):
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    if strict:
        raise NotImplementedError("jvp: this teaching engine does not look for results that stay the same: no strict")
    value, back, *aux = vjp(func, *primals, has_aux=has_aux)
    with autograd.enable_grad():
        weights = _mapped(value, lambda x: zeros_like(x).requires_grad_())
        pairs = [pair for pair in zip(_leaves(back(weights)), _leaves(tangents), strict=True) if pair[0].requires_grad]
    moved = iter(
        autograd.grad(
            [found for found, _ in pairs], _leaves(weights), [tangent for _, tangent in pairs],
            create_graph=_is_watched([primals, tangents]), allow_unused=True, materialize_grads=True,
        )
    )  # fmt: skip
    return (value, _mapped(weights, lambda _: next(moved)), *aux)


def functional_call(
    module: Any, parameter_and_buffer_dicts: Any, args: Any = None, kwargs: Any = None, *, tie_weights: bool = True,
    strict: bool = False,
) -> Any:  # fmt: skip
    """Call a module with other tensors in the places of its parameters and buffers.

    :param tie_weights: what the module holds under several names is replaced under all of them.
    :raises RuntimeError: a tensor is missing or unknown, and ``strict``.
    """
    given = parameter_and_buffer_dicts
    values = dict(given) if isinstance(given, Mapping) else {k: v for part in given for k, v in part.items()}
    held = dict(module.named_parameters(remove_duplicate=False)) | dict(module.named_buffers(remove_duplicate=False))
    if tie_weights:
        replaced = {id(held[path]): value for path, value in values.items() if path in held}
        values = {path: replaced[id(x)] for path, x in held.items() if id(x) in replaced} | values
    if strict:
        _check_names(module, set(held), set(values))
    before = []
    try:
        for path in values.keys() & held.keys():
            owner, _, name = path.rpartition(".")
            holder = module.get_submodule(owner)
            before.append((holder, name))
            holder.__dict__[name] = values[path]
        return module(*(() if args is None else args if isinstance(args, tuple) else (args,)), **(kwargs or {}))
    finally:
        for holder, name in before:
            holder.__dict__[name] = (holder._parameters if name in holder._parameters else holder._buffers)[name]


def _check_names(module: Any, expected: set[str], given: set[str]) -> None:
    found = {"Missing": expected - given, "Unexpected": given - expected}
    lines = [f"{what} key(s): {', '.join(map(repr, sorted(names)))}." for what, names in found.items() if names]
    if lines:
        raise RuntimeError("\n\t".join([f"Error(s) in reparametrizing for {type(module).__name__}:", *lines]))


def stack_module_state(models: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters and the buffers of several modules of a kind, stacked by name."""
    parameters = [dict(m.named_parameters()) for m in models]
    buffers = [dict(m.named_buffers()) for m in models]
    return (
        {name: stack([p[name] for p in parameters]).detach().requires_grad_() for name in parameters[0]},
        {name: stack([b[name] for b in buffers]) for name in buffers[0]},
    )


NAMES = "grad grad_and_value jacrev jacfwd hessian vjp jvp functional_call stack_module_state"
