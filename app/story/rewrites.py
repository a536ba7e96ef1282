"""Sentences for what is done to a graph before or while it runs (``static/js/trace/rewrites.js`` in the page)."""

from __future__ import annotations

import re

from app.story.recording import Recording
from app.story.wording import say
from app.story.words import count, cut, stop

LONGEST = 84


def rewritten(t: Recording, action: str, old: list[int], fresh: list[int], reason: str) -> list[str]:
    """Actor and rest of the sentence for one rewrite: an action of the optimiser, or an edit of the graph itself."""
    if action == "rewired":
        return ["The program", f" edits the graph: {stop(reason)}"]
    alone = _alone(action, reason)
    if alone or not old:
        return ["The optimiser", alone or f" {action}: {stop(reason)}"]
    names = [t.called(n) for n in old]
    what = f" {action} {len(old)} nodes" if len(old) > 3 else f" {action} {_joined(names)}"
    why = _plain_reason(t, reason, old)
    return ["The optimiser", f"{what}{_into(t, action, fresh)}{f': {stop(why)}' if why else '.'}"]


def _alone(action: str, reason: str) -> str:
    """What is done to the plan as such, "" where the action names nodes."""
    if action == "planned":
        return f" planned the memory: {stop(reason.replace(': ', ', ', 1))}"
    if action == "extended":
        return f" takes in what is new: {stop(reason)}"
    if action == "scheduled":
        return f" chose how the plan runs: {stop(reason)}"
    if action != "skipped":
        return ""
    found = re.match(r"([A-Za-z0-9_]+) was skipped, the plan is as it was before: (.*)\Z", reason, re.DOTALL)
    if not found:
        return f" skipped a pass: {stop(reason)}"
    line = cut(found[2].split("\n")[0].strip(), LONGEST)
    return f" skipped {found[1].replace('_', ' ')} and left the plan as it was{f': {stop(line)}' if line else '.'}"


def _into(t: Recording, action: str, fresh: list[int]) -> str:
    if action == "fused":
        return " into one step"
    if action == "moved":
        return " out of the loop"
    if len(fresh) != 1:
        return ""
    number = t.constant(fresh[0])
    if action == "merged":
        return f" into the constant {t.operand(fresh[0])}" if number else f" into {t.operand(fresh[0])}"
    if action == "folded":
        return f" into the constant {number}" if number else " into a constant"
    return ""


def _plain_reason(t: Recording, reason: str, old: list[int]) -> str:
    """The optimiser's reason without what the sentence has already said."""
    if reason.startswith("computes the same as "):
        return "same inputs, same result"
    if re.search(r" only depends on .*, which never changes?\.?$", reason):
        return "nothing that it depends on ever changes"
    fused = re.search(r" are 1 plan step: (\d+ NumPy calls.*)$", reason)
    if fused:
        return fused[1]
    name = t.text(t.nodes["name"][old[0]]) if len(old) == 1 else ""
    return f"it {reason[len(name) + 1 :].replace(': ', ', ', 1)}" if name and reason.startswith(f"{name} ") else reason


def batched(t: Recording, rows: dict[str, list[int]], row: int) -> list[str]:
    """Calls of one function that ran as one."""
    nodes, calls = t.list_at(rows["nodes"][row]), rows["rows"][row]
    return say(
        "batched.many" if calls > 1 else "batched.one", name=t.text(rows["function"][row]), depth=rows["depth"][row],
        calls=count(calls, "call"), nodes=count(len(nodes), "node"),
    )  # fmt: skip


def _joined(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
