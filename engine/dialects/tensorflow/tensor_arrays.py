"""``tf.TensorArray``: tensors by number, written and read in loops. What a loop carries is the *flow*, one tensor that
holds all elements as rows; its sizes may be unknown until the first element is written."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.array_ops import concat as joined
from engine.dialects.tensorflow.array_ops import identity, reshape, shape
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.creation import constant, constant_value
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.indexing_ops import unstack
from engine.dialects.tensorflow.shapes import TensorShape
from engine.errors import BoundsError, ShapeError
from engine.ops import TABLE
from engine.ops.registry import op
from engine.tensor_type import TensorType

Array = NDArray[Any]


def _write(flow: Array, place: Array, value: Array, grows: bool = False) -> Array:
    """``flow`` with ``value`` as row ``index``; rows take the shape of the first element."""
    row = int(place)
    rows = max(len(flow), row + 1) if grows else len(flow)
    if not 0 <= row < rows:
        raise ShapeError(
            f"Tried to write to index {row} but array is not resizeable and size is: {rows}", op="tf_array_write"
        )
    found = np.zeros((rows, *value.shape), flow.dtype)
    if flow.shape[1:] == value.shape:
        found[: len(flow)] = flow
    found[row] = value
    return found


def _read(flow: Array, places: Array) -> Array:
    outside = places[(places < 0) | (places >= len(flow))]
    if outside.size:
        raise BoundsError(f"Tried to read from index {outside.flat[0]} but array size is: {len(flow)}")
    return flow.take(places, 0)


def _blank(g: Array, place: Array) -> Array:
    """``g`` with zeros in row ``index``: what a write hides has no gradient."""
    found = g.copy()
    found[int(place)] = 0
    return found


op(
    "tf_array_write",
    "flow place value",
    _write,
    lambda flow, place, value, grows=False: TensorType(flow.dtype, None),
    {
        "flow": lambda F, g, place: F.tf_array_blank(g, place),
        "value": lambda F, g, place: F.take(g, place, 0),
    },
    unpromoted=frozenset({"place"}),
    category="shape",
    symbol="[i]=",
)
op(
    "tf_array_read",
    "flow places",
    _read,
    lambda flow, places: TABLE["take"].type_rule(flow, places),
    {"flow": lambda F, g, places, flow_shape: F.put(g, places, flow_shape, 0)},
    unpromoted=frozenset({"places"}),
    category="shape",
    symbol="shape",
    traffic="rows",
)
op(
    "tf_array_blank",
    "g place",
    _blank,
    lambda g, place: g,
    {"g": lambda F, upstream, place: F.tf_array_blank(upstream, place)},
    unpromoted=frozenset({"place"}),
    category="gradient",
    symbol="nabla",
)


class TensorArray:
    """An array of tensors. Every write gives a new one; the old handle stays what it was."""

    def __init__(
        self, dtype: Any, size: Any = None, dynamic_size: bool | None = None, clear_after_read: bool | None = None,
        tensor_array_name: str | None = None, handle: Any = None, flow: Any = None, infer_shape: bool = True,
        element_shape: Any = None, colocate_with_first_write_call: bool = True, name: str | None = None,
    ) -> None:  # fmt: skip
        if size is None and flow is None:
            raise ValueError("Size must be provided if handle is not provided")
        self._dtype = dtypes.as_dtype(dtype)
        self._grows = bool(dynamic_size)
        self._element = TensorShape(element_shape)
        self._infer = infer_shape
        known = constant_value(size) if isinstance(size, Tensor) else size
        self._count: int | None = None if known is None or self._grows else int(known)
        """How many elements there are, if that is fixed and known."""
        if flow is None:
            with get_default_graph().name_scope(name or "TensorArray"):
                flow = self._empty(size)
        self._flow: Tensor = flow

    def _empty(self, size: Any) -> Tensor:
        from engine.dialects.tensorflow.creation import fill

        given = constant_value(size) if isinstance(size, Tensor) else size
        kind = self._dtype._numpy
        rows = [size if given is None else int(given)]
        zero = b"" if kind.kind == "O" else np.zeros((), kind)
        if given is not None:
            first = constant(np.full(rows, zero, kind), name="flow")
        else:
            first = fill(convert(rows), zero)
        # The rows take another shape with the first write, so nothing may be known of it.
        return apply("identity", "TensorArrayV3", "flow_in", [("flow", first)], type=TensorType(kind, None))

    # -- looking -----------------------------------------------------------------------------------------------------
    @property
    def dtype(self) -> dtypes.DType:
        return self._dtype

    @property
    def flow(self) -> Tensor:
        return self._flow

    handle = flow

    @property
    def dynamic_size(self) -> bool:
        return self._grows

    @property
    def element_shape(self) -> TensorShape:
        return self._element

    def size(self, name: str | None = None) -> Tensor:
        return shape(self._flow)[0]

    def with_flow(self, flow: Tensor) -> TensorArray:
        """The same array at another state."""
        found = TensorArray(self._dtype, None, self._grows, flow=flow, infer_shape=self._infer)
        found._element, found._count = self._element, self._count
        return found

    def identity(self) -> TensorArray:
        return self.with_flow(identity(self._flow))

    # -- elements ----------------------------------------------------------------------------------------------------
    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with ``value`` at ``index``."""
        tensor = convert(value, preferred=self._dtype, name="value")
        if tensor.dtype.base_dtype != self._dtype:
            raise TypeError(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype {tensor.dtype.name}"
            )
        self._merge(tensor.shape)
        inputs = [("flow", self._flow), ("index", index), ("value", tensor)]
        flow = apply(
            "tf_array_write", "TensorArrayWriteV3", name, inputs, {"grows": self._grows}, same_type=False,
            default_name="TensorArrayWrite/TensorArrayWriteV3",
        )  # fmt: skip
        return self.with_flow(flow)

    def _merge(self, found: TensorShape) -> None:
        if not self._infer:
            return
        if not self._element.is_compatible_with(found):
            raise ValueError(f"Inconsistent shapes: saw {found} but expected {self._element} (and infer_shape=True)")
        self._element = self._element.merge_with(found)

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """The element at ``index``."""
        return self._shaped(self._taken("TensorArrayReadV3", index, name), ())

    def _taken(self, label: str, places: Any, name: str | None) -> Tensor:
        inputs = [("flow", self._flow), ("index", places)]
        return apply("tf_array_read", label, name, inputs, same_type=False)

    def stack(self, name: str | None = None) -> Tensor:
        """All elements as one tensor."""
        with self._flow.graph.name_scope(name or "TensorArrayStack"):
            found = apply("identity", "TensorArrayGatherV3", None, [("flow", self._flow)], type=self._type())
        return self._shaped(found, (None,))

    def _type(self) -> TensorType:
        known = self._element._dims
        rows = self._flow._node.shape
        first = self._count if rows is None else rows[0]
        return TensorType(self._dtype._numpy, None if known is None else (first, *known))

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        return self._shaped(self._taken("TensorArrayGatherV3", indices, name), (None,))

    def concat(self, name: str | None = None) -> Tensor:
        """All elements joined along their first axis."""
        whole = self.stack()
        rest = shape(whole)[2:]
        return reshape(whole, joined([convert([-1]), rest], 0), name=name)

    def _shaped(self, tensor: Tensor, front: tuple[None, ...]) -> Tensor:
        if self._element._dims is not None:
            tensor.set_shape([*front, *self._element.as_list()])
        return tensor

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array with the rows of ``value`` as elements."""
        tensor = convert(value, preferred=self._dtype, name="value")
        found = self.with_flow(identity(tensor, name=name or "TensorArrayUnstack/TensorArrayScatterV3"))
        if tensor.shape.ndims is not None and self._infer:
            found._element = TensorShape(tensor.shape.as_list()[1:])
        return found

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the rows of ``value`` at ``indices``."""
        found = self
        where = constant_value(convert(indices))
        rows = unstack(value, None if where is None else len(where))
        for place, row in enumerate(rows):
            found = found.write(int(where[place]) if where is not None else convert(indices)[place], row)
        return found

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array with parts of ``value``, ``lengths`` rows each (all alike here)."""
        from engine.dialects.tensorflow.indexing_ops import split

        sizes = [int(n) for n in constant_value(convert(lengths))]
        found = self
        for place, part in enumerate(split(value, sizes)):
            found = found.write(place, part)
        return found

    def close(self, name: str | None = None) -> Any:
        from engine.dialects.tensorflow.variables import no_op

        return no_op(name)
