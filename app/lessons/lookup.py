"""A recording, asked by the names that a learner uses."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import Any

from app.story.recording import Recording, unpacked

_SHOWN_AS_TENSOR = ("<Tensor", "<Parameter", "tensor(", "<tf.Tensor", "<EagerTensor")


class Lookup:
    """``record`` are the tables; everything here is worked out from them."""

    def __init__(self, trace: dict[str, Any]) -> None:
        self.trace = trace
        self.record = Recording(trace)
        self.named = cache(self._named)

    def rows(self, table: str) -> dict[str, list[int]]:
        return self.record.events.get(table, {})

    # -- nodes -------------------------------------------------------------------------------------------------------
    def own_nodes(self, *, plumbing: bool = True) -> list[int]:
        """Nodes of the program's graphs, without those that a plan made."""
        plans, serves = self.record.nodes["plan"], self.record.nodes["serves"]
        return [node for node, plan in enumerate(plans) if plan < 0 and (plumbing or serves[node] < 0)]

    def _named(self, name: str) -> list[int]:
        """Nodes that a variable, or their framework, calls ``name``; else those with this op."""
        record, own = self.record, self.own_nodes()
        found = [node for node in own if name in (record.variable(node), record.text(record.nodes["name"][node]))]
        found = found or [node for node in own if record.label(node) == name]
        return found or self.ops(name)

    def ops(self, name: str) -> list[int]:
        wanted = name.lower()
        found = []
        for node in self.own_nodes():
            definition = self.record.definition(node)
            if definition["role"] in ("gradient", "accumulate"):
                continue
            if wanted in (str(definition["op"]).lower(), str(definition["label"] or "").lower()):
                found.append(node)
        return found

    def runs(self, name: str) -> int:
        """How often ops of this name ran, alone or as a part of a fused one."""
        wanted, table = set(self.ops(name)), self.rows("rewrite")
        held = dict.fromkeys(wanted, 1)
        for action, old, new in zip(*(table.get(key, ()) for key in ("action", "old", "new")), strict=True):
            if self.record.text(action) == "fused":
                for node in self.record.list_at(new):
                    held[node] = len(wanted.intersection(self.record.list_at(old)))
        return sum(held.get(node, 0) for node in self.rows("ran").get("node", ()))

    def longest_path(self, name: str) -> int:
        wanted = set(self.ops(name))
        longest: dict[int, int] = {}
        for node in sorted(self.own_nodes()):  # a node is made after what it reads
            before = max((longest.get(source, 0) for source in self.record.reads(node) if source < node), default=0)
            longest[node] = before + (node in wanted)
        return max(longest.values(), default=0)

    def nodes_added_while_running(self) -> int:
        first = min(self.rows("run").get("seq", ()), default=None)
        made = self.rows("node")
        own = set(self.own_nodes())
        if first is None:
            return 0
        return sum(
            seq > first and node in own and self.record.is_static(node)
            for seq, node in zip(made.get("seq", ()), made.get("node", ()), strict=True)
        )

    def static_shape(self, name: str) -> str | None:
        for node in self.named(name):
            kind = self.record.nodes["type"][node]
            if self.record.is_static(node) and kind >= 0:
                sizes = self.trace["types"][kind]["shape"]
                if sizes is None:
                    return "<unknown>"
                inner = ", ".join("?" if size is None else str(size) for size in sizes)
                return f"({inner},)" if len(sizes) == 1 else f"({inner})"
        return None

    def traces(self, name: str) -> int:
        used = set(self.record.nodes["graph"])
        names = [self.record.text(index) for index in self.record.graphs["name"]]
        return sum(
            graph in used and text.split(";")[0].split("(")[0].strip() == name for graph, text in enumerate(names)
        )

    def specialised(self, what: str) -> int:
        return sum(self.record.text(index) == what for index in self.rows("specialised").get("what", ()))

    def last_plan(self, column: str) -> int:
        """A figure of the plan that was compiled last, 0 without one."""
        figures = self.rows("compiled").get(column, [])
        return figures[-1] if figures else 0

    def rewritten(self, action: str) -> int:
        table = self.rows("rewrite")
        return sum(
            len(self.record.list_at(old))
            for kind, old in zip(table.get("action", ()), table.get("old", ()), strict=True)
            if self.record.text(kind) == action
        )

    # -- values ------------------------------------------------------------------------------------------------------
    def last_value(self, name: str) -> dict[str, Any] | None:
        """The last value that a variable of this name held, or that a node of this name had."""
        history = self.history(name)
        return history[-1][1] if history else None

    def history(self, name: str) -> list[tuple[int, dict[str, Any]]]:
        """(step, value) of all that a variable of this name held; of none such, what nodes of this name had."""
        assigned = self.rows("assigned")
        held: list[tuple[int, dict[str, Any] | None]] = []
        for seq, text, node, index in zip(
            *(assigned.get(key, ()) for key in ("seq", "name", "node", "value")), strict=True
        ):
            if self.record.text(text) == name:
                value = self.record.value(index) if index >= 0 else self.record.last_value(node) if node >= 0 else None
                held.append((self.step_of(seq), value))
        if held and held[-1][1] is not None:
            return [(step, value) for step, value in held if value is not None]
        had = [(seq, index) for node in self.named(name) for seq, index in self.record.values_of(node)]
        return [(self.step_of(seq), value) for seq, index in sorted(had) if (value := self.record.value(index))]

    @staticmethod
    def single(value: dict[str, Any] | None) -> Any:
        """The one element of a value, or what a Python number or text is; ``None`` otherwise."""
        if value is None:
            return None
        if "python" in value:
            return _python(value["python"], value["text"])
        if value.get("size") == 1:
            element = value["data"][0] if value.get("data") else value.get("mean")
            return float(element) if element in ("nan", "inf", "-inf") else element
        return None

    def tensors_in(self, name: str) -> int:
        assigned = self.rows("assigned")
        found: dict[str, Any] | None = None
        for text, index in zip(*(assigned.get(key, ()) for key in ("name", "value")), strict=True):
            if self.record.text(text) == name and index >= 0:
                found = self.record.value(index)
        items = (found or {}).get("items", ())
        return sum(str(item[1]).startswith(_SHOWN_AS_TENSOR) for item in items)

    def leaves(self, name: str) -> list[int]:
        return [node for node in self.named(name) if self.record.definition(node)["role"] in ("variable", "input")]

    def changed(self, name: str) -> bool:
        wanted = set(self.leaves(name))
        seen: set[int] = set()
        for table in ("written", "ran", "fed"):
            rows = self.rows(table)
            seen.update(
                value for node, value in zip(rows.get("node", ()), rows.get("value", ()), strict=True)
                if node in wanted and value >= 0
            )  # fmt: skip
        return len(seen) > 1

    # -- gradients ---------------------------------------------------------------------------------------------------
    def _collected(self, table: str, name: str) -> list[tuple[int, int, dict[str, int]]]:
        """(node, seq, the row) of ``table`` where gradients of leaves called ``name`` are kept."""
        leaves, mirrors = set(self.leaves(name)), self.record.nodes["mirrors"]
        rows = self.rows(table)
        return [
            (node, rows["seq"][row], {key: column[row] for key, column in rows.items()})
            for row, node in enumerate(rows.get("node", ()))
            if mirrors[node] in leaves
        ]

    def last_gradient(self, name: str) -> dict[str, Any] | None:
        found = self._collected("accumulated", name)
        return self.record.value(found[-1][2]["value"]) if found else None

    def accumulated(self, name: str) -> int:
        """How often a gradient was added to one that was there: one that was set to zero was not."""
        cleared = [(node, seq) for node, seq, _ in self._collected("cleared", name)]
        before: dict[int, int] = {}
        count = 0
        for node, seq, row in self._collected("accumulated", name):
            fresh = any(one == node and before.get(node, -1) < when < seq for one, when in cleared)
            count += row["existed"] > 0 and not fresh
            before[node] = seq
        return count

    def cleared(self, name: str) -> int:
        return len(self._collected("cleared", name))

    def off_tape(self, name: str) -> int:
        taped = set(self.record.nodes["mirrors"])
        return sum(not self.record.is_static(node) and node not in taped for node in self.ops(name))

    def still_saved(self) -> int:
        """How many gradient nodes saved something in the forward pass and were never freed."""
        edges = self.record.edges
        saving = {
            node
            for kind, ends in zip(edges["kind"], zip(edges["source"], edges["target"], strict=True), strict=True)
            if self.record.text(kind) == "saved"
            for node in ends
            if self.record.definition(node)["role"] == "gradient" and not self.record.is_static(node)
        }
        return len(saving.difference(*(self.record.list_at(nodes) for nodes in self.rows("freed").get("nodes", ()))))

    # -- steps -------------------------------------------------------------------------------------------------------
    def step_of(self, seq: int) -> int:
        """The step to which the event ``seq`` belongs."""
        return max(0, bisect_right(self.record.steps["seq"], seq) - 1)

    def error_step(self) -> int:
        """The last step at which something failed, -1 if nothing did."""
        kinds = [self.record.text(kind) for kind in self.record.steps["kind"]]
        return next((step for step in reversed(range(self.record.count)) if kinds[step] in ("error", "failed")), -1)

    def passes(self, text: str) -> int:
        """How often Python went through the loops whose first line holds ``text``, passes that were folded too."""
        lines = unpacked(self.trace["loops"])["line"]
        wanted = {loop for loop, line in enumerate(lines) if text in self.record.line_text(line)}
        folded = self.rows("folded")
        return sum(loop in wanted for loop in self.rows("loop").get("loop", ())) + sum(
            passes
            for loop, passes in zip(folded.get("loop", ()), folded.get("passes", ()), strict=True)
            if loop in wanted
        )


def _python(kind: str, text: str) -> Any:
    if kind in ("int", "float", "float32", "float64", "int32", "int64"):
        inner = text.partition("(")[2].rstrip(")") or text
        try:
            number = float(inner)
        except ValueError:
            return None
        return int(number) if kind.startswith("int") else number
    if kind == "bool":
        return text == "True"
    return text[1:-1] if kind == "str" and text[:1] in "'\"" else None
