"""Iterators over pipelines: eager ones, and loops over a dataset inside a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow.build import apply
from engine.dialects.tensorflow.eager.tensor import convert
from engine.dialects.tensorflow.errors import OpError, OutOfRangeError
from engine.dialects.tensorflow.function.func_graph import building
from engine.dialects.tensorflow.function.staging import Staging
from engine.dialects.tensorflow.nests import packed
from engine.ops.registry import op
from engine.tensor_type import TensorType

WHERE = (
    "{{function_node __wrapped__IteratorGetNext_output_types_1_device_/job:localhost/replica:0/task:0/device:CPU:0}}"
)
_END = f"{WHERE} End of sequence [Op:IteratorGetNext] name: "


class OwnedIterator:
    """``iter(dataset)``."""

    __module__ = "tensorflow.python.data.ops.iterator_ops"

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset
        self._rows: Iterator[Any] = dataset._epoch()
        self._ahead: list[Any] = []

    def __iter__(self) -> OwnedIterator:
        return self

    def __next__(self) -> Any:
        if self._ahead:
            row = self._ahead.pop()
        else:
            row = self._drawn()
        return self._dataset._element(row)

    def _drawn(self) -> Any:
        try:
            return next(self._rows)
        except OpError as error:
            if str(error).startswith("{{function_node"):
                raise
            raise type(error)(None, None, f"{WHERE} {error} [Op:IteratorGetNext] name: ") from None

    next = __next__

    def get_next(self) -> Any:
        """The next element.

        :raises OutOfRangeError: there is none.
        """
        try:
            return next(self)
        except StopIteration:
            raise OutOfRangeError(None, None, _END) from None

    def get_next_as_optional(self) -> Optional:
        """The next element, if there is one."""
        try:
            return Optional(next(self))
        except StopIteration:
            return Optional()

    @property
    def element_spec(self) -> Any:
        return self._dataset.element_spec


OwnedIterator.__name__ = OwnedIterator.__qualname__ = "OwnedIterator"


class Optional:
    """A value that may be missing."""

    def __init__(self, *value: Any) -> None:
        self._value = value

    def has_value(self, name: str | None = None) -> Any:
        return convert(bool(self._value))

    def get_value(self, name: str | None = None) -> Any:
        """The value.

        :raises InvalidArgumentError: there is none.
        """
        if not self._value:
            from engine.dialects.tensorflow.eager.messages import failed

            raise failed("OptionalGetValue", "The given optional does not have a value.")
        return self._value[0]


# -- inside functions ------------------------------------------------------------------------------------------------
class Cursor:
    """Where a function's loop stands in a dataset, in one run."""

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset
        self._rows: Iterator[Any] = iter(())
        self.row: Sequence[Any] = ()

    def begin(self) -> None:
        """A pass begins."""
        self._rows = self._dataset._epoch()

    def advance(self) -> bool:
        """Draw the next element; false at the end."""
        try:
            self.row = next(self._rows)
        except StopIteration:
            return False
        return True


def _begun(a: Any, cursor: Cursor) -> Any:
    cursor.begin()
    return np.zeros((), np.bool_)


def _drawn(a: Any, cursor: Cursor) -> Any:
    return np.array(cursor.advance())


_BOOL = TensorType(np.dtype(np.bool_), ())
op("tf_dataset_begin", "a", _begun, lambda a, cursor: _BOOL, None, stateful=True, category="control", symbol="iter")
op("tf_dataset_next", "a", _drawn, lambda a, cursor: _BOOL, None, stateful=True, category="control", symbol="next")
op(
    "tf_dataset_item", "a", lambda a, cursor, place, type: np.asarray(cursor.row[place]),
    lambda a, cursor, place, type: type, None, stateful=True, category="control", symbol="row",
)  # fmt: skip


class DatasetStaging:
    """How AutoGraph's ``for`` deals with a dataset inside a function."""

    @staticmethod
    def each(
        dataset: Any, body: Callable[..., Any], values: Any, names: Sequence[str], going: Callable[..., Any]
    ) -> Any:
        """The variables after a loop over all elements."""
        function = building()
        assert function is not None
        cursor = Cursor(dataset)
        with function.acting():
            begun = apply("tf_dataset_begin", "AnonymousIteratorV3", None, [("a", np.array(False))], {"cursor": cursor})
            first = _next(begun, cursor)

        def step(more: Any, *given: Any) -> Any:
            element = packed(
                dataset._structure, [_item(more, cursor, i, spec) for i, spec in enumerate(dataset._specs)]
            )
            found = body(element, *given)
            with function.acting():
                again = _next(more, cursor)
            return (again, *found)

        # As ``Dataset.reduce`` of the real one does; elements of known rank seldom leave a variable open.
        weakens = any(shape.ndims is None for _, shape in dataset._specs)
        met, named = first, ("the next element", *names)
        return Staging.repeat(met, lambda more, *v: going(more, *v), step, (first, *values), named, weakens)[1:]


def _next(after: Any, cursor: Cursor) -> Any:
    return apply("tf_dataset_next", "IteratorGetNext", None, [("a", after)], {"cursor": cursor})


def _item(after: Any, cursor: Cursor, place: int, spec: Any) -> Any:
    kind, shape = spec
    sizes = None if shape.ndims is None else tuple(shape.as_list())
    attributes = {"cursor": cursor, "place": place, "type": TensorType(kind.base_dtype._numpy, sizes)}
    return apply("tf_dataset_item", "IteratorGetNext", None, [("a", after)], attributes)
