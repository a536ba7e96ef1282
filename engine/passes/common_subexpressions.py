"""Common subexpression merging: two steps that compute the same from the same become one."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from engine.errors import GraphError
from engine.ops import TABLE
from engine.passes.blocks import written_keys
from engine.passes.draft import Draft, Report, Step

_LARGEST = 4096
"""Constants of more bytes than this are not compared: reading them would cost more than merging gains."""


class CommonSubexpressions:
    """Merges later steps into the first of their kind. Never merged: stateful and random ops, fed steps, fetched steps
    (a fetch keeps a node of its own), and reads of a variable that this plan also writes."""

    name = "common subexpression merging"

    def requires(self, draft: Draft) -> None:
        draft.check()

    def apply(self, draft: Draft, report: Report) -> None:
        written = written_variables(draft)
        kept = set(draft.fetches) | draft.fed
        first: dict[Hashable, Step] = {}
        merged: dict[Step, Step] = {}
        for step in draft.steps:
            if merged:
                _follow(step, merged)
            if step in draft.fed or not _mergeable(step, written):
                continue
            key = _key(step)
            if key is None:
                continue
            survivor = first.setdefault(key, step)
            if survivor is not step and step not in kept:
                merged[step] = survivor
                survivor.origins += step.origins
                report("merged", [step], [survivor], f"computes the same as {survivor.name}")
        if merged:
            draft.steps = [step for step in draft.steps if step not in merged]

    def ensures(self, draft: Draft) -> None:
        draft.check()


def written_variables(draft: Draft) -> set[Step]:
    """The variables that some step of the whole plan writes, as steps of ``draft``."""
    written = written_keys(draft.root)
    return {step for step in draft.steps if step.key in written and step.op == "variable"} if written else set()


def _follow(step: Step, merged: dict[Step, Step]) -> None:
    if any(read in merged for read, _ in step.inputs):
        step.inputs = [(merged.get(read, read), port) for read, port in step.inputs]
    if any(read in merged for read in step.control):
        step.control = list(dict.fromkeys(merged.get(read, read) for read in step.control))


def _mergeable(step: Step, written: set[Step]) -> bool:
    if step.op == "constant":
        return True
    if TABLE[step.op].stateful or step.op in ("placeholder", "variable", "group", "no_op") or step.type is None:
        return False
    return not any(read in written for read, _ in step.inputs)


def _key(step: Step) -> Hashable | None:
    if step.op == "constant":
        value = step.attributes["value"]
        if value.nbytes > _LARGEST or value.dtype.hasobject:
            return None
        return ("constant", value.dtype.str, value.shape, value.tobytes(), tuple(step.control))
    attributes = tuple((name, _frozen(value)) for name, value in sorted(step.attributes.items()))
    return (step.op, tuple(step.inputs), attributes, tuple(step.control))


def _frozen(value: Any) -> Hashable:
    """A key under which equal attributes are equal, and 1, 1.0 and True are not."""
    if isinstance(value, list | tuple):
        return (type(value).__name__, *map(_frozen, value))
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, slice):
        return ("slice", value.start, value.stop, value.step)
    if isinstance(value, dict):
        return tuple(sorted((str(k), _frozen(v)) for k, v in value.items()))
    try:
        hash(value)
    except TypeError as error:
        raise GraphError(f"attribute {value!r} cannot be compared") from error
    return (type(value).__name__, value)


__all__ = ["CommonSubexpressions", "written_variables"]
