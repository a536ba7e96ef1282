"""``torch.utils.checkpoint``: here nothing is thrown away, so nothing is computed again; the numbers are the same."""

from __future__ import annotations

from typing import Any


def checkpoint(
    function: Any, *args: Any, use_reentrant: bool | None = None, preserve_rng_state: bool = True, **options: Any
) -> Any:
    """Call ``function``."""
    for own in ("context_fn", "determinism_check", "debug", "early_stop"):
        options.pop(own, None)
    return function(*args, **options)


def checkpoint_sequential(functions: Any, segments: int, input: Any, **_: Any) -> Any:
    """Call the functions one after another."""
    for function in functions:
        input = function(input)
    return input
