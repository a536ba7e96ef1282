"""Shapes and tensors as messages of a GraphDef."""

from __future__ import annotations

from typing import Any

from engine.adapters.graphdef_schema import TensorProto, TensorShapeProto
from engine.adapters.graphdef_values import Array, number_of
from engine.tensor_type import Shape


def shape_message(shape: Shape | None) -> Any:
    """A shape as a message."""
    message = TensorShapeProto()
    if shape is None:
        message.unknown_rank = True
    else:
        for size in shape:
            message.dim.add(size=-1 if size is None else size)
    return message


def tensor_message(array: Array) -> Any:
    """An array as a message."""
    message = TensorProto(dtype=number_of(array.dtype), tensor_shape=shape_message(array.shape))
    if array.dtype.hasobject:
        message.string_val.extend(array.ravel().tolist())
    else:
        message.tensor_content = array.astype(array.dtype.newbyteorder("<")).tobytes()
    return message
