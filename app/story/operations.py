"""Sentences for ops that run (``static/js/trace/operations.js`` in the page; a test holds the two together)."""

from __future__ import annotations

import re
from typing import Any

from app.story.recording import Recording
from app.story.words import count, in_words, num

VERBS = {
    "matmul": "multiplies %0 by %1", "linear": "multiplies %0 by %1", "add": "adds %1 to %0",
    "sub": "subtracts %1 from %0",
    "mul": "multiplies %0 and %1 entry by entry", "div": "divides %0 by %1", "pow": "raises %0 to the power %1",
    "square": "squares %0", "neg": "turns the sign of %0", "abs": "takes the size of each number of %0",
    "exp": "takes e to the power of %0", "log": "takes the logarithm of %0", "sqrt": "takes the square root of %0",
    "tanh": "squashes %0 between −1 and 1", "sigmoid": "squashes %0 between 0 and 1",
    "mse_loss": "averages the squared distance of %0 and %1", "greater": "compares %0 with %1",
    "less": "compares %0 with %1", "reshape": "gives %0 another shape", "maximum": "takes the larger of %0 and %1",
    "assign": "gives %0 the value of %1", "assign_add": "adds %1 to %0", "assign_sub": "subtracts %1 from %0",
    "overwrite": "overwrites %0 with %1",
}  # fmt: skip
FOLDS = {"mean": "averages", "sum": "adds up", "max": "takes the largest of", "min": "takes the smallest of"}


def operation(trace: Recording, node: int, index: int, plan: int) -> list[str]:
    """Actor and rest of the sentence for ``node``, which gave value ``index``; ``plan`` ran it, -1 if none did."""
    definition = trace.definition(node)
    op, role = definition["op"], definition["role"]
    result = trace.value(index)
    told = in_words(result)
    name = trace.variable(node)
    named = f" The result is named {name}." if name and role not in ("variable", "input") else ""
    actor = trace.called(node) if role in ("variable", "input") else trace.label(node)
    reads = [trace.in_plan(plan, one) for one in trace.reads(node)]
    host = trace.host(node)
    if host != node:
        verb = "reads" if trace.definition(host)["role"] == "variable" and op == "identity" else "helps"
        tail = f": the constant {told}." if op == "constant" else f": {told}." if index >= 0 else "."
        return [actor, f" {verb} {trace.called(host)}{tail}"]
    if role == "input":
        return [actor, f" brings data in: {told}."]
    if role == "variable":
        return [actor, f" holds {told}."]
    if op == "constant" or role == "constant":
        what = f"the constant {trace.constant(node)}" if trace.constant(node) else f"a constant: {told}"
        return [actor, f" is {what}, named {name}." if name and name != actor else f" is {what}."]
    if role == "update" and not trace.is_static(node):
        gradients = [one for one in reads if trace.definition(one)["role"] == "accumulate"]
        if gradients:
            leaf = trace.nodes["mirrors"][gradients[0]]
            changed = next((one for one in reads if trace.definition(one)["role"] != "accumulate"), leaf)
            return [actor, f" changes {trace.called(changed)}, using {trace.called(gradients[0])}: {told}."]
    if op == "relu" and result and result["size"] > 1:
        size, zeros = result["size"], result["zeros"]
        return [
            actor,
            (f" sets {zeros} of {size} numbers to 0." if zeros else f" leaves all {size} numbers as they are.") + named,
        ]
    read = trace.last_value(reads[0]) if reads else None
    if op in FOLDS and len(reads) == 1 and read and read.get("size"):
        return [actor, f" {FOLDS[op]} {count(read['size'], 'number')}: {told}.{named}"]
    verb = VERBS.get(op, "")
    if op == "mul" and len(reads) == 1:
        verb = "multiplies %0 by %1"
    elif op == "transpose":
        verb = _turned(result)
    operands = _operands(trace, definition, reads)
    if verb and len(operands) >= (2 if "%1" in verb else 1):
        place = " in place" if role == "update" and trace.label(node).endswith("_") and op != "overwrite" else ""
        filled = re.sub("%[01]", lambda found: operands[int(found[0][1])], verb)
        return [actor, f" {filled}{place}: {told}.{named}"]
    if result is None:
        return [actor, " ran. It gives no value."]
    shown = [trace.operand(one) for one in reads[:3]]
    if len(reads) > 3:
        sources = f" from {', '.join(shown)} and {len(reads) - 3} more"
    else:
        sources = f" from {', '.join(shown[:-1])}{' and ' if len(shown) > 1 else ''}{shown[-1]}" if shown else ""
    return [actor, f" computes {told}{sources}.{named}"]


def _turned(result: dict[str, Any] | None) -> str:
    dimensions = len(result["shape"]) if result and result.get("shape") else 2
    if dimensions == 2:
        return "swaps rows and columns of %0"
    return "gives %0 back as it is" if dimensions < 2 else "puts the dimensions of %0 in another order"


def _operands(trace: Recording, definition: dict[str, Any], reads: list[int]) -> list[str]:
    """What the op reads, in order: nodes by name, and plain numbers, which are attributes ``a`` and ``b``."""
    names = [trace.operand(one) for one in reads]
    a, b = definition["attributes"].get("a"), definition["attributes"].get("b")
    if type(a) in (int, float):
        names.insert(0, num(a))
    if type(b) in (int, float):
        names.insert(1, num(b))
    return names
