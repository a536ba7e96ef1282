"""What the page calls a parameter that has no name in the program."""

from __future__ import annotations

from typing import Any

from app.layout.columns import Nodes, column


def modules_of(trace: dict[str, Any], nodes: Nodes) -> dict[int, str]:
    """``fc1.weight``: what the page calls a parameter that only a module knows, after the module that reads it."""
    if not nodes.scope:
        return {}
    names: dict[int, str] = {}
    edges = trace.get("edges", {})
    for source, target in zip(column(edges, "source"), column(edges, "target"), strict=True):
        if nodes.role[source] != "variable" or source in names or nodes.scope[target] < 0:
            continue
        own = nodes.text(nodes.name[source]).replace("/", ".").rpartition(".")[2]
        scope = nodes.text(nodes.scope[target]).split("/")[1:]
        if own and nodes.text(nodes.scope[target]):
            names[source] = ".".join([*scope, own])
    return names
