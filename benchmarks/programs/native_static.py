"""The engine's static mode: a graph with gradients and updates as nodes, run by a session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import engine
from benchmarks.network import RATE, Array, Network


def version() -> str:
    """What was measured."""
    return "this engine, static"


def graph_of(network: Network, values: Sequence[Array]) -> tuple[engine.Graph, dict[str, engine.Node]]:
    """The graph of a training step that begins with these parameters: nodes ``x y loss train init``."""
    g = engine.Graph()
    x = g.placeholder((None, network.inputs), name="x")
    y = g.placeholder((None, network.outputs), name="y")
    w1, b1, w2, b2 = parameters = [g.variable(value) for value in values]
    h = engine.relu(x @ w1 + b1)
    loss = engine.mse_loss(h @ w2 + b2, y)
    gradients = engine.gradients(loss, parameters)
    train = g.group([g.assign_sub(p, d * RATE) for p, d in zip(parameters, gradients, strict=True) if d is not None])
    return g, {"x": x, "y": y, "loss": loss, "train": train, "init": g.initializer()}


def build(network: Network) -> Callable[[], Any]:
    """One training step."""
    g, nodes = graph_of(network, network.parameters())
    session = engine.Session(g)
    session.run(nodes["init"])
    run, fetches = session.run, [nodes["loss"], nodes["train"]]
    xs, ys = network.data()
    feeds = {nodes["x"]: xs, nodes["y"]: ys}
    return lambda: run(fetches, feeds)[0]
