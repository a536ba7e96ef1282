"""Lengths of time in words."""

from __future__ import annotations


def duration(ns: float) -> str:
    """Three digits and a unit.

    >>> duration(1234), duration(5_600_000), duration(999_999)
    ('1.23 us', '5.6 ms', '1 ms')
    """
    for unit, size in (("ns", 1.0), ("us", 1e3), ("ms", 1e6)):
        if float(f"{ns / size:.3g}") < 1000:
            return f"{ns / size:.3g} {unit}"
    return f"{ns / 1e9:.3g} s"
