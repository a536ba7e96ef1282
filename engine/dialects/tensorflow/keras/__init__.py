"""Keras 3 as TensorFlow 2.21 brings it: layers, models, training, on the eager dialect.

* :mod:`.state` names, scopes, what is no part of the picture; :mod:`.symbolic` tensors of the functional API;
  :mod:`.variables` weights; :mod:`.random` seeds and draws; :mod:`.marks` masks beside tensors;
* :mod:`.layers`, :mod:`.losses`, :mod:`.metrics`, :mod:`.optimizers`, :mod:`.callbacks`, :mod:`.initializers`,
  :mod:`.activations`, :mod:`.penalties` (regularizers, constraints), :mod:`.functions` (``keras.ops``);
* :mod:`.models` and :mod:`.training`; :mod:`.serialization`, :mod:`.lambdas`; :mod:`.datasets` (stand-ins),
  :mod:`.preprocessing`, :mod:`.backend`; :mod:`.namespace` puts it together.

``fit`` runs every step eagerly, so that each op of it can be watched; Keras itself traces the step once. The numbers
are the same; a ``print`` in ``call`` is seen at every batch here.
"""
