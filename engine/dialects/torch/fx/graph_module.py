"""``torch.fx.GraphModule``: a module whose ``forward`` is the code of a graph."""

from __future__ import annotations

import copy
import linecache
import sys
import traceback
from itertools import count
from typing import Any

from engine.dialects.torch.fx.graph import Graph
from engine.dialects.torch.fx.torch_in_code import names
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.tensor import Tensor

_keys = count()
_FILE = "<eval_with_key>"


class GraphModule(Module):
    """What a graph does, as a module. It holds the modules and tensors of ``root`` (a module, or a dictionary) that
    the graph names. After a change of the graph, call :meth:`recompile`."""

    __module__ = "torch.fx.graph_module"
    _graph: Graph
    _code: str

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        # Each has a class of its own, because each has a forward of its own.
        made = type("GraphModuleImpl", (cls,), {"__module__": "torch.fx.graph_module"})
        made.__qualname__ = "GraphModule.__new__.<locals>.GraphModuleImpl"
        return object.__new__(made)

    def __init__(self, root: Any, graph: Graph, class_name: str = "GraphModule") -> None:
        super().__init__()
        type(self).__name__ = class_name
        if isinstance(root, Module):
            self.training = root.training
            for node in graph.nodes:
                if node.op in ("get_attr", "call_module"):
                    _copy_attribute(root, self, node.target)
        elif isinstance(root, dict):
            self._take(root, graph)
        else:
            raise RuntimeError("Unsupported type " + str(root) + " passed for root!")
        self.meta: dict[str, Any] = {}
        self.graph = graph

    def _take(self, root: dict[str, Any], graph: Graph) -> None:
        targets = [n.target for n in graph.nodes if n.op in ("get_attr", "call_module")]
        for node in graph.nodes:
            if node.op in ("get_attr", "call_module") and node.target not in root:
                raise RuntimeError(
                    f"Node {node} referenced target {node.target} but that target was not provided in ``root``!"
                )
        for target in sorted(set(targets), key=lambda t: t.count(".")):
            _assign(root[target], self, target)

    @property
    def graph(self) -> Graph:
        return self._graph

    @graph.setter
    def graph(self, g: Graph) -> None:
        if not isinstance(g, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(g)}")
        own = g if g.owning_module is None else copy.deepcopy(g)
        object.__setattr__(self, "_graph", own)
        own.owning_module = self
        self.recompile()

    @property
    def code(self) -> str:
        """The source of ``forward``."""
        return self._code

    def recompile(self) -> Any:
        """Make ``forward`` anew from the graph."""
        code = self._graph.python_code("self")
        object.__setattr__(self, "_code", code.src)
        scope = {**names(), **code.globals}
        file = f"{_FILE}.{next(_keys)}"
        linecache.cache[file] = (len(code.src), None, code.src.splitlines(keepends=True), file)
        exec(compile(code.src, file, "exec"), scope)
        setattr(type(self), "forward", scope["forward"])  # noqa: B010  (a method, as far as types go)
        return code

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().__call__(*args, **kwargs)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            own = [f for f in frames if _FILE in f.filename]
            if own and _FILE in _last_of_program(frames).filename:
                print(_told(own[-1]), file=sys.stderr)
            raise

    def add_submodule(self, target: str, m: Any) -> bool:
        """Put a module at a path, making modules on the way."""
        *prefix, name = target.split(".")
        owner: Any = self
        for part in prefix:
            if not hasattr(owner, part):
                setattr(owner, part, Module())
            owner = getattr(owner, part)
            if not isinstance(owner, Module):
                return False
        owner.add_module(name, m)
        return True

    def delete_submodule(self, target: str) -> bool:
        """Remove the module at a path."""
        *prefix, name = target.split(".")
        owner: Any = self
        for part in prefix:
            owner = getattr(owner, part, None)
        if not isinstance(getattr(owner, name, None), Module):
            return False
        delattr(owner, name)
        return True

    def delete_all_unused_submodules(self) -> None:
        """Remove the modules that the graph does not name."""
        used: set[str] = set()
        for node in self._graph.nodes:
            if node.op in ("call_module", "get_attr"):
                parts = node.target.split(".")
                used.update(".".join(parts[: i + 1]) for i in range(len(parts)))
                if node.op == "call_module":
                    inner = self.get_submodule(node.target)
                    used.update(f"{node.target}.{path}" for path, _ in inner.named_modules() if path)
        for path in [path for path, _ in self.named_modules() if path and path not in used]:
            self.delete_submodule(path)

    def print_readable(self, print_output: bool = True, **_: Any) -> str:
        """The code as that of a class, with the dtypes and shapes of results where they are known."""
        code = self._graph.python_code("self", verbose=True).src.lstrip("\n")
        text = f"class {self._get_name()}(torch.nn.Module):\n" + code
        first, *rest = text.split("\n")
        text = "\n".join([first, *("    " + line for line in rest)]) + "\n"
        if print_output:
            print(text)
        return text

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        root = Module()
        root.__dict__.update(copy.deepcopy({k: v for k, v in self.__dict__.items() if k != "_graph"}, memo))
        made = GraphModule(root, copy.deepcopy(self._graph), type(self).__name__)
        made.training = self.training
        return made

    def __str__(self) -> str:
        hint = "# To see more debug info, please use `graph_module.print_readable()`"
        return "\n".join([super().__repr__(), self._code, hint])


def _last_of_program(frames: traceback.StackSummary) -> Any:
    """The innermost frame that is not the engine's own."""
    outside = [
        f for f in frames if "/engine/" not in f.filename.replace("\\", "/") and not f.filename.startswith("<op")
    ]
    return outside[-1] if outside else frames[-1]


def _told(frame: Any) -> str:
    lines = linecache.getlines(frame.filename)
    line = frame.line or ""
    before = "".join(lines[frame.lineno - 2 : frame.lineno])
    after = "\n".join(lines[frame.lineno : frame.lineno + 2])
    head = f"Call using an FX-traced Module, line {frame.lineno} of the traced Module's generated forward function:"
    return "\n".join([traceback.format_exc(), head, before, "~" * len(line) + "~~~ <--- HERE", after])


def _copy_attribute(source: Any, target: Any, path: str) -> None:
    """Let ``target`` hold what ``source`` holds at a path, with plain modules on the way."""
    *prefix, name = path.split(".")
    for part in prefix:
        inner = getattr(source, part, None)
        if inner is None:
            return
        if not isinstance(getattr(target, part, None), Module):
            if inner is getattr(target, part, None):
                return
            setattr(target, part, Module())
        source, target = inner, getattr(target, part)
    if not hasattr(source, name):
        return
    _put(target, name, getattr(source, name))


def _assign(value: Any, target: Any, path: str) -> None:
    *prefix, name = path.split(".")
    for part in prefix:
        if not isinstance(getattr(target, part, None), Module):
            setattr(target, part, Module())
        target = getattr(target, part)
    _put(target, name, value)


def _put(target: Any, name: str, value: Any) -> None:
    from engine.dialects.torch.nn.parameter import Parameter

    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        target._buffers.pop(name, None)
        if hasattr(target, name):
            delattr(target, name)
        target.register_buffer(name, value)
    elif isinstance(value, Module) and "." not in name:
        target.add_module(name, value)
    else:
        setattr(target, name, value)
