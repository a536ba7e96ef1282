"""``torch.export``: a module as one graph of ``aten`` calls, with a signature of where its inputs come from."""
