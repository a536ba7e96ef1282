"""Running one program, recorded: the one place that knows dialects, recorder and probes together.

The child of the sandbox calls :func:`run` and dies; :mod:`engine.recording.inprocess` calls the same for tests and
notebooks. What the program finds around itself is put back afterwards.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from types import CodeType
from typing import Any

from engine.events import clock
from engine.measure.repeat import Repeat
from engine.recording.config import RunConfig
from engine.recording.ending import Ending, end_of, note_end, safe_repr, tell_unraisable
from engine.recording.instrument import RewriteError, instrument
from engine.recording.journal import Journal
from engine.recording.leading import lead
from engine.recording.meta import describe_run, note
from engine.recording.program import PROBES, Program
from engine.recording.recorder import LimitReached, Recorder
from engine.recording.registration import Registration
from engine.recording.surroundings import Surroundings
from engine.recording.tracebacks import user_traceback

LIMIT_STATUS = 124
UNAVAILABLE_DEPTH = 2
"""Of the recursion limit, how many levels a plain module cannot use for calls of its own functions.

The same on Python 3.11, 3.12 and 3.13; ``tests/recording/test_fidelity.py`` compares with a plain run."""


def run(
    config: RunConfig,
    journal: Journal,
    *,
    own_process: bool = True,
    written: Callable[[], Iterable[tuple[str, bytes]]] | None = None,
) -> int:
    """Run ``config.source`` and write everything it does into ``journal``; gives the exit status.

    The status is the program's own: 0, 1 for an uncaught error, what ``sys.exit`` was given, 124 when a limit ended
    it. With ``own_process`` a limit ends the process on the spot (``os._exit``), so that no handler of the program
    can hold it up; otherwise every probe raises until the program gives in. ``written`` gives the files that the
    program has left when it ends: (name, contents).

    >>> from engine.recording.journal import anonymous
    >>> run(RunConfig("import sys; sys.exit(3)"), anonymous(), own_process=False)
    3
    """
    limits = config.limits
    source = config.source.removeprefix("\ufeff")
    recorder = Recorder(journal, config.name, source, events=limits.events, seconds=limits.seconds)
    program = Program(recorder)

    repeat = Repeat(config.measure, recorder) if config.measure is not None else None

    def end(ending: Ending) -> None:
        if written is not None and repeat is None:
            recorder.keep_files(written())
        note_end(recorder, ending if repeat is None else replace(ending, measured=repeat.plain()))

    def stop(limit: str) -> None:
        end(Ending("limit", LIMIT_STATUS, limit, program.line_now))
        if own_process:
            os._exit(LIMIT_STATUS)

    recorder.stop = stop  # type: ignore[method-assign]
    ending = Ending("ok")
    listener = recorder if repeat is None else repeat.listener
    with repeat or nullcontext(), Surroundings(config, recorder, listener) as surroundings:
        try:
            ending = _run(config, source, recorder, program, surroundings, repeat)
            if not recorder.stopped:
                end(ending)
        except LimitReached:
            pass
    return LIMIT_STATUS if recorder.stopped else ending.exit_code


def _run(
    config: RunConfig,
    source: str,
    recorder: Recorder,
    program: Program,
    surroundings: Surroundings,
    repeat: Repeat | None,
) -> Ending:
    dialect, reason, unused = _dialect(source)
    describe_run(recorder.journal, config, dialect, reason)
    for module in unused:
        note(recorder.journal, f"{module} is not here. The program imports it and never uses it, so the run goes on.")
    uncaught = partial(end_of, recorder=recorder, file=config.name, memory_limited=config.limits.memory_bytes > 0)
    recorder.restart_clock()
    try:
        code = _compile(source, config.name, recorder, program, repeat)
    except (SyntaxError, ValueError, UnicodeError, RecursionError, MemoryError) as error:
        return uncaught(error, whole=False)
    ending = _execute(code, program, surroundings, uncaught)

    def failed(function: Callable[..., Any], error: BaseException) -> None:
        if tell_unraisable(function, error, "Exception ignored in atexit callback"):
            return
        text = user_traceback(error, config.name)
        sys.stderr.write(f"Exception ignored in atexit callback: {safe_repr(function)}\n{text}")

    surroundings.run_exit_handlers(failed)
    # Python destroys a program's objects when it ends, and their __del__ may still print. What else the collection
    # costs (the engine's own objects are many) is none of the program's time.
    recorder.finished = clock()
    sys.modules.pop("__main__", None)
    gc.collect()
    return ending


def _dialect(source: str) -> tuple[str, str, list[str]]:
    from engine.dialects.detect import decide
    from engine.dialects.importer import DIALECTS, install
    from engine.dialects.unused import serve_unused

    dialect, reason = decide(source)
    finder = install(*([dialect] if dialect in DIALECTS else []), companions=True, source=source)
    return dialect, reason, serve_unused(source, finder)


def _compile(source: str, file: str, recorder: Recorder, program: Program, repeat: Repeat | None) -> CodeType:
    # The plain program first: its warnings and errors are exactly Python's.
    plain = compile(source, file, "exec", dont_inherit=True)
    if repeat is not None:
        return repeat.compile(source, file, plain)
    probes: dict[str, Callable[..., Any]] = {name: getattr(program, name) for name in PROBES}
    program.probes = probes
    try:
        return instrument(source, file, Registration(program), probes)
    except RewriteError as error:
        note(recorder.journal, str(error))
        return plain


def _execute(
    code: CodeType, program: Program, surroundings: Surroundings, uncaught: Callable[[BaseException], Ending]
) -> Ending:
    recorder = program.recorder
    module = surroundings.main_module()
    program.namespace = module.__dict__
    recorder.lead = lead()
    measured: dict[str, Any] = {"deepest": _deepest}
    exec("headroom = deepest(0)", measured)
    surroundings.deepen(measured["headroom"], sys.getrecursionlimit() - UNAVAILABLE_DEPTH)
    recorder.restart_clock()
    try:
        exec(code, module.__dict__)
    except LimitReached:
        raise
    except BaseException as error:
        if recorder.stopped:
            raise LimitReached(recorder.stopped) from None
        ending = uncaught(error)
        if sys.exc_info()[1] is not None:
            error.__traceback__ = None
        return ending
    finally:
        program.namespace = None
    if recorder.dropped:
        program.tell_dropped()
    return Ending("ok")


def _deepest(depth: int) -> int:
    try:
        return _deepest(depth + 1)
    except RecursionError:
        return depth
