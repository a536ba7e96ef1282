"""How numbers, shapes and times are written: as the page does (``static/js/trace/format.js``)."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

DIGITS = 4
NAMED = {"nan": "NaN", "inf": "∞", "-inf": "−∞"}


def num(x: Any, digits: int = DIGITS) -> str:
    """A number with a real minus and four significant digits.

    >>> num(-0.123456), num(1234567.0), num(3.0), num("nan")
    ('−0.1235', '1.235e6', '3', 'NaN')
    >>> num(472.5, 3)  # halves go up, as in JavaScript
    '473'
    """
    if x is None:
        return "none"
    if isinstance(x, (str, bool)):
        return NAMED.get(str(x), str(x))
    if x == 0:
        return "0"
    size = abs(x)
    if float(x).is_integer() and size < 1e6:
        return str(int(x)).replace("-", "−")
    rounded = float(Context(digits, ROUND_HALF_UP).create_decimal(Decimal(float(x))))
    if 1e-4 <= size < 1e6:
        text = (
            format(Decimal(repr(rounded)), "f").rstrip("0").rstrip(".")
            if not rounded.is_integer()
            else str(int(rounded))
        )
    else:
        exponent = math.floor(math.log10(abs(rounded)) + 1e-12)
        text = f"{format(rounded / 10**exponent, f'.{digits - 1}f').rstrip('0').rstrip('.')}e{exponent}"
    return text.replace("-", "−")


def size_text(shape: Any) -> str:
    """``4 × 3``, ``scalar``."""
    if shape is None:
        return "any shape"
    return " × ".join("?" if n is None else str(n) for n in shape) if shape else "scalar"


def count(n: int, one: str, many: str = "") -> str:
    """``1 row``, ``2 rows``."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def time(ns: int) -> str:
    """Nanoseconds with a unit that fits.

    >>> time(140_000), time(12)
    ('140 µs', '12 ns')
    """
    for bound, scale, unit in ((1e3, 1, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms")):
        if ns < bound:
            return f"{ns} ns" if unit == "ns" else f"{num(ns / scale, 3)} {unit}"
    return f"{num(ns / 1e9, 3)} s"


def in_words(value: dict[str, Any] | None) -> str:
    """``a 4 × 3 value``, or the number itself; ``3 numbers (1 NaN)`` where some are no ordinary numbers.

    >>> in_words({"shape": [4, 3], "size": 12}), in_words({"shape": [3], "size": 3, "nan": 1, "inf": 2})
    ('a 4 × 3 value', '3 numbers (1 NaN, 2 infinite)')
    """
    if value is None:
        return "no value"
    if value.get("size") == 1 and value.get("data"):
        return num(value["data"][0])
    shape = value.get("shape")
    size = count(shape[0], "number") if shape is not None and len(shape) == 1 else f"a {size_text(shape)} value"
    odd = [f"{value[key]} {word}" for key, word in (("nan", "NaN"), ("inf", "infinite")) if value.get(key)]
    return f"{size} ({', '.join(odd)})" if odd else size


def cut(text: str, size: int) -> str:
    """``text`` cut to ``size`` characters."""
    return text if len(text) <= size else f"{text[: size - 1]}…"


def stop(text: str) -> str:
    """A text with one point at its end.

    >>> stop("done"), stop("done.")
    ('done.', 'done.')
    """
    return text if text[-1:] in (".", "!", "?", "…") and text else f"{text}."


def ordinal(n: int) -> str:
    """``first``, ``second``, …, ``11th``.

    >>> ordinal(2), ordinal(11), ordinal(22)
    ('second', '11th', '22nd')
    """
    if 0 < n < 6:
        return ("first", "second", "third", "fourth", "fifth")[n - 1]
    return f"{n}{'th' if 10 < n % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"
