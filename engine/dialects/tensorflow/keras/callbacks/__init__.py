"""Callbacks: :mod:`.base` and :mod:`.known`."""
