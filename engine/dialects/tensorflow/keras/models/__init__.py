"""Models: :mod:`.model` for all, :mod:`.functional` and :mod:`.sequential` for those that are graphs of layers."""
