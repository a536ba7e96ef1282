"""What a program printed: bytes of two streams in one text, and where each byte's character stands."""

from __future__ import annotations

import numpy as np

from engine.trace.columns import Ints


class Output:
    """The text of ``data`` (UTF-8; bytes that are none become U+FFFD, one each).

    >>> output = Output("aé中".encode() + b"\\xff!")
    >>> output.text, output.characters(np.array([0, 1, 3, 6, 7])).tolist()
    ('aé中�!', [0, 1, 2, 3, 4])
    """

    def __init__(self, data: bytes) -> None:
        try:
            self.text = data.decode("utf-8")
            raw = np.frombuffer(data, dtype=np.uint8)
            begins = (raw & 0xC0) != 0x80
        except UnicodeDecodeError:
            self.text, begins = _decode_bytewise(data)
        # How many characters begin before each byte.
        self._before: Ints = np.concatenate([[0], np.cumsum(begins)]).astype(np.int64)

    def characters(self, offsets: Ints) -> Ints:
        """Offsets in bytes as offsets in characters."""
        return self._before[np.clip(offsets, 0, len(self._before) - 1)]


def _decode_bytewise(data: bytes) -> tuple[str, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Decode with every undecodable byte as one character of its own."""
    text = data.decode("utf-8", "surrogateescape")
    begins = np.zeros(len(data), dtype=bool)
    at = 0
    for character in text:
        begins[at] = True
        at += 1 if "\udc80" <= character <= "\udcff" else len(character.encode("utf-8"))
    clean = "".join("\ufffd" if "\udc80" <= character <= "\udcff" else character for character in text)
    return clean, begins
