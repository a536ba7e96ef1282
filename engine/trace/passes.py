"""The passes of source loops: from when to when each lasted, and which loops fall into episodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.recording.rows import Kind
from engine.trace.columns import Ints
from engine.trace.rows import Rows, within

WHOLE = (Kind.RUN, Kind.BACKWARD)
"""Events that make a pass of a loop an episode by themselves: a session's run, or backward."""


@dataclass(slots=True)
class Passes:
    """One row for each pass of a loop, in the order in which they began; ``first`` and ``end`` are event numbers."""

    loop: Ints
    activation: Ints
    iteration: Ints
    first: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.loop)


@dataclass(slots=True)
class _Open:
    loop: int
    activation: int
    number: int
    line: int
    end_line: int


def passes_of(rows: Rows) -> Passes:
    """Where each pass of each loop begins and ends.

    A pass ends where the next one of the same activation begins, where passes of it are folded, where its frame goes on
    outside the loop, or where its frame returns.
    """
    loops = rows.loops
    begin_line, last_line = loops["b"].tolist(), loops["c"].tolist()
    kinds = (Kind.LINE, Kind.LOOP, Kind.RETURNED, Kind.FOLD)
    wanted = np.sort(np.concatenate([rows.seqs[kind] for kind in kinds]))
    chosen = rows.events[wanted]
    open_loops: dict[int, list[_Open]] = {}
    table: list[tuple[int, int, int]] = []
    first: list[int] = []
    end: list[int] = []
    header = (-1, -1, -1)
    columns = [chosen[name].tolist() for name in ("kind", "line", "frame", "a", "b", "c")]
    for seq, kind, line, frame, loop, activation, iteration in zip(wanted.tolist(), *columns, strict=True):
        stack = open_loops.get(frame)
        if kind == Kind.LINE:
            header = (seq, line, frame)
            while stack and not stack[-1].line <= line <= stack[-1].end_line:
                end[stack.pop().number] = seq
        elif kind == Kind.RETURNED:
            while stack:
                end[stack.pop().number] = seq
            open_loops.pop(frame, None)
        elif kind == Kind.FOLD:
            while stack and any(one.activation == activation for one in stack):
                end[stack.pop().number] = seq
        elif 0 <= loop < len(begin_line):
            if stack is None:
                stack = open_loops[frame] = []
            # From the second pass on, the line of the header comes right before the pass and belongs to it.
            start = header[0] if iteration and header == (seq - 1, line, frame) else seq
            while stack and any(one.loop == loop for one in stack):
                end[stack.pop().number] = start
            stack.append(_Open(loop, activation, len(table), begin_line[loop], last_line[loop]))
            table.append((loop, activation, iteration))
            first.append(start)
            end.append(len(rows.events))
    numbers = np.array(table, dtype=np.int64).reshape(-1, 3)
    return Passes(
        numbers[:, 0], numbers[:, 1], numbers[:, 2], np.array(first, dtype=np.int64), np.array(end, dtype=np.int64)
    )


def innermost(passes: Passes, chosen: Ints, events: int) -> Ints:
    """For each event the innermost of the ``chosen`` passes (their indexes) that it lies in, -1 outside all."""
    owner = np.full(events, -1, dtype=np.int64)
    columns = (chosen, passes.first[chosen], passes.end[chosen])
    for index, first, end in zip(*(column.tolist() for column in columns), strict=True):
        owner[first:end] = index
    return owner


def splitting_loops(
    rows: Rows, passes: Passes, sources: Ints, targets: Ints, parameters: Ints, gradients: Ints
) -> Ints:
    """1 for each source loop whose passes are episodes, else 0.

    ``sources`` and ``targets`` are the data edges (nodes). The passes of a loop are episodes if there are at least two
    of them; none feeds another; no two of them feed what comes after the loop; and some pass holds a run or backward,
    or an op on data from outside. Edges from ``parameters`` do not count as feeding (a parameter is what stays while
    the rest is made anew) nor, with ``gradients``, as data: a loop over parameters that updates them is part of one
    pass.
    """
    split = np.zeros(len(rows.loops), dtype=np.int64)
    if not len(passes):
        return split
    whole = np.sort(np.concatenate([rows.seqs[kind] for kind in WHOLE]))
    is_whole = np.searchsorted(whole, passes.end) > np.searchsorted(whole, passes.first)
    counted = ~np.isin(sources, parameters)
    sources, targets = sources[counted], targets[counted]
    is_data = ~np.isin(sources, gradients)
    made = rows.seqs[Kind.NODE]
    begin, finish = made[sources], made[targets]
    for loop in np.unique(passes.loop).tolist():
        mine = np.flatnonzero(passes.loop == loop)
        if int(passes.iteration[mine].max()) < 1:
            continue
        owner = innermost(passes, mine, len(rows.events))
        from_pass, to_pass = owner[begin], owner[finish]
        if not is_whole[mine].any() and not ((to_pass >= 0) & (from_pass < 0) & is_data).any():
            continue
        both = (from_pass >= 0) & (to_pass >= 0) & (from_pass != to_pass)
        fed = passes.activation[from_pass[both]] == passes.activation[to_pass[both]]
        leaving = np.unique(from_pass[(from_pass >= 0) & (to_pass < 0)])
        gathered = len(np.unique(passes.activation[leaving])) < len(leaving)
        split[loop] = int(not fed.any() and not gathered)
    return split


def parameters_of(rows: Rows, roles: list[str]) -> Ints:
    """The nodes that are parameters at some time: made so, or by a later change of role."""
    is_parameter = np.array([role in ("variable", "accumulate") for role in roles] + [False])
    definitions = within(rows.nodes["a"], len(roles))
    found = np.flatnonzero(is_parameter[definitions])
    changed = rows.of(Kind.ROLE)
    later = within(changed["node"], len(rows.nodes))[is_parameter[within(changed["a"], len(roles))]]
    return np.unique(np.concatenate([found, later[later >= 0]])).astype(np.int64)
