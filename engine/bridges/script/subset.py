"""Which Python can be scripted."""

from __future__ import annotations

import ast

_REFUSED: dict[type[ast.AST], str] = {
    ast.Try: "try has no counterpart in a graph",
    ast.With: "with has no counterpart in a graph",
    ast.ClassDef: "a class cannot be made in a graph",
    ast.FunctionDef: "a function inside cannot be scripted; move it out",
    ast.AsyncFunctionDef: "a function inside cannot be scripted; move it out",
    ast.Lambda: "a lambda cannot be scripted; write what it does in its place",
    ast.Global: "globals cannot be written from a graph; return the value",
    ast.Nonlocal: "outer variables cannot be written from a graph; return the value",
    ast.Import: "import at the top of the file",
    ast.ImportFrom: "import at the top of the file",
    ast.Yield: "a generator cannot be scripted",
    ast.YieldFrom: "a generator cannot be scripted",
    ast.Await: "a coroutine cannot be scripted",
    ast.Delete: "del has no counterpart in a graph",
    ast.Raise: "a graph cannot raise",
    ast.Assert: "a graph cannot raise",
    ast.Match: "match cannot be scripted; use if",
    ast.GeneratorExp: "a generator cannot be scripted; use a loop",
    ast.SetComp: "sets cannot be scripted",
    ast.Set: "sets cannot be scripted",
    ast.JoinedStr: "text cannot be made in a graph",
}


def check(function: ast.FunctionDef) -> list[tuple[int, str]]:
    """What in a function cannot be scripted: lines and reasons, in order.

    >>> tree = ast.parse("def f(x):\\n  with x: pass\\n  x[0] = 1\\n  print(x)").body[0]
    >>> for line, why in check(tree): print(line, why)
    2 with has no counterpart in a graph
    3 writing into a part of a value cannot be scripted; build a new one
    4 print would only run while compiling; return the value
    """
    found = []
    for node in ast.walk(function):
        if node is function:
            continue
        why = _REFUSED.get(type(node), "")
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            why = "writing into a part of a value cannot be scripted; build a new one"
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("print", "input", "exec", "eval")
        ):
            why = f"{node.func.id} would only run while compiling; return the value"
        if why:
            found.append((getattr(node, "lineno", 0), why))
    return sorted(found)
