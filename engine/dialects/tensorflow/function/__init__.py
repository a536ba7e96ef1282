"""``tf.function``: Python functions traced into the graphs of this dialect.

* :mod:`.func_graph` — the graph that a trace builds: what it captures, in which order effects happen;
* :mod:`.staging` — AutoGraph on symbolic tensors: decisions and loops of the graph;
* :mod:`.structures` — how arguments and results are nested;
* :mod:`.specs` — ``tf.TensorSpec`` and the keys of traces;
* :mod:`.concrete` — one trace, and how it runs;
* :mod:`.polymorphic` — ``tf.function`` itself: which trace serves a call, when a new one is made;
* :mod:`.eager_arrays` — ``tf.TensorArray``, in a function and outside;
* :mod:`.both` — functions that compute while executing eagerly and build nodes in a graph.
"""
