"""Ops of graphs: names, types and order are those that TensorFlow 2.21 lists for the same program."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest


def _load() -> ModuleType:
    path = Path(__file__).parent / "graphs" / "building.py"
    spec = importlib.util.spec_from_file_location("building", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILDING = _load()
GOLDEN = json.loads(BUILDING.GOLDEN.read_text())


DIFFERENT = {
    "reduce_prod": "the product's gradient has fewer ops here",
    "made_values": "some values are made by fewer ops here",
    "decision_gradient": "the plumbing of a decision",
    "loop_gradient": "the plumbing of a loop",
    "mapped": "the plumbing of a loop",
}
CASES = [
    pytest.param(name, marks=pytest.mark.xfail(strict=True, reason=DIFFERENT[name]) if name in DIFFERENT else ())
    for name in BUILDING.GRAPHS
]


@pytest.mark.parametrize("name", CASES)
def test_ops_of_a_graph(name: str, serving: Any) -> None:
    with serving("tf1") as tf:
        found = BUILDING.listed(tf, BUILDING.GRAPHS[name])
    assert ["  ".join(pair) for pair in found] == ["  ".join(pair) for pair in GOLDEN[name]]


@pytest.mark.parametrize(
    "name", ["multiply", "linear", "sigmoid_loss", "concat", "slice", "pad", "tile", "softmax_loss"]
)
def test_every_op_of_a_gradient_can_be_fetched(name: str, serving: Any) -> None:
    """What no step needs is there all the same, with a value."""
    with serving("tf1") as tf:
        BUILDING.GRAPHS[name](tf)
        graph = tf.get_default_graph()
        feeds = {
            op.outputs[0]: np.full([n or 4 for n in op.outputs[0].shape.as_list()], 0.25, np.float32)
            for op in graph.get_operations()
            if op.type == "Placeholder"
        }
        with tf.Session() as session:
            for op in graph.get_operations():
                for tensor in op.outputs:
                    value = session.run(tensor, feeds)
                    assert tensor.shape.is_compatible_with(np.shape(value)), tensor


def test_axes_of_a_broadcast_are_those_of_tensorflow(serving: Any) -> None:
    with serving("tf1") as tf:
        a, b = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32, [None, None])
        tf.gradients(a * b, [a, b])
        pair = tf.get_default_graph().get_operation_by_name("gradients/mul_grad/BroadcastGradientArgs").outputs
        with tf.Session() as session:
            first, second = session.run(pair, {a: np.ones((1, 3)), b: np.ones((2, 3))})
    assert (first.tolist(), second.tolist()) == ([0], [])
