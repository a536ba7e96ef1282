"""The rows of a journal: one fixed width for every kind of event.

``PACK`` writes a row with one call, ``ROW`` reads the same bytes as a NumPy record. What the general columns ``a`` to
``e``, ``value`` and ``blob`` mean depends on the kind; the table below is the contract between the recorder, which
writes rows, and ``engine.trace.build``, which reads them. ``value`` and ``blob`` are offsets into the heap.

=============  ==================================================================================================
kind           columns beside ``line``, ``span``, ``frame``, ``node``, ``time``, ``duration``
=============  ==================================================================================================
STRING         a: id; blob: text
DEFINITION     a: id; blob: JSON
TYPE           a: id; blob: JSON
SPAN           a: line, b: column, c: end line, d: end column; node: id
LOOP_SOURCE    a: id, b: line, c: end line; blob: the variables that it steps through (text, one a line)
META           blob: JSON
SOURCE         blob: the program (text); value: the name of its file (text)
NOTE           blob: text
LINE           of a text given to ``exec``: a: the text (string), b: the line in it
CALLED         a: function (string), b: parent frame, c: line that the caller is at
RETURNED       (nothing more)
LOOP           a: loop, b: activation, c: iteration
ASSIGNED       a: name (string), b: form (see ``Form``), c: Python type (string), d: number of the object;
               value: what ``b`` says; blob: its parts (JSON)
DELETED        a: name (string)
OUTPUT, ASKED  a: offset, b: length (bytes of the output area), c: stream
GRAPH          a: id, b: mode (string), c: name (string)
NODE           a: definition, b: type, c: graph, d: mirrors, e: serves; flags 0: blob: integers (see ``NODE_HEADER``);
               flags 1 and 2: see ``short_node``; duration: name and scope (two strings, lower half first)
ROLE           a: definition
SERVES         a: the node that it serves
NAMED          a: path in a module (string)
REGION         a: id, b: graph, c: name (string), d: region around it
MEMBER         a: the region that the node lies in
OWNED          a: a region that the node owns
ENTERED        a: run, b: region, c: iteration
RUN            a: plan, b: run; blob: fetches, value: feeds (lists)
RUN_END        a: run
FED, FETCHED   a: run; value
RAN            a: run, b: storage, c: version, d: iteration; value; time: start
WRITTEN        a: run, b: storage, c: version, d: how (string); value
OPTIMISE       a: plan, b: graph; blob: fetches, value: feeds (lists)
PASS           a: plan, b: name (string), c: before, d: after; time: start
REWRITE        a: plan, b: action (string), c: reason (string); blob: old, value: new (lists)
COMPILED       a: plan, b: nodes, c: calls, d: buffers, e: source (string); time: start
BATCHED        a: depth, b: function (string), c: rows; blob: nodes (list)
SPECIALISED    a: function (string), b: what (string), c: why (string)
BACKWARD       value
GRADIENT       flags 0: blob: list of value offsets; flags 1: worker: how many, value and blob: these; time: start
ACCUMULATED    a: existed, b: storage, c: version; value
CLEARED        a: whether it is set to zero (else it is None); value
FREED          blob: list of nodes
BACKWARD_END   (nothing more)
PICTURE        b: how (string), c: name (string), d: width, e: height; blob: a PNG file
CHARTED        a: chart (string), b: x; value: y, a floating-point number
FILE           value: name (text), blob: contents (-1: too large), duration: bytes
FAILED         a: type (string), b: message (string)
ERROR          a: type (string), b: message (string), c: caught
FOLD           a: loop, b: activation, c: first iteration, d: passes, e: steps, node: events; blob: variables (JSON);
               the passes were recorded and taken out again (``folding``)
END            blob: JSON
=============  ==================================================================================================
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from enum import IntEnum

import numpy as np


class Kind(IntEnum):
    """What a row says. The numbers are part of the journal's version."""

    STRING = 1
    DEFINITION = 2
    TYPE = 3
    SPAN = 4
    LOOP_SOURCE = 5
    META = 6
    SOURCE = 7
    NOTE = 8
    LINE = 10
    CALLED = 11
    RETURNED = 12
    LOOP = 13
    ASSIGNED = 14
    DELETED = 15
    OUTPUT = 16
    ASKED = 17
    GRAPH = 20
    NODE = 21
    ROLE = 22
    RUN = 23
    RUN_END = 24
    FED = 25
    RAN = 26
    FETCHED = 27
    WRITTEN = 28
    OPTIMISE = 30
    PASS = 31
    REWRITE = 32
    COMPILED = 33
    BACKWARD = 40
    GRADIENT = 41
    ACCUMULATED = 42
    CLEARED = 43
    FREED = 44
    BACKWARD_END = 45
    FAILED = 50
    ERROR = 51
    SERVES = 52
    BATCHED = 53
    REGION = 54
    MEMBER = 55
    OWNED = 56
    ENTERED = 57
    NAMED = 58
    FOLD = 59
    END = 60
    PICTURE = 61
    CHARTED = 62
    FILE = 63
    SPECIALISED = 64


