"""``torch.fx``: a program as a list of nodes, recorded by walking proxies through it, that can be changed and run.

Unlike :mod:`engine.bridges.capture`, whose programs consist of ops of the table, a graph here speaks of what the
*user* called: functions (``torch.relu``, ``operator.add``), methods, modules by their path.
"""
