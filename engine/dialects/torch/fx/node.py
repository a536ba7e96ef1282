"""``torch.fx.Node``: one call in a graph."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from engine.dialects.torch import overrides
from engine.dialects.torch.fx import telling

if TYPE_CHECKING:
    from engine.dialects.torch.fx.graph import Graph

OPS = ("call_function", "call_method", "get_attr", "call_module", "placeholder", "output")
Target = Any
Argument = Any
_IMMUTABLE = "object does not support mutation. If you are attempting to modify the kwargs or args of a torch.fx.Node "


class immutable_list(list[Any]):
    """A list that is part of a node's arguments: replaced as a whole, never changed."""

    __module__ = "torch.fx.immutable_collections"

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError(
            f"'{type(self).__name__}' {_IMMUTABLE}object,\ninstead create a new copy of it and assign the copy to the "
            f"node:\n    new_args = ... # copy and mutate args\n    node.args = new_args\n"
        )

    __delitem__ = __iadd__ = __imul__ = __setitem__ = append = clear = extend = insert = pop = remove = _refuse
    reverse = sort = _refuse

    def __reduce__(self) -> Any:
        return type(self), (tuple(self),)


class immutable_dict(dict[Any, Any]):
    """A dictionary that is part of a node's arguments."""

    __module__ = "torch.fx.immutable_collections"
    __delitem__ = __setitem__ = clear = pop = popitem = update = setdefault = immutable_list._refuse

    def __reduce__(self) -> Any:
        return type(self), (dict(self),)


