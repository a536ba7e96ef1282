"""Optimizers: :mod:`.base` applies gradients, :mod:`.algorithms` say how, :mod:`.schedules` how fast."""
