"""Containers and instances of a trace, small: what is inside stands once, and a value that differs little from the one
before it of the same object says only how."""

from __future__ import annotations

from typing import Any

LONGEST_CHAIN = 64
"""So many values may say how they differ, one from the other, before one is whole again."""
LAST_OF_ONE_UNIT = "\ud7ff"
"""Characters beyond it may be two in JavaScript."""
Items = list[list[Any]]
Part = dict[str, Any]


class Containers:
    """Writes values; ``parts`` are the objects inside them, each content once.

    >>> told = Containers()
    >>> first = told.value(0, "list", "[[1], [2]]", [["0", "[1]", 7], ["1", "[2]", 8]], [], 3)
    >>> told.value(1, "list", "[[1], [5]]", [["0", "[1]", 7], ["1", "[5]", 8]], [], 3)
    {'like': 0, 'text': [7, '5', 2], 'items': [[1, ['1', '[5]', 8]]]}
    """

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self._numbers: dict[Any, int] = {}
        self._last: dict[tuple[str, int], tuple[int, str, Items, list[int], int]] = {}

    def value(self, index: int, kind: str, text: str, items: Items, inside: list[Part], number: int) -> dict[str, Any]:
        """The value that will stand at ``index``: of object ``number`` (-1: not known), with these parts."""
        places = [self._part(one) for one in inside]
        whole: dict[str, Any] = {"python": kind, "text": text, "items": items, "inside": places}
        before = self._last.get((kind, number))
        length = 0
        if before is not None and before[4] < LONGEST_CHAIN:
            changed = _changed(before, text, items, places)
            if changed is not None:
                whole, length = changed, before[4] + 1
        self._last[kind, number] = (index, text, items, places, length)
        return whole

    def _part(self, part: Part) -> int:
        key = (part["object"], part["python"], tuple(map(tuple, part["items"])))
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.parts)
            self.parts.append(part)
        return number


def _changed(
    before: tuple[int, str, Items, list[int], int], text: str, items: Items, inside: list[int]
) -> dict[str, Any] | None:
    """How a value differs from the one before; None if it says no less to tell it whole."""
    index, old_text, old_items, old_inside, _ = before
    if len(items) < len(old_items) or len(inside) < len(old_inside):
        return None
    new, new_inside = _new(old_items, items), _new(old_inside, inside)
    if 2 * len(new) > len(items) + 1:
        return None
    changed: dict[str, Any] = {"like": index, "text": _edit(old_text, text)}
    if new:
        changed["items"] = new
    if new_inside:
        changed["inside"] = new_inside
    return changed


def _new(old: list[Any], new: list[Any]) -> list[list[Any]]:
    """What stands in ``new`` and not in ``old``, with its place."""
    return [[place, one] for place, one in enumerate(new) if place >= len(old) or one != old[place]]


def _edit(old: str, new: str) -> Any:
    """``[a, middle, b]``: the first ``a`` characters stay, and the last ``b``. All of the text where characters are not
    the same units everywhere."""
    if max(old + new, default="") > LAST_OF_ONE_UNIT:
        return new
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    middle = new[head : len(new) - tail]
    return [head, middle, tail]


def _alike(old: str, new: str) -> int:
    """How many characters are the same from the beginning."""
    return next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))


def whole(values: list[Any], parts: list[Part], index: int) -> dict[str, Any]:
    """The value at ``index`` with all its parts, as it was before :class:`Containers` made it small.

    >>> values = [{"python": "list", "text": "[1]", "items": [], "inside": []}, {"like": 0, "text": [1, "2", 1]}]
    >>> whole(values, [], 1)["text"]
    '[2]'
    """
    chain: list[dict[str, Any]] = []
    found: dict[str, Any] = values[index]
    while "like" in found:
        chain.append(found)
        found = values[found["like"]]
    told = {**found, "items": [*found.get("items", [])], "inside": [*found.get("inside", [])]}
    for change in reversed(chain):
        told["text"] = _edited(told["text"], change["text"])
        for place, item in change.get("items", []):
            told["items"][place : place + 1] = [item]
        for place, number in change.get("inside", []):
            told["inside"][place : place + 1] = [number]
    told["inside"] = [parts[one] if type(one) is int else one for one in told["inside"]]
    return told


def _edited(old: str, change: Any) -> str:
    if isinstance(change, str):
        return change
    head, middle, tail = change
    return f"{old[:head]}{middle}{old[len(old) - tail :]}"
