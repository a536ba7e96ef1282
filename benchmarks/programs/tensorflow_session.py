"""TensorFlow's graph mode: ``Session.run`` of a training op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow

from benchmarks.network import RATE, Network

tf = tensorflow.compat.v1


def version() -> str:
    """What was measured."""
    return f"tensorflow {tensorflow.__version__}, Session"


def build(network: Network) -> Callable[[], Any]:
    """One training step."""
    xs, ys = network.data()
    with tensorflow.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, network.inputs])
        y = tf.placeholder(tf.float32, [None, network.outputs])
        w1, b1, w2, b2 = (tf.Variable(array, use_resource=True) for array in network.parameters())
        h = tf.nn.relu(x @ w1 + b1)
        loss = tf.reduce_mean(tf.square(h @ w2 + b2 - y))
        train = tf.train.GradientDescentOptimizer(RATE).minimize(loss)
        init = tf.global_variables_initializer()
    one = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    session = tf.Session(graph=graph, config=one)
    session.run(init)
    feeds, run, fetches = {x: xs, y: ys}, session.run, [loss, train]
    return lambda: run(fetches, feeds)[0]
