"""The dialect ``tensorflow``: the real names, messages and prints on this engine."""

from __future__ import annotations

from types import ModuleType


def modules(version: str) -> dict[str, ModuleType]:
    """The modules that ``import tensorflow`` finds, by full name; ``version`` is ``"tf1"`` or ``"tf2"``.

    A new program starts: default graph and sessions, tapes and seeds of the last one are forgotten.

    >>> "tensorflow.nn" in modules("tf1"), "tensorflow.nn" in modules("tf2")
    (True, True)

    :raises ValueError: another version.
    """
    if version == "tf1":
        from engine.dialects.tensorflow.graph import begin
        from engine.dialects.tensorflow.namespace import tf1_modules
        from engine.dialects.tensorflow_fold import modules as fold_modules

        begin()
        _speak(second=False)
        return {**tf1_modules(), **fold_modules()}
    if version == "tf2":
        from engine.dialects.tensorflow.eager.namespace import tf2_modules
        from engine.dialects.tensorflow.graph import begin
        from engine.dialects.tensorflow.keras.namespace import with_keras

        begin()
        _speak(second=True)
        return with_keras(tf2_modules())
    raise ValueError(f'there is no TensorFlow {version!r}: use "tf1" or "tf2"')


def _speak(second: bool) -> None:
    """What both versions share behaves as in the second, or as in the first."""
    from engine.dialects.tensorflow.handles import Tensor
    from engine.dialects.tensorflow.shapes import TensorShape

    TensorShape.v2 = Tensor.elementwise = second
