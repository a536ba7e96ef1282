"""From a journal to the trace document. The journal is hostile data: whatever it says, the document is valid."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.recording.config import RunConfig
from engine.recording.journal import Journal
from engine.recording.reader import Reader
from engine.recording.rows import Kind
from engine.trace.columns import Ints, encode_table
from engine.trace.ending import EndInfo, end_of
from engine.trace.event_tables import EventTables
from engine.trace.explain import explain
from engine.trace.folding import folded_passes, inside, note_on
from engine.trace.folds import Folds
from engine.trace.naming import names_of
from engine.trace.output import Output
from engine.trace.phases import StepView, phases_of
from engine.trace.rows import EVENT_KINDS, Rows, within
from engine.trace.schema import DIALECTS, EVENTS, FORMAT, TABLES, VERSION
from engine.trace.shown import Shown
from engine.trace.strings import Lists, Strings, clean, sound
from engine.trace.structure import Structure
from engine.trace.values import Values


def build(journal: Any, config: RunConfig | None = None, ended: EndInfo | None = None) -> dict[str, Any]:
    """The trace document of what ``journal`` (a :class:`Journal`, a :class:`Reader` or a buffer) holds.

    ``config`` is what the run was asked to do, as far as the caller knows better than the journal; ``ended`` is used
    when the journal has no end of its own. Never raises for what a journal contains.

    >>> from engine.recording.journal import JournalSizes, anonymous
    >>> build(anonymous(JournalSizes(100, 200_000, 100)), RunConfig("1"), EndInfo("time"))["end"]["limit"]
    'time'
    """
    if isinstance(journal, Journal):
        journal = journal.buffer
    reader = journal if isinstance(journal, Reader) else Reader(journal)
    rows = Rows(reader)
    strings = Strings(rows.texts)
    lists = Lists()
    values = Values(reader, rows.types)
    output = Output(reader.output_bytes)
    shown = Shown(rows)
    folds = Folds(rows, strings)
    structure = Structure(rows, strings)
    frames = _frames(rows, strings)
    plans = _plans(rows, structure, lists)
    sizes = {
        "frames": len(frames["parent"]),
        "regions": len(structure.regions),
        "nodes": structure.count,
        "plans": len(plans["graph"]),
        "loops": len(rows.loops),
        "definitions": len(structure.definitions),
    }
    folded = folded_passes(rows, structure.passes, structure.episode_passes)
    within_folded = inside(rows, structure.passes, folded)
    tables_of_events = EventTables(rows, strings, lists, values, output, shown, folds, sizes, within_folded)
    events = tables_of_events.make()
    if len(structure.edited["seq"]):
        events["edited"] = structure.edited
    tables: dict[str, dict[str, Any]] = {
        "spans": _spans(rows),
        "frames": frames,
        "plans": plans,
        **structure.tables(_variables(rows, structure, strings), len(rows.spans), sizes["frames"], sizes["plans"]),
        "steps": _steps(rows, structure, strings, sizes["frames"]),
        "phases": _phases(rows, structure, strings, sizes),
    }
    notes = [*folds.note(), *([note_on(rows, structure.passes, folded)] if values.folded else [])]
    end, seconds = end_of(rows, structure, tables, strings, ended)
    described = _described(reader, config, notes)
    explain(end, described["program"], rows, structure, output.text)
    return {
        "format": FORMAT,
        "version": VERSION,
        **described,
        "end": end,
        "seconds": seconds,
        "strings": strings.list,
        "types": rows.types,
        "definitions": structure.definitions,
        "lists": lists.list,
        "values": values.list,
        **{name: _encode(tables[name], columns) for name, columns in TABLES.items()},
        "events": {name: _encode(events[name], {"seq": "int", **EVENTS[name]}) for name in EVENTS if name in events},
        "stdout": output.text,
        **shown.lists(),
        **{name: one for name, one in (("series", folds.series), ("parts", values.parts)) if one},
    }


def _encode(table: dict[str, Any], columns: dict[str, str]) -> dict[str, Any]:
    return encode_table({name: table[name] for name in columns})


def _described(reader: Reader, config: RunConfig | None, more: list[str]) -> dict[str, Any]:
    meta = reader.of_kind(Kind.META)["blob"]
    raw = reader.json_at(int(meta[0])) if len(meta) else None
    known: dict[str, Any] = sound(raw) if isinstance(raw, dict) else {}
    machine = known.get("machine")
    machine = machine if isinstance(machine, dict) else {}
    timer = machine.get("timer_ns")
    written = reader.of_kind(Kind.SOURCE)
    name, source = (config.name, config.source) if config is not None else ("", "")
    if config is None and len(written):
        name, source = reader.text_at(int(written["value"][0])), reader.text_at(int(written["blob"][0]))
    reason = known.get("reason")
    return {
        "program": {
            "name": clean(name),
            "source": clean(source),
            "dialect": known["dialect"] if known.get("dialect") in DIALECTS else "python",
            "reason": reason if isinstance(reason, str) else "The run ended before its dialect was decided.",
            "notes": [*(reader.text_at(int(offset)) for offset in reader.of_kind(Kind.NOTE)["blob"][:100]), *more],
        },
        "machine": {
            **{key: machine[key] if isinstance(machine.get(key), str) else "" for key in ("python", "numpy", "engine")},
            "timer_ns": timer if type(timer) is int and 0 < timer < 1 << 40 else 1,
        },
    }


def _spans(rows: Rows) -> dict[str, Ints]:
    names = {"line": "a", "column": "b", "end_line": "c", "end_column": "d"}
    return {name: np.clip(rows.spans[column].astype(np.int64), -1, 1 << 24) for name, column in names.items()}


def _frames(rows: Rows, strings: Strings) -> dict[str, Ints]:
    called = rows.of(Kind.CALLED)
    count = len(called) + 1
    parent = within(called["b"], count)
    # A frame's caller is older than the frame.
    parent = np.where(parent < np.arange(1, count), parent, -1)
    return {
        "function": np.concatenate([[strings.add("<module>")], strings.column(called["a"])]).astype(np.int64),
        "parent": np.concatenate([[-1], parent]).astype(np.int64),
        "line": np.concatenate([[1], np.clip(called["line"].astype(np.int64), -1, 1 << 24)]).astype(np.int64),
    }


def _plans(rows: Rows, structure: Structure, lists: Lists) -> dict[str, Ints]:
    made = rows.of(Kind.OPTIMISE)

    def nodes(offsets: Any) -> Ints:
        found = (rows.nodes_at(int(offset)) for offset in offsets)
        kept = [[node if 0 <= node < structure.count else -1 for node in one] for one in found]
        return np.array([lists.add(one) for one in kept], dtype=np.int64)

    return {
        "graph": within(made["b"], len(structure.modes)),
        "seq": rows.seqs[Kind.OPTIMISE],
        "fetches": nodes(made["blob"]),
        "feeds": nodes(made["value"]),
    }


def _variables(rows: Rows, structure: Structure, strings: Strings) -> dict[int, int]:
    """The name of each node, as an index."""
    empty = [number for number, text in enumerate(rows.texts) if not text]
    framework = np.where(np.isin(structure.header[:, 5], empty), -1, structure.header[:, 5])
    names = names_of(rows, structure.data_sources, structure.data_targets, framework)
    return {node: strings.add(name) for node, name in names.items() if not structure.is_gradient[node]}


def _steps(rows: Rows, structure: Structure, strings: Strings, frames: int) -> dict[str, Ints]:
    steps = structure.steps
    main = rows.events[steps.main]
    kinds = main["kind"]
    names = np.full(256, -1, dtype=np.int64)
    row = np.zeros(len(main), dtype=np.int64)
    for kind in np.unique(kinds).tolist():
        names[kind] = strings.add(EVENT_KINDS[Kind(kind)])
        mine = kinds == kind
        row[mine] = np.searchsorted(rows.seqs[kind], steps.main[mine])
    line = main["line"].astype(np.int64)
    return {
        "seq": steps.first,
        "kind": names[kinds],
        "row": row,
        "line": np.where((line > 0) & (line < 1 << 24), line, -1),
        "span": within(main["span"], len(rows.spans)),
        "frame": within(main["frame"], frames),
        "time": np.clip(steps.time, -(1 << 53), 1 << 53),
    }


def _backward(rows: Rows, structure: Structure) -> Ints:
    """For each step, how many backwards run at its main event."""
    begun, ended = (rows.seqs[kind] for kind in (Kind.BACKWARD, Kind.BACKWARD_END))
    main = structure.steps.main
    running: Ints = np.maximum(np.searchsorted(begun, main) - np.searchsorted(ended, main), 0).astype(np.int64)
    return running


def _phases(rows: Rows, structure: Structure, strings: Strings, sizes: dict[str, int]) -> dict[str, Any]:
    main = rows.events[structure.steps.main]
    kind = main["kind"].astype(np.int64)
    node = within(main["node"], structure.count)
    graph = np.append(structure.graph, -1)[node]
    of_plan = np.isin(kind, [Kind.OPTIMISE, Kind.PASS, Kind.REWRITE, Kind.COMPILED, Kind.RUN])
    plan = np.where(of_plan, within(main["a"], sizes["plans"]), -1)
    node_plan = np.append(within(structure.header[:, 4], sizes["plans"]), -1)[node]
    plan = np.where(kind == Kind.NODE, node_plan, plan)
    in_run = np.isin(kind, [Kind.FED, Kind.RAN, Kind.FETCHED, Kind.WRITTEN])
    run = np.where(in_run, main["a"], np.where(kind == Kind.RUN, main["b"], -1)).astype(np.int64)
    runs = rows.of(Kind.RUN)
    plan_of_run = dict(zip(runs["b"].tolist(), within(runs["a"], sizes["plans"]).tolist(), strict=True))
    plan = np.array([plan_of_run.get(r, p) if r >= 0 else p for r, p in zip(run.tolist(), plan.tolist(), strict=True)])
    plan = plan.astype(np.int64)
    made = within(rows.of(Kind.OPTIMISE)["b"], len(structure.modes))
    graph = np.where((plan >= 0) & (graph < 0), np.append(made, -1)[plan], graph)
    initial = np.array([text == "initial" for text in rows.texts] + [False])
    is_initial = initial[within(main["d"], len(rows.texts))] & (kind == Kind.WRITTEN)
    dynamic = np.append(structure.dynamic, 0)[node]
    backward = _backward(rows, structure)
    view = StepView(
        kind, graph, dynamic, plan, run, structure.step_episode, is_initial.astype(np.int64), backward
    )  # fmt: skip
    phases = phases_of(view, structure.episodes["index"].tolist())
    columns: dict[str, Any] = {name: [phase[index] for phase in phases] for index, name in enumerate(TABLES["phases"])}
    columns["name"] = [strings.add(name) for name in columns["name"]]
    columns["label"] = [strings.add(label) for label in columns["label"]]
    return columns


__all__ = ["EndInfo", "build"]
