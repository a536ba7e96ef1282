"""Scripted and traced programs in files: graphs, attributes and tensors, so that they run without their source."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from engine.dialects.torch.jit.functional_names import functional_named
from engine.dialects.torch.jit.ir import Block, Graph, Node, Value
from engine.dialects.torch.jit.modules import Method, RecursiveScriptModule, ScriptFunction, ScriptModule
from engine.dialects.torch.jit.telling import tell

_FORMAT = "stepgraph torchscript 1"


def save(program: Any, f: Any, _extra_files: Any = None) -> None:
    """Write a scripted function or module to a file or path."""
    if not isinstance(program, ScriptModule | ScriptFunction):
        raise AttributeError(f"'{type(program).__name__}' object has no attribute 'save'")
    data = pickle.dumps((_FORMAT, _packed(program)))
    if hasattr(f, "write"):
        f.write(data)
        return
    with open(f, "wb") as file:
        file.write(data)


def load(f: Any, map_location: Any = None, _extra_files: Any = None) -> Any:
    """The program in a file.

    :raises ValueError: there is no such file.
    :raises RuntimeError: it holds something else.
    """
    if hasattr(f, "read"):
        data = f.read()
    else:
        try:
            with open(f, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            raise ValueError(f"The provided filename {f} does not exist") from None
    try:
        word, packed = pickle.loads(data)
    except Exception:
        word, packed = "", None
    if word != _FORMAT:
        raise RuntimeError("PytorchStreamReader failed reading zip archive: failed finding central directory")
    return _unpacked(packed)


def _packed(program: Any) -> Any:
    if isinstance(program, ScriptFunction):
        return ("function", _graph(program.graph), program.method.defaults)
    methods = {name: (_graph(m.graph), m.defaults) for name, m in program._methods.items()}
    skipped = set(program._parameters) | set(program._buffers) | set(program._modules)
    plain = {
        name: value
        for name, value in vars(program).items()
        if not name.startswith("_") and name not in skipped and not callable(value)
    }
    native = None if program._native is None else (type(program._native), _state(program._native))
    modules = {name: None if m is None else _packed(m) for name, m in program._modules.items()}
    return ("module", plain, program._parameters, program._buffers, modules, methods, native, program._transient)


def _state(native: Any) -> dict[str, Any]:
    return {k: v for k, v in vars(native).items() if not callable(v) or k.startswith("_") or hasattr(v, "_array")}


def _unpacked(packed: Any) -> Any:
    if packed[0] == "function":
        return ScriptFunction(Method(_graph_of(packed[1]), packed[2]))
    _, plain, parameters, buffers, modules, methods, native, transient = packed
    made = RecursiveScriptModule()
    for name, value in plain.items():
        object.__setattr__(made, name, value)
    for name, value in parameters.items():
        made.register_parameter(name, value)
    for name, value in buffers.items():
        made.register_buffer(name, value, name not in transient)
    for name, inner in modules.items():
        made.add_module(name, None if inner is None else _unpacked(inner))
    if native is not None:
        kind, state = native
        module = kind.__new__(kind)
        module.__dict__.update(state)
        for name, value in [*made._parameters.items(), *made._buffers.items()]:
            module.__dict__[name] = value
            (module._parameters if name in made._parameters else module._buffers)[name] = value
        object.__setattr__(made, "_native", module)
    for name, (graph, defaults) in methods.items():
        made._methods[name] = Method(_graph_of(graph), defaults, made)
        tell(made._methods[name].graph, made.original_name)
    return made


# -- graphs -----------------------------------------------------------------------------------------------------------
def _graph(graph: Graph) -> Any:
    numbers: dict[Value, int] = {}

    def block(part: Block) -> Any:
        given = [_value(v, numbers) for v in part.parameters]
        return given, [node(n) for n in part.body], [numbers[v] for v in part.results]

    def node(n: Node) -> Any:
        inputs = [numbers[v] for v in n._inputs]
        blocks = [block(b) for b in n._blocks]
        attributes = {k: v for k, v in n.attributes.items() if k != "_callee"}
        callee = n.attributes.get("_callee")
        if isinstance(callee, ScriptFunction):
            attributes["_function"] = _packed(callee)
        elif callee is not None:
            attributes["_named"] = attributes.get("name", n._kind.partition("::")[2])
            if n._kind == "prim::PythonOp" and attributes["name"] != "index_put_":
                raise RuntimeError(
                    f"Could not export Python function call '{attributes['name']}'. Remove calls to Python functions "
                    "before export. Did you forget to add @script or @script_method annotation? If this is a "
                    "nn.ModuleList, add it to __constants__"
                )
        return n._kind, attributes, n.line, inputs, blocks, [_value(v, numbers) for v in n._outputs], n.scope

    return graph.name, block(graph)


def _value(value: Value, numbers: dict[Value, int]) -> Any:
    numbers[value] = len(numbers)
    return numbers[value], value.kind, value.name


def _graph_of(packed: Any) -> Graph:
    name, content = packed
    graph = Graph(name)
    known: dict[int, Value] = {}

    def fill(target: Block, content: Any) -> None:
        given, nodes, results = content
        for number, kind, word in given:
            known[number] = target.head.add_output(kind, word)
        for kind, attributes, line, inputs, blocks, outputs, scope in nodes:
            made = target.add(kind, [known[i] for i in inputs], _attributes(attributes, len(inputs)), line)
            made.scope = scope
            for inner in blocks:
                fill(made.add_block(), inner)
            for number, output, word in outputs:
                known[number] = made.add_output(output, word)
        for number in results:
            target.tail.add_input(known[number])

    fill(graph, content)
    return graph


def _attributes(attributes: dict[str, Any], count: int) -> dict[str, Any]:
    if "_function" in attributes:
        attributes = {**attributes, "_callee": _unpacked(attributes["_function"])}
        del attributes["_function"]
    elif "_named" in attributes:
        attributes = {**attributes, "_callee": _named(attributes["_named"])}
    return attributes


def _named(path: str) -> Callable[..., Any]:
    """A function of the dialect, of Python or of ``math``, by its name."""
    import builtins
    import math

    from engine.dialects.torch.jit import calls, expressions

    name = path.rpartition(".")[2]
    if name == "index_put_":
        return expressions._put
    if path.startswith("torch.nn.functional."):
        return calls.by_place(functional_named(path), path)
    found: Callable[..., Any] = getattr(math, name, None) or getattr(builtins, name)
    return found
