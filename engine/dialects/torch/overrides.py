"""Functions of the dialect that ask somebody else first, for as long as a program is traced.

PyTorch looks at the arguments of every call for a type of its own (``__torch_function__``). Here nobody pays for that
until somebody traces: :func:`overriding` lends each public function another body, and gives the own one back at the
end, so a program may hold the function under any name (``from torch import relu``, ``self.act = F.relu``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import engine
from engine.dialects.torch.tensor import Tensor

_ENGINE = os.path.dirname(os.path.abspath(engine.__file__)) + os.sep
Handler = Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]
"""Gets the function and its arguments; ``NotImplemented`` lets the function run."""

NAMES: dict[Callable[..., Any], str] = {}
"""The functions of the dialect, and where a program finds them (``torch.relu``)."""

QUALIFIED: dict[Any, str] = {}
"""What else graphs may call, and its name."""

_IN_C = (
    "linear gelu softplus logsigmoid hardshrink softshrink prelu avg_pool1d avg_pool2d one_hot pad conv1d conv2d "
    "conv_transpose1d conv_transpose2d pixel_shuffle cosine_similarity pairwise_distance adaptive_avg_pool1d"
)
_BUILTIN = frozenset(_IN_C.split())
"""Names of ``torch.nn.functional`` that stand for functions written in C++; the rest of them is Python."""
_NATIVE = frozenset({"linear", "gelu", "softplus", "avg_pool2d", "pad", "one_hot"})

_TAKE_NO_TENSORS = (
    "tensor as_tensor from_numpy zeros ones empty full eye arange linspace logspace rand randn randint randperm normal "
    "manual_seed seed save load set_printoptions get_rng_state set_rng_state is_tensor finfo iinfo get_default_dtype "
    "set_default_dtype set_default_device get_default_device set_num_threads get_num_threads initial_seed compile "
    "typename set_grad_enabled is_grad_enabled is_inference_mode_enabled get_num_interop_threads vmap cond"
)
MAKERS = frozenset({"zeros", "ones", "empty", "full", "rand", "randn", "randint", "arange"})
"""Constructors that a trace writes down."""
_CONSTRUCTORS = frozenset(_TAKE_NO_TENSORS.split()) - MAKERS
"""What takes no tensors."""

_overriders: list[Handler] = []


def twin(function: FunctionType) -> FunctionType:
    """The same function once more, as an object of its own."""
    made = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__doc__, made.__annotations__ = function.__doc__, function.__annotations__
    return made


def register(modules: Mapping[str, ModuleType]) -> None:
    """Note what the functions of these modules are called. Where ``torch.nn.functional`` has a function of its own in
    PyTorch, and shares it with ``torch`` here, ``torch`` gets a twin.

    What takes no tensors is left out, but for :data:`MAKERS`.
    """
    functional: Any = modules["torch.nn.functional"].__dict__
    plain: Any = modules["torch"].__dict__
    for name, value in list(functional.items()):
        if isinstance(value, FunctionType) and plain.get(name) is value and name not in _BUILTIN:
            if name in ("tanh", "sigmoid"):  # which call the method
                functional[name] = _twins.setdefault(value, twin(value))
                NAMES.setdefault(functional[name], f"torch.Tensor.{name}")
            else:
                plain[name] = _twins.setdefault(value, twin(value))
    for path in ("torch", "torch.nn.functional", "torch.linalg", "torch.special", "torch.fft"):
        module = modules.get(path)
        for name, value in () if module is None else module.__dict__.items():
            if isinstance(value, FunctionType) and not name.startswith("_") and name not in _CONSTRUCTORS:
                home = "torch._C._nn" if path == "torch.nn.functional" and name in _NATIVE else path
                NAMES.setdefault(value, f"{home}.{name}")
                inner = getattr(value, "__wrapped__", None)  # what the engine itself calls
                if isinstance(inner, FunctionType):
                    NAMES.setdefault(inner, f"{home}.{name}")
    for name in dir(Tensor):
        value = getattr(Tensor, name)
        if isinstance(value, FunctionType) and (not name.startswith("_") or name in OPERATORS):
            NAMES.setdefault(value, f"torch.Tensor.{name}")


_twins: dict[FunctionType, FunctionType] = {}

_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "matmul", "lshift", "rshift")
_LOOKS = ("bool", "int", "float", "index", "iter", "len")
"""Where a program asks for values."""
_OTHER = ("eq", "ne", "lt", "le", "gt", "ge", "neg", "invert", "abs", "getitem")
OPERATORS = frozenset(f"__{side}{name}__" for name in _BINARY for side in ("", "r", "i")) | {
    f"__{name}__" for name in (*_OTHER, "setitem", *_LOOKS)
}


@contextmanager
def overriding(handler: Handler) -> Iterator[None]:
    """Inside this block ``handler`` is asked at every call of a function of the dialect, except while it runs."""
    _overriders.append(handler)
    if len(_overriders) == 1:
        for function in NAMES:
            function.__code__ = _lent_body(function)
    try:
        yield
    finally:
        _overriders.pop()
        if not _overriders:
            for function in NAMES:
                function.__code__ = _own[function].__code__


@contextmanager
def refusing(words: Mapping[str, str]) -> Iterator[None]:
    """Inside this block these methods of tensors raise a RuntimeError with these words, for the program (the engine's
    own code goes on using them)."""
    own = {name: getattr(Tensor, name) for name in words}

    def refusal(name: str) -> Callable[..., Any]:
        def method(self: Any, *arguments: Any, **options: Any) -> Any:
            if sys._getframe(1).f_code.co_filename.startswith(_ENGINE):
                return own[name](self, *arguments, **options)
            raise RuntimeError(words[name])

        return method

    for name in words:
        setattr(Tensor, name, refusal(name))
    try:
        yield
    finally:
        for name, method in own.items():
            setattr(Tensor, name, method)


_own: dict[Callable[..., Any], FunctionType] = {}
_lent: dict[Callable[..., Any], CodeType] = {}


def original(function: Callable[..., Any]) -> Callable[..., Any]:
    """What ``function`` does when nobody overrides it."""
    return _own.get(function, function)


def _lent_body(function: Any) -> CodeType:
    """Code that asks the innermost handler, and calls the function's own body unless that answers."""
    if function not in _own:
        _own[function] = twin(function)

        def ask(arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
            if _overriders:
                handler = _overriders.pop()  # what the handler itself calls is asked one further out
                try:
                    answer = handler(function, arguments, options)
                finally:
                    _overriders.append(handler)
                if answer is not NotImplemented:
                    return answer
            return _own[function](*arguments, **options)

        code = _template(len(function.__code__.co_freevars))
        constants = tuple(ask if constant == _MARK else constant for constant in code.co_consts)
        _lent[function] = code.replace(co_consts=constants, co_name=function.__name__, co_filename=__file__)
    return _lent[function]


_MARK = "who is asked"


@cache
def _template(cells: int) -> CodeType:
    """Code that asks, for functions with this number of outer variables: a function takes only code with as many."""
    names = [f"_{i}" for i in range(cells)]
    text = "def make():\n"
    text += f"    {' = '.join([*names, 'None'])}\n"
    text += "    def template(*arguments, **options):\n"
    text += f"        ask = {_MARK!r}\n"
    text += f"        if False: {', '.join(names) or 'pass'}\n"
    text += "        return ask(arguments, options)\n"
    text += "    return template\n"
    scope: dict[str, Any] = {}
    exec(text, scope)
    code: CodeType = scope["make"]().__code__
    return code


def is_watched() -> bool:
    """Whether calls of the dialect go to a handler."""
    return bool(_overriders)


def is_innermost(handler: Handler) -> bool:
    """Whether ``handler`` would be asked now."""
    return bool(_overriders) and _overriders[-1] == handler


def contains(value: Any, kind: type | tuple[type, ...]) -> bool:
    """Whether there is a ``kind`` in nested lists, tuples, dictionaries and slices."""
    if isinstance(value, kind):
        return True
    if isinstance(value, tuple | list):
        return any(contains(item, kind) for item in value)
    if isinstance(value, dict):
        return any(contains(item, kind) for item in value.values())
    if isinstance(value, slice):
        return any(contains(item, kind) for item in (value.start, value.stop, value.step))
    return False
