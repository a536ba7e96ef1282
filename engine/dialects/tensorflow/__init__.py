"""The dialect ``tensorflow``: the real names, messages and prints on this engine."""

from __future__ import annotations

from types import ModuleType
from typing import Any

NOT_YET = (
    "this program uses TensorFlow 2.x, which this teaching engine does not know yet. Programs of 1.x run "
    "(tf.placeholder, tf.Session), also those with `import tensorflow.compat.v1 as tf`; to have this one read as 1.x, "
    "begin it with the line `# stepgraph: tf1`"
)


class _Unavailable(ModuleType):
    """A module that cannot be imported: the import system sets attributes of what it loads, and hears why not."""

    def __setattr__(self, name: str, value: Any) -> None:
        raise ImportError(NOT_YET, name=self.__dict__["__name__"])


def modules(version: str) -> dict[str, ModuleType]:
    """The modules that ``import tensorflow`` finds, by full name; ``version`` is ``"tf1"`` or ``"tf2"``.

    A new program starts: default graph and sessions of the last one are forgotten. 2.x is not there yet; importing its
    module raises :class:`ImportError` with a way out.

    >>> sorted(modules("tf1"))[:2]
    ['tensorflow', 'tensorflow.compat']

    :raises ValueError: another version.
    """
    if version == "tf1":
        from engine.dialects.tensorflow.graph import begin
        from engine.dialects.tensorflow.namespace import tf1_modules

        begin()
        return tf1_modules()
    if version == "tf2":
        return {"tensorflow": _Unavailable("tensorflow")}
    raise ValueError(f'there is no TensorFlow {version!r}: use "tf1" or "tf2"')
