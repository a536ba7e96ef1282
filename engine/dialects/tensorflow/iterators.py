"""``tf.data.Iterator`` of 1.x: an op of the graph that gives the next element in every run."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.dataset_parts import shapes_of
from engine.dialects.tensorflow.datasets import Dataset
from engine.dialects.tensorflow.errors import FailedPreconditionError, InvalidArgumentError, OutOfRangeError
from engine.dialects.tensorflow.graph import Graph, get_default_graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.nests import leaves, mapped, packed
from engine.dialects.tensorflow.shapes import TensorShape
from engine.dialects.tensorflow.sources import Run, Spec, action, source, state_of

_UNINITIALISED = (
    "GetNext() failed because the iterator has not been initialized. Ensure that you have run the initializer "
    "operation for this iterator before getting the next element."
)


class Iterator:
    """Where a session is in a dataset; every session has a place of its own."""

    def __init__(self, structure: Any, specs: list[Spec], dataset: Dataset | None, *, starts: bool) -> None:
        self._graph: Graph = get_default_graph()
        self._structure, self._specs = structure, specs
        self._dataset = dataset if starts else None
        self._initializer: Operation | None = None
        self._handle: Any = None
        if dataset is not None and not starts:
            self._initializer = self.make_initializer(dataset)

    @classmethod
    def one_shot(cls, dataset: Dataset) -> Iterator:
        return cls(dataset._structure, dataset._specs, dataset, starts=True)

    @classmethod
    def initializable(cls, dataset: Dataset) -> Iterator:
        return cls(dataset._structure, dataset._specs, dataset, starts=False)

    @staticmethod
    def from_structure(
        output_types: Any, output_shapes: Any = None, shared_name: Any = None, output_classes: Any = None
    ) -> Iterator:
        """An iterator for any dataset of these types and shapes; :meth:`make_initializer` ties it to one."""
        kinds = [dtypes.as_dtype(kind) for kind in leaves(output_types)]
        shapes = [TensorShape(None)] * len(kinds) if output_shapes is None else shapes_of(output_types, output_shapes)
        structure = mapped(lambda _: 0, output_types)
        return Iterator(structure, list(zip(kinds, shapes, strict=True)), None, starts=False)

    @staticmethod
    def from_string_handle(
        string_handle: Any, output_types: Any, output_shapes: Any = None, output_classes: Any = None
    ) -> Iterator:
        """An iterator that is, in each run, the one whose handle is fed."""
        found = Iterator.from_structure(output_types, output_shapes)
        found._handle = convert(string_handle, "string")
        return found

    def string_handle(self, name: str | None = None) -> Tensor:
        """What stands for this iterator where one is to be chosen in a run."""
        known: dict[bytes, Iterator] = self._graph.__dict__.setdefault("iterators", {})
        key = next((k for k, v in known.items() if v is self), f"iterator {len(known)}".encode())
        known[key] = self
        spec = (dtypes.as_dtype("string"), TensorShape([]))
        title = "IteratorToStringHandle"
        return source(self._graph, title, name or title, [spec], lambda run: [np.array(key, object)]).outputs[0]

    def _chosen(self, run: Run) -> Iterator:
        """The iterator meant in a run: this one, or the one whose handle is fed."""
        if self._handle is None:
            return self
        key = run.value(self._handle)
        found = self._graph.__dict__.get("iterators", {}).get(key.item() if isinstance(key, np.ndarray) else key)
        if found is None:
            raise run.failure(InvalidArgumentError, "Could not parse iterator handle from string")
        return found  # type: ignore[no-any-return]

    @property
    def initializer(self) -> Operation:
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset: Dataset, name: str | None = None) -> Operation:
        """An op that starts this iterator at the beginning of ``dataset``."""
        for (kind, shape), (found, size) in zip(self._specs, dataset._specs, strict=True):
            if kind != found:
                raise TypeError(
                    f"Expected output types {packed(self._structure, [k for k, _ in self._specs])!r} but got dataset "
                    f"with output types {dataset.output_types!r}."
                )
            if not shape.is_compatible_with(size):
                raise TypeError(
                    f"Expected output shapes compatible with {self.output_shapes!r} but got dataset with output "
                    f"shapes {dataset.output_shapes!r}."
                )

        def begin(run: Run) -> None:
            state_of(run.session)[self] = dataset._start(run)()

        return action(self._graph, "MakeIterator", name or "MakeIterator", begin)

    def get_next(self, name: str | None = None) -> Any:
        """The tensors of the next element."""

        def pull(run: Run) -> list[Any]:
            state, one = state_of(run.session), self._chosen(run)
            if one not in state:
                if one._dataset is None:
                    raise run.failure(FailedPreconditionError, _UNINITIALISED)
                state[one] = one._dataset._start(run)()
            for row in state[one]:
                return list(row)
            raise run.failure(OutOfRangeError, "End of sequence")

        op = source(self._graph, "IteratorGetNext", name or "IteratorGetNext", self._specs, pull)
        return packed(self._structure, op.outputs)

    @property
    def output_types(self) -> Any:
        return packed(self._structure, [dtype for dtype, _ in self._specs])

    @property
    def output_shapes(self) -> Any:
        return packed(self._structure, [shape for _, shape in self._specs])
