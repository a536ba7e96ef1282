"""Clear errors for names that the teaching engine does not have."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The public names most like ``name``, best first.

    >>> nearest("sigmid", ["sigmoid", "sin", "tanh"])
    ['sigmoid']
    >>> nearest("Session", ["version", "sin"])
    []
    """
    public = sorted({n for n in known if not n.startswith("_")})
    lower = {n.lower(): n for n in reversed(public)}
    found = difflib.get_close_matches(name.lower(), lower, n=count, cutoff=0.75)
    inside = [n for n in public if _within(name.lower(), n.lower()) or _within(n.lower(), name.lower())]
    return list(dict.fromkeys([*(lower[n] for n in found), *inside]))[:count]


def _within(part: str, whole: str) -> bool:
    """Whether one name is the other with more words around it."""
    return len(part) > 3 and f"_{part}_" in f"_{whole}_"


def missing_name(owner: str, name: str, known: Iterable[str], framework: str = "") -> str:
    """The message for a name that ``owner`` (``torch.nn``, ``tf.train``) lacks.

    >>> missing_name("torch", "sigmid", ["sigmoid", "tanh"])
    "module 'torch' has no attribute 'sigmid' in this teaching engine, which has part of torch. Nearest: torch.sigmoid"
    """
    framework = framework or owner.partition(".")[0]
    message = f"module '{owner}' has no attribute '{name}' in this teaching engine, which has part of {framework}."
    close = nearest(name, known)
    if close:
        return f"{message} Nearest: {', '.join(f'{owner}.{n}' for n in close)}"
    return f"{message} Nothing there has a similar name."


def missing_module(name: str, known: Iterable[str]) -> str:
    """The message for ``import name`` where the teaching engine has no such module.

    >>> missing_module("torch.nm", ["torch", "torch.nn", "torch.optim"])
    "No module named 'torch.nm' in this teaching engine, which has part of torch. Nearest: torch.nn"
    >>> missing_module("tensorflow.keras", ["tensorflow", "tensorflow.errors"])
    "No module named 'tensorflow.keras' in this teaching engine, which has part of tensorflow."
    """
    names = list(known)
    message = f"No module named '{name}' in this teaching engine, which has part of {name.partition('.')[0]}."
    # The first part, which they share, says nothing about how alike two names are.
    wanted = name.partition(".")[2]
    rest = {n.partition(".")[2]: n for n in names if "." in n and abs(len(n) - len(name)) <= 2}
    cutoff = 0.5 if len(wanted) < 3 else 0.7
    close = [rest[n] for n in difflib.get_close_matches(wanted, rest, n=3, cutoff=cutoff)] if wanted else []
    return f"{message} Nearest: {', '.join(close)}" if close else message


def module_getattr(module: ModuleType, framework: str = "") -> Callable[[str], Any]:
    """A module's ``__getattr__`` that explains what is missing.

    >>> torch = ModuleType("torch")
    >>> torch.__getattr__ = module_getattr(torch)
    >>> torch.sigmid
    Traceback (most recent call last):
    AttributeError: module 'torch' has no attribute 'sigmid' in this teaching engine, which has part of torch.
    Nothing there has a similar name.
    """

    def explain(name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):  # Python itself asks for these
            raise AttributeError(f"module '{module.__name__}' has no attribute '{name}'")
        raise AttributeError(missing_name(module.__name__, name, vars(module), framework))

    return explain
