"""When each value of a plan is last read, and which values share memory."""

from __future__ import annotations

from math import inf

from engine.passes.blocks import written_keys
from engine.passes.draft import Draft, Step
from engine.static.inline import is_view


class Liveness:
    """``leader[s]`` is the step whose memory ``s`` is a view of (itself, if of none); ``end[leader]`` the position
    of the
    last step that reads any of them (infinite if one is fetched); ``ending[p]`` the leaders that are dead after
    ``p``."""

    def __init__(self, draft: Draft) -> None:
        self.fetched = frozenset(draft.fetches)
        self.leader: dict[Step, Step] = {}
        own: dict[Step, float] = {}
        self._writes: dict[Step, list[float]] = {}
        variables = {step.key: step for step in draft.steps if step.op == "variable"}
        for position, step in enumerate(draft.steps):
            base = _shared(step) if step not in draft.fed else None
            self.leader[step] = step if base is None else self.leader[base]
            own[step] = inf if step in self.fetched else position
            if step in draft.fed:
                continue
            for read, _ in step.inputs:
                own[read] = max(own[read], position)
            if step.op.startswith("assign"):
                self._writes.setdefault(step.inputs[0][0], []).append(position)
            elif step.blocks:
                for key in written_keys(step):
                    if key in variables:
                        # A block may write before it reads what it was given.
                        self._writes.setdefault(variables[key], []).append(position - 0.5)
        # The last use of a value and of all the views made of it.
        self._tree = own
        for step in reversed(draft.steps):
            base = _shared(step) if step not in draft.fed else None
            if base is not None:
                own[base] = max(own[base], own[step])
        self.end = {leader: own[leader] for leader in set(self.leader.values())}
        self.ending: dict[int, list[Step]] = {}
        for leader, last in self.end.items():
            if last != inf:
                self.ending.setdefault(int(last), []).append(leader)

    def must_copy(self, step: Step, position: int) -> bool:
        """Whether a variable that ``step`` shows is written before the last reader of ``step``."""
        if step.op == "variable":
            return False
        writes = self._writes.get(self.leader[step], ())
        return any(position < write < self._tree[step] for write in writes)


def _shared(step: Step) -> Step | None:
    """The operand whose memory the result of ``step`` may share."""
    if step.op.startswith("assign") or (step.inputs and is_view(step)):
        return step.inputs[0][0]
    return None
