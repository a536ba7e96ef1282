"""One sentence for each step: the actor first, what happened, then what is new.

The page has the same sentences (``static/js/trace/sentences.js``); ``tests/cli/test_story.py`` compares them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from app.story.operations import operation
from app.story.recording import Recording
from app.story.rewrites import batched, rewritten
from app.story.words import count, cut, in_words, ordinal, stop, time

Rows = dict[str, list[int]]


def sentence(trace: Recording, step: int) -> tuple[str, str]:
    """The actor of a step, and the rest of its sentence."""
    kind = trace.text(trace.steps["kind"][step])
    if kind == "line":
        actor, rest = _line(trace, step)
        return actor, rest
    teller = TELLERS.get(kind)
    if teller is None:
        return kind, " happens."
    actor, rest = teller(trace, trace.events[kind], trace.steps["row"][step])
    return actor, rest


def _node(t: Recording, rows: Rows, row: int) -> list[str]:
    node = rows["node"][row]
    role = t.definition(node)["role"]
    place = "the plan" if t.nodes["plan"][node] >= 0 else "the graph"
    host, name, label = t.host(node), t.variable(node), t.label(node)
    number = t.constant(node)
    if host != node:
        return [label, f" joins {place}{f', the number {number}' if number else ''}: a helper of {t.called(host)}."]
    if role == "constant":
        return [name or label, f" joins {place}: a constant{f', {number}' if number else ''}."]
    if role == "variable":
        return [name or label, " joins the graph: a variable, without a value yet."]
    if role == "input":
        return [name or label, " joins the graph: a door for data. It holds no value."]
    if role == "update":
        return [label, " joins the graph. When it runs, it writes a variable."]
    mirrored = t.nodes["mirrors"][node]
    if role == "gradient" and mirrored >= 0:
        return [label, f" joins the graph: part of the gradient of {t.called(mirrored)}."]
    tail = f" Its name is {name}." if name and label != name else ""
    return [label, f" joins {place}. It has no value yet.{tail}"]


def _run_words(t: Recording, run: int) -> str:
    runs = t.plan_runs.get(t.run_plan.get(run, -1), [])
    return f"run {runs.index(run) + 1}" if len(runs) > 1 else "this run"


def _fed(t: Recording, rows: Rows, row: int) -> list[str]:
    value = t.value(rows["value"][row])
    shape = value.get("shape") if value else None
    told = in_words(value)
    if shape:
        told = (
            f"{count(shape[0], 'row')} of {' × '.join(map(str, shape[1:]))}"
            if len(shape) > 1
            else count(shape[0], "number")
        )
    return [t.called(rows["node"][row]), f" is fed its value for {_run_words(t, rows['run'][row])}: {told}."]


def _written(t: Recording, rows: Rows, row: int) -> list[str]:
    node = rows["node"][row]
    how, told = t.text(rows["how"][row]), in_words(t.value(rows["value"][row]))
    if how == "initial":
        keeps = rows["run"][row] >= 0 or t.is_static(node)
        return [t.called(node), f" gets its start value, {told}, and keeps it between runs." if keeps
                else f" holds its start value: {told}."]  # fmt: skip
    if how == "in-place":
        return [t.called(node), f" is changed in place. Now it holds {told}."]
    keeps = " It keeps it for the next run." if t.is_static(node) else ""
    return [t.called(node), f" takes a new value: {told}.{keeps}"]


def _run(t: Recording, rows: Rows, row: int) -> list[str]:
    fetches, feeds = t.list_at(rows["fetches"][row]), t.list_at(rows["feeds"][row])
    words = _run_words(t, rows["run"][row])
    actor = "The run" if words == "this run" else f"Run {words[4:]}"
    return [actor, f" of the plan starts: {count(len(feeds), 'feed')}, {count(len(fetches), 'fetch', 'fetches')}."]


def _optimise(t: Recording, rows: Rows, row: int) -> list[str]:
    names = ", ".join([t.called(n) for n in t.list_at(t.plans["fetches"][rows["plan"][row]])][:3]) or "fetches"
    return ["The optimiser", f" copies the graph for this call's {names}. The graph itself stays whole."]


def _rewrite(t: Recording, rows: Rows, row: int) -> list[str]:
    old, fresh = t.list_at(rows["old"][row]), t.list_at(rows["new"][row])
    return rewritten(t, t.text(rows["action"][row]), old, fresh, t.text(rows["reason"][row]))


def _pass(t: Recording, rows: Rows, row: int) -> list[str]:
    before, after = rows["before"][row], rows["after"][row]
    name = t.text(rows["name"][row]).replace("_", " ")
    plan, seq = rows["plan"][row], rows["seq"][row]
    start = max((s for s, p in zip(rows["seq"], rows["plan"], strict=True) if p == plan and s < seq), default=-1)
    made = t.events.get("rewrite", {"seq": [], "plan": [], "action": []})
    actions = [
        t.text(action)
        for s, p, action in zip(made["seq"], made["plan"], made["action"], strict=True)
        if p == plan and start < s < seq
    ]
    stay = f"{count(before, 'node')} {'stays' if before == 1 else 'stay'}"
    if "skipped" in actions:
        rest = f" was skipped: {stay}."
    elif before == after and actions:
        rest = f" is done: {count(len(actions), 'change')}, still {count(before, 'node')}. None has run."
    elif before == after:
        rest = f" found nothing: {stay}."
    else:
        rest = f" is done: {count(before, 'node')} became {after}. None has run."
    return [name[:1].upper() + name[1:], rest]


def _compiled(t: Recording, rows: Rows, row: int) -> list[str]:
    nodes, calls, buffers = (rows[name][row] for name in ("nodes", "calls", "buffers"))
    made = f"{count(nodes, 'node')} in {count(calls, 'call')}, {count(buffers, 'buffer')}"
    return ["The plan", f" is compiled: {made}. This took {time(rows['duration'][row])}."]


def _backward(t: Recording, rows: Rows, row: int) -> list[str]:
    node = rows["node"][row]
    forward = t.nodes["mirrors"][node]
    told = in_words(t.value(rows["value"][row]))
    return ["backward", f" starts at {t.called(forward if forward >= 0 else node)} with a gradient of {told}."]


def _gradient(t: Recording, rows: Rows, row: int) -> list[str]:
    node = rows["node"][row]
    sent = [value for value in t.list_at(rows["values"][row]) if value >= 0]
    forward = t.nodes["mirrors"][node]
    what = in_words(t.value(sent[0])) if len(sent) == 1 else count(len(sent), "gradient")
    return [t.label(node), f" sends {what} back through {t.called(forward) if forward >= 0 else 'the graph'}."]


def _accumulated(t: Recording, rows: Rows, row: int) -> list[str]:
    name = t.label(rows["node"][row])
    if rows["existed"][row]:
        return [name, " already held a value. The new one is added to it."]
    return [name, f" exists now: {in_words(t.value(rows['value'][row]))}."]


def _cleared(t: Recording, rows: Rows, row: int) -> list[str]:
    if t.text(rows["how"][row]) == "zero":
        return [t.label(rows["node"][row]), " is set to zero. The next backward adds to these zeros."]
    return [t.label(rows["node"][row]), " is cleared. The next backward starts from nothing."]


def _freed(t: Recording, rows: Rows, row: int) -> list[str]:
    nodes = t.list_at(rows["nodes"][row])
    if len(nodes) == 1:
        return [t.label(nodes[0]), " lets go of what it had saved."]
    return ["The graph", f" is freed: {count(len(nodes), 'gradient op')} let go of what they saved."]


def _error(t: Recording, rows: Rows, row: int) -> list[str]:
    kind = t.text(rows["type"][row])
    if rows["caught"][row]:
        return [kind, " was raised, and the program caught it."]
    return [kind, _because(" ended the program", t.text(rows["message"][row]))]


def _piece(t: Recording, rows: Rows, row: int) -> str:
    text: str = t.trace["stdout"][rows["offset"][row] : rows["offset"][row] + rows["length"][row]]
    return text


def _output(t: Recording, rows: Rows, row: int) -> list[str]:
    actor = "The error stream" if rows["stream"][row] == 2 else "The program"
    lines = _piece(t, rows, row).removesuffix("\n").split("\n")
    at = next((index for index, line in enumerate(lines) if line.strip()), -1)
    if at < 0 and len(lines) == 1:
        return [actor, f" prints {count(len(lines[0]), 'space')}." if lines[0] else " prints an empty line."]
    if at < 0:
        return [actor, f" prints {count(len(lines), 'empty line')}."]
    first = cut(lines[at].strip(), 60)
    end = "" if first.endswith("…") else "."
    if len(lines) == 1:
        return [actor, f" prints {first}{end}"]
    return [actor, f" prints {count(len(lines), 'line')}, the {ordinal(at + 1)}: {first}{end}"]


def _line(t: Recording, step: int) -> list[str]:
    end = t.trace["end"]
    if step == t.count - 1 and end["kind"] == "limit":
        what = LIMITS.get(end["limit"] or "", "A limit")
        return [what, " ends here: it is full." if end["limit"] == "steps" else " ended the program in this line."]
    line = t.line_text(t.steps["line"][step])
    kept = re.match(r"^\s*([\w.]+\.grad)\s*=\s*(?!None\b)([^=].*)$", line)
    if kept:
        return ["Python", f" stores another tensor as {kept[1]}."]
    return ["Python", " runs this line. No node is made."]


LIMITS = {
    "time": "The time limit", "memory": "The memory limit", "output": "The output limit", "steps": "The recording",
    "crash": "A crash",
}  # fmt: skip


def _because(what: str, message: str) -> str:
    """What happened, and the first line of what Python said about it, if it said anything."""
    line = next((one for one in message.split("\n") if one.strip()), "").strip()
    line = re.sub(r" for '\{\{node.*$", "", line).rstrip(".")
    return f"{what}: {stop(cut(line, 84))}" if line else f"{what}."


TELLERS: dict[str, Callable[[Recording, Rows, int], list[str]]] = {
    "node": _node,
    "ran": lambda t, r, i: operation(t, r["node"][i], r["value"][i], t.run_plan.get(r["run"][i], -1)),
    "fed": _fed,
    "fetched": lambda t, r, i: [
        t.called(r["node"][i]), f" leaves through its door: {in_words(t.value(r['value'][i]))}."
    ],
    "written": _written,
    "run": _run,
    "optimise": _optimise,
    "rewrite": _rewrite,
    "batched": batched,
    "pass": _pass,
    "compiled": _compiled,
    "backward": _backward,
    "gradient": _gradient,
    "accumulated": _accumulated,
    "cleared": _cleared,
    "freed": _freed,
    "failed": lambda t, r, i: [t.label(r["node"][i]), _because(" failed", t.text(r["message"][i]))],
    "error": _error,
    "output": _output,
    "asked": lambda t, r, i: ["input", f" gets the answer {cut(_piece(t, r, i).strip(), 60)}."],
}  # fmt: skip
