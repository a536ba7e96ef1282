"""Functions and constructors say their public names in Python's own errors: ``Conv2d.__init__() missing 1 required …``.

Such an error names the function that could not take the arguments, so one that is shared by several classes, or made
inside a function, is given out under the name that a program knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import Any

_OWNERS = {
    "RNNBase": "RNN LSTM GRU", "_BatchNorm": "BatchNorm1d BatchNorm2d BatchNorm3d",
    "_InstanceNorm": "InstanceNorm1d InstanceNorm2d", "_MaxPoolNd": "MaxPool1d MaxPool2d MaxPool3d",
    "_AdaptiveAvgPoolNd": "AdaptiveAvgPool1d AdaptiveAvgPool2d",
    "_AdaptiveMaxPoolNd": "AdaptiveMaxPool1d AdaptiveMaxPool2d",
}  # fmt: skip
_OWNER_OF = {name: owner for owner, names in _OWNERS.items() for name in names.split()}
"""PyTorch's classes whose constructor is that of a base."""


def renamed(function: FunctionType, name: str) -> FunctionType:
    """The same function whose errors say ``name``.

    >>> renamed(lambda x: x, "same")()
    Traceback (most recent call last):
    TypeError: same() missing 1 required positional argument: 'x'
    """
    made = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__, made.__doc__ = function.__kwdefaults__, function.__doc__
    made.__annotations__, made.__qualname__ = function.__annotations__, name
    return made


def name_methods(classes: Iterable[type], methods: Iterable[str]) -> None:
    """Give each class these methods under its own name, where it has them from another one."""
    for kind in classes:
        for method in methods:
            function: Any = getattr(kind, method, None)
            owner = _OWNER_OF.get(kind.__name__, kind.__name__) if method == "__init__" else kind.__name__
            name = f"{owner}.{method}"
            if isinstance(function, FunctionType) and function.__qualname__ != name:
                setattr(kind, method, renamed(function, name))


def name_functions(functions: Iterable[Any]) -> None:
    """Have functions that were made inside others say the name that they are known by."""
    for function in functions:
        if isinstance(function, FunctionType) and "<locals>" in function.__qualname__:
            function.__qualname__ = function.__name__
