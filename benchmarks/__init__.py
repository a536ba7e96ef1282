"""How fast the engine is, beside NumPy written by hand and beside other frameworks: ``python -m benchmarks``.

Every figure is measured by the call that prints it. Cases that are compared take turns in short batches, each in one
thread; a ratio is the median over the rounds, so that a busy moment of the machine meets both sides. ``comparisons/``
has one file for each comparison, ``programs/`` the same training step once for each system; :mod:`.peers` installs the
systems that are not ours into an environment outside the checkout.
"""
