"""The layers, a file a kind; :mod:`.base` is what they share."""
