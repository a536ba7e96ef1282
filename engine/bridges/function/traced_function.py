"""The function that traces: which trace serves a call, and when a new one is made."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, overload

from engine import events
from engine.bridges.function.autograph import converted
from engine.bridges.function.concrete import ConcreteFunction
from engine.bridges.function.key import Met, Spec, TensorSpec, difference, flatten, frozen, relaxed, spec_of
from engine.bridges.function.retracing import Retracing
from engine.bridges.tracing import current
from engine.dynamic.facade import Facade
from engine.errors import StateError


class Function:
    """A Python function that is traced into static graphs, one for each kind of arguments. Made by :func:`function`.

    ``traces`` are the traces so far, ``calls`` counts the calls, ``explain()`` says why each trace was made.
    """

    def __init__(
        self,
        python: Callable[..., Any],
        *,
        autograph: bool = True,
        relax_shapes: bool = False,
        facade: Facade | None = None,
    ) -> None:
        functools.update_wrapper(self, python)
        self.python = python
        self.name = getattr(python, "__name__", "function")
        self.relax_shapes = relax_shapes
        self.traces: list[ConcreteFunction] = []
        self.calls = 0
        self.retracing = Retracing()
        self._facade = facade
        self._signature = inspect.signature(python)
        kinds = [p.kind for p in self._signature.parameters.values()]
        positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        self._names = [n for n, p in self._signature.parameters.items() if p.kind in positional]
        self._simple = len(kinds) if all(kind in positional for kind in kinds) else -1
        self._body = converted(python) if autograph else python
        self._met = Met()
        self._chosen: dict[Any, ConcreteFunction] = {}

    def __call__(self, *arguments: Any, **more: Any) -> Any:
        if current() is not None:
            return self._body(*arguments, **more)  # inside another trace this is part of it
        leaves, specs, structure, key = self._flat(arguments, more)
        self.calls += 1
        trace = self._chosen.get(key)
        if trace is None:
            trace = self._find(specs, structure)
            if trace is None:
                trace = self._make(leaves, specs, structure)
                self._tell(trace)
                self.retracing.traced(self.name, trace.reason)
                self._chosen.clear()
            else:
                self.retracing.not_traced()
            self._chosen[key] = trace
        else:
            self.retracing.not_traced()
        return trace([leaf for _, leaf in leaves])

    def trace_for(self, *arguments: Any, **more: Any) -> ConcreteFunction:
        """The trace that a call with these arguments uses, made if need be, without running it."""
        leaves, specs, structure, _ = self._flat(arguments, more)
        found = self._find(specs, structure)
        if found is None:
            found = self._make(leaves, specs, structure)
            self._chosen.clear()
        return found

    def explain(self) -> str:
        """All traces in words: for which arguments, how often used, and why a new one was needed."""
        lines = [f"{self.name}: {_count(len(self.traces), 'trace')}, {_count(self.calls, 'call')}"]
        for i, trace in enumerate(self.traces):
            guards = ", ".join(trace.guards) or "no arguments"
            lines.append(f"trace {i}: {guards}; {_count(trace.calls, 'call')}; made because: {trace.reason}")
        return "\n".join(lines)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"<function {self.name} with {_count(len(self.traces), 'trace')}>"

    # -- inside ------------------------------------------------------------------------------------------------------
    def _flat(
        self, arguments: tuple[Any, ...], more: dict[str, Any]
    ) -> tuple[list[tuple[str, Any]], list[Spec], Any, Any]:
        leaves: list[tuple[str, Any]] = []
        names = self._names
        if more or len(arguments) != self._simple:
            bound = self._signature.bind(*arguments, **more)
            bound.apply_defaults()
            arguments, more = bound.args, bound.kwargs
        given = [
            flatten(value, names[i] if i < len(names) else f"argument {i}", leaves) for i, value in enumerate(arguments)
        ]
        keywords = [flatten(value, name, leaves) for name, value in more.items()]
        structure = (tuple, [(tuple, given), ("dict", keywords, list(more))])
        specs = [spec_of(leaf, self._met) for _, leaf in leaves]
        return leaves, specs, structure, (frozen(structure), tuple(specs))

    def _tell(self, trace: ConcreteFunction) -> None:
        """A recording hears of a new trace: what it is made for, or why those before do not serve."""
        if events.listener is not None:
            first = len(self.traces) == 1
            why = ", ".join(trace.guards) if first else trace.reason
            events.listener.specialised(self.name, "traced" if first else "traced again", why)

    def _find(self, specs: Sequence[Spec], structure: Any) -> ConcreteFunction | None:
        """The most specific trace that takes these arguments."""
        form = frozen(structure)
        fitting = [t for t in self.traces if frozen(t.structure) == form and t.takes(specs)]
        return min(fitting, key=lambda t: t.width, default=None)

    def _make(self, leaves: Sequence[tuple[str, Any]], specs: Sequence[Spec], structure: Any) -> ConcreteFunction:
        paths, values = [path for path, _ in leaves], [leaf for _, leaf in leaves]
        reason = self._reason(paths, specs, structure)
        if self.relax_shapes:
            specs, relaxed_reason = self._relax(specs, structure)
            reason += relaxed_reason
        trace = ConcreteFunction(self.name, paths, specs, structure, reason, self._facade)
        trace.trace(self._body, values)
        if trace.tracer.variables_made:
            if self.traces:
                raise _VARIABLES
            # As the first trace made variables, a second one shows whether every call would.
            again = ConcreteFunction(self.name, paths, specs, structure, reason, self._facade)
            again.trace(self._body, values)
            if again.tracer.variables_made:
                raise _VARIABLES
            trace = again
        self.traces.append(trace)
        return trace

    def _reason(self, paths: Sequence[str], specs: Sequence[Spec], structure: Any) -> str:
        """Why none of the traces serves, told against the one that comes nearest."""
        if not self.traces:
            return "this is the first call"
        best: list[str] | None = None
        for number, trace in enumerate(self.traces):
            if frozen(trace.structure) != frozen(structure) or len(trace.specs) != len(specs):
                found = [f"the arguments are nested differently than those of trace {number}"]
            else:
                told = (difference(p, now, old) for p, now, old in zip(paths, specs, trace.specs, strict=True))
                found = [text.replace("{trace}", f"trace {number}") for text in told if text]
            if best is None or len(found) <= len(best):
                best = found
        return "; ".join(best or ())

    def _relax(self, specs: Sequence[Spec], structure: Any) -> tuple[list[Spec], str]:
        """Specs that leave open the sizes in which an earlier trace differs, if it differs in nothing else."""
        form = frozen(structure)
        for trace in reversed(self.traces):
            if frozen(trace.structure) != form:
                continue
            wider: list[Spec] = []
            for now, old in zip(specs, trace.specs, strict=True):
                both: Spec | None = now
                if isinstance(now, TensorSpec):
                    both = relaxed(now, old) if isinstance(old, TensorSpec) else None
                elif now != old:
                    both = None
                if both is None:
                    break
                wider.append(both)
            else:
                return wider, " (sizes that vary are left open from now on)"
        return list(specs), ""


_VARIABLES = StateError(
    "a traced function may make variables only on its first call; make them outside, or keep them: "
    "if self.w is None: self.w = ..."
)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


@overload
def function(python: Callable[..., Any], /) -> Function: ...
@overload
def function(
    *, autograph: bool = True, relax_shapes: bool = False, facade: Facade | None = None
) -> Callable[[Callable[..., Any]], Function]: ...


def function(
    python: Callable[..., Any] | None = None,
    /,
    *,
    autograph: bool = True,
    relax_shapes: bool = False,
    facade: Facade | None = None,
) -> Any:
    """Make a function that is traced on its first call and runs as a compiled graph from then on. A decorator.

    ``autograph``: ``if``, ``while`` and ``for`` on tensors become control flow of the graph. ``relax_shapes``: when
    a call differs from an earlier one in sizes only, the new trace leaves these open. ``facade``: whose tensors
    (default: native).
    """
    if python is None:
        return lambda python: Function(python, autograph=autograph, relax_shapes=relax_shapes, facade=facade)
    return Function(python, autograph=autograph, relax_shapes=relax_shapes, facade=facade)
