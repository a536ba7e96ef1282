"""Pictures as PNG, made with NumPy and zlib alone: charts have few colours and become small."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_COLOURS = 256
_COARSER = (0xFFFFFF, 0xF8F8F8, 0xF0F0F0)
"""Which bits of a colour are kept, tried in turn until a chart's colours fit into a palette."""
_CHART = 6000
"""A picture with more colours than this is a photograph, and keeps them all."""


def png(pixels: NDArray[np.uint8], longest: int = 800) -> tuple[bytes, int, int]:
    """``pixels`` (height x width x 3) as a PNG file, no side longer than ``longest``; the file, its width and height.

    A chart is kept with at most 256 colours: soft edges may come out a shade coarser.

    >>> data, width, height = png(np.full((30, 40, 3), 255, np.uint8))
    >>> data[:4], width, height, len(data) < 120
    (b'\\x89PNG', 40, 30, True)
    """
    pixels = smaller(pixels, longest)
    height, width, _ = pixels.shape
    packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    colours = np.unique(packed)
    if len(colours) <= _CHART:
        for mask in _COARSER:
            kept = colours if mask == 0xFFFFFF else np.unique(colours & mask)
            if len(kept) <= MOST_COLOURS:
                index = np.searchsorted(kept, packed & mask).astype(np.uint8)
                return _file(index, 3, _whole(kept, mask)), width, height
    return _file(pixels.reshape(height, width * 3), 2), width, height


def smaller(pixels: NDArray[np.uint8], longest: int) -> NDArray[np.uint8]:
    """``pixels`` with no side longer than ``longest``: means of blocks of a whole number of pixels."""
    factor = -(-max(pixels.shape[:2]) // longest)
    if factor <= 1:
        return np.ascontiguousarray(pixels)
    height, width = (max(size // factor, 1) for size in pixels.shape[:2])
    cut = pixels[: height * factor, : width * factor]
    if cut.shape[0] < factor or cut.shape[1] < factor:  # a line
        return np.ascontiguousarray(pixels[::factor, ::factor])
    blocks = cut.reshape(height, factor, width, factor, -1).mean(axis=(1, 3))
    return np.asarray(blocks, np.uint8)


def _whole(colours: NDArray[Any], mask: int) -> bytes:
    """A palette from the kept bits: white stays white."""
    parts = np.stack([colours >> 16, colours >> 8, colours], axis=1).astype(np.uint8)
    kept = bin(mask & 0xFF).count("1")
    return (parts | (parts >> kept) if kept < 8 else parts).tobytes()


def _file(rows: NDArray[np.uint8], kind: int, palette: bytes = b"") -> bytes:
    """A PNG file of ``rows`` (height x bytes), of colour type ``kind`` (2: three bytes a pixel, 3: palette)."""
    height = len(rows)
    width = rows.shape[1] // (3 if kind == 2 else 1)
    if kind == 2:  # what is above is a good guess for photographs
        above = np.vstack([np.zeros((1, rows.shape[1]), np.uint8), rows[:-1]])
        rows = rows - above
    lead = np.full((height, 1), 2 if kind == 2 else 0, np.uint8)
    data = zlib.compress(np.hstack([lead, rows]).tobytes(), 6)
    head = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    parts = [(b"IHDR", head), *([(b"PLTE", palette)] if palette else []), (b"IDAT", data), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in parts
    )


__all__ = ["png", "smaller"]
