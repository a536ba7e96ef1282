"""``torch.fx.Interpreter`` and ``Transformer``: run a graph node by node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.dialects.torch.fx.functional_form import called
from engine.dialects.torch.fx.graph import Graph
from engine.dialects.torch.fx.graph_module import GraphModule
from engine.dialects.torch.fx.node import Node, map_aggregate, map_arg
from engine.dialects.torch.fx.proxy import Proxy
from engine.dialects.torch.fx.tracer import Tracer


class Interpreter:
    """Runs the graph of a module. Subclasses override what a kind of node does, or :meth:`run_node` for all."""

    __module__ = "torch.fx.interpreter"

    def __init__(self, module: Any, garbage_collect_values: bool = True, graph: Graph | None = None) -> None:
        self.module = module
        self.graph = module.graph if graph is None else graph
        self.submodules = dict(module.named_modules())
        self.garbage_collect_values = garbage_collect_values
        self.extra_traceback = True
        self.env: dict[Node, Any] = {}
        self.args_iter: Iterator[Any] = iter(())
        self.name = "Interpreter"

    def run(self, *args: Any, initial_env: dict[Node, Any] | None = None, enable_io_processing: bool = True) -> Any:
        """The result of the graph for these arguments."""
        self.env = dict(initial_env or {})
        self.args_iter = iter(args)
        last = self._last_uses() if self.garbage_collect_values else {}
        for node in self.graph.nodes:
            if node in self.env:
                continue
            try:
                self.env[node] = self.run_node(node)
            except Exception as error:
                if self.extra_traceback:
                    message = f"While executing {node.format_node()}"
                    error.args = (f"{error.args[0]}\n\n{message}" if error.args else message, *error.args[1:])
                    if isinstance(error, KeyError):
                        raise RuntimeError(*error.args) from error
                raise
            if node.op == "output":
                return self.env[node]
            for done in last.get(node, ()):
                self.env.pop(done, None)
        return None

    def boxed_run(self, args_list: list[Any]) -> Any:
        """:meth:`run`, which empties the list of its arguments first."""
        args = list(args_list)
        args_list.clear()
        return self.run(*args)

    def _last_uses(self) -> dict[Node, list[Node]]:
        seen: set[Node] = set()
        found: dict[Node, list[Node]] = {}
        for node in reversed(self.graph.nodes):
            for read in node.all_input_nodes:
                if read not in seen:
                    seen.add(read)
                    found.setdefault(node, []).append(read)
        return found

    def run_node(self, n: Node) -> Any:
        """The value of one node."""
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        return getattr(self, n.op)(n.target, args, kwargs)

    def fetch_args_kwargs_from_env(self, n: Node) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a node with values in the place of nodes."""
        return self.map_nodes_to_values(n.args, n), self.map_nodes_to_values(n.kwargs, n)

    def map_nodes_to_values(self, args: Any, n: Node) -> Any:
        def load(arg: Node) -> Any:
            if arg not in self.env:
                raise RuntimeError(
                    f"Node {n} referenced nonexistent value {arg}! Run Graph.lint() to diagnose such issues"
                )
            return self.env[arg]

        return _plain(map_arg(args, load))

    def fetch_attr(self, target: str) -> Any:
        """What the module holds at a path."""
        found = self.module
        parts = target.split(".")
        for i, part in enumerate(parts):
            if not hasattr(found, part):
                raise RuntimeError(f"Node referenced nonexistent target {'.'.join(parts[: i + 1])}")
            found = getattr(found, part)
        return found

    # -- kinds of nodes ------------------------------------------------------------------------------------------------
    def placeholder(self, target: Any, args: Any, kwargs: Any) -> Any:
        if target.startswith("*"):
            return list(self.args_iter)
        try:
            return next(self.args_iter)
        except StopIteration:
            if args:
                return args[0]
            raise RuntimeError(
                f"Expected positional argument for parameter {target}, but one was not passed in!"
            ) from None

    def get_attr(self, target: Any, args: Any, kwargs: Any) -> Any:
        return self.fetch_attr(target)

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        return called(target, args, kwargs)

    def call_method(self, target: Any, args: Any, kwargs: Any) -> Any:
        self_obj, *rest = args
        return getattr(self_obj, target)(*rest, **kwargs)

    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        return self.fetch_attr(target)(*args, **kwargs)

    def output(self, target: Any, args: Any, kwargs: Any) -> Any:
        return args[0]


def _plain(value: Any) -> Any:
    """Lists and dictionaries that a program may change."""
    if isinstance(value, tuple):
        items = [_plain(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if type(value).__name__ == "immutable_dict":
        return {key: _plain(item) for key, item in value.items()}
    return value


class _TransformerTracer(Tracer):
    def __init__(self, graph: Graph, root: Any) -> None:
        super().__init__()
        self.graph, self.root = graph, root

    def is_leaf_module(self, m: Any, module_qualified_name: str) -> bool:
        return True


class Transformer(Interpreter):
    """Runs a graph on proxies, so that what its methods do becomes a new graph."""

    __module__ = "torch.fx.interpreter"

    def __init__(self, module: Any) -> None:
        super().__init__(module)
        self.new_graph = Graph()
        self.new_graph.title = f"{type(module).__name__}, transformed"
        self.tracer = _TransformerTracer(self.new_graph, module)

    def placeholder(self, target: Any, args: Any, kwargs: Any) -> Any:
        default = args[0] if args else ...
        return Proxy(self.new_graph.placeholder(target, default_value=default), self.tracer)

    def get_attr(self, target: Any, args: Any, kwargs: Any) -> Any:
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        module = self.fetch_attr(target)
        return self.tracer.call_module(module, module.forward, args, kwargs)

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def call_method(self, target: Any, args: Any, kwargs: Any) -> Any:
        return self.tracer.create_proxy("call_method", target, args, kwargs)

    def transform(self) -> Any:
        """The module of the new graph."""
        from engine.dialects.torch import overrides

        with overrides.overriding(self.tracer._override):
            result = super().run(enable_io_processing=False)
        if result is not None:
            old = next(n for n in self.graph.nodes if n.op == "output")
            strip = map_aggregate(result, lambda x: x.node if isinstance(x, Proxy) else x)
            self.new_graph.output(strip, old.type)
        return GraphModule(self.module, self.new_graph)
