"""``vmap``: a function for each example of a batch. Here it runs once for each, and the results are stacked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.dialects.torch.joining import stack
from engine.dialects.torch.overrides import refusing
from engine.dialects.torch.streams import default_generator
from engine.dialects.torch.tensor import Tensor


def vmap(
    func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *, chunk_size: Any = None
) -> Callable[..., Any]:
    """``func`` for each example of a batch along ``in_dims``, the results stacked along ``out_dims``.

    :param randomness: whether examples get ``"different"`` random numbers, the ``"same"``, or none (``"error"``).
    :param chunk_size: how many examples PyTorch computes at once; here it is one, whatever it says.
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    name = getattr(func, "__name__", func)

    def transformed(*arguments: Any, **options: Any) -> Any:
        dims = in_dims if isinstance(in_dims, tuple | list) else (in_dims,) * len(arguments)
        if len(dims) != len(arguments):
            raise ValueError(
                f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible "
                f"with the structure of inputs. in_dims has {len(dims)} dimensions and there are {len(arguments)} "
                "inputs."
            )
        for argument, dim in zip(arguments, dims, strict=True):
            _check_dim(argument, dim, f"vmap({name}, in_dims={in_dims}, ...)(<inputs>)")
        sizes = {leaf.shape[dim] for leaf, dim in _mapped_over(arguments, dims)}
        if len(sizes) != 1:
            raise ValueError(
                "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
                f"{sorted(sizes)} for the mapped dimension"
                if sizes
                else f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): got no inputs"
            )
        (size,) = sizes
        if not size:
            raise NotImplementedError("vmap: this teaching engine runs the function for each example; there is none")
        before = default_generator.get_state()
        results = []
        for place in range(size):
            if randomness == "same":
                default_generator.set_state(before)
            with refusing(_REFUSED):
                results.append(func(*_example(arguments, dims, place), **options))
            if randomness == "error" and _bytes(default_generator.get_state()) != _bytes(before):
                raise RuntimeError(
                    "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
                    "'different' randomness flags on vmap or perform the randomness operation out of vmap"
                )
        return _stacked(results, out_dims, name)

    return transformed


_ITEM = (
    "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a Tensor, "
    "please try to rewrite what you're doing with other operations. If error is occurring somewhere inside PyTorch "
    "internals, please file a bug report."
)
_DECISION = (
    "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't support that "
    "yet, please file an issue at https://github.com/pytorch/pytorch/issues ."
)
_NO_STORAGE = "Cannot access data pointer of Tensor that doesn't have storage"
_NONZERO = (
    "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over aten::nonzero. "
    "Please file an issue at https://github.com/pytorch/pytorch/issues if you need this feature."
)
_REFUSED = {
    "item": _ITEM, "__float__": _ITEM, "__int__": _ITEM, "__index__": _ITEM, "__bool__": _DECISION,
    "tolist": _NO_STORAGE, "numpy": _NO_STORAGE, "nonzero": _NONZERO,
}  # fmt: skip
"""What PyTorch refuses inside ``vmap``, where a tensor stands for all examples at once: here each example has its own
values, but a function that looks at them would not run there."""


def _check_dim(argument: Any, dim: Any, where: str) -> None:
    """:raises ValueError: ``dim`` names no dimension of ``argument``."""
    if dim is None or isinstance(argument, Mapping | tuple | list):
        return
    if not isinstance(argument, Tensor):
        raise ValueError(
            f"{where}: Got in_dim={dim} for an input but the input is of type {type(argument)}. We cannot vmap over "
            "non-Tensor arguments, please use None as the respective in_dim"
        )
    if not -argument.ndim <= dim < argument.ndim:
        raise ValueError(
            f"{where}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {argument.ndim} "
            f"so expected in_dim to satisfy -{argument.ndim} <= in_dim < {argument.ndim}."
        )


def _bytes(state: Any) -> bytes:
    return bytes(state._array.tobytes())


def _mapped_over(value: Any, dims: Any) -> Iterator[tuple[Tensor, int]]:
    """The tensors of a structure that have a dimension of examples, and which one it is."""
    if dims is None:
        return
    if isinstance(value, Tensor):
        yield value, dims
    elif isinstance(value, Mapping | tuple | list):
        for part, dim in _with_dims(value, dims):
            yield from _mapped_over(part, dim)


def _with_dims(value: Any, dims: Any) -> list[tuple[Any, Any]]:
    """The parts of a structure, each with its dimension of examples: one for all, or a structure of the same form."""
    if isinstance(value, Mapping):
        return [(part, dims[key] if isinstance(dims, Mapping) else dims) for key, part in value.items()]
    return list(zip(value, dims if isinstance(dims, tuple | list) else [dims] * len(value), strict=True))


def _example(value: Any, dims: Any, place: int) -> Any:
    """The structure for one example of the batch."""
    if dims is None:
        return value
    if isinstance(value, Tensor):
        return value.select(dims, place)
    if not isinstance(value, Mapping | tuple | list):
        return value
    parts = [_example(part, dim, place) for part, dim in _with_dims(value, dims)]
    return dict(zip(value, parts, strict=True)) if isinstance(value, Mapping) else type(value)(parts)


def _stacked(results: list[Any], dim: Any, name: Any) -> Any:
    first = results[0]
    if isinstance(first, Tensor):
        return stack(results, dim)
    if isinstance(first, Mapping):
        return {key: _stacked([r[key] for r in results], dim, name) for key in first}
    if isinstance(first, tuple | list):
        dims = dim if isinstance(dim, tuple | list) else (dim,) * len(first)
        return type(first)(_stacked([r[i] for r in results], d, name) for i, d in enumerate(dims))
    raise ValueError(
        f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(first)}. Did you mean to set out_dims= "
        "to None for output?"
    )
