"""``torch.jit``: programs as graphs of ``aten`` and ``prim`` nodes, traced or compiled from their source.

``ir`` is the graph, ``code`` prints it as source, ``running`` runs it on the dialect's tensors (so that backward works
as ever); ``tracing`` and ``compiling`` make it; ``modules`` are what a program holds, ``saving`` writes them to a file.
"""
