"""A finished trace, unpacked, with what its sentences ask for."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from typing import Any

from app.story.words import num
from engine.trace.columns import decode
from engine.trace.reading import value


class Recording:
    """Tables of a valid trace as lists, and names of nodes as the page gives them (``static/js/trace/names.js``)."""

    def __init__(self, trace: dict[str, Any]) -> None:
        self.trace = trace
        self.strings: list[str] = trace["strings"]
        self._lines: list[str] = trace["program"]["source"].split("\n")
        self.lists: list[list[int]] = trace["lists"]
        self.nodes, self.edges, self.steps, self.phases, self.plans, self.graphs, self.spans = (
            unpacked(trace[name]) for name in ("nodes", "edges", "steps", "phases", "plans", "graphs", "spans")
        )
        self.events = {name: unpacked(table) for name, table in trace["events"].items()}
        self.count = len(self.steps["seq"])
        self.numbers = self._numbers()
        self._definition = [*self.nodes["definition"]]
        roles = self.events.get("role", {"node": [], "definition": []})
        for node, definition in zip(roles["node"], roles["definition"], strict=True):
            self._definition[node] = definition
        self.inputs: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self.outputs: dict[int, list[int]] = defaultdict(list)
        for source, target, place, kind in zip(
            *(self.edges[k] for k in ("source", "target", "input", "kind")), strict=True
        ):
            self.outputs[source].append(target)
            if self.text(kind) == "data":
                self.inputs[target].append((place, source))
        self._values: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for name in ("ran", "fed", "written", "accumulated"):
            table = self.events.get(name, {"seq": [], "node": [], "value": []})
            for seq, node, index in zip(table["seq"], table["node"], table["value"], strict=True):
                self._values[node].append((seq, index))
        self.plan_runs: dict[int, list[int]] = defaultdict(list)
        self.run_plan: dict[int, int] = {}
        runs = self.events.get("run", {"plan": [], "run": []})
        for plan, run in zip(runs["plan"], runs["run"], strict=True):
            self.plan_runs[plan].append(run)
            self.run_plan[run] = plan
        self._rewrites: dict[int, list[tuple[list[int], list[int]]]] = defaultdict(list)
        rewrites = self.events.get("rewrite", {"plan": [], "old": [], "new": []})
        for plan, old, new in zip(rewrites["plan"], rewrites["old"], rewrites["new"], strict=True):
            self._rewrites[plan].append((self.list_at(old), self.list_at(new)))

    def _numbers(self) -> list[int]:
        """The number of each step in the whole program, from 0: one that stands for folded passes has their first, and
        the one after it comes after all of theirs."""
        hidden: dict[int, int] = {}
        folded = self.events.get("folded", {"seq": [], "steps": []})
        for seq, steps in zip(folded["seq"], folded["steps"], strict=True):
            hidden[bisect_right(self.steps["seq"], seq) - 1] = steps - 1
        numbers, number = [], 0
        for step in range(self.count):
            numbers.append(number)
            number += 1 + hidden.get(step, 0)
        return numbers

    def text(self, index: int) -> str:
        return self.strings[index] if 0 <= index < len(self.strings) else ""

    def list_at(self, index: int) -> list[int]:
        return self.lists[index] if 0 <= index < len(self.lists) else []

    def value(self, index: int) -> dict[str, Any] | None:
        return value(self.trace, index) if index >= 0 else None

    def line_text(self, line: int) -> str:
        """A line of the program, from 1; "" where there is none."""
        return self._lines[line - 1] if 0 < line <= len(self._lines) else ""

    def definition(self, node: int) -> dict[str, Any]:
        found: dict[str, Any] = self.trace["definitions"][self._definition[node]]
        return found

    def is_static(self, node: int) -> bool:
        return self.text(self.graphs["mode"][self.nodes["graph"][node]]) == "static"

    def host(self, node: int) -> int:
        """The node under which a piece of plumbing is shown, itself otherwise."""
        for _ in range(64):
            serves = self.nodes["serves"][node]
            if serves < 0:
                break
            node = serves
        return node

    def reads(self, node: int) -> list[int]:
        """Data inputs of a node in order, as nodes."""
        return [source for _, source in sorted(self.inputs.get(node, []), key=lambda pair: pair[0])]

    def in_plan(self, plan: int, node: int) -> int:
        """Which node a plan reads where the graph reads another: the end of the chain of rewrites."""
        if plan < 0:  # edits of the graph say what one node reads, not what stands for another
            return node
        for _ in range(16):
            changes = self._rewrites.get(plan, [])
            change = next(((old, new) for old, new in changes if node in old and new and node not in new), None)
            if change is None:
                break
            old, new = change
            node = new[old.index(node) if len(new) == len(old) else 0]
        return node

    def values_of(self, node: int) -> list[tuple[int, int]]:
        """(number of the event, value) of all that a node had."""
        return self._values.get(node, [])

    def last_value(self, node: int) -> dict[str, Any] | None:
        history = self._values.get(node)
        return self.value(max(history)[1]) if history else None

    def first_value(self, node: int) -> dict[str, Any] | None:
        history = self._values.get(node)
        return self.value(min(history)[1]) if history else None

    # -- names -------------------------------------------------------------------------------------------------------
    def variable(self, node: int) -> str:
        """The student's name of a node, "" if it has none."""
        return "" if self.definition(node)["role"] == "accumulate" else self.text(self.nodes["variable"][node])

    def label(self, node: int) -> str:
        """The dialect's word for the op."""
        definition = self.definition(node)
        if definition["role"] == "accumulate":
            leaf = self.nodes["mirrors"][node]
            name = (self.text(self.nodes["variable"][leaf]) or self._of_module(leaf)) if leaf >= 0 else ""
            return f"{name}.grad" if name else "grad"
        own = definition["label"] or definition["op"]
        if definition["role"] == "variable":
            return (self.text(self.nodes["name"][node]) if self.is_static(node) else self._of_module(node)) or own
        return str(own)

    def _of_module(self, node: int) -> str:
        own = self.text(self.nodes["name"][node]).replace("/", ".").split(".")[-1]
        scopes = (self.text(self.nodes["scope"][target]) for target in self.outputs.get(node, []))
        scope = next((one for one in scopes if one), "")
        return ".".join([*scope.split("/")[1:], own]) if own and scope else ""

    def constant(self, node: int) -> str:
        """A small constant is called by its value."""
        definition = self.definition(node)
        if definition["role"] != "constant":
            return ""
        held = self.first_value(node)
        if held is not None and held.get("size") == 1 and held.get("data"):
            return num(held["data"][0])
        attribute = definition["attributes"].get("value")
        return num(attribute) if type(attribute) in (int, float) else ""

    def called(self, node: int) -> str:
        """How a sentence calls a node: its variable, or its op."""
        return self.variable(node) or self.constant(node) or self.label(node)

    def operand(self, node: int) -> str:
        """How a sentence calls what an op reads: a constant by its number, everything else by its name."""
        host = self.host(node)
        # What reads a variable is shown as part of it.
        if host != node and self.definition(host)["role"] == "variable" and self.definition(node)["op"] == "identity":
            return self.called(host)
        return self.constant(node) or self.called(node)


def unpacked(packed: dict[str, Any]) -> dict[str, list[int]]:
    return {name: decode(column).tolist() for name, column in packed.items()}
