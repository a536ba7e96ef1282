"""Messages between the server and a finishing process: a kind, a length, that many bytes."""

from __future__ import annotations

import struct
from typing import IO

DRAW, PLAIN = 0, 1
"""Asked for: a document with a layout, or one without (the payload begins with a line that says why)."""
DONE, BAD = 0, 1
"""Answered: a document, or what is wrong with the trace."""
_HEAD = struct.Struct("<BQ")


def write_frame(pipe: IO[bytes], kind: int, payload: bytes) -> None:
    """
    >>> import io; pipe = io.BytesIO(); write_frame(pipe, DONE, b"x"); _ = pipe.seek(0); read_frame(pipe)
    (0, b'x')
    """
    pipe.write(_HEAD.pack(kind, len(payload)))
    pipe.write(payload)
    pipe.flush()


def read_frame(pipe: IO[bytes]) -> tuple[int, bytes]:
    """The next message. Raises :class:`EOFError` when the other side has gone."""
    kind, length = _HEAD.unpack(_exactly(pipe, _HEAD.size))
    return kind, _exactly(pipe, length)


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data
