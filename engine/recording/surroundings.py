"""What a program finds around itself: streams, arguments, ``__main__``, exit handlers. Put back when it has ended."""

from __future__ import annotations

import _sitebuiltins
import atexit
import builtins
import inspect
import linecache
import sys
import traceback
import warnings
import weakref
from collections.abc import Callable
from types import ModuleType, TracebackType
from typing import Any, Literal

from engine import events
from engine.dynamic import observe
from engine.recording import arithmetic
from engine.recording.config import RunConfig
from engine.recording.program import PROBE_DEPTH
from engine.recording.recorder import LimitReached, Recorder
from engine.recording.stacks import files_below, own_getframe, own_outer_frames
from engine.recording.streams import output_stream, standard_input
from engine.recording.tracebacks import HOME, own_exception, own_walks

SERVED = ("torch", "torchvision", "tensorflow")
DEFAULT_FILTERS: tuple[tuple[Literal["default", "ignore"], type[Warning], str], ...] = (
    ("ignore", ResourceWarning, ""),
    ("ignore", ImportWarning, ""),
    ("ignore", PendingDeprecationWarning, ""),
    ("ignore", DeprecationWarning, ""),
    ("default", DeprecationWarning, "__main__"),
)
"""The warnings filters that Python starts with, the last one first in force."""


