"""The training step of :mod:`benchmarks.network`, once for each system.

A program has ``build(network)``, which gives a function that does one step and returns the loss before it, and
``version()``, which names what was measured. It imports nothing of ours that it does not measure: most of them run in
another environment.
"""
