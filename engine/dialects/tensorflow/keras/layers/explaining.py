"""What Keras adds to an error from inside a layer's ``call``: which layer, and what it was called with."""

from __future__ import annotations

import inspect
from typing import Any

from engine.dialects.tensorflow.errors import OpError
from engine.dialects.tensorflow.keras import nest, state
from engine.dialects.tensorflow.keras.both import dtype_of, is_tensor
from engine.dialects.tensorflow.keras.variables import Variable

_explained = "_keras_call_info_injected"


def explained(error: Exception, layer: Any, signature: inspect.Signature, arguments: Any, options: Any) -> Exception:
    """``error`` with the layer's arguments in its text (once: the innermost layer tells)."""
    if hasattr(error, _explained):
        return error
    try:
        given = signature.bind(*arguments, **options).arguments
    except TypeError:
        return error
    lines = [
        f"  • {name}={nest.map_leaves(_shown, given[name]) if name in given else parameter.default}"
        for name, parameter in signature.parameters.items()
    ]
    if not lines:
        return error
    where = f"{type(layer).__name__}.call()"
    message = error.message if isinstance(error, OpError) else (error.args[0] if error.args else "")
    text = (
        f"Exception encountered when calling {where}.\n\n\x1b[1m{message}\x1b[0m\n\nArguments received by {where}:\n"
        + "\n".join(lines)
    )
    try:
        made = type(error)(error.node_def, error.op, text) if isinstance(error, OpError) else type(error)(text)
    except TypeError:
        made = RuntimeError(text)
    setattr(made, _explained, True)
    return made


SYMBOLIC = inspect.signature(lambda *args, **kwargs: None)
"""How a call on symbolic tensors takes its arguments."""


def _shown(value: Any) -> str:
    if isinstance(value, Variable):
        return repr(value)
    return (
        f"tf.Tensor(shape={state.shape_in_words(value)}, dtype={dtype_of(value)})" if is_tensor(value) else repr(value)
    )
