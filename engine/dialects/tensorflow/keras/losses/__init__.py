"""Losses: :mod:`.functions` for each example, :mod:`.classes` that reduce them to one number."""
