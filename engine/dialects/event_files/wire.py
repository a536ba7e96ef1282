"""As much of the wire format of protocol buffers, and of TensorFlow's record files, as summaries need."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache
from typing import Any

Fields = list[tuple[int, Any]]


def varint(number: int) -> bytes:
    """A number of up to 64 bits.

    >>> varint(300).hex()
    'ac02'
    """
    number &= (1 << 64) - 1
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    found.append(number)
    return bytes(found)


def message(fields: Fields) -> bytes:
    """Fields (number, value): ``int`` as varint, ``float`` as double, ``bytes`` and ``str`` with their length; a value
    that is :class:`Float` takes 32 bits, a list of floats is packed."""
    found = bytearray()
    for number, value in fields:
        if isinstance(value, Float):
            found += varint(number << 3 | 5) + struct.pack("<f", value)
        elif isinstance(value, float):
            found += varint(number << 3 | 1) + struct.pack("<d", value)
        elif isinstance(value, int):
            found += varint(number << 3) + varint(value)
        else:
            if isinstance(value, list):
                value = struct.pack(f"<{len(value)}d", *value)
            data = value.encode() if isinstance(value, str) else bytes(value)
            found += varint(number << 3 | 2) + varint(len(data)) + data
    return bytes(found)


class Float(float):
    """A number that is written with 32 bits."""


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """What is in a message: numbers as ``int`` or ``float``, everything with a length as ``bytes``.

    >>> list(fields(message([(1, "a"), (2, 7), (3, 0.5)])))
    [(1, b'a'), (2, 7), (3, 0.5)]

    :raises ValueError: it is no message.
    """
    place = 0

    def number() -> int:
        nonlocal place
        found = shift = 0
        while True:
            if place >= len(data) or shift > 63:
                raise ValueError("this is no message")
            byte = data[place]
            place += 1
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def take(count: int) -> bytes:
        nonlocal place
        if place + count > len(data):
            raise ValueError("this message ends too early")
        place += count
        return data[place - count : place]

    while place < len(data):
        key = number()
        kind = key & 7
        value: Any
        if kind == 0:
            value = number()
        elif kind == 1:
            (value,) = struct.unpack("<d", take(8))
        elif kind == 5:
            (value,) = struct.unpack("<f", take(4))
        elif kind == 2:
            value = take(number())
        else:
            raise ValueError(f"this message has a field of the unknown kind {kind}")
        yield key >> 3, value


@cache
def _table() -> tuple[int, ...]:
    found = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        found.append(byte)
    return tuple(found)


def checksum(data: bytes) -> int:
    """CRC-32C, masked as record files want it.

    >>> hex(checksum(b"123456789"))
    '0xc78ab0e5'
    """
    table, crc = _table(), 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(data: bytes) -> bytes:
    """One entry of a record file."""
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", checksum(length)) + data + struct.pack("<I", checksum(data))


def records(data: bytes) -> Iterator[bytes]:
    """The entries of a record file. :raises ValueError: it is damaged."""
    place = 0
    while place < len(data):
        head = data[place : place + 12]
        if len(head) < 12 or checksum(head[:8]) != struct.unpack("<I", head[8:])[0]:
            raise ValueError(f"corrupted record at {place}")
        (length,) = struct.unpack("<Q", head[:8])
        body, tail = data[place + 12 : place + 12 + length], data[place + 12 + length : place + 16 + length]
        if len(tail) < 4 or checksum(body) != struct.unpack("<I", tail)[0]:
            raise ValueError(f"truncated record at {place}")
        yield body
        place += 16 + length
