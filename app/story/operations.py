"""Sentences for ops that run, chosen as ``static/js/trace/operations.js`` chooses them; the words are one table."""

from __future__ import annotations

import re
from typing import Any

from app.story.recording import Recording
from app.story.wording import WORDING, say
from app.story.words import count, in_words, num

VERBS, FOLDS = WORDING["verbs"], WORDING["folds"]


def operation(trace: Recording, node: int, index: int, plan: int) -> list[str]:
    """Actor and rest of the sentence for ``node``, which gave value ``index``; ``plan`` ran it, -1 if none did."""
    definition = trace.definition(node)
    op, role = definition["op"], definition["role"]
    result = trace.value(index)
    told = in_words(result)
    name = trace.variable(node)
    named = say("op.named", called=name)[1] if name and role not in ("variable", "input") else ""
    actor = trace.called(node) if role in ("variable", "input") else trace.label(node)
    reads = [trace.in_plan(plan, one) for one in trace.reads(node)]
    host = trace.host(node)
    if host != node and (trace.is_static(node) or trace.definition(host)["role"] != "update"):
        verb = "reads" if trace.definition(host)["role"] == "variable" and op == "identity" else "helps"
        tail = " value" if op == "constant" or index >= 0 else ""
        value = f"the constant {told}" if op == "constant" else told
        return say(f"op.{verb}{tail}", name=actor, host=trace.called(host), value=value)
    if role in ("input", "variable"):
        return say(f"op.{role}", name=actor, value=told)
    if op == "constant" or role == "constant":
        what = f"the constant {trace.constant(node)}" if trace.constant(node) else f"a constant: {told}"
        key = "op.constant named" if name and name != actor else "op.constant"
        return say(key, name=actor, what=what, called=name)
    if role == "update" and not trace.is_static(node):
        gradients = [one for one in reads if trace.definition(one)["role"] == "accumulate"]
        if gradients:
            leaf = trace.nodes["mirrors"][gradients[0]]
            changed = next((one for one in reads if trace.definition(one)["role"] != "accumulate"), leaf)
            names = {"changed": trace.called(changed), "gradient": trace.called(gradients[0])}
            return say("op.update", name=actor, value=told, **names)
    if op == "relu" and result and result["size"] > 1:
        size, zeros = result["size"], result["zeros"]
        rest = say("op.relu" if zeros else "op.relu none", name=actor, zeros=zeros, size=size)[1]
        return [actor, rest + named]
    read = trace.last_value(reads[0]) if reads else None
    if op in FOLDS and len(reads) == 1 and read and read.get("size"):
        rest = say("op.fold", name=actor, verb=FOLDS[op], numbers=count(read["size"], "number"), value=told)[1]
        return [actor, rest + named]
    verb = VERBS.get(op, "")
    if op == "mul" and len(reads) == 1:
        verb = VERBS["scale"]
    elif op == "transpose":
        verb = _turned(result)
    operands = _operands(trace, definition, reads)
    if verb and len(operands) >= (2 if "%1" in verb else 1):
        place = " in place" if role == "update" and trace.label(node).endswith("_") and op != "overwrite" else ""
        filled = re.sub("%[01]", lambda found: operands[int(found[0][1])], verb)
        return [actor, f" {filled}{place}: {told}.{named}"]
    if result is None:
        return say("op.nothing", name=actor)
    shown = [trace.operand(one) for one in reads[:3]]
    if len(reads) > 3:
        sources = f" from {', '.join(shown)} and {len(reads) - 3} more"
    else:
        sources = f" from {', '.join(shown[:-1])}{' and ' if len(shown) > 1 else ''}{shown[-1]}" if shown else ""
    return [actor, f" computes {told}{sources}.{named}"]


def _turned(result: dict[str, Any] | None) -> str:
    dimensions = len(result["shape"]) if result and result.get("shape") else 2
    return VERBS["turn" if dimensions == 2 else "turn nothing" if dimensions < 2 else "turn many"]


def _operands(trace: Recording, definition: dict[str, Any], reads: list[int]) -> list[str]:
    """What the op reads, in order: nodes by name, and plain numbers, which are attributes ``a`` and ``b``."""
    names = [trace.operand(one) for one in reads]
    a, b = definition["attributes"].get("a"), definition["attributes"].get("b")
    if type(a) in (int, float):
        names.insert(0, num(a))
    if type(b) in (int, float):
        names.insert(1, num(b))
    return names
