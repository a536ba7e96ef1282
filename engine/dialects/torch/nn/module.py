"""``nn.Module``: a tree of parameters, buffers and submodules that can be called."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any

from engine import events
from engine.dialects.torch.hooks import RemovableHandle
from engine.dialects.torch.nn.parameter import Parameter
from engine.dialects.torch.pointwise import cast
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import check_device, dtype
from engine.dynamic import modes, observe

_Keys = namedtuple("_Keys", ["missing_keys", "unexpected_keys"])


class _IncompatibleKeys(_Keys):
    """What ``load_state_dict`` could not match."""

    __slots__ = ()

    def __repr__(self) -> str:
        return (
            "<All keys matched successfully>"
            if not self.missing_keys and not self.unexpected_keys
            else super().__repr__()
        )


class Module:
    """The base of all layers and models.

    Parameters and submodules are kept in ``_parameters`` and ``_modules`` *and* in the instance's ``__dict__``, so that
    reading ``self.weight`` costs no more than any attribute.
    """

    __module__ = "torch.nn.modules.module"
    _version = 1
    training: bool

    def __init__(self, *arguments: Any, **options: Any) -> None:
        put = super().__setattr__
        put("training", True)
        put("_parameters", {})
        put("_buffers", {})
        put("_modules", {})
        for table in ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks"):
            put(table, OrderedDict())
        put("_hooked", False)
        put("_keyword_hooks", [])
        put("_transient", set())

    def forward(self, *arguments: Any, **options: Any) -> Any:
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def compile(self, *arguments: Any, **options: Any) -> None:
        """From now on, calls of this module run as compiled graphs (``torch.compile``, which takes the arguments)."""
        from engine.dialects.torch.compiler.optimized import compile

        self.__dict__["forward"] = compile(self.forward, *arguments, **options)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        if events.listener is not None:
            return self._call_observed(*arguments, **options)
        if self._hooked:
            return self._call_hooked(*arguments, **options)
        return self.forward(*arguments, **options)

    def _call_observed(self, *arguments: Any, **options: Any) -> Any:
        before = observe.scope
        observe.scope = self._path(before)
        _running.append(self)
        try:
            return self._call_hooked(*arguments, **options) if self._hooked else self.forward(*arguments, **options)
        finally:
            _running.pop()
            observe.scope = before

    def _path(self, outer: str) -> str:
        """Where this module stands in the module that calls it."""
        name = type(self).__name__
        if _running:
            for path, module in _running[-1].named_modules():
                if module is self and path:
                    name = path
                    break
        return f"{outer}/{name}" if outer else name

    def _call_hooked(self, *arguments: Any, **options: Any) -> Any:
        for hook in tuple(self._forward_pre_hooks.values()):
            if hook in self._keyword_hooks:
                answer = hook(self, arguments, options)
                if answer is not None:
                    arguments, options = answer
                continue
            answer = hook(self, arguments)
            if answer is not None:
                arguments = answer if isinstance(answer, tuple) else (answer,)
        from engine.dialects.torch.nn.backward_hooks import watch_inputs, watch_outputs

        state: dict[str, Any] = {}
        if self._backward_hooks and modes.enabled:
            arguments = watch_inputs(self, arguments, state)
        result = self.forward(*arguments, **options)
        for hook in tuple(self._forward_hooks.values()):
            given = (arguments, options) if hook in self._keyword_hooks else (arguments,)
            answer = hook(self, *given, result)
            if answer is not None:
                result = answer
        if self._backward_hooks and modes.enabled:
            result = watch_outputs(self, result, state)
        return result

    # -- attributes --
    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if isinstance(value, Parameter):
            if "_parameters" not in own:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name)
            self._parameters[name] = value
            value.__dict__.setdefault("_name", f"{type(self).__name__}.{name}")
            _tell(name, value)
        elif isinstance(value, Module):
            if "_modules" not in own:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name)
            self._modules[name] = value
            _tell(name, value)
        elif "_parameters" in own and name in self._parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{type_name(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            self._parameters[name] = None
        elif "_modules" in own and name in self._modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{type_name(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            self._modules[name] = None
        elif "_buffers" in own and name in self._buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{type_name(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None "
                    "expected)"
                )
            self._buffers[name] = value
        object.__setattr__(self, name, value)

    def _forget(self, name: str) -> None:
        for table in (self._parameters, self._buffers, self._modules):
            if name in table:
                known = table is self._parameters or table is self._modules
                if not known or not isinstance(self.__dict__.get(name), Parameter | Module):
                    del table[name]

    def __delattr__(self, name: str) -> None:
        for table in (self._parameters, self._buffers, self._modules):
            table.pop(name, None)
        object.__delattr__(self, name)

    def __getattr__(self, name: str) -> Any:
        if name in ("_parameters", "_buffers", "_modules", "_hooked"):
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '{name}' (call super().__init__() first)"
            )
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Register a parameter under a name."""
        self._check_name("parameter", name, self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{type_name(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        if param is not None and param._grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. To "
                f"express '{name}' as a function of another Tensor, compute the value in the forward() method."
            )
        if param is not None:
            param.__dict__.setdefault("_name", f"{type(self).__name__}.{name}")
        self._parameters[name] = param
        object.__setattr__(self, name, param)
        _tell(name, param)

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Register a tensor that belongs to the state but is no parameter."""
        self._check_name("buffer", name, self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{type_name(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        if not persistent:
            self._transient.add(name)
        object.__setattr__(self, name, tensor)

    def add_module(self, name: str, module: Module | None) -> None:
        """Register a submodule under a name."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{type_name(module)} is not a Module subclass")
        self._check_name("module", name, self._modules)
        self._modules[name] = module
        object.__setattr__(self, name, module)
        _tell(name, module)

    register_module = add_module

    def _check_name(self, kind: str, name: str, table: Mapping[str, Any]) -> None:
        """Refuse a name that cannot be one, or is taken by something else."""
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {type(name).__name__}")
        if name not in table and (name in self.__dict__ or hasattr(type(self), name)):
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            words = 'module name can\'t contain ".", got: ' + name
            raise KeyError(words if kind == "module" else f'{kind} name can\'t contain "."')
        if name == "":
            quoted = 'empty string ""'
            raise KeyError(f"{kind} name can't be {quoted}")

    # -- walks --
    def children(self) -> Iterator[Module]:
        for _, module in self.named_children():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        seen: set[Module] = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def modules(self) -> Iterator[Module]:
        for _, module in self.named_modules():
            yield module

    def named_modules(
        self, memo: set[Module] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        seen = set() if memo is None else memo
        if self in seen:
            return
        if remove_duplicate:
            seen.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(seen, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        yield from self._named("_parameters", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        yield from self._named("_buffers", prefix, recurse, remove_duplicate)

    def _named(self, table: str, prefix: str, recurse: bool, once: bool) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        for path, module in self.named_modules(prefix=prefix) if recurse else [(prefix, self)]:
            for name, value in module.__dict__[table].items():
                if value is None or (once and id(value) in seen):
                    continue
                seen.add(id(value))
                yield (f"{path}.{name}" if path else name), value

    def get_parameter(self, target: str) -> Any:
        """The parameter at a path: ``"encoder.weight"``."""
        owner, name = self._owner(target)
        if name not in owner._parameters:
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return owner._parameters[name]

    def get_buffer(self, target: str) -> Any:
        """The buffer at a path: ``"norm.running_mean"``."""
        owner, name = self._owner(target)
        if name not in owner._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return owner._buffers[name]

    def _owner(self, target: str) -> tuple[Module, str]:
        """The module that has what a path names, and the path's last part."""
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if not hasattr(owner, name):
            raise AttributeError(f"{type(owner).__name__} has no attribute `{name}`")
        return owner, name

    def get_submodule(self, target: str) -> Module:
        module: Module = self
        for part in target.split(".") if target else []:
            if part not in module._modules:
                if hasattr(module, part):
                    raise AttributeError(f"`{part}` is not an nn.Module")
                raise AttributeError(f"{type(module).__name__} has no attribute `{part}`")
            module = module._modules[part]
        return module

    # -- changes --
    def apply(self, fn: Callable[[Module], Any]) -> Module:
        """Call ``fn`` on every submodule, then on this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Module:
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        for module in self.modules():
            object.__setattr__(module, "training", mode)
        return self

    def eval(self) -> Module:
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        from engine.dialects.torch.optim.optimizer import clear_grad

        for parameter in self.parameters():
            clear_grad(parameter, set_to_none)

    def to(self, *arguments: Any, **options: Any) -> Module:
        wanted = options.get("dtype")
        for argument in arguments:
            if isinstance(argument, dtype):
                wanted = argument
            elif not isinstance(argument, bool | Tensor):
                check_device(argument)
        check_device(options.get("device"))
        return self if wanted is None else self._convert(wanted)

    def _convert(self, wanted: Any) -> Module:
        from engine.dialects.torch.types import as_array_dtype

        kind = as_array_dtype(wanted)
        for value in [*self.parameters(), *self.buffers()]:
            if value._array.dtype.kind == "f":
                value._array = value._array.astype(kind)
                if value._grad is not None:
                    value._grad = cast(value._grad, wanted)  # type: ignore[arg-type]
        return self

    def float(self) -> Module:
        from engine.dialects.torch.types import BY_NAME

        return self._convert(BY_NAME["float32"])

    def double(self) -> Module:
        from engine.dialects.torch.types import BY_NAME

        return self._convert(BY_NAME["float64"])

    def half(self) -> Module:
        from engine.dialects.torch.types import BY_NAME

        return self._convert(BY_NAME["float16"])

    def cpu(self) -> Module:
        return self

    def cuda(self, device: Any = None) -> Module:
        check_device("cuda")
        return self

    def share_memory(self) -> Module:
        return self

    # -- hooks --
    def _hook(self, table: dict[int, Any], hook: Any) -> RemovableHandle:
        object.__setattr__(self, "_hooked", True)
        return RemovableHandle(table, hook)

    def register_forward_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        return self._with_keywords(self._forward_hooks, hook, prepend, with_kwargs)

    def register_forward_pre_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        return self._with_keywords(self._forward_pre_hooks, hook, prepend, with_kwargs)

    def _with_keywords(self, table: dict[int, Any], hook: Any, first: bool, keywords: bool) -> RemovableHandle:
        if keywords:
            self._keyword_hooks.append(hook)
        handle = self._hook(table, hook)
        if first:
            others = {key: value for key, value in table.items() if key != handle.id}
            table.clear()
            table.update({handle.id: hook} | others)
        return handle

    def register_full_backward_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        return self._hook(self._backward_hooks, hook)

    register_backward_hook = register_full_backward_hook

    # -- state --
    def state_dict(self, *_: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
        """Parameters and buffers by their full names."""
        result: Any = OrderedDict() if destination is None else destination
        for name, value in self._parameters.items():
            if value is not None:
                result[prefix + name] = value if keep_vars else value.detach()
        for name, value in self._buffers.items():
            if value is not None and name not in self._transient:
                result[prefix + name] = value if keep_vars else value.detach()
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=result, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        return result

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """Copy values by name into parameters and buffers."""
        from engine.dialects.torch.nn.state import load_state

        return _IncompatibleKeys(*load_state(self, state_dict, strict))

    # -- printing --
    def extra_repr(self) -> str:
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        extra = self.extra_repr()
        extra_lines = extra.split("\n") if extra else []
        children = [f"({name}): {_indent(repr(module))}" for name, module in self._modules.items()]
        lines = extra_lines + children
        text = self._get_name() + "("
        if lines:
            if len(extra_lines) == 1 and not children:
                text += extra_lines[0]
            else:
                text += "\n  " + "\n  ".join(lines) + "\n"
        return text + ")"

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self)})


_running: list[Module] = []
"""The modules whose forward runs, outermost first (only while somebody listens)."""


def _tell(name: str, value: Parameter | Module | None) -> None:
    """Tell whoever listens what the parameters of a new part of a module are called in it."""
    listener = events.listener
    if listener is None:
        return
    if isinstance(value, Module):
        parameters = value.named_parameters(prefix=name)
    else:
        parameters = iter([(name, value)] if isinstance(value, Parameter) else [])
    for path, parameter in parameters:
        if parameter._node >= 0:
            listener.node_named(parameter._node, path)


def _indent(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first, *("  " + line for line in rest)])


def type_name(value: Any) -> str:
    kind = value if isinstance(value, type) else type(value)
    if isinstance(value, FunctionType):
        return _function_name(value)
    module = "" if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}."
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        names = {"float32": "FloatTensor", "int64": "LongTensor", "float64": "DoubleTensor"}
        return f"torch.{names.get(str(value._array.dtype), 'Tensor')}"
    return module + kind.__qualname__


def _function_name(function: FunctionType) -> str:
    """PyTorch's name of a function: ours stand where its functions do."""
    home, name = function.__module__ or "builtins", function.__qualname__
    if not home.startswith("engine.dialects.torch"):
        return name if home == "builtins" else f"{home}.{name}"
    from engine.dialects.torch.nn import functional

    of_layers = home.startswith("engine.dialects.torch.nn") or hasattr(functional, name)
    return f"torch.nn.functional.{name}" if of_layers else f"torch._VariableFunctionsClass.{name}"
