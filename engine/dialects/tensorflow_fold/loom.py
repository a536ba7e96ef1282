"""The loop that runs woven expressions: in each iteration every op gathers its rows, runs once, adds its results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow.array_ops import concat, expand_dims
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.creation import placeholder
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.indexing_ops import gather
from engine.dialects.tensorflow.math_ops import add, less
from engine.dialects.tensorflow.shapes import TensorShape
from engine.dialects.tensorflow.slicing_ops import slice_
from engine.dialects.tensorflow.while_loops import while_loop
from engine.dialects.tensorflow_fold.types import TensorType
from engine.dialects.tensorflow_fold.weaving import LoomOp, Value, Weaver


class Loom:
    """One loop for all batches. Feed what :meth:`feed` gives, read :attr:`outputs`."""

    def __init__(
        self, types: Sequence[TensorType], ops: Sequence[LoomOp], shared: dict[TensorType, list[Tensor]],
        outputs: Sequence[TensorType],
    ) -> None:  # fmt: skip
        self.types, self.ops = list(types), list(ops)
        self._shared = {kind: len(found) for kind, found in shared.items()}
        self._outputs = list(outputs)
        with get_default_graph().name_scope("td_loom"):
            self._constants = {
                kind: placeholder(kind.dtype, [None, *kind.shape], name="constants") for kind in self.types
            }
            self._flat = placeholder("int32", [None], name="rows")
            self._starts = placeholder("int32", [None, None], name="starts")
            self._sizes = placeholder("int32", [None, None], name="sizes")
            self._depth = placeholder("int32", [], name="depth")
            self._last = [placeholder("int32", [None], name="outputs") for _ in self._outputs]
            pools = self._loop([self._first(kind, shared.get(kind, [])) for kind in self.types])
            self.outputs = []
            for kind, rows in zip(self._outputs, self._last, strict=True):
                found = gather(pools[self.types.index(kind)], rows)
                found.set_shape([None, *kind.shape])
                self.outputs.append(found)

    def _first(self, kind: TensorType, shared: Sequence[Tensor]) -> Tensor:
        """What there is before the first iteration: tensors of the graph, then what the examples bring along."""
        fed = self._constants[kind]
        return concat([*(expand_dims(tensor, 0) for tensor in shared), fed], 0) if shared else fed

    def _loop(self, pools: list[Tensor]) -> list[Tensor]:
        if not self.ops:
            return pools

        def body(depth: Tensor, *state: Tensor) -> list[Tensor]:
            starts, sizes = gather(self._starts, depth), gather(self._sizes, depth)

            def rows(place: int) -> Tensor:
                start, size = gather(starts, [place]), gather(sizes, [place])
                return slice_(self._flat, start, size)

            place = 0
            parts: dict[TensorType, list[Tensor]] = {}
            for kind, pool in zip(self.types, state, strict=True):
                parts[kind] = [gather(pool, rows(place))]
                place += 1
            for op in self.ops:
                arguments = []
                for kind in op.inputs:
                    found = gather(state[self.types.index(kind)], rows(place))
                    found.set_shape([None, *kind.shape])
                    arguments.append(found)
                    place += 1
                results = op.function(*arguments)
                for kind, result in zip(op.outputs, results, strict=True):
                    parts[kind].append(convert(result))
            return [add(depth, 1), *(concat(parts[kind], 0) for kind in self.types)]

        shapes = [TensorShape([]), *(TensorShape([None, *kind.shape]) for kind in self.types)]
        found = while_loop(
            lambda depth, *_: less(depth, self._depth), body, [convert(np.int32(0)), *pools], shape_invariants=shapes
        )
        return list(found[1:])

    def weaver(self) -> Weaver:
        """Gathers a new batch."""
        return Weaver(self.types, self.ops, self._shared)

    def feed(self, weaver: Weaver, roots: Sequence[Sequence[Value]]) -> dict[Tensor, Any]:
        """The feeds that make :attr:`outputs` those of ``roots``, a list of values for each output."""
        woven = weaver.woven(roots)
        count = len(self.types) + sum(len(op.inputs) for op in self.ops)
        sizes = np.array([[len(rows) for rows in lists] for lists in woven.lists], np.int32).reshape(-1, count)
        ends = np.cumsum(sizes.ravel())
        flat = np.array([row for lists in woven.lists for rows in lists for row in rows], np.int32)
        found: dict[Tensor, Any] = {
            self._flat: flat,
            self._sizes: sizes,
            self._starts: (ends - sizes.ravel()).astype(np.int32).reshape(sizes.shape),
            self._depth: np.int32(woven.depth),
        }
        for kind in self.types:
            held = weaver.constants[kind]
            empty = np.zeros((0, *kind.shape), kind.numpy)
            found[self._constants[kind]] = np.stack(held) if held else empty
        for door, rows in zip(self._last, woven.outputs, strict=True):
            found[door] = np.array(rows, np.int32)
        return found
