"""From a function to its rewritten twin, with the same globals, closure, defaults and places in the source."""

from __future__ import annotations

import ast
import inspect
import sys
import sysconfig
import textwrap
import types
from collections.abc import Callable
from os.path import dirname
from typing import Any

from engine.bridges.function.autograph import names, operators
from engine.bridges.function.autograph.transform import AG, Transformer

_ENGINE = dirname(dirname(dirname(dirname(__file__))))
_FOREIGN = tuple({_ENGINE, *(sysconfig.get_paths()[key] for key in ("stdlib", "purelib", "platlib"))})
_twins: dict[Any, types.CodeType | None] = {}
_kept: dict[types.CodeType, str] = {}


def is_own(function: types.FunctionType) -> bool:
    """Whether a function belongs to the program: it is neither the engine's, nor a library's."""
    file = function.__code__.co_filename
    return not file.startswith(_FOREIGN) and not file.startswith("<op ") and not hasattr(function, "__autograph__")


def converted(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` with its control flow rewritten; the function itself where that cannot be done (no source, a
    generator)."""
    if isinstance(function, types.MethodType):
        return types.MethodType(converted(function.__func__), function.__self__)
    if not isinstance(function, types.FunctionType) or not is_own(function):
        return function
    code = function.__code__
    if code not in _twins:
        _twins[code] = _rewritten(function)
    twin = _twins[code]
    if twin is None:
        return function
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    cells[AG] = types.CellType(_RUNTIME)
    closure = tuple(cells[name] for name in twin.co_freevars)
    made = types.FunctionType(twin, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__dict__.update(function.__dict__, __autograph__=True)
    made.__qualname__ = function.__qualname__
    return made


def callee(function: Any) -> Any:
    """What to call instead of ``function``: the program's own functions are rewritten too."""
    if (type(function) is type and function in operators.BUILTINS) or function is len:
        return operators.BUILTINS[function]
    if (
        isinstance(function, types.MethodType)
        and isinstance(function.__func__, types.FunctionType)
        and is_own(function.__func__)
    ):
        return types.MethodType(converted(function.__func__), function.__self__)
    if isinstance(function, types.FunctionType) and is_own(function):
        return converted(function)
    return function


_RUNTIME = types.SimpleNamespace(**{name: vars(operators)[name] for name in operators.__all__}, callee=callee)
"""What rewritten source calls."""


def converted_source(function: Callable[..., Any]) -> str:
    """The rewritten source, to look at.

    :raises OSError: there is no source.
    """
    tree = tree_of(function)
    return ast.unparse(ast.fix_missing_locations(Transformer().function(tree)))


def why_not_converted() -> str:
    """For an error: why the statement that needs a value was not rewritten, as far as is known."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        reason = _kept.get(frame.f_code)
        if reason is not None:
            return f"AutoGraph did not convert it: {reason}"
        frame = frame.f_back
    return (
        "AutoGraph did not convert it: use if, while and for on the tensor in the function itself, "
        "or compute with it instead (where)"
    )


def tree_of(function: Callable[..., Any]) -> ast.FunctionDef:
    """The syntax tree of a function, at its lines and columns.

    :raises OSError: the source is not there, or is neither a ``def`` nor a lambda that can be told from others.
    """
    if getattr(function, "__name__", "") == "<lambda>":
        return _lambda_of(function)
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    node = tree.body[0]
    if not isinstance(node, ast.FunctionDef):
        raise OSError("it is no function defined with def")
    ast.increment_lineno(tree, first - 1)
    indent = len(lines[0]) - len(lines[0].lstrip())
    for part in ast.walk(node):
        if hasattr(part, "col_offset"):
            part.col_offset += indent
            part.end_col_offset += indent  # type: ignore[attr-defined]
    return node


def _lambda_of(function: Callable[..., Any]) -> ast.FunctionDef:
    """A lambda as a function that returns. Several that begin in one line are told apart by their parameters, as the
    real AutoGraph does."""
    lines, _ = inspect.findsource(function)
    code: types.CodeType = function.__code__
    here = [
        node
        for node in ast.walk(ast.parse("".join(lines)))
        if isinstance(node, ast.Lambda) and node.lineno <= code.co_firstlineno <= (node.end_lineno or node.lineno)
    ]
    if len(here) > 1:
        wanted = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        here = [node for node in here if _parameters(node.args) == wanted]
    if len(here) != 1:
        raise OSError("several lambdas with the same parameters stand in its line" if here else "it is not in its file")
    node = here[0]
    body = ast.copy_location(ast.Return(node.body), node.body)
    return ast.copy_location(ast.FunctionDef("<lambda>", node.args, [body], [], None), node)


def _parameters(arguments: ast.arguments) -> tuple[str, ...]:
    return tuple(one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def _rewritten(function: types.FunctionType) -> types.CodeType | None:
    code = function.__code__
    try:
        node = tree_of(function)
        if names.yields(node.body):
            raise OSError("it is a generator")
    except (OSError, TypeError, SyntaxError, IndentationError) as error:
        _kept[code] = f"its source cannot be rewritten ({error})"
        return None
    if "__class__" in code.co_freevars:
        _kept[code] = "it uses super()"
        return None
    transformer = Transformer()
    node = transformer.function(node)
    # Free variables stay free: a function around it that binds their names.
    free = [*code.co_freevars, AG]
    bind = [ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None)) for name in free]
    none = ast.arguments([], [], None, [], [], None, [])
    factory = ast.FunctionDef("factory", none, [*bind, node, ast.Return(ast.Name(node.name, ast.Load()))], [], None)
    module = ast.fix_missing_locations(ast.Module([factory], []))
    made = compile(module, code.co_filename, "exec", dont_inherit=True, flags=code.co_flags & 0x1FF0000)
    twin = _find(made, node.name)
    if twin is None:
        return None
    if transformer.kept:
        _kept[twin] = "; ".join(f"line {line}: {why}" for line, why in transformer.kept)
    return twin


def _find(code: types.CodeType, name: str) -> types.CodeType | None:
    """The code of the function itself, inside the function made around it."""
    factory = next(x for x in code.co_consts if isinstance(x, types.CodeType) and x.co_name == "factory")
    return next((x for x in factory.co_consts if isinstance(x, types.CodeType) and x.co_name == name), None)
