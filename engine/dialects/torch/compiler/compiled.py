"""Compiled functions and modules."""

from __future__ import annotations

import inspect
import linecache
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

from engine import events
from engine.bridges.compile.guards import surroundings
from engine.dialects.torch.compiler.backends import lookup
from engine.dialects.torch.compiler.capturing import Capture, active, module_source
from engine.dialects.torch.compiler.config import CONFIG
from engine.dialects.torch.compiler.entries import Entry, Shape, shape_of
from engine.dialects.torch.compiler.hits import Hits
from engine.dialects.torch.compiler.messages import BackendCompilerFailed, Reason, TorchDynamoException, Unsupported
from engine.dialects.torch.fx import telling
from engine.dialects.torch.fx.graph import Graph
from engine.dialects.torch.fx.graph_module import GraphModule
from engine.dialects.torch.fx.node import map_aggregate
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.tensor import Tensor

_every: list[Compiled] = []


class Break:
    """Where a graph ended, and why."""

    def __init__(self, reason: Reason, frame: Any) -> None:
        self.reason = str(reason)
        self.words = reason
        where = [] if frame is None else [_summary(frame)]
        self.user_stack = where
        self.graph_break = True


def _global_source(name: str) -> str:
    """
    >>> _global_source("G['W']"), _global_source("captured")
    ('G_W_', 'L_captured_')
    """
    return f"G_{name[3:-2]}_" if name.startswith("G['") else f"L_{name}_"


