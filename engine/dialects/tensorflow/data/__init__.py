"""``tf.data`` of 2.x: pipelines that are looped over directly. They stand on the datasets of 1.x.

* :mod:`.dataset` — ``tf.data.Dataset``;
* :mod:`.tracing` — functions of pipelines, as graphs of their own;
* :mod:`.iterating` — iterators, also inside functions;
* :mod:`.names` — what ``tf.data`` exports.
"""
