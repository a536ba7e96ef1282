"""The compiled function: entries with guards, recompiles, the limit."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine import events
from engine.bridges.compile.entry import Entry, as_tensor
from engine.bridges.compile.guards import surroundings
from engine.bridges.compile.lazy import LazyTracer
from engine.bridges.compile.purity import is_pure
from engine.bridges.compile.report import Report
from engine.bridges.facades import native
from engine.bridges.function.key import Met, Spec, TensorSpec, flatten, frozen, rebuild, spec_of
from engine.bridges.tracing import current
from engine.dynamic.facade import Facade
from engine.dynamic.tensor import Tensor, fresh

RECOMPILE_LIMIT = 8


class RecompileLimitWarning(UserWarning):
    """A function was compiled so often that it runs uncompiled from now on."""


class Compiled:
    """A function whose tensor ops run as compiled graphs; what is Python between them runs as Python, at every call,
    unless all of it is one graph and the Python part plainly does nothing else (:mod:`.purity`).

    ``entries`` are the sets of guards so far, ``recompiles`` the reasons of all but the first, ``eager`` whether the
    limit was hit.
    """

    def __init__(
        self, python: Callable[..., Any], *, dynamic: bool | None = None, recompile_limit: int = RECOMPILE_LIMIT,
        facade: Facade | None = None,
    ) -> None:  # fmt: skip
        functools.update_wrapper(self, python)
        self.python = python
        self.name = getattr(python, "__name__", "function")
        self.dynamic = dynamic
        self.recompile_limit = recompile_limit
        self.entries: list[Entry] = []
        self.recompiles: list[str] = []
        self.eager = False
        self.last: Report | None = None
        self._facade = facade
        self._signature = inspect.signature(python)
        kinds = {p.kind for p in self._signature.parameters.values()}
        self._simple = len(self._signature.parameters) if kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD} else -1
        self._met = Met()
        self._pure: bool | None = None
        self._varying: dict[str, set[int]] = {}

    def __call__(self, *arguments: Any, **more: Any) -> Any:
        if current() is not None:
            return self.python(*arguments, **more)
        leaves: list[tuple[str, Any]] = []
        if more or len(arguments) != self._simple:
            bound = self._signature.bind(*arguments, **more)
            bound.apply_defaults()
            given = dict(bound.arguments)
        else:
            given = dict(zip(self._signature.parameters, arguments, strict=True))
        structure = flatten(given, "", leaves)
        named = [(_argument_name(path), leaf) for path, leaf in leaves]
        named += surroundings(self.python)
        names, specs = [name for name, _ in named], [spec_of(value, self._met) for _, value in named]
        form = (frozen(structure), tuple(names))
        entry = next((e for e in self.entries if e.takes(specs, form)), None)
        if entry is None:
            entry = self._compile(names, specs, form)
            if entry is None:
                return self.python(*arguments, **more)
        return self._run(entry, [value for _, value in named], len(leaves), structure)

    def explain(self, *arguments: Any, **more: Any) -> Report:
        """Call the function, and tell what happened: graphs, breaks, guards."""
        self(*arguments, **more)
        if self.last is None:
            return Report(self.name, self._line())
        return self.last

    def _line(self) -> int:
        return int(getattr(getattr(self.python, "__code__", None), "co_firstlineno", 0))

    def _compile(self, names: Sequence[str], specs: Sequence[Spec], form: Any) -> Entry | None:
        """A new entry; ``None`` at the limit."""
        reason = ""
        if self.entries:
            reason = self.entries[-1].why_not(specs, form)
            if len(self.entries) >= self.recompile_limit:
                self._give_up(reason)
                return None
            self._note_sizes(names, specs, form)
            self.recompiles.append(reason)
        entry = Entry(names, self._opened(names, specs), form, reason)
        self.entries.append(entry)
        if events.listener is not None:
            again = len(self.entries) > 1
            why = reason if again else ", ".join(entry.guards)
            events.listener.specialised(self.name, "compiled again" if again else "compiled", why)
        return entry

    def _give_up(self, reason: str) -> None:
        self.last = None
        if not self.eager:
            self.eager = True
            if events.listener is not None:
                events.listener.specialised(self.name, "given up", reason)
            warnings.warn(
                f"{self.name} hit the recompile_limit ({self.recompile_limit}): the last reason was: {reason}. "
                "Calls that no entry takes "
                "run uncompiled from now on; pass numbers as tensors, or raise recompile_limit.",
                RecompileLimitWarning,
                stacklevel=4,
            )

    def _note_sizes(self, names: Sequence[str], specs: Sequence[Spec], form: Any) -> None:
        """Dimensions in which this call differs from an earlier one are dynamic from now on."""
        for entry in self.entries:
            if entry.form != form:
                continue
            for name, old, now in zip(names, entry.specs, specs, strict=True):
                if isinstance(old, TensorSpec) and isinstance(now, TensorSpec) and len(old.shape) == len(now.shape):
                    places = {i for i, (a, b) in enumerate(zip(old.shape, now.shape, strict=True)) if a != b}
                    self._varying.setdefault(name, set()).update(places)

    def _opened(self, names: Sequence[str], specs: Sequence[Spec]) -> list[Spec]:
        """Specs with dynamic dimensions left open. Sizes 0 and 1 are never: they mean something else (broadcasting)."""
        if self.dynamic is False:
            return list(specs)
        found: list[Spec] = []
        for name, spec in zip(names, specs, strict=True):
            if isinstance(spec, TensorSpec):
                places = set(range(len(spec.shape))) if self.dynamic else self._varying.get(name, set())
                shape = tuple(None if i in places and n not in (0, 1) else n for i, n in enumerate(spec.shape))
                spec = TensorSpec(spec.dtype, shape)
            found.append(spec)
        return found

    def _run(self, entry: Entry, values: Sequence[Any], count: int, structure: Any) -> Any:
        """Run a call that ``entry`` takes; the first ``count`` of ``values`` are the leaves of the arguments."""
        entry.calls += 1
        facade = self._facade or native()
        if entry.whole is not None:
            self.last = entry.whole.report
            return entry.whole.run(values, facade)
        leaves = values[:count]
        report = Report(self.name, self._line(), guards=entry.guards)
        nested = count != len(self._signature.parameters)
        tracer = LazyTracer(facade, entry.segments, report, open_sizes=entry.is_dynamic)
        given = [as_tensor(x, facade) if isinstance(x, np.ndarray | np.generic) else x for x in leaves]
        bound = inspect.BoundArguments(self._signature, rebuild(structure, iter(given)))
        try:
            with tracer.active():
                result = self.python(*bound.args, **bound.kwargs)
                tracer.flush()
        finally:
            self.last = report
        found: list[tuple[str, Any]] = []
        form = flatten(result, "", found)
        entry.note(tracer, [*given, *values[count:]], [x for _, x in found], form, self._is_pure(facade), nested)
        return rebuild(form, iter([_plain(x, facade) for _, x in found]))

    def _is_pure(self, facade: Facade) -> bool:
        if self._pure is None:
            self._pure = is_pure(self.python, facade.tensor)
        return self._pure

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"<compiled {self.name} with {len(self.entries)} entries>"


def _argument_name(path: str) -> str:
    """``['x'][0]`` as ``x[0]``."""
    name, _, rest = path[1:].partition("]")
    return name.strip("'") + rest


def _plain(x: Any, facade: Facade) -> Any:
    """A result that was traced, as a tensor of the dialect's own class."""
    if not isinstance(x, Tensor) or type(x) is facade.tensor or not hasattr(x, "_of_tracer"):
        return x
    out = fresh(facade.tensor, x._array)
    out._storage, out._requires_grad, out._grad_fn, out._node = x._storage, x._requires_grad, x._grad_fn, x._node
    return out


def compile(
    python: Callable[..., Any] | None = None,
    /,
    *,
    dynamic: bool | None = None,
    recompile_limit: int = RECOMPILE_LIMIT,
    facade: Facade | None = None,
) -> Any:
    """A function that is captured into graphs when it is called. A decorator.

    ``dynamic``: ``None`` makes a dimension dynamic the first time that its size changes, ``True`` all at once,
    ``False`` never.
    """
    if python is None:
        return lambda python: Compiled(python, dynamic=dynamic, recompile_limit=recompile_limit, facade=facade)
    return Compiled(python, dynamic=dynamic, recompile_limit=recompile_limit, facade=facade)
