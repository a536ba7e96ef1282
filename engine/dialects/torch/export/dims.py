"""Sizes that an exported program leaves open: ``torch.export.Dim``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Dim:
    """A size with a name: every dimension that it stands for has the same size, from ``min`` to ``max``."""

    __module__ = "torch.export.dynamic_shapes"
    AUTO: Dim
    DYNAMIC: Dim
    STATIC: Dim

    def __init__(self, name: str, *, min: int | None = None, max: int | None = None) -> None:
        self.__name__, self.min, self.max = name, 0 if min is None else min, max
        if self.max is not None and self.max <= self.min:
            raise AssertionError(f"Cannot create Dim with inconsistent min={self.min}, max={self.max}")

    def __repr__(self) -> str:
        return f"Dim('{self.__name__}', min={self.min}" + ("" if self.max is None else f", max={self.max}") + ")"


Dim.AUTO, Dim.DYNAMIC, Dim.STATIC = Dim("AUTO"), Dim("DYNAMIC"), Dim("STATIC")


def dims(*names: str, min: int | None = None, max: int | None = None) -> tuple[Dim, ...]:
    """Several :class:`Dim` at once."""
    return tuple(Dim(name, min=min, max=max) for name in names)


def with_dims(inputs: list[tuple[str, list[int]]], given: Any) -> list[list[Any]]:
    """The shapes of inputs by name, with those sizes as :class:`Dim` that ``dynamic_shapes`` names.

    >>> with_dims([("x", [8, 3])], {"x": {0: Dim("batch")}})
    [[Dim('batch', min=0), 3]]
    """
    if given is None:
        return [shape for _, shape in inputs]
    of = (
        dict(given) if isinstance(given, Mapping) else {name: one for (name, _), one in zip(inputs, given, strict=True)}
    )
    unknown = set(of) - {name for name, _ in inputs}
    if unknown:
        raise ValueError(
            f"When `dynamic_shapes` is specified as a dict, its top-level keys must be the arg names "
            f"{[name for name, _ in inputs]} of `inputs`, but here they are {list(of)}."
        )
    found = []
    for name, shape in inputs:
        one = of.get(name) or {}
        pairs = one.items() if isinstance(one, Mapping) else enumerate(one)
        open_ = {axis: dim for axis, dim in pairs if isinstance(dim, Dim) and dim is not Dim.STATIC}
        found.append([open_.get(axis, size) for axis, size in enumerate(shape)])
    return found


def fits(name: str, value: Any, shape: list[Any], known: dict[str, int]) -> None:
    """Refuse a tensor whose sizes are not those that a program was exported for; ``known``: sizes of dims so far.

    :raises AssertionError: they are not.
    """
    sizes = value._array.shape
    if len(sizes) != len(shape):
        raise AssertionError(f"Guard failed: {name}.dim() == {len(shape)}")
    for axis, (size, wanted) in enumerate(zip(sizes, shape, strict=True)):
        where = f"{name}.size()[{axis}]"
        if not isinstance(wanted, Dim):
            if size != wanted:
                raise AssertionError(f"Guard failed: {where} == {wanted}")
            continue
        if size < wanted.min and wanted.min > 2:  # PyTorch treats 0 and 1 apart, and asks for two at most
            raise AssertionError(f"Guard failed: {where} >= {wanted.min}")
        if wanted.max is not None and size > wanted.max:
            raise AssertionError(f"Guard failed: {where} <= {wanted.max}")
        if wanted not in (Dim.AUTO, Dim.DYNAMIC) and known.setdefault(wanted.__name__, size) != size:
            raise AssertionError(f"Guard failed: {where} == {known[wanted.__name__]}")
