"""Compiling a program with probes."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

from engine.recording.probes import Rewriter
from engine.recording.registration import Registration


class RewriteError(Exception):
    """The program cannot be given probes; the message says why. It can still be run without."""


def marker_for(tree: ast.AST) -> str:
    """A text that no constant of the program contains."""
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    marker, number = "\x00probe:", 0
    while any(marker in text for text in texts):
        number += 1
        marker = f"\x00probe{number}:"
    return marker


def instrument(
    source: str,
    file: str,
    registration: Registration,
    probes: Mapping[str, Callable[..., Any]],
    flags: int = 0,
    *,
    inner: bool = False,
) -> CodeType:
    """Compile ``source`` with probes. ``probes`` has a function for each name in ``program.PROBES``; ``inner`` says it
    is a text inside the program.

    :raises RewriteError: the program does not survive the rewriting.
    """

    def rewrite(tree: ast.Module, marker: str) -> None:
        rewriter = Rewriter(registration, marker)
        if inner:
            rewriter.inner_module(tree)
        else:
            rewriter.module(tree)

    return compile_with(source, file, rewrite, probes, flags)


def compile_with(
    source: str,
    file: str,
    rewrite: Callable[[ast.Module, str], None],
    probes: Mapping[str, Callable[..., Any]],
    flags: int = 0,
) -> CodeType:
    """Compile ``source`` after ``rewrite(tree, marker)`` has put calls of constants ``marker + name`` into its tree;
    ``probes[name]()`` is what they call then.

    :raises RewriteError: the program does not survive the rewriting.
    """
    try:
        # Whoever compiles the plain program has heard its warnings.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, file)
            marker = marker_for(tree)
            rewrite(tree, marker)
            code = compile(tree, file, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, TypeError, RecursionError, AttributeError) as error:
        raise RewriteError(f"the program runs without line steps: {error}") from error
    return _with_probes(code, marker, probes)


def _with_probes(code: CodeType, marker: str, probes: Mapping[str, Callable[..., Any]]) -> CodeType:
    constants: list[Any] = []
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            constants.append(_with_probes(constant, marker, probes))
        elif isinstance(constant, str) and constant.startswith(marker):
            constants.append(probes[constant[len(marker) :]])
        else:
            constants.append(constant)
    return code.replace(co_consts=tuple(constants))
