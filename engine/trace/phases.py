"""Phases: which part of its life a program is in at each step. They cover all steps without a gap."""

from __future__ import annotations

from dataclasses import dataclass

from engine.recording.rows import Kind
from engine.trace.columns import Ints

LABELS = {
    "build": "Build the graph",
    "init": "Prepare",
    "optimise": "Optimise",
    "compile": "Compile",
    "run": "Run",
    "forward": "Forward",
    "backward": "Backward",
    "update": "Update",
}
AFTER = frozenset(map(int, (Kind.OUTPUT, Kind.ASKED, Kind.PICTURE, Kind.ERROR, Kind.FAILED)))
"""Steps that belong to what came before them."""
OPTIMISING = frozenset(map(int, (Kind.OPTIMISE, Kind.PASS, Kind.REWRITE)))
GRADIENTS = frozenset(map(int, (Kind.BACKWARD, Kind.GRADIENT, Kind.ACCUMULATED, Kind.FREED)))
VALUES = frozenset(map(int, (Kind.RAN, Kind.WRITTEN, Kind.CLEARED)))
COMPILED, FREED, NODE, WRITTEN = int(Kind.COMPILED), int(Kind.FREED), int(Kind.NODE), int(Kind.WRITTEN)


@dataclass(slots=True)
class StepView:
    """What phases are decided by, one entry a step.

    ``kind`` of the main event, ``graph`` and ``dynamic`` of its node (-1: none), ``plan``, ``run`` and ``episode`` (-1:
    none), ``initial`` whether a write is an initial one, ``backward`` whether it happened while a backward ran.
    """

    kind: Ints
    graph: Ints
    dynamic: Ints
    plan: Ints
    run: Ints
    episode: Ints
    initial: Ints
    backward: Ints

    def __len__(self) -> int:
        return len(self.kind)


Phase = tuple[str, str, int, int, int, int, int]
"""Name, label, first and last step, graph, plan, episode."""
Mark = tuple[str, int, int, int]
"""Name, graph, plan, run."""


def phases_of(view: StepView, iterations: list[int]) -> list[Phase]:
    """The phases in order. ``iterations`` gives the number of each episode's pass, for the labels."""
    marks = _spread(_engine_marks(view), view)
    phases: list[Phase] = []
    runs: dict[int, int] = {}
    first = 0
    episodes = view.episode.tolist()
    for step in range(len(view)):
        last = step + 1 == len(view)
        if not last and marks[step + 1] == marks[step] and episodes[step + 1] == episodes[step]:
            continue
        name, graph, plan, run = marks[step]
        episode = episodes[step]
        label = LABELS[name]
        if name == "run" and run >= 0:
            label = f"Run {runs.setdefault(run, len(runs) + 1)}"
        elif name == "run":
            label = "Program"
        if episode >= 0:
            label = f"{label}, pass {iterations[episode] + 1}"
        phases.append((name, label, first, step, graph, plan, episode))
        first = step + 1
    return phases


def _engine_marks(view: StepView) -> list[Mark | None]:
    """The phase of each step that is an event of the engine."""
    initialisers = set(view.run[(view.kind == Kind.WRITTEN) & (view.initial == 1) & (view.run >= 0)].tolist())
    marks: list[Mark | None] = []
    dynamic_name = "forward"
    last_episode = -2
    last_graph = -1
    columns = (view.kind, view.graph, view.plan, view.run, view.episode, view.initial, view.backward)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for kind, graph, plan, run, episode, initial, backward in rows:
        if episode != last_episode:
            dynamic_name, last_episode = "forward", episode
        # Freeing names many nodes, so it has no graph of its own.
        graph = last_graph = last_graph if kind == FREED else graph
        if kind in OPTIMISING:
            marks.append(("optimise", graph, plan, -1))
        elif kind == COMPILED:
            marks.append(("compile", graph, plan, -1))
        elif kind == NODE:
            marks.append(("optimise" if plan >= 0 else "build", graph, plan, -1))
        elif run >= 0:
            marks.append(("init" if run in initialisers else "run", graph, plan, run))
        elif kind == FREED and not backward:  # the program let a graph go
            marks.append((dynamic_name, graph, -1, -1))
        elif kind in GRADIENTS or (backward and kind in VALUES):
            # A gradient written by hand runs ops of its own.
            dynamic_name = "update"
            marks.append(("backward", graph, -1, -1))
        elif kind in VALUES:
            if kind == WRITTEN and initial and dynamic_name == "forward":
                marks.append(("init" if episode < 0 else "forward", graph, -1, -1))
            else:
                marks.append((dynamic_name, graph, -1, -1))
        else:
            marks.append(None)
    _settle_updates(marks, view)
    return marks


def _settle_updates(marks: list[Mark | None], view: StepView) -> None:
    """What follows backward is an update up to the last write; what comes after that is forward again."""
    writes = ((view.kind == Kind.WRITTEN) & (view.initial == 0)) | (view.kind == Kind.CLEARED)
    pending = False
    episode = view.episode.tolist()
    for step in range(len(marks) - 1, -1, -1):
        mark = marks[step]
        if step + 1 < len(marks) and episode[step] != episode[step + 1]:
            pending = False
        if mark is None:
            continue
        if mark[0] != "update":
            pending = False
        elif writes[step]:
            pending = True
        elif not pending:
            marks[step] = ("forward", *mark[1:])


def _spread(marks: list[Mark | None], view: StepView) -> list[Mark]:
    """Lines go with what follows them in their episode, output and errors with what came before them in it.

    What stands alone in its episode, as a last print after a loop does, belongs to no phase of the engine.
    """
    total = len(marks)
    episode = view.episode.tolist()
    waits = [kind in AFTER for kind in range(256)]
    before: list[Mark | None] = list(marks)
    after: list[Mark | None] = list(marks)
    for step in range(1, total):
        if before[step] is None and episode[step] == episode[step - 1]:
            before[step] = before[step - 1]
    for step in range(total - 2, -1, -1):
        if after[step] is None and episode[step] == episode[step + 1]:
            after[step] = after[step + 1]
    # Where an episode has no event of the engine of its own (the head of an outer loop): what comes next anywhere.
    upcoming: Mark | None = None
    coming: list[Mark | None] = [None] * total
    for step in range(total - 1, -1, -1):
        upcoming = coming[step] = marks[step] or upcoming
    result: list[Mark] = []
    alone: Mark = ("run", -1, -1, -1)
    previous = alone
    for step, kind in enumerate(view.kind.tolist()):
        if step and episode[step] != episode[step - 1]:
            previous = alone
        if waits[kind]:
            previous = before[step] or after[step] or previous
        else:
            previous = after[step] or before[step] or coming[step] or previous
        result.append(previous)
    return result
