"""What was folded while the program ran: how many passes and steps, and what the numbers in their variables were."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.recording.rows import Kind
from engine.trace.columns import Ints
from engine.trace.numbers import as_json
from engine.trace.rows import Rows, within
from engine.trace.strings import Strings

POINTS = 512
NAMES = 64
NUMBERS = ("nan", "inf", "-inf")


class Folds:
    """The table ``folded`` and the list ``series`` of a document."""

    def __init__(self, rows: Rows, strings: Strings) -> None:
        self._rows = rows
        self._strings = strings
        self.series: list[list[dict[str, Any]]] = []

    def columns(self, loops: int) -> dict[str, Ints]:
        """The columns of the table; fills ``series``."""
        folds = self._rows.of(Kind.FOLD)
        self.series = [self._series(self._rows.reader.json_at(int(at))) for at in folds["blob"]]

        def count(column: Any) -> Ints:
            counted: Ints = np.clip(column.astype(np.int64), 0, 1 << 53)
            return counted

        return {
            "loop": within(folds["a"], loops),
            "activation": folds["b"].astype(np.int64),
            "iteration": count(folds["c"]),
            "passes": count(folds["d"]),
            "steps": count(folds["e"]),
            "events": count(folds["node"]),
            "start": np.maximum(np.clip(folds["time"], 0, 1 << 53) - count(folds["duration"]), 0),
            "duration": count(folds["duration"]),
            "series": np.arange(len(folds)),
        }

    def _series(self, raw: Any) -> list[dict[str, Any]]:
        found = []
        for one in raw[:NAMES] if isinstance(raw, list) else []:
            if not isinstance(one, dict) or not isinstance(one.get("points"), list):
                continue
            name, every = one.get("name"), one.get("every")
            if type(name) is not int or type(every) is not int or not 0 < every < 1 << 53:
                continue
            texts = self._strings.column(np.array([name]))
            numbers = {key: _number(one.get(key)) for key in ("low", "high")}
            points = [_number(point) for point in one["points"][:POINTS]]
            if texts[0] >= 0 and None not in numbers.values():
                found.append({"name": int(texts[0]), "every": every, **numbers, "points": points})
        return found

    def note(self) -> list[str]:
        """What the document says about it: one sentence, or none."""
        folds = self._rows.of(Kind.FOLD)
        if not len(folds):
            return []
        passes, steps = int(np.maximum(folds["d"], 0).sum()), int(np.maximum(folds["e"], 0).sum())
        lines = sorted({int(line) for line in folds["line"].tolist() if line > 0})
        where = ", ".join(map(str, lines[:5]))
        loops = f"the loop in line {where}" if len(lines) == 1 else f"loops in lines {where}"
        return [
            f"The program ran long: {passes:,} passes of {loops}, with {steps:,} steps, were folded while it ran. Each "
            "fold is one step, with what the numbers in its variables were. The first, the last and unusual passes are "
            "whole, and the numbers of their steps are those of the whole program."
        ]


def _number(raw: Any) -> Any:
    if type(raw) is str:
        return raw if raw in NUMBERS else None
    return as_json(raw) if type(raw) in (int, float) else None
