"""Objects that hold variables, and how they are kept.

* :mod:`.module` — ``tf.Module``;
* :mod:`.tracking` — which variables and functions an object holds, under which paths;
* :mod:`.checkpoints` — ``tf.train.Checkpoint`` and ``CheckpointManager``: values by path;
* :mod:`.saving`, :mod:`.loading` — ``tf.saved_model``: objects with their values and traced functions, without source;
* :mod:`.trace_document` — one trace as data.
"""
