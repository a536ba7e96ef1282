"""``torch.fx.Graph``: nodes in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.dialects.torch.fx import telling
from engine.dialects.torch.fx.checking import lint
from engine.dialects.torch.fx.code import PythonCode, Writer
from engine.dialects.torch.fx.naming import Namespace, snake_case
from engine.dialects.torch.fx.node import Node, chain, map_arg
from engine.dialects.torch.fx.tables import table


class _NodeList:
    """A graph's nodes, in order, as they are now."""

    def __init__(self, graph: Graph, backwards: bool = False) -> None:
        self.graph, self.backwards = graph, backwards

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Node]:
        return chain(self.graph._root, self.backwards)

    def __reversed__(self) -> Iterator[Node]:
        return iter(_NodeList(self.graph, not self.backwards))


class _InsertPoint:
    """New nodes go to another place while the block lasts."""

    def __init__(self, graph: Graph, insert: Callable[[Node], None]) -> None:
        self.graph, self.before = graph, graph._insert
        graph._insert = insert

    def __enter__(self) -> None:
        """The place is set already."""

    def __exit__(self, *_: object) -> None:
        self.graph._insert = self.before


class Graph:
    """A program as nodes. ``title`` is what a recording calls it."""

    __module__ = "torch.fx.graph"
    title = "graph"
    is_told = True

    def __init__(self, owning_module: Any = None, tracer_cls: Any = None, tracer_extras: Any = None) -> None:
        self.told = telling.NOBODY
        self._root = Node.__new__(Node)
        self._root.name, self._root.graph, self._root._erased = "", self, False
        self._root._before = self._root._after = self._root
        self._insert: Callable[[Node], None] = self._root.prepend
        self._names = Namespace()
        self.owning_module = owning_module
        self._tracer_cls = tracer_cls

    @property
    def nodes(self) -> _NodeList:
        return _NodeList(self)

    def find_nodes(self, *, op: str, target: Any = None, sort: bool = True) -> list[Node]:
        """The nodes of a kind, of functions and modules those with this target."""
        return [n for n in self.nodes if n.op == op and (target is None or n.target == target)]

    # -- making nodes ----------------------------------------------------------------------------------------------
    def create_node(
        self, op: str, target: Any, args: Any = None, kwargs: Any = None, name: str | None = None, type_expr: Any = None
    ) -> Node:
        """A new node at the place where nodes go now: the end, unless :meth:`inserting_before` says otherwise."""
        candidate = name if name is not None else _name_for(target)
        node = Node(self, self._names.create_name(candidate), op, target, args or (), kwargs or {}, type_expr)
        self._insert(node)
        telling.node_made(node)
        return node

    def placeholder(self, name: str, type_expr: Any = None, default_value: Any = ...) -> Node:
        args = () if default_value is ... else (default_value,)
        return self.create_node("placeholder", name, args=args, type_expr=type_expr)

    def get_attr(self, qualified_name: str, type_expr: Any = None) -> Node:
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(self, module_name: str, args: Any = None, kwargs: Any = None, type_expr: Any = None) -> Node:
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def call_method(self, method_name: str, args: Any = None, kwargs: Any = None, type_expr: Any = None) -> Node:
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_function(
        self, the_function: Any, args: Any = None, kwargs: Any = None, type_expr: Any = None, name: str | None = None
    ) -> Node:
        return self.create_node("call_function", the_function, args, kwargs, name, type_expr)

    def output(self, result: Any, type_expr: Any = None) -> Node:
        return self.create_node("output", "output", (result,), type_expr=type_expr)

    def node_copy(self, node: Node, arg_transform: Callable[[Node], Any] = lambda x: x) -> Node:
        """A copy of a node of another graph; ``arg_transform`` says which node of this one stands for an input."""
        args, kwargs = map_arg(node.args, arg_transform), map_arg(node.kwargs, arg_transform)
        made = self.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        made.meta = dict(node.meta)
        return made

    def graph_copy(self, g: Graph, val_map: dict[Node, Any], return_output_node: bool = False) -> Any:
        """Copy all nodes of ``g`` except those that ``val_map`` has; gives what stands for its output."""
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                result = map_arg(node.args[0], lambda n: val_map[n])
                return (result, node) if return_output_node else result
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Graph:
        made = Graph(tracer_cls=self._tracer_cls)
        made.title = self.title
        copied: dict[Node, Node] = {}
        result = made.graph_copy(self, copied, return_output_node=True)
        if result is not None:
            value, old = result
            node = made.output(value, old.type)
            node.meta = dict(old.meta)
        return made

    # -- where ---------------------------------------------------------------------------------------------------------
    def inserting_before(self, n: Node | None = None) -> _InsertPoint:
        """New nodes go before ``n`` (default: to the beginning)."""
        if n is None:
            return self.inserting_after(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert before is not in graph.")
        return _InsertPoint(self, n.prepend)

    def inserting_after(self, n: Node | None = None) -> _InsertPoint:
        """New nodes go after ``n`` (default: to the end)."""
        if n is None:
            return self.inserting_before(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert after is not in graph.")
        place = [n]

        def insert(node: Node) -> None:
            place[0].append(node)
            place[0] = node

        return _InsertPoint(self, insert)

    # -- surgery -------------------------------------------------------------------------------------------------------
    def erase_node(self, to_erase: Node) -> None:
        """Remove a node that nothing reads.

        :raises RuntimeError: something does.
        """
        if to_erase.users:
            raise RuntimeError(
                f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in the graph: "
                f"{to_erase.users}!"
            )
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if to_erase._erased:
            return
        to_erase._unlink()
        to_erase._erased = True
        to_erase._change((), {}, "erased")

    def eliminate_dead_code(self, is_impure_node: Callable[[Node], bool] | None = None) -> bool:
        """Remove what nothing reads and that has no effect; gives whether there was any."""
        lint(self)
        impure = is_impure_node or Node.is_impure
        dead = [n for n in reversed(self.nodes) if n.op != "output"]
        changed = False
        for node in dead:
            if not node.users and not impure(node):
                self.erase_node(node)
                changed = True
        return changed

    def lint(self) -> None:
        """Check that the graph can run.

        :raises RuntimeError: it cannot.
        """
        lint(self)

    def process_inputs(self, *args: Any) -> Any:
        return args

    def process_outputs(self, out: Any) -> Any:
        return out

    # -- text ----------------------------------------------------------------------------------------------------------
    def signature(self, parameters: list[str], returns: str) -> str:
        """The first line of the source."""
        if not parameters or parameters[0] != "self":
            parameters.insert(0, "self")
        return f"def forward({', '.join(parameters)}){returns}:"

    def python_code(self, root_module: str, *, verbose: bool = False, **_: Any) -> PythonCode:
        """The graph as Python source."""
        return Writer(self, root_module, verbose).write()

    def __str__(self) -> str:
        lines = [f"    {node.format_node()}" for node in self.nodes]
        return "\n".join(["graph():", *lines])

    def print_tabular(self) -> None:
        """Print the nodes as a table. (PyTorch itself can do so only beside the package ``tabulate``.)"""
        rows = [[n.op, n.name, n.target, n.args, n.kwargs] for n in self.nodes]
        print(table(rows, headers=["opcode", "name", "target", "args", "kwargs"]))

    def on_generate_code(self, make_transformer: Any) -> Any:
        raise NotImplementedError("this teaching engine writes the code of a graph in one way")


def _name_for(target: Any) -> str:
    name = target if isinstance(target, str) else target.__name__
    if type(target).__name__ == "OpOverload":
        name = target._name
    if name.startswith("__") and name.endswith("__"):
        name = name[2:-2]
    return snake_case(name)
