"""Dead code removal: what no fetch and no side effect needs is not computed."""

from __future__ import annotations

from engine.errors import GraphError
from engine.passes.blocks import Label, drop_operands, prune_results
from engine.passes.draft import Draft, Report, Step


class DeadCode:
    """Keeps what the fetches reach, against the arrows; a fed step is reached, what would have computed it is not."""

    name = "dead code removal"

    def requires(self, draft: Draft) -> None:
        draft.check()

    def apply(self, draft: Draft, report: Report) -> None:
        alive = self._sweep(draft, report)
        dead = [step for step in draft.steps if step not in alive]
        if not dead:
            return
        draft.steps = [step for step in draft.steps if step in alive]
        cut = [step for step in dead if _only_feeds_stop(step, draft)]
        plain = [step for step in dead if step not in cut]
        if plain:
            report("removed", plain, [], "not needed by any fetch of this run")
        if cut:
            report("removed", cut, [], "only needed to compute what is fed")

    def _sweep(self, draft: Draft, report: Report) -> set[Step]:
        """What the fetches need. Decisions and loops lose the results that nobody picks, and what only those needed."""
        alive = set(draft.fetches)
        waited = set(draft.fetches)
        picked: dict[Step, set[Label]] = {}
        for step in reversed(draft.steps):
            if step not in alive or step in draft.fed:
                continue
            if step.blocks:
                labels = picked.get(step, set())
                if step in waited:
                    # Somebody waits for it as a whole: all that the program made of it runs.
                    labels = labels | {("value", i) for i in range(step.attributes["results"])}
                prune_results(step, labels)
                for block in step.blocks:
                    self.apply(block, report)
                drop_operands(step)
            elif step.op == "output":
                picked.setdefault(step.inputs[0][0], set()).add((step.attributes["kind"], step.attributes["index"]))
            waited.update(step.control)
            alive.update(step.reads())
        return alive

    def ensures(self, draft: Draft) -> None:
        if len(reached(draft)) != len(draft.steps):
            raise GraphError("steps that no fetch needs are left")


def reached(draft: Draft) -> set[Step]:
    """Every step that the fetches need."""
    alive: set[Step] = set()
    waiting = list(draft.fetches)
    while waiting:
        step = waiting.pop()
        if step in alive:
            continue
        alive.add(step)
        if step not in draft.fed:
            waiting.extend(step.reads())
    return alive


def _only_feeds_stop(step: Step, draft: Draft) -> bool:
    return any(step is read for fed in draft.fed for read in fed.reads())
