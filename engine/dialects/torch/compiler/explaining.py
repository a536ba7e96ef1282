"""``torch._dynamo.explain``: what compiling a call would do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dialects.torch.compiler.backends import eager
from engine.dialects.torch.compiler.compiled import Compiled


class ExplainOutput:
    """Graphs, breaks with their reasons, and the calls in each graph."""

    __module__ = "torch._dynamo.backends.debugging"

    def __init__(self, compiled: Compiled) -> None:
        self.graphs = compiled.graphs
        self.graph_count = len(self.graphs)
        self.break_reasons = compiled.breaks
        self.graph_break_count = max(0, self.graph_count - 1)
        self.ops_per_graph = [[n.target for n in g.graph.nodes if n.op == "call_function"] for g in self.graphs]
        self.op_count = sum(len(ops) for ops in self.ops_per_graph)
        self.out_guards: list[Any] = []
        self.compile_times = ""

    def __str__(self) -> str:
        lines = [
            f"Graph Count: {self.graph_count}",
            f"Graph Break Count: {self.graph_break_count}",
            f"Op Count: {self.op_count}",
            "Break Reasons:",
        ]
        for i, found in enumerate(self.break_reasons, 1):
            lines += [f"  Break Reason {i}:", f"    Reason: {found.reason}", "    User Stack:"]
            lines += [f"      {frame}" for frame in found.user_stack]
        lines.append("Ops per Graph:")
        for i, ops in enumerate(self.ops_per_graph, 1):
            lines += [f"  Ops {i}:", *(f"    {op}" for op in ops)]
        return "\n".join(lines) + "\n"


def explain(f: Callable[..., Any], *extra_args: Any, **extra_kwargs: Any) -> Any:
    """Call a function as if it were compiled; gives what happened."""
    inner: Any = getattr(f, "_torchdynamo_orig_callable", None) or getattr(f, "_orig_mod", f)

    def call(*args: Any, **kwargs: Any) -> ExplainOutput:
        compiled = Compiled(inner, eager, False, None)
        compiled.call(args, kwargs)
        return ExplainOutput(compiled)

    return call(*extra_args, **extra_kwargs) if extra_args or extra_kwargs else call