def _own_builtins() -> ModuleType:
    """A copy of ``builtins`` for the program: what it changes there changes nothing for the engine and the recorder.

    ``exit`` and ``quit``, which Python's ``site`` adds, are there too: a sandboxed process starts without ``site``.

    >>> import builtins
    >>> own = _own_builtins()
    >>> own.len is len, own.exit
    (True, Use exit() or Ctrl-D (i.e. EOF) to exit)
    >>> own.len = None
    >>> builtins.len((1, 2))
    2
    """
    own = ModuleType("builtins", builtins.__doc__)
    own.__dict__.update(builtins.__dict__)
    for name in ("exit", "quit"):
        own.__dict__.setdefault(name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
    return own


class Surroundings:
    """Replaces what belongs to a program while it runs; use it as a context manager, once."""

    def __init__(self, config: RunConfig, recorder: Recorder, listener: events.Listener | None) -> None:
        self._config = config
        self._recorder = recorder
        self._listener = listener
        self._saved: list[Callable[[], None]] = []
        self._at_exit: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = []
        self._extra_depth = 0
        self._builtins = _own_builtins()

    def __enter__(self) -> Surroundings:
        config, recorder = self._config, self._recorder
        limit = config.limits.output_bytes
        self._set(sys, "stdout", output_stream(recorder, 1, limit))
        self._set(sys, "stderr", output_stream(recorder, 2, limit))
        self._set(sys, "stdin", standard_input(recorder, config.stdin, interactive=config.interactive))
        for name in ("stdout", "stderr", "stdin"):
            self._set(sys, f"__{name}__", getattr(sys, name))
        self._set(sys, "argv", [config.name, *config.argv])
        self._set(sys, "excepthook", sys.__excepthook__)
        self._set(sys, "unraisablehook", sys.__unraisablehook__)
        self._set(sys, "path", list(sys.path))
        self._set(sys, "meta_path", list(sys.meta_path))
        self._set(atexit, "register", self._register)
        self._set(atexit, "unregister", self._unregister)
        # The end of the program is not the end of this process: finalizers that were here before wait for the latter.
        for name, value in (("_registry", {}), ("_registered_with_atexit", False), ("_shutdown", False)):
            self._set(weakref.finalize, name, value)
        self._set(events, "listener", self._listener)
        if self._listener is self._recorder:
            observe.watch_ends(True)
            self._saved.append(lambda: observe.watch_ends(False))
        self._modules()
        self._warnings()
        self._tracebacks()
        self._remember_source()
        self._recursion_limit()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        for restore in reversed(self._saved):
            restore()

    def _set(self, owner: Any, name: str, value: Any) -> None:
        missing = object()
        before = getattr(owner, name, missing)

        def restore() -> None:
            if before is missing:
                delattr(owner, name)
            else:
                setattr(owner, name, before)

        self._saved.append(restore)
        setattr(owner, name, value)

    def _modules(self) -> None:
        kept = {name: sys.modules.get(name) for name in ("__main__", "builtins")}
        sys.modules["builtins"] = self._builtins
        served = {name: module for name, module in sys.modules.items() if name.split(".")[0] in SERVED}
        for name in served:
            del sys.modules[name]

        def restore() -> None:
            for name in [name for name in sys.modules if name.split(".")[0] in SERVED]:
                del sys.modules[name]
            sys.modules.update(served)
            for name, module in kept.items():
                if module is not None:
                    sys.modules[name] = module

        self._saved.append(restore)

    def _warnings(self) -> None:
        """Filters as Python starts with, and warnings on the program's own standard error."""
        scope = warnings.catch_warnings()
        scope.__enter__()
        self._saved.append(lambda: scope.__exit__(None, None, None))
        self._saved.append(arithmetic.listen())
        warnings.resetwarnings()
        for action, category, module in DEFAULT_FILTERS:
            warnings.filterwarnings(action, category=category, module=module)

        name = self._config.name

        def show(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
            # What Python says when no code of the program is running, or the level leads out of it.
            if filename.startswith(HOME) or filename in files_below(name):
                filename, lineno, line = "sys", 1, ""
            (file or sys.stderr).write(warnings.formatwarning(message, category, filename, lineno, line))

        warnings.showwarning = show

    def _tracebacks(self) -> None:
        """``traceback`` shows the program its own frames only, as a plain run would."""
        file = self._config.name
        for name, hidden in own_walks(file).items():
            if hasattr(traceback, name):
                self._set(traceback, name, hidden)
        self._set(traceback.TracebackException, "__init__", own_exception(file))
        self._set(sys, "_getframe", own_getframe(file))
        self._set(inspect, "getouterframes", own_outer_frames(file))

    def _remember_source(self) -> None:
        name, source = self._config.name, self._config.source
        before = linecache.cache.get(name)
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)

        def restore() -> None:
            linecache.cache.pop(name, None)
            if before is not None:
                linecache.cache[name] = before

        self._saved.append(restore)

    # -- recursion -----------------------------------------------------------------------------------------------------
    def _recursion_limit(self) -> None:
        """Hide from the program how much deeper its stack begins than in a plain ``python main.py``."""
        get, put = sys.getrecursionlimit, sys.setrecursionlimit
        before = get()

        def set_limit(limit: int, /) -> None:
            if type(limit) is not int or limit < 1:
                put(limit)
            put(limit + self._extra_depth)

        self._set(sys, "getrecursionlimit", lambda: get() - self._extra_depth)
        self._set(sys, "setrecursionlimit", set_limit)
        self._saved.append(lambda: put(before))
        self._put_limit = put
        self._get_limit = get

    def deepen(self, headroom: int, plain_headroom: int) -> None:
        """Give the program the depth that it would have on its own: ``headroom`` calls were left before it began."""
        self._extra_depth = plain_headroom - headroom + PROBE_DEPTH
        self._put_limit(self._get_limit() + self._extra_depth)

    # -- __main__ ------------------------------------------------------------------------------------------------------
    def main_module(self) -> ModuleType:
        """A fresh ``__main__`` as Python makes it for a file. ``__file__`` is the name as it was given: the folder that
        Python would put before it is not there."""
        module = ModuleType("__main__")
        module.__dict__.update(
            __file__=self._config.name,
            __builtins__=self._builtins,
            __annotations__={},
            __cached__=None,
        )
        sys.modules["__main__"] = module
        return module

    # -- exit handlers -------------------------------------------------------------------------------------------------
    def _register(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        self._at_exit.append((function, args, kwargs))
        return function

    def _unregister(self, function: Callable[..., Any], /) -> None:
        self._at_exit = [entry for entry in self._at_exit if entry[0] != function]

    def run_exit_handlers(self, failed: Callable[[Callable[..., Any], BaseException], None]) -> None:
        """Call what the program registered with ``atexit``, last first; ``failed`` is told of errors.

        As in Python, what is registered meanwhile comes too late, and what is unregistered is not called.
        """
        for entry in reversed(self._at_exit):
            if not any(one is entry for one in self._at_exit):
                continue
            function, args, kwargs = entry
            try:
                function(*args, **kwargs)
            except LimitReached:
                raise
            except BaseException as error:  # none of them changes how the program ends, not even SystemExit
                failed(function, error)
        self._at_exit = []