def _summary(frame: Any) -> traceback.FrameSummary:
    return traceback.FrameSummary(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


class Compiled:
    """One function: its entries by segment (the stretches between graph breaks)."""

    def __init__(self, function: Callable[..., Any], backend: Any, fullgraph: bool, dynamic: bool | None) -> None:
        self.function, self.backend = function, backend
        self.fullgraph, self.dynamic = fullgraph, dynamic
        self.name = getattr(function, "__name__", type(function).__name__)
        self.hits = Hits(function)
        self.reset()
        _every.append(self)

    def reset(self) -> None:
        """Forget what was compiled."""
        self.entries: dict[int, list[Entry]] = {}
        self.breaks: list[Break] = []
        self.given_up = False
        self.graphs: list[Any] = []
        self.hits.clear()
        self._told: set[Any] = set()

    # -- calling -----------------------------------------------------------------------------------------------------
    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if active or self.given_up:
            return self.function(*args, **kwargs)
        lookup(self.backend)  # an unknown backend is an error before anything runs
        self.breaks = []
        key, leaves = self.hits.key(args, kwargs)
        known = self.hits.get(key)
        if known is not None:
            return known.run(leaves)
        sources, values = self._surroundings(args, kwargs)
        capture = Capture(self, sources, values)
        with capture.running():
            result = self.function(*args, **kwargs)
            capture.flush(returned=result)
        if capture.whole is not None and not self.breaks and not self.given_up:
            self.hits.note(key, leaves, *capture.whole, result)
        return result

    def _surroundings(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[dict[int, str], tuple[Any, ...]]:
        """Where tensors come from, and the Python values that the function may look at."""
        sources: dict[int, str] = {}
        values: list[tuple[str, Any]] = []
        function = self.function
        owner = function if isinstance(function, Module) else getattr(function, "__self__", None)
        target = function.forward if isinstance(function, Module) else function
        try:
            given = dict(inspect.signature(target).bind(*args, **kwargs).arguments)
        except (TypeError, ValueError):
            given = {}
        plain = inspect.unwrap(getattr(target, "__func__", target))
        named = [(f"L_{k}_", k, v) for k, v in given.items()]
        named += [(_global_source(k), k, v) for k, v in surroundings(plain)] if hasattr(plain, "__globals__") else []
        if isinstance(owner, Module):
            named.append(("L_self_", "self", owner))
        for source, name, value in named:
            if isinstance(value, Tensor):
                sources.setdefault(id(value), source)
            elif isinstance(value, Module):
                for path, parameter in value.named_parameters():
                    sources.setdefault(id(parameter), module_source(source, path, "parameters"))
                for path, buffer in value.named_buffers():
                    sources.setdefault(id(buffer), module_source(source, path, "buffers"))
                values.append((f"{name}.training", value.training))
            elif isinstance(value, str | bool | type(None)):
                values.append((name, repr(value)))
            elif isinstance(value, list | tuple):
                for i, item in enumerate(value):
                    if isinstance(item, Tensor):
                        sources.setdefault(id(item), f"{source}{i}_")
        return sources, tuple(values)

    def note_break(self, reason: Reason, what: str, frame: Any) -> None:
        """The graph breaks here.

        :raises Unsupported: no break is allowed.
        """
        found = Break(reason, frame)
        self.breaks.append(found)
        place = (what,) if frame is None else (what, frame.f_code, frame.f_lasti)
        if place not in self._told:
            self._told.add(place)
            self._tell(0, "broken", reason.title)
        if self.fullgraph and what not in _ALLOWED:
            raise Unsupported(f"{reason}\n\nfrom user code:\n{_where(frame)}{_HINTS}")
        if what == "item" and not self.fullgraph:
            _log("torch/_dynamo/variables/tensor.py:1759", "0/0", _item_words(frame))

    # -- graphs --------------------------------------------------------------------------------------------------------
    def compiled_for(self, segment: int, graph: Graph, inputs: list[tuple[str, Any]], values: tuple[Any, ...]) -> Any:
        """What was compiled for a captured graph, and what it is to be given."""
        nodes = list(graph.nodes)
        shape = shape_of(nodes, inputs, values)
        known = self.entries.setdefault(segment, [])
        entry = next((e for e in known if e.takes(shape)), None)
        if entry is None:
            entry = self._compile(segment, graph, shape, [x for _, x in inputs], known)
        given = [*(shape.numbers[i] for i in entry.lifted), *(x for _, x in inputs)]
        return entry.run, given

    def _compile(self, segment: int, graph: Graph, shape: Shape, tensors: list[Any], known: list[Entry]) -> Entry:
        reason = known[-1].why_not(shape) if known else ""
        self._tell(segment, "compiled again" if known else "compiled", reason or ", ".join(shape.guards()))
        if known and len(known) >= CONFIG.recompile_limit:
            self._give_up(segment, known, reason)
            gm = GraphModule(Module(), graph)
            return Entry(shape, frozenset(), gm.forward)
        opened = self._opened(shape, known)
        lifted = [i for i in sorted(opened) if i < shape.literals]
        self._lift(graph, lifted)
        graph.title = self._title(segment, reason)
        graph.is_told = True
        for node in graph.nodes:
            telling.node_made(node)
        gm = GraphModule(Module(), graph)
        self.graphs.append(gm)
        examples = [*(shape.numbers[i] for i in lifted), *tensors]
        run = self._backend_run(gm, examples)
        entry = Entry(shape, opened, run, gm, lifted, reason)
        known.append(entry)
        return entry

    def _tell(self, segment: int, what: str, why: str) -> None:
        if events.listener is not None:
            events.listener.specialised(self.name if not segment else f"{self.name}, part {segment + 1}", what, why)

    def _backend_run(self, gm: Any, examples: list[Any]) -> Any:
        try:
            run = lookup(self.backend)(gm, examples)
        except TorchDynamoException:
            raise
        except Exception as error:
            name = self.backend if isinstance(self.backend, str) else getattr(self.backend, "__name__", "backend")
            raise BackendCompilerFailed(
                f"backend='{name}' raised:\n{type(error).__name__}: {error}\n\nSet TORCHDYNAMO_VERBOSE=1 for the "
                "internal stack trace (please do this especially if you're reporting a bug to PyTorch). For even more "
                'developer context, set TORCH_LOGS="+dynamo"\n'
            ) from error
        if not callable(run):
            raise BackendCompilerFailed(
                f"backend={self.backend!r} raised:\nTypeError: compiled function is not callable"
            )
        return run

    def _title(self, segment: int, reason: str) -> str:
        title = self.name
        if segment and self.breaks:
            where = self.breaks[-1].user_stack
            line = f" in line {where[0].lineno}" if where else ""
            title += f", after a graph break{line}"
        return f"{title}: recompiled, {reason}" if reason else title

    def _opened(self, shape: Shape, known: list[Entry]) -> frozenset[int]:
        """The numbers that may differ from now on: those that did."""
        if self.dynamic is False:
            return frozenset()
        opened: set[int] = set()
        if self.dynamic:
            opened.update(i for i, n in enumerate(shape.numbers) if i >= shape.literals and n not in (0, 1))
        if known:
            opened.update(i for i in range(shape.literals) if isinstance(shape.numbers[i], float))
        for entry in known:
            opened.update(entry.open if entry.shape.form == shape.form else ())
            opened.update(entry.differing(shape))
        return frozenset(i for i in opened if shape.numbers[i] not in (0, 1) or isinstance(shape.numbers[i], float))

    def _lift(self, graph: Graph, lifted: list[int]) -> None:
        """Numbers that differ become inputs."""
        if not lifted:
            return
        places = {}
        for i in lifted:
            with graph.inserting_before(None):
                places[i] = graph.create_node("placeholder", f"s{i}", name=f"s{i}")
        ordered = [places[i] for i in lifted]
        first = next(n for n in graph.nodes if n not in ordered)
        for node in ordered:
            first.prepend(node)
        seen = -1

        def change(value: Any) -> Any:
            nonlocal seen
            if isinstance(value, int | float) and not isinstance(value, bool):
                seen += 1
                return places.get(seen, value)
            return value

        for node in graph.nodes:
            if node not in ordered:
                args = map_aggregate(node.args, change)
                kwargs = dict(node.kwargs)
                for key in sorted(kwargs):
                    kwargs[key] = map_aggregate(kwargs[key], change)
                node._take(args, kwargs)

    def _give_up(self, segment: int, known: list[Entry], reason: str) -> None:
        self.given_up = True
        self._tell(segment, "given up", reason)
        code = getattr(self.function, "__code__", None)
        where = "" if code is None else f" ({code.co_filename}:{code.co_firstlineno})"
        lines = [
            f"torch._dynamo hit config.recompile_limit ({CONFIG.recompile_limit})",
            f"   function: '{self.name}'{where}",
            f"   last reason: {segment}/{len(known) - 1}: {reason}",
            'To log all recompilation reasons, use TORCH_LOGS="recompiles".',
            "To diagnose recompilation issues, see https://docs.pytorch.org/docs/main/user_guide/torch_compiler/compile/"
            "programming_model.recompilation.html",
        ]
        _log("torch/_dynamo/convert_frame.py:1994", f"{segment}/{len(known)}", lines)


_ALLOWED = frozenset({"item", "int", "float", "index"})
"""Values that a whole graph may contain."""

_HINTS = (
    "\nSet TORCHDYNAMO_VERBOSE=1 for the internal stack trace (please do this especially if you're reporting a bug to "
    'PyTorch). For even more developer context, set TORCH_LOGS="+dynamo"\n'
)


def _where(frame: Any) -> str:
    if frame is None:
        return ""
    summary = _summary(frame)
    marks = ""
    line = linecache.getline(summary.filename, frame.f_lineno).rstrip("\n")
    column = list(frame.f_code.co_positions())[frame.f_lasti // 2][2] or 0
    column -= len(line) - len(line.lstrip())
    if column > 0:
        marks = "    " + " " * column + "^" * (len(line.strip()) - column) + "\n"
    return f'   File "{summary.filename}", line {summary.lineno}, in {summary.name}\n    {summary.line}\n{marks}'


def _item_words(frame: Any) -> list[str]:
    return [
        "Graph break from `Tensor.item()`, consider setting:",
        "    torch._dynamo.config.capture_scalar_outputs = True",
        "or:",
        "    env TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS=1",
        "to include these operations in the captured graph.",
        "",
        "Graph break: from user code at:",
        *_where(frame).rstrip("\n").split("\n"),
    ]


def _log(place: str, frame: str, lines: list[str]) -> None:
    """A warning as PyTorch's log writes it to stderr."""
    now = time.strftime("W%m%d %H:%M:%S.000000")
    for line in lines:
        print(f"{now} 0 {place}] [{frame}] {line}", file=sys.stderr)


def reset() -> None:
    """Forget everything that was compiled."""
    for compiled in _every:
        compiled.reset()
