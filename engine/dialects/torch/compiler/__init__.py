"""``torch.compile``: calls become graphs, graphs go to a backend, guards say when they hold.

A call of a compiled function runs as Python; what it does with tensors is written down (``capturing``) until Python
needs a value (a *graph break*) or the function ends. The graph is looked up among those that were compiled before
(``entries``) or given to the backend (``backends``), and what the backend's function gives is what the program sees.
"""
