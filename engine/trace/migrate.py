"""What documents of earlier days lack, put in where it can be known: called before a saved one is checked."""

from __future__ import annotations

from typing import Any

from engine.trace.columns import ColumnError, decode


def migrate(trace: Any) -> None:
    """Bring a parsed document up to what this version writes, in place. What is no trace is left alone.

    Before ``.grad`` could be seen set to zero, ``cleared`` had neither ``how`` nor ``value``: it was None each time.

    >>> old = {"strings": [], "events": {"cleared": {"seq": [4, 9], "node": [1, 1]}}}
    >>> migrate(old)
    >>> old["strings"], old["events"]["cleared"]["how"], old["events"]["cleared"]["value"]
    (['none'], [0, 0], [-1, -1])
    """
    try:
        cleared, strings = trace["events"]["cleared"], trace["strings"]
        if "how" in cleared or "value" in cleared:
            return
        count = len(decode(cleared["node"]))
        if "none" not in strings:
            strings.append("none")
        cleared.update(how=[strings.index("none")] * count, value=[-1] * count)
    except (TypeError, KeyError, AttributeError, ColumnError):
        return
