"""What a program holds of scripted and traced programs: functions and modules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.dialects.torch.jit import running, types
from engine.dialects.torch.jit.code import Source
from engine.dialects.torch.jit.ir import Graph, Value
from engine.dialects.torch.jit.telling import tell
from engine.dialects.torch.jit.types import TENSOR, Type
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.tensor import Tensor

_MARK = "_torchscript_modifier"


class Method:
    """One function with its graph, the defaults of its parameters, and the module that it belongs to."""

    def __init__(self, graph: Graph, defaults: dict[str, Any] | None = None, owner: Any = None) -> None:
        self.graph, self.defaults, self.owner = graph, defaults or {}, owner

    @property
    def kind(self) -> Type:
        """What it gives."""
        return self.graph.results[0].kind if self.graph.results else types.NONE

    @property
    def parameters(self) -> list[Value]:
        return self.graph.parameters[1:] if self.owner is not None else self.graph.parameters

    def run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        names = [v.name or str(i) for i, v in enumerate(self.parameters)]
        if len(args) > len(names):
            raise RuntimeError(
                f"{self.graph.name}() expected at most {len(names)} argument(s) but received {len(args)} argument(s). "
                f"Declaration: {self.schema}"
            )
        given = {**self.defaults, **dict(zip(names, args, strict=False)), **kwargs}
        for name in names:
            if name not in given:
                raise RuntimeError(
                    f"{self.graph.name}() is missing value for argument '{name}'. Declaration: {self.schema}"
                )
        for position, (name, value) in enumerate(zip(names, self.parameters, strict=True)):
            _check(self, position, name, value.kind, given[name])
        own = [] if self.owner is None else [self.owner]
        return running.run(self.graph, [*own, *(given[name] for name in names)])

    def bound(self, args: list[Value], kwargs: dict[str, Any], compiler: Any, node: Any) -> list[Value]:
        """The arguments of a call from a graph, with defaults for those that are not given."""
        names = [v.name for v in self.parameters]
        given: dict[str, Any] = dict(zip(names, args, strict=False))
        given |= {key: compiler.as_value(value, node) for key, value in kwargs.items()}
        found = []
        for name in names:
            if name not in given and name not in self.defaults:
                raise compiler.error(node, f"{self.graph.name}() is missing value for argument '{name}'")
            found.append(given[name] if name in given else compiler.constant(self.defaults[name]))
        return found

    @property
    def schema(self) -> str:
        """The signature."""
        own = [] if self.owner is None else [f"__torch__.{type_name(self.owner)} self"]
        for value in self.parameters:
            default = f"={_default(self.defaults[value.name])}" if value.name in self.defaults else ""
            own.append(f"{value.kind if not value.kind.detail else 'Tensor'} {value.name}{default}")
        kind = TENSOR if self.kind.detail else self.kind
        result = f"({kind})" if kind.kind == "Tuple" else str(kind)
        return f"{self.graph.name}({', '.join(own)}) -> {result}"

    @property
    def code(self) -> str:
        return Source(self.graph).text(self.defaults)


def _default(value: Any) -> str:
    return repr(value)


def _check(method: Method, position: int, name: str, kind: Type, value: Any) -> None:
    """Refuse an argument of another type."""
    wanted: Any = {"Tensor": Tensor, "int": int, "float": (float, int), "bool": bool, "str": str}.get(kind.kind)
    is_bool = kind.kind in ("int", "float") and isinstance(value, bool)
    if wanted is not None and (not isinstance(value, wanted) or is_bool):
        place = position + (method.owner is not None)
        raise RuntimeError(
            f"{method.graph.name}() Expected a value of type '{kind.annotation_str if not kind.detail else 'Tensor'}"
            f"{' (inferred)' if kind.kind == 'Tensor' else ''}' for argument '{name}' but instead found type "
            f"'{type(value).__name__}'.\n"
            + (f"Inferred '{name}' to be of type 'Tensor' because it was not annotated with an explicit type.\n"
               if kind.kind == "Tensor" else "")
            + f"Position: {place}\nValue: {value!r}\nDeclaration: {method.schema}\nCast error details: Unable to cast "
            f"{value!r} to {'Tensor' if kind.kind == 'Tensor' else kind.annotation_str}"
        )  # fmt: skip


def type_name(owner: Any) -> str:
    return getattr(owner, "original_name", type(owner).__name__)


class ScriptFunction:
    """A function that was scripted or traced."""

    __module__ = "torch.jit"

    def __init__(self, method: Method, python: Any = None) -> None:
        self.method = method
        self.name = self.__name__ = method.graph.name
        self.qualified_name = f"__torch__.{self.name}"
        self._torchdynamo_inline = python
        self.__doc__ = getattr(python, "__doc__", None)
        tell(method.graph)

    @property
    def graph(self) -> Graph:
        return self.method.graph

    inlined_graph = graph

    @property
    def code(self) -> str:
        return self.method.code

    @property
    def schema(self) -> Any:
        return self.method.schema

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.method.run(args, kwargs)

    def graph_for(self, *args: Any, **kwargs: Any) -> Graph:
        return self.method.graph

    def save(self, f: Any, _extra_files: Any = None) -> None:
        from engine.dialects.torch.jit.saving import save

        save(self, f)


ScriptFunction.__qualname__ = "torch.jit.ScriptFunction"


class ScriptModule(Module):
    """A module whose methods are graphs. Its parameters and buffers are those of the module that it was made of."""

    __module__ = "torch.jit._script"
    original_name: str

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "_methods", {})
        object.__setattr__(self, "_native", None)

    def _fill(self, source: Any, convert: Callable[[Any], Any]) -> None:
        """Take over what ``source`` holds; submodules through ``convert``."""
        object.__setattr__(self, "original_name", type(source).__name__)
        self.training = source.training
        for name, value in source._parameters.items():
            self.register_parameter(name, value)
        for name, value in source._buffers.items():
            self.register_buffer(name, value, name not in source._transient)
        for name, value in source._modules.items():
            self.add_module(name, None if value is None else convert(value))
        skipped = set(source._parameters) | set(source._buffers) | set(source._modules)
        for name, value in vars(source).items():
            if not name.startswith("_") and name not in skipped and name != "training":
                object.__setattr__(self, name, value)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self._run("forward", args, kwargs)

    def _run(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._native is not None and name == "forward":
            if self._native.training != self.training:
                self._native.train(self.training)
            return self._native.forward(*args, **kwargs)
        method = self._methods.get(name)
        if method is None:
            raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "{name}" function')
        return method.run(args, kwargs)

    def __getattr__(self, name: str) -> Any:
        methods = self.__dict__.get("_methods", {})
        if name in methods:
            return _Called(methods[name])
        return super().__getattr__(name)

    @property
    def graph(self) -> Graph:
        found: Graph = self._methods["forward"].graph
        return found

    @property
    def inlined_graph(self) -> Graph:
        from engine.dialects.torch.jit.inlining import inlined

        return inlined(self)

    @property
    def code(self) -> str:
        if "forward" not in self._methods and self._native is not None:
            raise NotImplementedError(
                f"this teaching engine runs {self.original_name} as it is: it has no TorchScript code of its own"
            )
        if "forward" not in self._methods:
            raise RuntimeError("Method 'forward' is not defined.")
        return str(self._methods["forward"].code)

    @property
    def code_with_constants(self) -> Any:
        return self.code, {}

    def save(self, f: Any, _extra_files: Any = None) -> None:
        from engine.dialects.torch.jit.saving import save

        save(self, f)

    def _get_name(self) -> str:
        return "RecursiveScriptModule"

    def extra_repr(self) -> str:
        return f"original_name={self.original_name}"

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __getitem__(self, place: Any) -> Any:
        return list(self._modules.values())[place] if isinstance(place, int) else self._modules[place]


class RecursiveScriptModule(ScriptModule):
    """What ``torch.jit.script`` and ``torch.jit.load`` give."""

    __module__ = "torch.jit._script"


class TracedModule(ScriptModule):
    """A submodule of a traced module."""

    __module__ = "torch.jit._trace"

    def _get_name(self) -> str:
        return self.original_name


class TopLevelTracedModule(TracedModule):
    """What ``torch.jit.trace`` gives for a module."""

    __module__ = "torch.jit._trace"


class _Called:
    """A method of a scripted module."""

    def __init__(self, method: Method) -> None:
        self._method = method
        self.name = self.__name__ = method.graph.name

    graph = property(lambda self: self._method.graph)
    code = property(lambda self: self._method.code)
    schema = property(lambda self: self._method.schema)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._method.run(args, kwargs)


def ignored(function: Any) -> bool:
    """Whether a function stays Python."""
    return getattr(function, _MARK, "") in ("ignore", "unused")


def mark(word: str) -> Any:
    """A decorator that marks a function as ``ignore``, ``unused`` or ``export``."""

    def decorate(function: Any = None, drop: bool = False) -> Any:
        if function is None or isinstance(function, bool):
            return lambda inner: decorate(inner)
        setattr(function, _MARK, word)
        return function

    return decorate
