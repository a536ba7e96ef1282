"""The hall is the executor: each phone is an op of the graph and fires when its inputs have arrived.

Static: everything that is ready fires at once. Dynamic: the teacher calls one op after the other, as a program that
runs line by line does. What the room took is its makespan; what it had to take is its critical path.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Op:
    """One op: the ``members`` who hold it, whether it was ``called`` (dynamic), and when it fired (seconds)."""

    slot: int
    name: str
    symbol: str
    category: str
    inputs: list[int]
    members: list[str] = field(default_factory=list)
    called: float | None = None
    fired: float | None = None


@dataclass
class Hall:
    """What was dealt at ``began`` (seconds)."""

    mode: str
    began: float
    ops: list[Op]

    @classmethod
    def deal(cls, mode: str, began: float, ops: list[dict[str, Any]], members: list[str]) -> Hall:
        """Deal ``ops`` to ``members``, in turn: with fewer members some hold several, with more some share one.

        >>> ops = [{"slot": n, "name": "add", "symbol": "+", "category": "arith", "inputs": []} for n in range(3)]
        >>> [op.members for op in Hall.deal("static", 0, ops, ["ada", "bob"]).ops]
        [['ada'], ['bob'], ['ada']]
        """
        hall = cls(mode, began, [Op(**one) for one in ops])
        for at in range(max(len(ops), len(members)) if members and ops else 0):
            hall.ops[at % len(ops)].members.append(members[at % len(members)])
        return hall

    def ready(self, at: int) -> bool:
        """Whether op ``at`` may fire now."""
        op = self.ops[at]
        arrived = all(self.ops[source].fired is not None for source in op.inputs)
        return op.fired is None and arrived and (self.mode == "static" or op.called is not None)

    def refusal(self, at: int, member: str) -> str:
        """Why ``member`` may not fire op ``at``; "" if they may."""
        if at >= len(self.ops) or member not in self.ops[at].members:
            return "This op is not yours."
        if self.ops[at].fired is not None:
            return "This op has fired already."
        if self.mode == "dynamic" and self.ops[at].called is None:
            return "The teacher has not called this op yet."
        return "" if self.ready(at) else "An input has not arrived yet."

    def started(self, at: int) -> float | None:
        """When op ``at`` could fire: its inputs had arrived, and it was called where it has to be."""
        op = self.ops[at]
        times = [self.ops[source].fired for source in op.inputs]
        if any(time is None for time in times):
            return None
        start = max([self.began, *(time for time in times if time is not None)])
        if self.mode == "static":
            return start
        return None if op.called is None else max(start, op.called)

    def times(self) -> dict[str, Any]:
        """What the room took, in seconds: ``makespan`` from the deal to the newest firing, ``work`` the sum of what
        each op took, ``critical`` the longest chain of them as ops, ``chain`` its length."""
        took: list[float] = []
        longest: list[float] = []
        before: list[int] = []
        for at, op in enumerate(self.ops):
            start = self.started(at)
            took.append(op.fired - start if op.fired is not None and start is not None else 0.0)
            source = max(op.inputs, key=lambda one: longest[one], default=-1)
            before.append(source)
            longest.append(took[at] + (longest[source] if source >= 0 else 0.0))
        fired = [op.fired for op in self.ops if op.fired is not None]
        done = [at for at, op in enumerate(self.ops) if op.fired is not None]
        at = max(done, key=lambda one: longest[one], default=-1)
        chain = longest[at] if at >= 0 else 0.0
        critical: list[int] = []
        while at >= 0:
            critical.append(at)
            at = before[at]
        makespan = max(fired) - self.began if fired else 0.0
        return {"makespan": makespan, "work": sum(took), "critical": critical[::-1], "chain": chain}
