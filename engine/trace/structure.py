"""Nodes, edges, slots and episodes: the structure that a run made, from the rows of its journal."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.recording.rows import Kind
from engine.trace.columns import Ints
from engine.trace.edits import edited
from engine.trace.passes import Passes, innermost, parameters_of, passes_of, splitting_loops
from engine.trace.rows import Rows, within
from engine.trace.schema import CATEGORIES, ROLES
from engine.trace.slots import assign_slots, call_paths
from engine.trace.steps import Steps, steps_of
from engine.trace.strings import Strings, sound

Table = dict[str, Any]


class Structure:
    """Everything about graphs. Columns are integers; the tables are made by :meth:`tables`."""

    def __init__(self, rows: Rows, strings: Strings) -> None:
        self._rows = rows
        self._strings = strings
        nodes = rows.nodes
        self.count = len(nodes)
        self.definitions = [definition_of(raw) for raw in rows.definitions]
        self.roles = [definition["role"] for definition in self.definitions]
        modes = [rows.text(int(number)) for number in rows.graphs["b"]]
        self.modes = [mode if mode in ("static", "dynamic") else "dynamic" for mode in modes]
        self.graph = within(nodes["c"], len(self.modes))
        self.definition = within(nodes["a"], len(self.definitions))
        self.mirrors = within(nodes["d"], self.count)
        self.serves = within(nodes["e"], self.count)
        changed = rows.reader.of_kind(Kind.SERVES)
        for node, serves in zip(changed["node"].tolist(), within(changed["a"], self.count).tolist(), strict=True):
            if 0 <= node < self.count and node != serves:
                self.serves[node] = serves
        self.header, self.lists = rows.node_integers()
        self._regions()
        dynamic_graph = np.array([mode == "dynamic" for mode in self.modes] + [False])
        self.dynamic: Ints = dynamic_graph[self.graph].astype(np.int64)
        gradient_role = np.array([role in ("gradient", "accumulate") for role in self.roles] + [False])
        self.is_gradient: Ints = (gradient_role[self.definition] & (self.dynamic == 1)).astype(np.int64)
        self.steps = steps_of(rows, static=1 - self.dynamic, opens=1 - self.is_gradient)
        self._edges()
        self._episodes()
        self._slots()

    # -- regions -----------------------------------------------------------------------------------------------------
    def _regions(self) -> None:
        """Which node lies in which branch or loop body, and which node owns that."""
        reader = self._rows.reader
        self.regions = reader.of_kind(Kind.REGION)
        count = len(self.regions)
        members, owned = reader.of_kind(Kind.MEMBER), reader.of_kind(Kind.OWNED)
        self.region: Ints = np.full(self.count, -1, dtype=np.int64)
        inside = within(members["node"], self.count) >= 0
        self.region[members["node"][inside]] = within(members["a"][inside], count)
        self.region_owner: Ints = np.full(count, -1, dtype=np.int64)
        known = within(owned["a"], count) >= 0
        self.region_owner[owned["a"][known]] = within(owned["node"][known], self.count)

    # -- edges -------------------------------------------------------------------------------------------------------
    def _edges(self) -> None:
        inputs, controls, saved, onward = self.lists
        pieces = [
            (inputs[:, 1], inputs[:, 3], inputs[:, 0], inputs[:, 2], "data"),
            (controls[:, 1], np.zeros_like(controls[:, 0]), controls[:, 0], controls[:, 2], "control"),
            (saved[:, 1], np.zeros_like(saved[:, 0]), saved[:, 0], saved[:, 2], "saved"),
            # A gradient node names where it sends its results: the edge goes from it to them.
            (onward[:, 0], onward[:, 2], onward[:, 1], np.zeros_like(onward[:, 0]), "data"),
        ]
        names = [np.full(len(piece[0]), self._strings.add(piece[4])) for piece in pieces]
        columns = [np.concatenate([piece[index] for piece in pieces]) for index in range(4)]
        source, port, target, position = columns
        kept = (source >= 0) & (source < self.count) & (target >= 0) & (target < self.count)
        kept &= (port >= 0) & (port < 1 << 20)
        order = np.argsort(np.maximum(source, target)[kept], kind="stable")
        self.edges = {
            "source": source[kept][order],
            "port": port[kept][order],
            "target": target[kept][order],
            "input": position[kept][order],
            "kind": np.concatenate(names)[kept][order],
        }
        self.edges, self.edited = edited(self._rows, self.edges, self._strings, self.count)
        good = within(inputs[:, 1], self.count) >= 0
        self.data_sources, self.data_targets = inputs[good, 1], inputs[good, 0]

    # -- episodes ----------------------------------------------------------------------------------------------------
    def _episodes(self) -> None:
        rows = self._rows
        self.passes = passes = passes_of(rows)
        parameters = parameters_of(rows, self.roles)
        gradients = np.flatnonzero(np.array([role == "gradient" for role in self.roles] + [False])[self.definition])
        edges = (self.data_sources, self.data_targets)
        self.split = splitting_loops(rows, passes, *edges, parameters, gradients)
        self.episode_passes = chosen = (
            np.flatnonzero(self.split[passes.loop] == 1) if len(passes) else np.zeros(0, dtype=np.int64)
        )
        total = len(rows.events)
        owner = innermost(passes, chosen, total)
        step_pass = owner[self.steps.main]
        # The first and last step of a pass, those of the passes inside it included.
        first = np.searchsorted(self.steps.main, passes.first[chosen])
        last = np.searchsorted(self.steps.main, passes.end[chosen]) - 1
        seen = last >= first
        episode = np.full(len(passes) + 1, -1, dtype=np.int64)
        episode[chosen[seen]] = np.arange(int(seen.sum()))
        parent = parents_of(passes, chosen)
        kept = chosen[seen]
        self.episodes = {
            "loop": passes.loop[kept],
            "parent": episode[parent[seen]],
            "index": passes.iteration[kept],
            "first": first[seen],
            "last": last[seen],
        }
        self.node_pass = owner[rows.seqs[Kind.NODE]]
        self.node_episode = episode[self.node_pass]
        self.step_episode = episode[step_pass]

    # -- slots -------------------------------------------------------------------------------------------------------
    def _slots(self) -> None:
        inputs: list[list[int]] = [[] for _ in range(self.count)]
        for source, target in zip(self.data_sources.tolist(), self.data_targets.tolist(), strict=True):
            inputs[target].append(source)
        kinds = [(d["op"], d["label"], d["role"]) for d in self.definitions] + [("", "", "")]
        loop_of_pass = np.append(self.passes.loop, -1)
        nodes = self._rows.nodes
        called = self._rows.of(Kind.CALLED)
        paths = call_paths(called["a"].tolist(), called["b"].tolist(), called["c"].tolist())
        frames = np.maximum(within(nodes["frame"], len(paths)), 0)
        self.slots = assign_slots(
            [(kinds[one], graph) for one, graph in zip(self.definition.tolist(), self.graph.tolist(), strict=True)],
            list(zip(nodes["span"].tolist(), [paths[frame] for frame in frames.tolist()], strict=True)),
            self.dynamic,
            self.node_pass,
            loop_of_pass[self.node_pass],
            inputs,
            self.mirrors,
        )

    # -- tables ------------------------------------------------------------------------------------------------------
    def tables(self, variables: dict[int, int], spans: int, frames: int, plans: int) -> dict[str, Table]:
        """The tables ``graphs nodes edges slots loops episodes``; ``variables`` names nodes (string indexes)."""
        rows, strings = self._rows, self._strings
        nodes = rows.nodes
        variable = np.full(self.count, -1, dtype=np.int64)
        for node, name in variables.items():
            variable[node] = name
        return {
            "graphs": {
                "mode": np.array([strings.add(mode) for mode in self.modes], dtype=np.int64),
                "name": strings.column(rows.graphs["c"]),
                "seq": rows.graph_seq,
            },
            "nodes": {
                "graph": self.graph,
                "plan": within(self.header[:, 4], plans),
                "definition": self.definition,
                "name": strings.column(self.header[:, 5]),
                "variable": variable,
                "type": within(nodes["b"], len(rows.types)),
                "span": within(nodes["span"], spans),
                "frame": within(nodes["frame"], frames),
                "seq": rows.seqs[Kind.NODE],
                "slot": self.slots.of_node,
                "episode": self.node_episode,
                "mirrors": self.mirrors,
                "serves": self.serves,
                "scope": strings.column(self.header[:, 6]),
                "region": self.region,
            },
            "regions": {
                "graph": within(self.regions["b"], len(self.modes)),
                "name": strings.column(self.regions["c"]),
                "parent": within(self.regions["d"], len(self.regions)),
                "node": self.region_owner,
            },
            "edges": self.edges,
            "slots": {
                "graph": self.graph[self.slots.first_node],
                "definition": self.definition[self.slots.first_node],
                "count": self.slots.count,
            },
            "loops": {
                "line": np.maximum(rows.loops["b"].astype(np.int64), -1),
                "end_line": np.maximum(rows.loops["c"].astype(np.int64), -1),
                "split": self.split,
            },
            "episodes": self.episodes,
        }


def parents_of(passes: Passes, chosen: Ints) -> Ints:
    """For each of the ``chosen`` passes the chosen pass around it, -1 for none: passes nest."""
    around: list[int] = []
    parents: list[int] = []
    for one, first in zip(chosen.tolist(), passes.first[chosen].tolist(), strict=True):
        while around and passes.end[around[-1]] <= first:
            around.pop()
        parents.append(around[-1] if around else -1)
        around.append(one)
    return np.array(parents, dtype=np.int64)


def definition_of(raw: Any) -> dict[str, Any]:
    """A definition of the trace from what the journal says; what does not fit is left empty."""
    known = sound(raw) if isinstance(raw, dict) else {}
    texts = {key: known[key] if isinstance(known.get(key), str) else "" for key in ("op", "label", "symbol", "formula")}
    attributes = known.get("attributes")
    return {
        "op": texts["op"],
        "label": texts["label"],
        "category": known["category"] if known.get("category") in CATEGORIES else "arith",
        "symbol": texts["symbol"],
        "role": known["role"] if known.get("role") in ROLES else "op",
        "attributes": attributes if isinstance(attributes, dict) else {},
        "formula": texts["formula"],
    }


__all__ = ["Steps", "Structure"]
