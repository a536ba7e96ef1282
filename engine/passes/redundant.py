"""Removal of steps that hand their operand on unchanged, now that this plan's shapes are known."""

from __future__ import annotations

from engine.passes.common_subexpressions import written_variables
from engine.passes.draft import Draft, Report, Step


class Redundant:
    """Readers of such a step read its operand instead. Gradient graphs are full of them: a gradient is summed to a
    shape that, for these feeds, it already has. Never removed: fetched and fed steps, steps that wait for others or
    that
    others wait for, and reads of a variable that this plan also writes."""

    name = "redundant step removal"

    def requires(self, draft: Draft) -> None:
        draft.check()

    def apply(self, draft: Draft, report: Report) -> None:
        kept = set(draft.fetches) | draft.fed | {read for step in draft.steps for read in step.control}
        written = written_variables(draft)
        replaced: dict[Step, Step] = {}
        for step in draft.steps:
            if replaced and step not in draft.fed:
                step.inputs = [(replaced.get(read, read), port) for read, port in step.inputs]
            if step in kept or step.control:
                continue
            reason = _redundant(step)
            source = step.inputs[0][0] if reason else None
            if source is None or source in written or source.op.startswith("assign"):
                continue
            replaced[step] = source
            source.origins += step.origins
            report("replaced", [step], [source], f"{step.name} {reason}, so its readers read {source.name}")
        if replaced:
            draft.steps = [step for step in draft.steps if step not in replaced]

    def ensures(self, draft: Draft) -> None:
        draft.check()


def _redundant(step: Step) -> str:
    """Why ``step`` hands on its operand unchanged; empty if it does not (or if that is unknown)."""
    if step.op in ("identity", "stop_gradient"):
        return "hands on its operand"
    if step.op not in (
        "sum_to",
        "broadcast_to",
        "reshape",
        "cast",
        "spread",
        "sum_to_like",
        "broadcast_to_like",
        "reshape_like",
    ):
        return ""
    before, after = step.inputs[0][0].type, step.type
    if before is None or after is None or not before.is_known or before != after:
        return ""
    return (
        "changes nothing: its operand is of that type"
        if step.op == "cast"
        else f"changes nothing: its operand has shape {after.shape}"
    )
