"""Writing to some rows or places of a variable: ``v.scatter_add`` and its kin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dialects.tensorflow import scattering  # noqa: F401  (declares ops)
from engine.dialects.tensorflow.eager.tensor import convert, run
from engine.dialects.tensorflow.function.func_graph import building
from engine.dialects.tensorflow.indexed_slices import IndexedSlices


def by_rows(how: str) -> Callable[..., Any]:
    """``v.scatter_<how>(IndexedSlices)``."""

    def scatter(self: Any, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        if not isinstance(sparse_delta, IndexedSlices):
            raise TypeError(f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {sparse_delta}")
        values = convert(sparse_delta.values, self.dtype)
        return _write(self, f"tf_scatter_{how}", f"ResourceScatter{how.capitalize()}", sparse_delta.indices, values)

    scatter.__name__ = f"scatter_{how}"
    return scatter


def by_places(how: str) -> Callable[..., Any]:
    """``v.scatter_nd_<how>(indices, updates)``."""

    def scatter(self: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
        label = f"ResourceScatterNd{how.capitalize()}"
        return _write(self, f"tf_put_points_{how}", label, indices, convert(updates, self.dtype))

    scatter.__name__ = f"scatter_nd_{how}"
    return scatter


def _write(variable: Any, op: str, label: str, indices: Any, updates: Any) -> Any:
    made = building()
    if made is not None:
        from engine.dialects.tensorflow.build import apply

        given = [("ref", made.read(variable._home())), ("indices", indices), ("updates", updates)]
        new = apply(op, label, None, given, same_type=False)
        made.write(variable._home(), "assign", "AssignVariableOp", new, None)
        return variable
    places = convert(indices)
    new = run(op, label, convert(variable._array), places, updates)
    return variable._write("assign", label, updates, new._array)


def attach(cls: type) -> None:
    """Give a class of variables these methods."""
    for how in ("update", "add", "sub", "mul", "div", "max", "min"):
        setattr(cls, f"scatter_{how}", by_rows(how))
    for how in ("update", "add", "sub", "max", "min"):
        setattr(cls, f"scatter_nd_{how}", by_places(how))
