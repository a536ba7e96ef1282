"""Metrics: :mod:`.base` keeps sums, :mod:`.means` averages functions, :mod:`.counting` counts hits and misses."""
