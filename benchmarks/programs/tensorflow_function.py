"""TensorFlow 2: the whole step in one ``tf.function``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from benchmarks.network import RATE, Network

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)


def version() -> str:
    """What was measured."""
    return f"tensorflow {tf.__version__}, tf.function"


def build(network: Network) -> Callable[[], Any]:
    """One training step."""
    x, y = (tf.constant(array) for array in network.data())
    parameters = [tf.Variable(array) for array in network.parameters()]
    w1, b1, w2, b2 = parameters

    @tf.function
    def step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            h = tf.nn.relu(x @ w1 + b1)
            loss = tf.reduce_mean(tf.square(h @ w2 + b2 - y))
        for p, g in zip(parameters, tape.gradient(loss, parameters), strict=True):
            p.assign_sub(RATE * g)
        return loss

    step(x, y)
    for p, array in zip(parameters, network.parameters(), strict=True):
        p.assign(array)
    return lambda: step(x, y)