def map_aggregate(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same nesting of lists, tuples, dictionaries and slices with ``change`` applied to what is inside."""
    if isinstance(value, tuple):
        items = [map_aggregate(item, change) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, list):
        return immutable_list([map_aggregate(item, change) for item in value])
    if isinstance(value, dict):
        return immutable_dict({key: map_aggregate(item, change) for key, item in value.items()})
    if isinstance(value, slice):
        return slice(*(map_aggregate(item, change) for item in (value.start, value.stop, value.step)))
    return change(value)


def map_arg(value: Any, change: Callable[[Node], Any]) -> Any:
    """The same nesting with ``change`` applied to the nodes inside."""
    return map_aggregate(value, lambda item: change(item) if isinstance(item, Node) else item)


def qualified_name(function: Callable[..., Any]) -> str:
    """Where a function is found: ``torch.relu``, ``operator.add``, ``getattr``."""
    name: str = function.__name__
    if getattr(builtins, name, None) is function:
        return name
    known = overrides.NAMES.get(function) or overrides.QUALIFIED.get(function)
    return known or f"{function.__module__}.{name}"


class Node:
    """One entry of a :class:`~engine.dialects.torch.fx.graph.Graph`: ``op`` says of which kind, ``target`` what is
    called or read, ``args`` and ``kwargs`` with what; other nodes among them are its inputs. ``users`` are the nodes
    that it is an input of."""

    __module__ = "torch.fx.node"

    def __init__(
        self, graph: Graph, name: str, op: str, target: Any, args: Any, kwargs: Any, return_type: Any = None
    ) -> None:
        if op not in OPS:
            raise AssertionError(f"op '{op}' is not a legal op. Must be one of: {', '.join(OPS)}")
        if op == "call_function" and not callable(target):
            raise ValueError(
                f"Node [graph = {graph}, name = '{name}'] target {target} has type {_type_name(target)} but a "
                "Callable is expected"
            )
        self.graph, self.name, self.op, self.target, self.type = graph, name, op, target, return_type
        self.users: dict[Node, None] = {}
        self.meta: dict[str, Any] = {}
        self.stack_trace: str | None = None
        self._args: tuple[Any, ...] = ()
        self._kwargs: Mapping[str, Any] = {}
        self._input_nodes: dict[Node, None] = {}
        self._before: Node = self
        self._after: Node = self
        self._erased = False
        self.told = telling.NOBODY
        self._take(args, kwargs)

    # -- arguments -----------------------------------------------------------------------------------------------------
    @property
    def args(self) -> tuple[Any, ...]:
        return self._args

    @args.setter
    def args(self, args: tuple[Any, ...]) -> None:
        self._change(args, self._kwargs, "its arguments were set")

    @property
    def kwargs(self) -> Any:
        return self._kwargs

    @kwargs.setter
    def kwargs(self, kwargs: Any) -> None:
        self._change(self._args, kwargs, "its arguments were set")

    def update_arg(self, idx: int, arg: Any) -> None:
        args = list(self._args)
        args[idx] = arg
        self.args = tuple(args)

    def insert_arg(self, idx: int, arg: Any) -> None:
        args = list(self._args)
        args.insert(idx, arg)
        self.args = tuple(args)

    def update_kwarg(self, key: str, arg: Any) -> None:
        self.kwargs = {**self._kwargs, key: arg}

    def _change(self, args: Any, kwargs: Any, why: str) -> None:
        before = list(self._input_nodes)
        self._take(args, kwargs)
        telling.rewired(self, before, list(self._input_nodes), why)

    def _take(self, args: Any, kwargs: Any) -> None:
        for old in self._input_nodes:
            old.users.pop(self, None)
        self._input_nodes = {}

        def note(node: Node) -> Node:
            self._input_nodes.setdefault(node)
            node.users.setdefault(self)
            return node

        self._args, self._kwargs = map_arg(args, note), map_arg(kwargs, note)

    @property
    def all_input_nodes(self) -> list[Node]:
        return list(self._input_nodes)

    def replace_input_with(self, old_input: Node, new_input: Node) -> None:
        """Read ``new_input`` wherever this node reads ``old_input``."""
        swap: Callable[[Node], Node] = lambda n: new_input if n is old_input else n
        args, kwargs = map_arg(self._args, swap), map_arg(self._kwargs, swap)
        self._change(args, kwargs, f"{new_input.name} in the place of {old_input.name}")

    def replace_all_uses_with(
        self,
        replace_with: Node,
        delete_user_cb: Callable[[Node], bool] = lambda user: True,
        *,
        propagate_meta: bool = False,
    ) -> list[Node]:
        """Let the users of this node read ``replace_with`` instead; gives those that changed."""
        if propagate_meta:
            if replace_with.meta:
                raise AssertionError(
                    "Called node.replace_all_uses_with(replace_with, propagate_meta=True), but replace_with already "
                    "has .meta keys"
                )
            replace_with.meta.update(self.meta)
        changed = [user for user in list(self.users) if delete_user_cb(user)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        return changed

    # -- place ---------------------------------------------------------------------------------------------------------
    @property
    def next(self) -> Node:
        return self._after

    @property
    def prev(self) -> Node:
        return self._before

    def prepend(self, x: Node) -> None:
        """Put ``x`` directly before this node."""
        if self.graph is not x.graph:
            raise AssertionError("Attempting to move a Node into a different Graph")
        if x is self:
            return
        x._unlink()
        before = self._before
        before._after, x._before, x._after, self._before = x, before, self, x

    def append(self, x: Node) -> None:
        """Put ``x`` directly after this node."""
        self._after.prepend(x)

    def _unlink(self) -> None:
        self._before._after, self._after._before = self._after, self._before

    def is_impure(self, impure_random: bool = True) -> bool:
        """Whether the node must stay although nothing reads it."""
        if self.op in ("placeholder", "output"):
            return True
        if self.op == "call_function":
            name = getattr(self.target, "__name__", "")
            return name in ("_assert", "setitem") or (impure_random and "rand" in name)
        if self.op == "call_module":
            return bool(self.meta.get("is_impure", False))
        return self.op == "call_method" and self.target.endswith("_") and not self.target.endswith("__")

    # -- text ----------------------------------------------------------------------------------------------------------
    def __repr__(self) -> str:
        return self.name

    def __lt__(self, other: Node) -> bool:
        order = {node: place for place, node in enumerate(self.graph.nodes)}
        return order[self] < order[other]

    def _pretty_print_target(self, target: Any) -> str:
        if isinstance(target, str):
            return target
        name = qualified_name(target)
        if getattr(builtins, name, None) is target:
            return f"builtins.{name}"
        return name.replace("_operator.", "operator.") if name.startswith("_operator.") else name

    def format_node(
        self, placeholder_names: list[str] | None = None, maybe_return_typename: list[str] | None = None
    ) -> str | None:
        """The node as the line that stands for it in a printed graph."""
        head = f"%{self.name} : {_type_text(self.type) + ' ' if self.type is not None else ''}"
        head += f"[num_users={len(self.users)}] = "
        if self.op == "placeholder":
            default = f"(default={self._args[0]})" if self._args else ""
            return f"{head}placeholder[target={self.target}]{default}"
        if self.op == "get_attr":
            return f"{head}get_attr[target={self._pretty_print_target(self.target)}]"
        if self.op == "output":
            return f"return {self._args[0]}"
        return (
            f"{head}{self.op}[target={self._pretty_print_target(self.target)}]"
            f"(args = {format_arg(self._args)}, kwargs = {format_arg(self._kwargs)})"
        )


def _type_name(value: Any) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _type_text(kind: Any) -> str:
    if isinstance(kind, type) and not hasattr(kind, "__origin__"):
        return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return "..." if kind is ... else repr(kind)


type_text = _type_text


def format_arg(value: Any) -> str:
    """An argument in a printed graph: nodes as ``%name``, text without quotes."""
    if isinstance(value, list):
        return f"[{', '.join(map(format_arg, value))}]"
    if isinstance(value, tuple):
        inside = ", ".join(map(format_arg, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {format_arg(item)}" for key, item in value.items()) + "}"
    return f"%{value}" if isinstance(value, Node) else str(value)


def chain(first: Node, backwards: bool = False) -> Iterator[Node]:
    """The nodes after ``first`` (before it) up to it."""
    node = first._before if backwards else first._after
    while node is not first:
        following = node._before if backwards else node._after
        if not node._erased:
            yield node
        node = following
