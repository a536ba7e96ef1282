"""``td.Compiler``: a block as a loop in the default graph, and examples as feeds for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from engine.dialects.tensorflow.graph import Graph, get_default_graph
from engine.dialects.tensorflow.handles import default_session
from engine.dialects.tensorflow_fold.blocks import Block, Building, as_block, promised
from engine.dialects.tensorflow_fold.loom import Loom
from engine.dialects.tensorflow_fold.types import (
    PyObjectType,
    ResultType,
    SequenceType,
    TensorType,
    TupleType,
    VoidType,
    tensors_in,
)
from engine.dialects.tensorflow_fold.weaving import Value


class Compiler:
    """``td.Compiler.create(block)``; then ``output_tensors`` and ``build_feed_dict(examples)``."""

    def __init__(self) -> None:
        self._root: Block | None = None
        self._loom: Loom | None = None

    @classmethod
    def create(
        cls, root_block_like: Any, max_depth: int | None = None, loom_input_tensor: Any = None,
        input_tensor: Any = None, parallel_iterations: Any = None, back_prop: Any = None, swap_memory: Any = None,
    ) -> Compiler:  # fmt: skip
        """Build the loop for a block.

        :raises TypeError: types that do not go together, or an output that holds no tensors.
        :raises ValueError: a forward declaration that was never resolved.
        """
        if input_tensor is not None or loom_input_tensor is not None:
            raise NotImplementedError("td.Compiler: this teaching engine reads examples from build_feed_dict only")
        found = cls()
        found.compile(root_block_like)
        found.init_loom()
        return found

    def compile(self, root_block_like: Any) -> None:
        """Work out the types."""
        root = self._root = as_block(root_block_like)
        building = self._building = Building()
        self._kind = root.infer(building, PyObjectType())
        done: set[int] = set()
        while building.waiting:
            target, given = building.waiting.pop(0)
            if id(target) not in done:
                done.add(id(target))
                target.infer(building, given)
        self._kinds = [] if isinstance(self._kind, VoidType) else _outputs(self._kind)
        self._metrics = {name: kind for name, (kind, _) in building.metrics.items()}
        if not self._kinds and not self._metrics:
            raise TypeError(f"root block must have at least one output or metric: {root!r}")

    def init_loom(self, *_args: Any, **_more: Any) -> None:
        """Build the loop in the default graph."""
        building = self._building
        outputs = [*self._kinds, *self._metrics.values()]
        self._loom = Loom(list(building.types), building.ops, building.shared, outputs)

    def _built(self) -> Loom:
        if self._loom is None:
            raise RuntimeError("Compiler.init_loom() has not been called yet.")
        return self._loom

    # -- what comes out ----------------------------------------------------------------------------------------------
    @property
    def root(self) -> Block:
        assert self._root is not None
        return self._root

    @property
    def is_loom_initialized(self) -> bool:
        return self._loom is not None

    @property
    def input_type(self) -> ResultType:
        return PyObjectType()

    @property
    def output_type(self) -> ResultType:
        return self._kind

    @property
    def output_tensors(self) -> list[Any]:
        """A tensor for each tensor of the output, one row for each example."""
        return self._built().outputs[: len(self._kinds)]

    @property
    def metric_tensors(self) -> dict[str, Any]:
        """What metrics gathered, by name, over all examples."""
        return dict(zip(self._metrics, self._built().outputs[len(self._kinds) :], strict=True))

    @property
    def loom_input_tensor(self) -> Any:
        raise NotImplementedError(
            "compiler.loom_input_tensor: this teaching engine feeds woven numbers, not strings; pass what "
            "compiler.build_feed_dict(examples) gives as the feed_dict"
        )

    # -- what goes in ------------------------------------------------------------------------------------------------
    def build_feed_dict(
        self, examples: Iterable[Any], batch_size: int | None = None, metric_labels: bool = False, ordered: bool = False
    ) -> dict[Any, Any]:
        """The feeds for a batch of examples."""
        loom = self._built()
        weaver = loom.weaver()
        for _, seen in self._building.metrics.values():
            seen.clear()
        columns: list[list[Value]] = [[] for _ in self._kinds]
        for example in examples:
            found = self.root.weave(weaver, example)
            for column, value in zip(columns, promised(found) if self._kinds else [], strict=True):
                column.append(value)
        columns += [list(seen) for _, seen in self._building.metrics.values()]
        return loom.feed(weaver, columns)

    def build_feed_dict_from_loom_inputs(self, loom_inputs: Iterable[dict[Any, Any]]) -> dict[Any, Any]:
        raise NotImplementedError("this teaching engine weaves whole batches: use build_feed_dict(examples)")

    def build_loom_inputs(self, examples: Iterable[Any], **_more: Any) -> Iterator[Any]:
        """Examples, to be given to :meth:`build_feed_dict` in batches."""
        return iter(examples)

    def multiprocessing_pool(self, *_args: Any, **_more: Any) -> _NoPool:
        """Weaving happens in this process; as a context it does nothing."""
        return _NoPool()


class _NoPool:
    def __enter__(self) -> None:
        """Nothing is started."""

    def __exit__(self, *_: object) -> None:
        """Nothing is stopped."""


def _outputs(kind: ResultType) -> list[TensorType]:
    try:
        return tensors_in(kind)
    except TypeError:
        raise TypeError(f"root block output must be tensors or tuples of tensors, not {kind!r}") from None


def evaluate(block: Block, example: Any, feed_dict: Any, session: Any, tolist: bool) -> Any:
    """``block.eval(example)``: the value of one example, in the structure of the block's output."""
    chosen = session or default_session()
    graph = chosen.graph if chosen is not None else get_default_graph()
    if not isinstance(graph, Graph):
        raise TypeError("session must be a tf.Session")
    with graph.as_default():
        building = Building()
        kind = block.infer(building, block.input_type or PyObjectType())
        done: set[int] = set()
        while building.waiting:
            target, given = building.waiting.pop(0)
            if id(target) not in done:
                done.add(id(target))
                target.infer(building, given)
        weaver_types, ops = list(building.types), building.ops
        from engine.dialects.tensorflow_fold.weaving import Weaver

        shared = {k: len(found) for k, found in building.shared.items()}
        value = block.weave(Weaver(weaver_types, ops, shared), example)
        leaves = list(_promises(value))
        if not leaves:
            return value
        loom = Loom(weaver_types, ops, building.shared, [leaf.type for leaf in leaves])
        weaver = loom.weaver()
        value = block.weave(weaver, example)
        feeds = loom.feed(weaver, [[leaf] for leaf in _promises(value)])
        if chosen is None:
            chosen = _own_session(graph)
        arrays = iter([rows[0] for rows in chosen.run(loom.outputs, {**feeds, **(feed_dict or {})})])
    del kind
    return _placed(value, arrays, tolist)


def _own_session(graph: Graph) -> Any:
    from engine.dialects.tensorflow.session import Session
    from engine.dialects.tensorflow.variables import global_variables_initializer

    session = Session(graph=graph)
    session.run(global_variables_initializer())
    return session


def _promises(value: Any) -> Iterator[Value]:
    if isinstance(value, Value):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _promises(item)


def _placed(value: Any, arrays: Iterator[Any], tolist: bool) -> Any:
    if isinstance(value, Value):
        found = next(arrays)
        return np.asarray(found).tolist() if tolist else found
    if isinstance(value, tuple):
        return tuple(_placed(item, arrays, tolist) for item in value)
    if isinstance(value, list):
        return [_placed(item, arrays, tolist) for item in value]
    return value


__all__ = ["Compiler", "SequenceType", "TupleType", "evaluate"]
