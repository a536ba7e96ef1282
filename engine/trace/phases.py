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
AFTER = (Kind.OUTPUT, Kind.ASKED, Kind.ERROR, Kind.FAILED)
"""Steps that belong to what came before them."""


@dataclass(slots=True)
class StepView:
    """What phases are decided by, one entry a step.

    ``kind`` of the main event, ``graph`` and ``dynamic`` of its node (-1: none), ``plan``, ``run`` and ``episode`` (-1:
    none), ``initial`` whether a write is an initial one.
    """

    kind: Ints
    graph: Ints
    dynamic: Ints
    plan: Ints
    run: Ints
    episode: Ints
    initial: Ints

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
    for step in range(len(view)):
        last = step + 1 == len(view)
        if not last and marks[step + 1] == marks[step] and view.episode[step + 1] == view.episode[step]:
            continue
        name, graph, plan, run = marks[step]
        episode = int(view.episode[step])
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
    for step, kind in enumerate(view.kind.tolist()):
        graph, plan, run = int(view.graph[step]), int(view.plan[step]), int(view.run[step])
        if view.episode[step] != last_episode:
            dynamic_name, last_episode = "forward", int(view.episode[step])
        if kind in (Kind.OPTIMISE, Kind.PASS, Kind.REWRITE):
            marks.append(("optimise", graph, plan, -1))
        elif kind == Kind.COMPILED:
            marks.append(("compile", graph, plan, -1))
        elif kind == Kind.NODE:
            marks.append(("optimise" if plan >= 0 else "build", graph, plan, -1))
        elif run >= 0:
            marks.append(("init" if run in initialisers else "run", graph, plan, run))
        elif kind in (Kind.BACKWARD, Kind.GRADIENT, Kind.ACCUMULATED, Kind.FREED):
            dynamic_name = "update"
            marks.append(("backward", graph, -1, -1))
        elif kind in (Kind.RAN, Kind.WRITTEN, Kind.CLEARED):
            if kind == Kind.WRITTEN and view.initial[step] and dynamic_name == "forward":
                marks.append(("init" if view.episode[step] < 0 else "forward", graph, -1, -1))
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
    for step in range(len(marks) - 1, -1, -1):
        mark = marks[step]
        if step + 1 < len(marks) and view.episode[step] != view.episode[step + 1]:
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
    """Lines go with what follows them in their episode, output and errors with what came before them."""
    total = len(marks)
    before: list[Mark | None] = list(marks)
    after: list[Mark | None] = list(marks)
    for step in range(1, total):
        if before[step] is None and view.episode[step] == view.episode[step - 1]:
            before[step] = before[step - 1]
    for step in range(total - 2, -1, -1):
        if after[step] is None and view.episode[step] == view.episode[step + 1]:
            after[step] = after[step + 1]
    result: list[Mark] = []
    previous: Mark = ("run", -1, -1, -1)
    for step in range(total):
        choice = (before[step], after[step]) if view.kind[step] in AFTER else (after[step], before[step])
        previous = choice[0] or choice[1] or previous
        result.append(previous)
    return result

