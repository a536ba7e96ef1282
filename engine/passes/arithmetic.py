"""Arithmetic simplification: steps that algebra makes shorter, where the shorter form gives the same values to the bit.

What is *not* done, because floating-point numbers tell the difference: ``x + 0`` (-0 would become 0; only ``x + -0``
is exact), ``x - x`` and ``x * 0`` (infinity and not-a-number do not vanish), ``x / x``, ``log(exp(x))``, moving
brackets. Adding zero and ``x - x`` are exact for integers, and done.
"""

from __future__ import annotations

from engine.passes.arithmetic_rules import RULES, Form
from engine.passes.common_subexpressions import written_variables
from engine.passes.draft import Draft, Report, Step


class Arithmetic:
    """Replaces a step by one of its operands, or by a shorter step that this plan owns. Never touched: fetched and fed
    steps, steps that wait for others or that others wait for; a rewrite never reads a variable later than the graph
    does if this plan writes it."""

    name = "arithmetic simplification"

    def requires(self, draft: Draft) -> None:
        draft.check()

    def apply(self, draft: Draft, report: Report) -> None:
        kept = set(draft.fetches) | draft.fed | {read for step in draft.steps for read in step.control}
        written = written_variables(draft)
        replaced: dict[Step, Step] = {}
        steps: list[Step] = []
        key = draft.fresh_key()
        for step in draft.steps:
            if replaced and step not in draft.fed:
                step.inputs = [(replaced.get(read, read), port) for read, port in step.inputs]
            while step not in kept and not step.control and step.type is not None:
                found = simpler(step, draft.fed, written)
                if found is None:
                    break
                form, reason = found
                if isinstance(form, Step):
                    form.origins += step.origins
                    report("replaced", [step], [form], f"{reason}, so its readers read {form.name}")
                    _replace(replaced, step, form)
                    break
                made = [*form.made, _step(form, step)]
                for new in made:
                    new.key, key, new.origins = key, key - 1, step.origins
                    new.name = new.name or f"{step.name}/{new.op}"
                report("replaced", [step], made, reason)
                _replace(replaced, step, made[-1])
                steps += form.made
                step = made[-1]
            if step not in replaced:
                steps.append(step)
        draft.steps = steps

    def ensures(self, draft: Draft) -> None:
        draft.check()


def _step(form: Form, old: Step) -> Step:
    label = old.label if form.op == old.op else form.op
    inputs = [(read, 0) for read in form.inputs]
    return Step(0, form.op, inputs, form.attributes, [], old.type, f"{old.name}/simplified", label, -1)


def _replace(replaced: dict[Step, Step], old: Step, new: Step) -> None:
    for key, value in replaced.items():
        if value is old:
            replaced[key] = new
    replaced[old] = new


def simpler(step: Step, fed: frozenset[Step], written: set[Step]) -> tuple[Step | Form, str] | None:
    """What can stand for ``step`` and why: an existing step or a new form; ``None`` if nothing shorter is known."""
    for rule in RULES.get(step.op, ()):
        found = rule(step, fed)
        if found is None:
            continue
        form = found[0]
        reads = [form] if isinstance(form, Step) else list(form.inputs)
        own = {read for read, _ in step.inputs} | ({*form.made} if isinstance(form, Form) else set())
        late = [read for read in reads if read not in own or isinstance(form, Step)]
        # Reading past an intermediate step reads later: a variable may have been written in between.
        if any(read in written or read.op.startswith("assign") for read in late):
            continue
        if isinstance(form, Step) and form.type != step.type:
            continue
        return found
    return None


__all__ = ["Arithmetic", "simpler"]
