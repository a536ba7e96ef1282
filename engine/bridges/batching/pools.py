"""Where values wait for those who read them: one tensor for each row type, from which arguments are gathered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import events
from engine.dynamic.facade import Facade
from engine.dynamic.tensor import Tensor, fresh
from engine.errors import ShapeError

Numbers = NDArray[np.int64]
RowType = tuple[tuple[int, ...], np.dtype[Any]]


class Constants(list[Any]):
    """What an argument is in every call of a group, none of them being the result of a call."""


class Pools:
    """The values that exist at one depth and are still needed. A value is known by its number; ``kind`` says of
    which row type it is, ``row`` in which row of that type's pool it stands.

    Results of a depth are kept apart until :meth:`advance` makes the next pools: what is still needed of the old
    pool is passed through, the new results follow.
    """

    def __init__(self, facade: Facade, values: int) -> None:
        self.tape = facade.tape
        self.kind = np.full(values, -1, np.int64)
        self.row = np.zeros(values, np.int64)
        self.types: list[RowType] = []
        self._kinds: dict[RowType, int] = {}
        self._pools: list[tuple[Tensor, Numbers] | None] = []
        self._new: list[list[tuple[Tensor, Numbers]]] = []
        self._told = 0

    def add(self, numbers: Numbers, values: Tensor) -> None:
        """``values`` are the results of this depth for ``numbers``, a row each."""
        row_type = (values._array.shape[1:], values._array.dtype)
        kind = self._kinds.get(row_type)
        if kind is None:
            kind = self._kinds[row_type] = len(self.types)
            self.types.append(row_type)
            self._pools.append(None)
            self._new.append([])
        self.kind[numbers] = kind
        self._new[kind].append((values, numbers))

    def advance(self, last: Numbers, depth: int) -> None:
        """After ``depth``: pass on what is read later (``last`` has each value's last reader), and add the new
        results."""
        for kind, pool in enumerate(self._pools):
            parts: list[tuple[Tensor, Numbers]] = []
            if pool is not None:
                tensor, numbers = pool
                living = np.flatnonzero(last[numbers] > depth)
                if len(living) == len(numbers):
                    parts.append(pool)
                elif len(living):
                    parts.append((self.tape.take(tensor, living, 0), numbers[living]))
            parts += self._new[kind]
            self._new[kind] = []
            self._pools[kind] = self._joined(parts)

    def _joined(self, parts: Sequence[tuple[Tensor, Numbers]]) -> tuple[Tensor, Numbers] | None:
        if not parts:
            return None
        if len(parts) == 1:
            tensor, numbers = parts[0]
        else:
            tensor = self.tape.concat(*[part for part, _ in parts], axis=0)
            numbers = np.concatenate([part for _, part in parts])
        self.row[numbers] = np.arange(len(numbers))
        return tensor, numbers

    def gather(self, numbers: Numbers, what: str) -> Tensor:
        """The values of ``numbers`` as rows of one tensor.

        :raises ShapeError: they are not all of one row type.
        """
        kinds = self.kind[numbers]
        if (kinds != kinds[0]).any():
            shapes = ", ".join(f"{self.types[k][1]} {self.types[k][0]}" for k in np.unique(kinds))
            raise ShapeError(f"rows of different types ({shapes}) cannot be stacked into {what}")
        pool = self._pools[kinds[0]]
        assert pool is not None
        tensor, held = pool
        rows = self.row[numbers]
        same = len(rows) == len(held) and (rows == np.arange(len(rows))).all()
        taken: Tensor = tensor if same else self.tape.take(tensor, rows, 0)
        return taken

    def tell(self, listener: events.Listener, depth: int, name: str, rows: int, tensors: Sequence[Tensor]) -> None:
        """Tell of a group: its nodes are those from its first gathered argument to its last result."""
        known = [x._node for x in tensors if x._node >= self._told]
        nodes = range(min(known), max(known) + 1) if known else ()
        self._told = nodes[-1] + 1 if nodes else self._told
        listener.batched(depth, name, rows, nodes)

    def alike(self, columns: Sequence[Any], rows: int) -> Iterator[Numbers | None]:
        """Row numbers of calls whose arguments agree in type; ``None`` for all of them."""
        signature = [self._types_of(column) for column in columns]
        if all((kinds == kinds[0]).all() for kinds in signature):
            yield None
            return
        _, which = np.unique(np.stack(signature, 1), axis=0, return_inverse=True)
        which = which.reshape(-1)
        for part in range(which.max() + 1):
            yield np.flatnonzero(which == part)

    def _types_of(self, column: Any) -> Numbers:
        """A number for the row type of each entry of a column; what is equal in one column is of one type."""
        if isinstance(column, np.ndarray):
            return self.kind[column]
        if isinstance(column, Constants):
            if set(map(type, column)) in ({int}, {float}):
                return np.zeros(len(column), np.int64)
            column = [(x, False) for x in column]
        known: dict[Any, int] = {}
        found = []
        for x, is_value in column:
            key = self.types[self.kind[x]] if is_value else _constant_type(x)
            found.append(known.setdefault(key, len(known)))
        return np.array(found, np.int64)


def _constant_type(x: Any) -> Any:
    """What decides whether constants go into one stack: of numbers their Python type, of the rest shape and dtype."""
    if isinstance(x, Tensor):
        return x._array.shape, x._array.dtype
    if isinstance(x, np.ndarray | np.generic):
        return x.shape, x.dtype
    return (), np.dtype(
        {bool: np.bool_, int: np.int64}.get(type(x), np.complex64 if isinstance(x, complex) else np.float32)
    )


def stack_constants(constants: Sequence[Any], facade: Facade) -> Tensor:
    """Constants of one type as the rows of one tensor: arrays and numbers are copied, tensors keep their past."""
    if any(isinstance(x, Tensor) for x in constants):
        operands = [x if isinstance(x, Tensor) else np.asarray(x, _constant_type(x)[1]) for x in constants]
        stacked: Tensor = facade.tape.stack(*operands, axis=0)
        return stacked
    return fresh(facade.tensor, np.array(constants, _constant_type(constants[0])[1]))
