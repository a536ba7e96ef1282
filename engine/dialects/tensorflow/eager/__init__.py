"""TensorFlow 2 as it runs by default: every line computes at once, and a tape records what a gradient needs.

Stands on :mod:`engine.dynamic`; the graphs of 1.x live beside it and share dtypes, errors and random streams.
"""
