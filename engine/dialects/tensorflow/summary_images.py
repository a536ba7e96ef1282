"""``tf.summary.image``: pictures in event files, as PNG."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dialects.event_files.wire import message
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.summary import KEY
from engine.errors import ShapeError
from engine.ops.registry import op
from engine.tensor_type import TensorType


def png(pixels: NDArray[np.uint8]) -> bytes:
    """A picture (rows x columns x 1, 3 or 4 channels) as the bytes of a PNG file.

    >>> png(np.zeros((1, 1, 1), np.uint8))[1:4]
    b'PNG'
    """
    rows, columns, channels = pixels.shape
    kind = {1: 0, 3: 2, 4: 6}[channels]
    lines = b"".join(b"\0" + line.tobytes() for line in pixels)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", columns, rows, 8, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def _scaled(picture: NDArray[Any]) -> NDArray[np.uint8]:
    """Numbers as bytes: positive ones up to the largest, others around 127."""
    if picture.dtype == np.uint8:
        return picture
    low, high = float(picture.min(initial=0)), float(picture.max(initial=0))
    if low >= 0:
        scale, shift = (255 / high if high > 0 else 0.0), 0.0
    else:
        most = max(abs(low), high)
        scale, shift = (127 / most if most > 0 else 0.0), 128.0
    return np.clip(picture * scale + shift, 0, 255).astype(np.uint8)


def _entry(value: Any, *, tag: str, most: int) -> Any:
    if value.ndim != 4 or value.shape[3] not in (1, 3, 4):
        raise ShapeError(
            f"Tensor must be 4-D with last dim 1, 3, or 4, not [{','.join(map(str, value.shape))}]",
            op="tf_image_summary",
        )
    parts = []
    for place, picture in enumerate(value[:most]):
        title = f"{tag}/image" if most == 1 else f"{tag}/image/{place}"
        rows, columns, channels = picture.shape
        image = message([(1, rows), (2, columns), (3, channels), (4, png(_scaled(picture)))])
        parts.append((1, message([(1, title), (4, image)])))
    found = np.empty((), object)
    found[()] = message(parts)
    return found


op("tf_image_summary", "value", _entry, lambda value, *, tag, most: TensorType(np.dtype(np.object_), ()), None,
   category="control", symbol="log")  # fmt: skip


def image(name: str, tensor: Any, max_outputs: int = 3, collections: Any = None, family: Any = None) -> Tensor:
    """A summary of up to ``max_outputs`` pictures of a batch."""
    pictures = convert(tensor)
    with pictures.graph.name_scope(f"{family}/{name}" if family else name) as scope:
        attributes = {"tag": scope[:-1], "most": int(max_outputs)}
        made = apply("tf_image_summary", "ImageSummary", scope, [("tensor", pictures)], attributes,
                     constants=[("tag", scope[:-1])])  # fmt: skip
    pictures.graph.add_to_collections([KEY] if collections is None else collections, made)
    return made
