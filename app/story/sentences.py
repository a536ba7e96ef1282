"""One sentence for each step: the actor first, what happened, then what is new.

Which sentence it is, ``static/js/trace/sentences.js`` decides in the same way (``tests/cli/test_story.py`` compares
them); the words are one table for both.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable

from app.story.operations import operation
from app.story.recording import Recording
from app.story.rewrites import batched, rewritten
from app.story.wording import WORDING, say
from app.story.words import count, cut, in_words, num, ordinal, stop, time

Rows = dict[str, list[int]]


def sentence(trace: Recording, step: int) -> tuple[str, str]:
    """The actor of a step, and the rest of its sentence."""
    kind = trace.text(trace.steps["kind"][step])
    if kind == "line":
        actor, rest = _line(trace, step)
        return actor, rest
    teller = TELLERS.get(kind)
    if teller is None:
        actor, rest = say("unknown", kind=kind)
        return actor, rest
    actor, rest = teller(trace, trace.events[kind], trace.steps["row"][step])
    return actor, rest


def _node(t: Recording, rows: Rows, row: int) -> list[str]:
    node = rows["node"][row]
    role = t.definition(node)["role"]
    place = "the plan" if t.nodes["plan"][node] >= 0 else "the graph"
    host, name, label = t.host(node), t.variable(node), t.label(node)
    number, mirrored = t.constant(node), t.nodes["mirrors"][node]
    if host != node:
        key = "node.helper number" if number else "node.helper"
        return say(key, name=label, place=place, number=number, host=t.called(host))
    if role == "constant":
        return say(
            "node.constant number" if number else "node.constant", name=name or label, place=place, number=number
        )
    if role in ("variable", "input"):
        return say(f"node.{role}", name=name or label)
    if role == "update":
        return say("node.update", name=label)
    if role == "gradient" and mirrored >= 0:
        return say("node.gradient", name=label, of=t.called(mirrored))
    return say("node.op named" if name and label != name else "node.op", name=label, place=place, called=name)


def _run_number(t: Recording, run: int) -> int:
    """Which run of its plan it is; 0 where the plan runs once."""
    runs = t.plan_runs.get(t.run_plan.get(run, -1), [])
    return runs.index(run) + 1 if len(runs) > 1 else 0


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
    number = _run_number(t, rows["run"][row])
    return say("fed", name=t.called(rows["node"][row]), run=f"run {number}" if number else "this run", value=told)


def _written(t: Recording, rows: Rows, row: int) -> list[str]:
    node, how = rows["node"][row], t.text(rows["how"][row])
    lasts = t.is_static(node) or (how == "initial" and rows["run"][row] >= 0)
    key = how if how in ("in-place", "initial") else "assign"
    ending = " lasts" if lasts and key != "in-place" else ""
    return say(f"written.{key}{ending}", name=t.called(node), value=in_words(t.value(rows["value"][row])))


def _run(t: Recording, rows: Rows, row: int) -> list[str]:
    fetches, feeds = t.list_at(rows["fetches"][row]), t.list_at(rows["feeds"][row])
    number, words = _run_number(t, rows["run"][row]), WORDING["sentences"]
    run = words["run.later"].replace("{number}", str(number)) if number else words["run.first"]
    return say("run", run=run, feeds=count(len(feeds), "feed"), fetches=count(len(fetches), "fetch", "fetches"))


def _optimise(t: Recording, rows: Rows, row: int) -> list[str]:
    names = [t.called(n) for n in t.list_at(t.plans["fetches"][rows["plan"][row]])][:3]
    return say("optimise", names=", ".join(names) or "fetches")


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
    if "skipped" in actions:
        key = "skipped"
    elif before != after:
        key = "done"
    else:
        key = "changed" if actions else "same"
    nodes = count(before, "node")
    return say(
        f"pass.{key}", name=name[:1].upper() + name[1:], nodes=nodes, after=after,
        stay=f"{nodes} {'stays' if before == 1 else 'stay'}", changes=count(len(actions), "change"),
    )  # fmt: skip


def _compiled(t: Recording, rows: Rows, row: int) -> list[str]:
    nodes, calls, buffers = (count(rows[f"{name}s"][row], name) for name in ("node", "call", "buffer"))
    return say("compiled", nodes=nodes, calls=calls, buffers=buffers, time=time(rows["duration"][row]))


def _backward(t: Recording, rows: Rows, row: int) -> list[str]:
    node = rows["node"][row]
    forward = t.nodes["mirrors"][node]
    begins = t.called(forward if forward >= 0 else node)
    return say("backward", name=begins, value=in_words(t.value(rows["value"][row])))


def _gradient(t: Recording, rows: Rows, row: int) -> list[str]:
    node = rows["node"][row]
    sent = [value for value in t.list_at(rows["values"][row]) if value >= 0]
    forward = t.nodes["mirrors"][node]
    what = in_words(t.value(sent[0])) if len(sent) == 1 else count(len(sent), "gradient")
    return say("gradient", name=t.label(node), what=what, through=t.called(forward) if forward >= 0 else "the graph")


def _accumulated(t: Recording, rows: Rows, row: int) -> list[str]:
    key = "accumulated.again" if rows["existed"][row] else "accumulated.first"
    return say(key, name=t.label(rows["node"][row]), value=in_words(t.value(rows["value"][row])))


def _cleared(t: Recording, rows: Rows, row: int) -> list[str]:
    key = "cleared.zero" if t.text(rows["how"][row]) == "zero" else "cleared.none"
    return say(key, name=t.label(rows["node"][row]))


def _freed(t: Recording, rows: Rows, row: int) -> list[str]:
    nodes = t.list_at(rows["nodes"][row])
    tables = (t.events.get(kind, {"seq": []}) for kind in ("backward", "backward_end"))
    begun, ended = (bisect_left(table["seq"], rows["seq"][row]) for table in tables)
    how = "freed" if begun > ended else "dropped"
    if len(nodes) == 1:
        return say(f"{how}.one", name=t.label(nodes[0]))
    return say(f"{how}.many", ops=count(len(nodes), "gradient op"))


def _error(t: Recording, rows: Rows, row: int) -> list[str]:
    key = "error.caught" if rows["caught"][row] else "error"
    return say(key, name=t.text(rows["type"][row]), why=_because(t.text(rows["message"][row])))


def _piece(t: Recording, rows: Rows, row: int) -> str:
    text: str = t.trace["stdout"][rows["offset"][row] : rows["offset"][row] + rows["length"][row]]
    return text


def _output(t: Recording, rows: Rows, row: int) -> list[str]:
    who = "The error stream" if rows["stream"][row] == 2 else "The program"
    lines = _piece(t, rows, row).removesuffix("\n").split("\n")
    at = next((index for index, line in enumerate(lines) if line.strip()), -1)
    if at < 0 and lines == [""]:
        return say("output.empty", who=who)
    if at < 0:
        empty = count(len(lines[0]), "space") if len(lines) == 1 else count(len(lines), "empty line")
        return say("output.spaces", who=who, count=empty)
    text = cut(lines[at].strip(), 60)
    key = "output.line" if len(lines) == 1 else "output.lines"
    end = "" if text.endswith("…") else "."
    return say(key, who=who, lines=count(len(lines), "line"), which=ordinal(at + 1), text=text, end=end)


def _line(t: Recording, step: int) -> list[str]:
    end = t.trace["end"]
    if step != t.count - 1 or end["kind"] != "limit":
        return say("line")
    limits = WORDING["limits"]
    limit = limits.get(end["limit"] or "", limits[""])
    return say("line.full" if end["limit"] == "steps" else "line.limit", limit=limit)


def _because(message: str) -> str:
    """The first line of what Python said about it, if it said anything."""
    line = next((one for one in message.split("\n") if one.strip()), "").strip()
    line = re.sub(r" for '\{\{node.*$", "", line).rstrip(".")
    return f": {stop(cut(line, 84))}" if line else "."


def _folded(t: Recording, rows: Rows, row: int) -> list[str]:
    number = rows["series"][row]
    series = t.trace.get("series", [])[number] if number >= 0 else []
    told = [one for one in series if one["points"] and one["points"][0] is not None][:3]
    changes = [f"{t.text(one['name'])} from {num(one['points'][0])} to {num(one['points'][-1])}" for one in told]
    return say(
        "folded", name=count(rows["passes"][row], "pass", "passes"), steps=count(rows["steps"][row], "step"),
        changes=f": {', '.join(changes)}" if changes else "",
    )  # fmt: skip


def _picture(t: Recording, rows: Rows, row: int) -> list[str]:
    number, how = rows["picture"][row], t.text(rows["how"][row])
    width, height = (t.trace["pictures"][number][side] if number >= 0 else 0 for side in ("width", "height"))
    key = how if how in ("show", "savefig", "draw") else "keep"
    size = f"a picture of {width} × {height} pixels"
    return say(f"picture.{key}", name=t.text(rows["name"][row]) or "A picture", size=size)


TELLERS: dict[str, Callable[[Recording, Rows, int], list[str]]] = {
    "node": _node,
    "ran": lambda t, r, i: operation(t, r["node"][i], r["value"][i], t.run_plan.get(r["run"][i], -1)),
    "fed": _fed,
    "fetched": lambda t, r, i: say("fetched", name=t.called(r["node"][i]), value=in_words(t.value(r["value"][i]))),
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
    "failed": lambda t, r, i: say("failed", name=t.label(r["node"][i]), why=_because(t.text(r["message"][i]))),
    "error": _error,
    "output": _output,
    "picture": _picture,
    "folded": _folded,
    "asked": lambda t, r, i: say("asked", text=cut(_piece(t, r, i).strip(), 60)),
}
