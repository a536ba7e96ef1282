"""How large a box must be for what is written in it. Widths are in graph units, from the fonts' mean advance."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

MIN_WIDTH, MAX_WIDTH, HEIGHT = 88, 176, 58
PILL_WIDTH, PILL_HEIGHT = 64, 36
"""A constant with a single number is a small pill."""

_LABEL, _NAME, _SHAPE = 6.6, 7.2, 6.3
"""Advance of a character: Inter 12 px, JetBrains Mono 12 px, and the same at 11 px set 0.03 em closer."""
_LONG = 13
"""From so many letters on, the name of an op is broken where a word begins in it."""
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TAIL = re.compile(r"(?<=.)(?=Backward\d*$|Gradient$|\.grad$)")
"""Where the name of a gradient is broken into two lines."""
_GLYPH, _PADDING, _THUMBNAIL = 28, 9, 24
TIP = 4
"""How much more an input needs, whose right side is a point."""


def shape_text(shape: Sequence[int | None] | None) -> str:
    """A static shape as the page writes it.

    >>> shape_text([None, 2]), shape_text([]), shape_text(None)
    ('[?, 2]', 'scalar', '')
    """
    if shape is None:
        return ""
    return "[" + ", ".join("?" if n is None else str(n) for n in shape) + "]" if len(shape) else "scalar"


def lines(text: str) -> list[str]:
    """A label as it is written: the name of a gradient in two lines, so that its column is no wider than its op's.

    >>> lines("MseLossBackward0"), lines("fc.weight.grad"), lines("relu")
    (['MseLoss', 'Backward0'], ['fc.weight', '.grad'], ['relu'])
    >>> lines("ApplyGradientDescent")
    ['ApplyGradient', 'Descent']
    """
    parts = _TAIL.split(text)
    places = [match.start() for match in _WORD.finditer(text)] if len(text) >= _LONG and len(parts) == 1 else []
    if not places:
        return parts
    at = min(places, key=lambda place: abs(len(text) - 2 * place))
    return [text[:at], text[at:]]


def label_width(text: str, *, glyph: bool) -> float:
    """What a box needs for its label: with a glyph the name of an op, without one a name in code type.

    Longer text than fits is shortened by the player.
    """
    letters = max(len(line) for line in lines(text))
    return (_GLYPH if glyph else _PADDING) + (_LABEL if glyph else _NAME) * min(letters, 40) + _PADDING


def type_width(kind: Any) -> float:
    """What a box needs for its second line: the shape at the left, a thumbnail or a number at the right."""
    shape = kind.get("shape") if isinstance(kind, dict) else None
    if not shape:
        return 0.0
    return _PADDING + _SHAPE * min(len(shape_text(shape)), 40) + 6 + _THUMBNAIL + 8


def box_width(needed: float) -> int:
    """The width of a box: between 88 and 176, in steps of 4.

    >>> box_width(20), box_width(101.5), box_width(1e9)
    (88, 104, 176)
    """
    return int(min(MAX_WIDTH, max(MIN_WIDTH, -(-needed // 4) * 4)))


def pill_width(needed: float) -> int:
    """The width of a constant that is a single number.

    >>> pill_width(20), pill_width(1e9)
    (64, 176)
    """
    return int(min(MAX_WIDTH, max(PILL_WIDTH, -(-needed // 4) * 4)))
