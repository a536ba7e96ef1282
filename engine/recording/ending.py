"""How a run ended: what the journal's last row says."""

from __future__ import annotations

import dis
import json
import sys
from dataclasses import asdict, dataclass
from types import SimpleNamespace
from typing import Any

from engine.events import clock
from engine.recording.given import given
from engine.recording.interning import bounded
from engine.recording.journal import JournalFullError
from engine.recording.recorder import LimitReached, Recorder
from engine.recording.rows import Kind
from engine.recording.tracebacks import forget_probes, line_of, user_traceback
from engine.recording.variables import type_name


@dataclass(slots=True)
class Ending:
    """``kind`` is ``ok``, ``error``, ``exit`` or ``limit``; ``error`` has keys of ``end.error``; ``measured`` is what
    :meth:`engine.measure.repeat.Repeat.plain` gives, of a run that was measured."""

    kind: str
    exit_code: int = 0
    limit: str | None = None
    line: int = -1
    error: dict[str, Any] | None = None
    measured: dict[str, Any] | None = None


def note_end(recorder: Recorder, ending: Ending) -> None:
    """Write the journal's last row. Nothing may follow it."""
    journal = recorder.journal
    journal.release_spare()
    total = (recorder.finished or clock()) - recorder.base
    seconds = {"total": total / 1e9, "recorder": min(recorder.overhead, total) / 1e9}
    text = json.dumps({**asdict(ending), "seconds": seconds})
    time = total - recorder.overhead
    try:
        journal.append(Kind.END, ending.line, frame=recorder.frame, blob=journal.put_bytes(text.encode()), time=time)
    except JournalFullError:  # pragma: no cover - the spare room is kept for exactly this
        journal.append(Kind.END, ending.line, frame=recorder.frame, time=time)


def describe(error: BaseException, recorder: Recorder, file: str, *, whole: bool = True) -> dict[str, Any]:
    """``error`` as the trace keeps it; ``text`` is its traceback."""
    try:
        text = user_traceback(error, file, whole=whole)
    except LimitReached:
        raise
    except BaseException as failure:  # a hostile __str__, __notes__ or filename: the run still ends properly
        text = f"{type_name(error)}: <no traceback: {type_name(failure)} while it was made>\n"
    try:
        message = str(error) if not isinstance(error, SyntaxError) else str(error.msg)
    except LimitReached:
        raise
    except BaseException:
        message = "<exception str() failed>"
    node = _failing_node(error, recorder)
    return {
        "type": bounded(type_name(error), 1_000),
        "message": bounded(message, 10_000),
        "line": line_of(error, file),
        "traceback": bounded(text, 50_000),
        "node": node,
        "given": given(error, file) if node < 0 else [],
    }


def _failing_node(error: BaseException, recorder: Recorder) -> int:
    """The node whose failure is ``error`` or lies in its chain, -1 if none does."""
    node, identity = recorder.failed
    seen: set[int] = set()
    chain: BaseException | None = error
    while chain is not None and id(chain) not in seen:
        if id(chain) == identity:
            return node
        seen.add(id(chain))
        chain = chain.__cause__ or chain.__context__
    return -1


def end_of(error: BaseException, recorder: Recorder, file: str, *, memory_limited: bool, whole: bool = True) -> Ending:
    """What ``error``, which nobody caught, makes of the run: prints what Python prints and notes it as an event."""
    try:
        return _end_of(error, recorder, file, memory_limited, whole)
    except LimitReached:
        raise
    except BaseException as failure:  # its own attributes may raise, ``__traceback__`` too: the run still ends properly
        name = bounded(type_name(error), 1_000)
        message = f"<nothing more can be told: {bounded(type_name(failure), 100)} while it was looked at>"
        told = {"type": name, "message": message, "line": -1, "traceback": f"{name}: {message}\n", "node": -1}
        return Ending("error", 1, None, -1, told)


def _end_of(error: BaseException, recorder: Recorder, file: str, memory_limited: bool, whole: bool) -> Ending:
    if isinstance(error, SystemExit):
        return _exit(error, file)
    forget_probes(error)
    described = describe(error, recorder, file, whole=whole)
    hook = sys.excepthook
    leaves: SystemExit | None = None
    if hook is not sys.__excepthook__:
        tb = error.__traceback__
        while tb is not None and tb.tb_frame.f_code.co_filename != file:
            tb = tb.tb_next
        try:
            hook(type(error), error, tb)
        except LimitReached:
            raise
        except SystemExit as second:
            leaves = second
        except BaseException as second:
            print("Error in sys.excepthook:", file=sys.stderr)
            sys.stderr.write(user_traceback(second, file))
            sys.stderr.write("\nOriginal exception was:\n" + described["traceback"])
    elif sys.stderr is not None:
        sys.stderr.write(described["traceback"])
    string = recorder.tables.string
    recorder.journal.release_spare()
    recorder.journal.append(
        Kind.ERROR,
        described["line"],
        frame=recorder.frame,
        a=string(described["type"]),
        b=string(described["message"]),
        c=0,
        time=clock() - recorder.base - recorder.overhead,
    )
    if leaves is not None:
        return _exit(leaves, file)
    if isinstance(error, MemoryError) and memory_limited and not _raised_by_program(error, file):
        return Ending("limit", 124, "memory", described["line"], described)
    code = 130 if isinstance(error, KeyboardInterrupt) else 1
    return Ending("error", code, None, described["line"], described)


def _raised_by_program(error: BaseException, file: str) -> bool:
    """Whether a ``raise`` of the program made ``error``: then it says nothing about the memory there is."""
    tb = error.__traceback__
    while tb is not None and tb.tb_next is not None:
        tb = tb.tb_next
    if tb is None or tb.tb_frame.f_code.co_filename != file:
        return False
    code = tb.tb_frame.f_code.co_code
    return 0 <= tb.tb_lasti < len(code) and code[tb.tb_lasti] == dis.opmap["RAISE_VARARGS"]


def tell_unraisable(thing: object, error: BaseException, message: str) -> bool:
    """Give an error that nobody can catch to the program's own ``sys.unraisablehook``; False if it has none."""
    hook = sys.unraisablehook
    if hook is sys.__unraisablehook__:
        return False
    told = {"exc_type": type(error), "exc_value": error, "exc_traceback": error.__traceback__}
    try:
        hook(SimpleNamespace(**told, err_msg=message, object=thing))
    except LimitReached:
        raise
    except BaseException as second:
        sys.stderr.write(f"Exception ignored in sys.unraisablehook: {safe_repr(hook)}\n{type_name(second)}\n")
    return True


def safe_repr(thing: object) -> str:
    """``repr(thing)``, bounded, whatever the program makes of it."""
    try:
        return bounded(repr(thing), 1_000)
    except LimitReached:
        raise
    except BaseException as failure:
        return f"<{type_name(thing)}: {type_name(failure)} in repr()>"


def _exit(error: SystemExit, file: str) -> Ending:
    code = error.code
    line = line_of(error, file)
    if code is None:
        return Ending("exit", 0, None, line)
    if isinstance(code, int):
        fits = -(1 << 63) <= code < 1 << 63  # what does not fit is -1 to Python
        return Ending("exit", int(code) & 0xFF if fits else 0xFF, None, line)
    if sys.stderr is not None:
        try:
            print(code, file=sys.stderr)
        except LimitReached:
            raise
        except BaseException:  # Python too leaves with 1 if it cannot say why
            return Ending("exit", 1, None, line)
    return Ending("exit", 1, None, line)
