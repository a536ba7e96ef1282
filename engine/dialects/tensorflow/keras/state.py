"""What Keras remembers for a whole program: names given out, default dtype, epsilon, which scope is open."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine import events
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.eager.tensor import running_tapes
from engine.dialects.tensorflow.function.func_graph import init_scope
from engine.dynamic import modes


class _Program:
    """One program's memory."""

    def __init__(self) -> None:
        self.names: dict[str, int] = defaultdict(int)
        self.floatx = "float32"
        self.epsilon = 1e-7
        self.seed_generator: Any = None
        self.custom_objects: dict[str, Any] = {}
        self.registered_names: dict[Any, str] = {}
        self.scopes: list[tuple[Any, str]] = []
        self.calls: list[Any] = []
        self.batch: int | None = None
        """While ``fit`` and its like run: the size of the batch, which messages leave open."""


program = _Program()


def begin() -> None:
    """A new program starts: forget the last one."""
    global program
    program = _Program()


def clear_session(free_memory: bool = True) -> None:
    """Give out names from the beginning again."""
    program.names.clear()
    program.seed_generator = None


def snake_case(name: str) -> str:
    """A class's name as its instances are called.

    >>> snake_case("MaxPooling2D"), snake_case("LSTM"), snake_case("MyDense")
    ('max_pooling2d', 'lstm', 'my_dense')
    """
    name = re.sub(r"\W+", "", name)
    name = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()


def unique_name(prefix: str) -> str:
    """``dense``, then ``dense_1``, ``dense_2`` …"""
    name = snake_case(prefix)
    number = program.names[name]
    program.names[name] += 1
    return f"{name}_{number}" if number else name


def floatx() -> str:
    return program.floatx


def set_floatx(value: str) -> None:
    """The dtype of what is made without one.

    :raises ValueError: it is none that networks compute with.
    """
    accepted = {"bfloat16", "float16", "float32", "float64"}
    if value not in accepted:
        raise ValueError(f"Unknown `floatx` value: {value}. Expected one of {accepted}")
    program.floatx = str(value)


def epsilon() -> float:
    return program.epsilon


def set_epsilon(value: float) -> None:
    program.epsilon = value


@contextmanager
def name_scope(name: str, caller: Any = None) -> Iterator[None]:
    """What is made inside has ``name/`` before its own name; a caller that is in its own scope opens no second one."""
    scopes = program.scopes
    if caller is not None and scopes and scopes[-1][0] is caller:
        yield
        return
    scopes.append((caller, name))
    try:
        yield
    finally:
        scopes.pop()


def path_of(name: str) -> str:
    """``name`` with the open scopes before it."""
    return "/".join([part for _, part in program.scopes] + [name])


def shape_in_words(x: Any) -> tuple[Any, ...]:
    """A tensor's shape for a message: inside ``fit`` the size of the batch is ``None``, as it is while tracing."""
    shape = tuple(x.shape)
    return (None, *shape[1:]) if shape and program.batch and shape[0] == program.batch else shape


@contextmanager
def in_loop(size: int) -> Iterator[None]:
    """A step of ``fit`` or ``evaluate`` with a batch of this size."""
    before, program.batch = program.batch, size
    try:
        yield
    finally:
        program.batch = before


@contextmanager
def quiet() -> Iterator[None]:
    """Bookkeeping (first values, metrics, how an optimizer works out its step) that is no part of the picture: it
    happens at once, and neither recorder nor tape hears of it."""
    listener, tapes, recording = events.listener, running_tapes[:], modes.enabled
    events.listener = None
    running_tapes.clear()
    try:
        with init_scope():
            yield
    finally:
        events.listener = listener
        running_tapes[:] = tapes
        modes.set_enabled(recording)


@contextmanager
def bookkeeping() -> Iterator[None]:
    """:func:`quiet`, except while a function is traced: there every op becomes a node."""
    if modes.tracer is not None or graphs._stack:
        yield
        return
    with quiet():
        yield
