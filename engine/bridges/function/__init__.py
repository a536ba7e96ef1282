"""Functions traced into static graphs, in the manner of ``tf.function``.

The first call runs the Python function once with traced tensors and keeps the graph; further calls with arguments of
the same kind run the compiled graph, and no Python::

    >>> import engine
    >>> from engine.bridges.function import function
    >>> @function
    ... def square(x):
    ...     print("tracing")
    ...     return x * x
    >>> square(engine.tensor(3.0)), square(engine.tensor(4.0))
    tracing
    (tensor(9.), tensor(16.))
    >>> square(engine.tensor([1.0, 2.0]))
    tracing
    tensor([1., 4.])
    >>> print(square.explain())
    square: 2 traces, 3 calls
    trace 0: x: tensor float32 (); 2 calls; made because: this is the first call
    trace 1: x: tensor float32 (2,); 1 call; made because: x has shape (2,), trace 0 takes ()

* :mod:`~engine.bridges.function.key` — what decides which trace a call uses;
* :mod:`~engine.bridges.function.traced_function` — :class:`Function`, its traces, retracing counted and warned;
* :mod:`~engine.bridges.function.concrete` — one trace: graph, session, gradients;
* :mod:`~engine.bridges.function.autograph` — ``if``, ``while`` and ``for`` on tensors become nodes.
"""

from __future__ import annotations

from engine.bridges.function.concrete import ConcreteFunction
from engine.bridges.function.key import TensorSpec
from engine.bridges.function.retracing import RetracingWarning
from engine.bridges.function.traced_function import Function, function

__all__ = ["ConcreteFunction", "Function", "RetracingWarning", "TensorSpec", "function"]
