"""From a run's tables to what is known about its end: the card of its error, and hints."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from engine.recording.rows import Kind
from engine.trace.cards import Facts, card_for, hints_for
from engine.trace.losses import kept_graphs, losses_of
from engine.trace.rows import EVENT_KINDS, Rows
from engine.trace.structure import Structure


def explain(end: dict[str, Any], program: dict[str, Any], rows: Rows, structure: Structure, stdout: str) -> None:
    """Add ``card`` to ``end.error`` and ``hints`` to ``end``, where there are any."""
    facts = _facts(end["error"] or {}, program, rows, structure, stdout)
    if end["error"] is not None:
        end["error"]["card"] = card_for(facts)
    end["hints"] = hints_for(facts)


def _facts(error: dict[str, Any], program: dict[str, Any], rows: Rows, structure: Structure, stdout: str) -> Facts:
    node = error.get("node", -1)
    definition = (
        structure.definitions[structure.definition[node]] if node >= 0 and structure.definition[node] >= 0 else {}
    )
    accumulated = rows.of(Kind.ACCUMULATED)
    losses = losses_of(rows, structure)
    return Facts(
        type=error.get("type", ""),
        message=error.get("message", ""),
        dialect=program["dialect"],
        source=program["source"],
        line=error.get("line") or 0,
        defined_line=error.get("defined_line") or 0,
        op=definition.get("op", ""),
        role=definition.get("role", ""),
        category=definition.get("category", ""),
        operands=[(one["name"], one["type"]) for one in error.get("operands", [])],
        events={name: len(rows.seqs[int(kind)]) for kind, name in EVENT_KINDS.items()},
        static_graphs=sum(mode == "static" for mode in structure.modes),
        names=frozenset(rows.text(number) for number in np.unique(rows.of(Kind.ASSIGNED)["a"]).tolist()),
        stdout=stdout[:100_000],
        freed=bool(len(rows.seqs[Kind.FREED])),
        grown_runs=_grown_runs(rows, structure),
        accumulated_again=_accumulated_again(rows, accumulated),
        cleared=len(rows.seqs[Kind.CLEARED]),
        kept_graphs=kept_graphs(rows, structure),
        losses=losses,
        traced=_traced(rows),
    )


def _traced(rows: Rows) -> Counter[str]:
    """How often each function was traced."""
    made = rows.of(Kind.SPECIALISED)
    pairs = zip(made["a"].tolist(), made["b"].tolist(), strict=True)
    return Counter(rows.text(name) for name, what in pairs if rows.text(what) in ("traced", "traced again"))


def _grown_runs(rows: Rows, structure: Structure) -> int:
    """How often the graph had grown when the same line ran it again (of the line where that happened most)."""
    runs = rows.seqs[Kind.RUN]
    if len(runs) < 2:
        return 0
    own = rows.seqs[Kind.NODE][(structure.dynamic == 0) & (structure.header[:, 4] < 0)]
    before = np.searchsorted(own, runs)
    lines = rows.events["line"][runs]
    return max(int(np.count_nonzero(np.diff(before[lines == line]))) for line in np.unique(lines).tolist())


def _accumulated_again(rows: Rows, accumulated: Any) -> int:
    """Gradients that were added to what an earlier backward had left."""
    backwards = rows.seqs[Kind.BACKWARD]
    again = rows.seqs[Kind.ACCUMULATED][accumulated["a"] == 1]
    return len(np.unique(np.searchsorted(backwards, again))) if len(backwards) > 1 else 0