class Form(IntEnum):
    """What the ``value`` of an assignment is."""

    NODE = 0
    INTEGER = 1
    FLOAT = 2
    TEXT = 3
    ARRAY = 4


LAYOUT = struct.Struct("<BBHiiiiiiiiiqqqq")
"""kind, flags, worker, line, span, frame, node, a, b, c, d, e, value, blob, time, duration."""

PACK = LAYOUT.pack_into
ROW_BYTES = LAYOUT.size
PACK_TWO = struct.Struct(LAYOUT.format + LAYOUT.format[1:]).pack_into
"""Two rows in one call."""
PACK_PLACE = struct.Struct("<Iiii40sqq").pack_into
"""The same row where it only has kind, line, span, frame and time: everything between is ``NOTHING``."""
NOTHING = b"\xff" * 40
PACK_FLOAT = struct.Struct("<BBHiiiiiiiiidqqq").pack_into
"""The same row with a floating-point number in ``value``."""
ROW = np.dtype(
    [("kind", "u1"), ("flags", "u1"), ("worker", "<u2")]
    + [(name, "<i4") for name in ("line", "span", "frame", "node", "a", "b", "c", "d", "e")]
    + [(name, "<i8") for name in ("value", "blob", "time", "duration")]
)
STATE, TOLD = 2, 3
"""Flags of rows after a ``FOLD``, other than nodes and gradients: what the passes have left in a variable or node; what
they printed."""
PAIR = (1 << 32) - 1
Pairs = tuple[int, int, int, int]


def short_node(
    inputs: Sequence[tuple[int, int]], control: Sequence[int], saved: Sequence[int], onward: Sequence[int], plan: int
) -> Pairs:
    """A node of a few edges fits into its row: (form, worker, value, blob); form 0 if it does not.

    Form 1: up to two inputs, all at port 0; form 2: up to two next, up to two saved. ``worker`` has the counts (of the
    second list in the upper byte), ``value`` and ``blob`` two numbers each, lower half first.

    >>> short_node([(3, 0)], (), (), (), -1), short_node([(3, 1)], (), (), (), -1)
    ((1, 1, 3, -1), (0, 0, -1, -1))
    """
    if control or plan >= 0:
        return LONG
    if inputs:
        if saved or onward:
            return LONG
        size = len(inputs)
        if size == 1:
            ((first, port),) = inputs
            return LONG if port else (1, 1, first & PAIR, -1)
        if size == 2:
            (first, port), (second, other) = inputs
            return LONG if port or other else (1, 2, (second << 32) | (first & PAIR), -1)
        return LONG
    if not onward:
        return LONG if saved else (1, 0, -1, -1)
    size, kept = len(onward), len(saved)
    if size > 2 or kept > 2:
        return LONG
    value = onward[0] & PAIR if size == 1 else (onward[1] << 32) | (onward[0] & PAIR)
    blob = -1 if not kept else saved[0] & PAIR if kept == 1 else (saved[1] << 32) | (saved[0] & PAIR)
    return (2, size | kept << 8, value, blob)


LONG: Pairs = (0, 0, -1, -1)
NODE_HEADER = 7
"""A node's integers: inputs, controls, saved, next (four counts), plan, name, scope (strings); then (node, port) for
each input, controls, saved, next."""

PICTURE_BYTES = 512 << 10
"""A picture beyond this is made smaller until it fits."""
PICTURES_BYTES = 4 << 20
"""What all pictures of a run may take; the second half of it takes ever fewer of them."""
FILE_BYTES, FILES_BYTES, FILES = 4 << 20, 8 << 20, 200
"""The largest file whose contents are kept, what all may take, how many are named."""
