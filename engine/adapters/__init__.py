"""Adapters: formats of others, read and written with packages that the core does without. Import one where needed."""
