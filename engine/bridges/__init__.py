"""Between the modes: what stands on both the dynamic and the static mode.

* :mod:`~engine.bridges.batching` — many trees or sequences run as few large calls (TensorFlow Fold);
* :mod:`~engine.bridges.capture` — a Python function becomes a graph by walking a proxy through it (torch.fx);
* :mod:`~engine.bridges.function` — functions traced on first call, with retracing and AutoGraph (tf.function);
* :mod:`~engine.bridges.script` — one recorded path, or the compiled source (TorchScript);
* :mod:`~engine.bridges.compile` — graph breaks, guards and recompiles (torch.compile).
"""
