"""``tf.errors``: what a run raises, and how the engine's own errors become them."""

from __future__ import annotations

from typing import Any


class OpError(Exception):
    """Something went wrong while an op ran."""

    __module__ = "tensorflow.python.framework.errors_impl"
    """Where the real ones are: tracebacks say so."""

    error_code = 2
    kernel: tuple[str, str] | None = None
    """The op that failed in a function's graph, and what it said."""

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int | None = None) -> None:
        super().__init__(message)
        self._node_def = node_def
        self._op = op
        self._message = message

    @property
    def message(self) -> str:
        return self._message

    @property
    def op(self) -> Any:
        return self._op

    @property
    def node_def(self) -> Any:
        return self._op.node_def if self._node_def is None and hasattr(self._op, "node_def") else self._node_def

    def __str__(self) -> str:
        return self._message


class CancelledError(OpError):
    error_code = 1


class UnknownError(OpError):
    error_code = 2


class InvalidArgumentError(OpError):
    error_code = 3


class DeadlineExceededError(OpError):
    error_code = 4


class NotFoundError(OpError):
    error_code = 5


class AlreadyExistsError(OpError):
    error_code = 6


class PermissionDeniedError(OpError):
    error_code = 7


class ResourceExhaustedError(OpError):
    error_code = 8


class FailedPreconditionError(OpError):
    error_code = 9


class AbortedError(OpError):
    error_code = 10


class OutOfRangeError(OpError):
    error_code = 11


class UnimplementedError(OpError):
    error_code = 12


class InternalError(OpError):
    error_code = 13


class UnavailableError(OpError):
    error_code = 14


class DataLossError(OpError):
    error_code = 15


class UnauthenticatedError(OpError):
    error_code = 16


class InaccessibleTensorError(ValueError):
    """What lies in a branch, a loop or another function was asked for from outside."""

    __module__ = "tensorflow.python.framework.errors_impl"


class OperatorNotAllowedInGraphError(TypeError):
    """A tensor of a graph was used as if it had a value."""


for _kind in [*globals().values()]:
    if isinstance(_kind, type) and issubclass(_kind, OpError | OperatorNotAllowedInGraphError):
        _kind.__module__ = OpError.__module__

EXPORTED = [
    name
    for name, value in list(globals().items())
    if isinstance(value, type) and issubclass(value, Exception) and value is not InaccessibleTensorError
]
