"""The modules of ``torch.fx``."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch.fx import (
    graph,
    graph_module,
    interpreter,
    node,
    passes,
    proxy,
    rewriter,
    tracer,
)

_MAIN: dict[str, Any] = {
    "Graph": graph.Graph, "GraphModule": graph_module.GraphModule, "Node": node.Node, "Proxy": proxy.Proxy,
    "Tracer": tracer.Tracer, "symbolic_trace": tracer.symbolic_trace, "wrap": tracer.wrap,
    "Interpreter": interpreter.Interpreter, "Transformer": interpreter.Transformer,
    "replace_pattern": rewriter.replace_pattern, "map_arg": node.map_arg,
}  # fmt: skip

MODULES: dict[str, dict[str, Any]] = {
    "torch.fx": _MAIN,
    "torch.fx.graph": {"Graph": graph.Graph},
    "torch.fx.graph_module": {"GraphModule": graph_module.GraphModule},
    "torch.fx.node": {
        "Node": node.Node, "map_arg": node.map_arg, "map_aggregate": node.map_aggregate, "Target": node.Target,
        "Argument": node.Argument,
    },
    "torch.fx.proxy": {
        "Proxy": proxy.Proxy, "Attribute": proxy.Attribute, "TracerBase": proxy.TracerBase,
        "GraphAppendingTracer": proxy.GraphAppendingTracer, "TraceError": proxy.TraceError,
    },
    "torch.fx._symbolic_trace": {
        "Tracer": tracer.Tracer, "symbolic_trace": tracer.symbolic_trace, "wrap": tracer.wrap,
    },
    "torch.fx.interpreter": {"Interpreter": interpreter.Interpreter, "Transformer": interpreter.Transformer},
    "torch.fx.subgraph_rewriter": {
        "replace_pattern": rewriter.replace_pattern, "Match": rewriter.Match,
        "replace_pattern_with_filters": rewriter.replace_pattern_with_filters,
        "ReplacedPatterns": rewriter.ReplacedPatterns,
    },
    "torch.fx.immutable_collections": {
        "immutable_list": node.immutable_list, "immutable_dict": node.immutable_dict,
    },
    "torch.fx.passes": {},
    "torch.fx.passes.shape_prop": {"ShapeProp": passes.ShapeProp, "TensorMetadata": passes.TensorMetadata},
}  # fmt: skip
"""What each module holds, by its full name."""
