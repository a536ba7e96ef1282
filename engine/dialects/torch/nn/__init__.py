"""``torch.nn``: modules, parameters, layers, losses."""
