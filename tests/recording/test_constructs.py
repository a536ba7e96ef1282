"""Every construct that runs code: what it prints stands at its own line, in its own call."""

from __future__ import annotations

import pytest

from engine.recording import record
from engine.trace.reading import table

CASES = {
    "lambda": (
        'f = lambda x: (\n    print("a"),\n    print("b"))\ndef g():\n    f(1)\ng()\n',
        [("a", 2, "<lambda> g"), ("b", 3, "<lambda> g")],
    ),
    "a lambda left by an error": (
        'f = lambda: [][0]\ndef g():\n    try:\n        f()\n    except IndexError:\n        print("caught")\n'
        'def h():\n    import contextlib\n    with contextlib.suppress(IndexError):\n        [f() for _ in "a"]\n'
        '    print("after")\ng()\nh()\nprint("end")\n',
        [("caught", 6, "g"), ("after", 11, "h"), ("end", 14, "")],
    ),
    "a lambda in a lambda": (
        'add = lambda a: lambda b: print(a + b)\ndef g(f): return [f(i) for i in (1, 2)]\ng(add(3))\n',
        [("4", 1, "<lambda> <listcomp> g"), ("5", 1, "<lambda> <listcomp> g")],
    ),
    "what a comprehension goes through": (
        'def it():\n    print("it")\n    return "ab"\nx = {k: v for k in it() for v in it() if print("if") is None}\n',
        [("it", 2, "it"), *[("it", 2, "it <dictcomp>"), ("if", 4, "<dictcomp>"), ("if", 4, "<dictcomp>")] * 2],
    ),
    "comprehension": (
        'def g():\n    return [print(i)\n            for i in "a"]\ng()\n{print(j) for j in "b"}\n',
        [("a", 2, "<listcomp> g"), ("b", 5, "<setcomp>")],
    ),
    "generator expression": (
        'def g(it):\n    for x in it: print("got")\ng(print("make") for i in range(1))\n',
        [("make", 3, "g"), ("got", 2, "g")],
    ),
    "exec": ('def g():\n    exec("print(1)\\nprint(2)")\ng()\n', [("1", 2, "<string> g"), ("2", 2, "<string> g")]),
    "eval": ('def g():\n\n    eval("print(1)")\ng()\n', [("1", 3, "g")]),
    "compile": (
        'code = compile("x = 1\\nprint(x)", "<mine>", "exec")\n\n\ndef g():\n    exec(code)\ng()\n', [("1", 5, "g")],
    ),
    "decorator": (
        'def deco(f):\n    print("deco")\n    def inner(*a):\n        print("inner")\n        return f(*a)\n'
        '    return inner\n@deco\ndef h():\n    print("h")\nh()\n',
        [("deco", 2, "deco"), ("inner", 4, "inner"), ("h", 9, "h inner")],
    ),
    "closure": (
        "def outer():\n    n = 0\n    def inc():\n        nonlocal n\n        n += 1\n        print(n)\n"
        "    return inc\ni = outer()\ni()\ni()\n",
        [("1", 6, "inc"), ("2", 6, "inc")],
    ),
    "match": (
        'def m(v):\n    match v:\n        case [a, b] if print("guard") is None:\n            print("pair")\n'
        '        case _:\n            print("other")\nm([1, 2])\nm(3)\n',
        [("guard", 3, "m"), ("pair", 4, "m"), ("other", 6, "m")],
    ),
    "try and finally": (
        'def t():\n    try:\n        print("try")\n        1 / 0\n'
        '    except ZeroDivisionError:\n        print("except")\n'
        '    finally:\n        print("finally")\n    print("after")\nt()\n',
        [("try", 3, "t"), ("except", 6, "t"), ("finally", 8, "t"), ("after", 9, "t")],
    ),
    "generator": (
        'def g():\n    print("one")\n    yield 1\n    print("two")\n    yield 2\ndef use():\n    for x in g():\n'
        '        print("got")\nuse()\n',
        [("one", 2, "g use"), ("got", 8, "use"), ("two", 4, "g use"), ("got", 8, "use")],
    ),
    "a generator that others resume": (
        'def g():\n    while True:\n        yield\n        print("on")\nit = g()\nnext(it)\ndef a(): next(it)\n'
        "def b(): next(it)\na()\nb()\n",
        [("on", 4, "g"), ("on", 4, "g")],
    ),
    "yield from": (
        'def a():\n    print("a1")\n    yield 1\n    print("a2")\ndef b():\n    yield from a()\n    print("b")\n'
        'for x in b():\n    print("x")\n',
        [("a1", 2, "a b"), ("x", 9, ""), ("a2", 4, "a b"), ("b", 7, "b")],
    ),
    "coroutine that is awaited": (
        'import asyncio\nasync def w():\n    await asyncio.sleep(0)\n    print("w")\nasync def main():\n    await w()\n'
        '    print("end")\nasyncio.run(main())\n',
        [("w", 4, "w main"), ("end", 7, "main")],
    ),
    "tasks": (
        'import asyncio\nasync def w(n):\n    print("a", n)\n    await asyncio.sleep(0)\n    print("b", n)\n'
        "async def main():\n    await asyncio.gather(w(1), w(2))\nasyncio.run(main())\n",
        [("a 1", 3, "w"), ("a 2", 3, "w"), ("b 1", 5, "w"), ("b 2", 5, "w")],
    ),
    "asynchronous generator": (
        'import asyncio\nasync def g():\n    for i in range(2):\n        print("make")\n        yield i\n'
        'async def main():\n    async for x in g():\n        print("got")\nasyncio.run(main())\n',
        [("make", 4, "g main"), ("got", 8, "main"), ("make", 4, "g main"), ("got", 8, "main")],
    ),
    "context manager": (
        'import contextlib\n@contextlib.contextmanager\ndef cm():\n    print("in")\n    yield\n    print("out")\n'
        'def f():\n    with cm():\n        print("body")\nf()\n',
        [("in", 4, "cm f"), ("body", 9, "f"), ("out", 6, "cm f")],
    ),
    "class body, method, property": (
        'class A:\n    print("body")\n    @property\n    def p(self):\n        print("p")\n        return 1\n'
        '    def __enter__(self): print("enter")\n    def __exit__(self, *a): print("exit")\na = A()\na.p\n'
        'with a:\n    print("in")\n',
        [("body", 2, "A"), ("p", 5, "p"), ("enter", 7, "__enter__"), ("in", 12, ""), ("exit", 8, "__exit__")],
    ),
    "deleted name": (
        'def f():\n    x = 1\n    del x\n    try:\n        x\n    except NameError:\n        print("name")\nf()\n',
        [("name", 7, "f")],
    ),
    "recursion": (
        "def f(n):\n    if n: f(n - 1)\n    print(n)\nf(2)\n", [("0", 3, "f f f"), ("1", 3, "f f"), ("2", 3, "f")],
    ),
    "default value": (
        'def f(x=print("default")):\n    print("body")\nf()\n', [("default", 1, ""), ("body", 2, "f")],
    ),
    "called by the library": (
        'def key(v):\n    print("key")\n    return v\ndef g():\n    sorted([1], key=key)\ng()\n', [("key", 2, "key g")],
    ),
    "an error that a with-block swallows": (
        "import contextlib\ndef f():\n    with contextlib.suppress(ValueError):\n        raise ValueError\n"
        '    print("after")\nf()\nprint("module")\n',
        [("after", 5, "f"), ("module", 7, "")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_step_has_its_line_and_its_calls(name: str) -> None:
    source, expected = CASES[name]
    trace = record(source)
    assert trace["end"]["kind"] == "ok"
    strings, frames, outputs = trace["strings"], table(trace, "frames"), table(trace, "events.output")
    found = []
    for step in table(trace, "steps"):
        if strings[step["kind"]] != "output":
            continue
        piece, calls, frame = outputs[step["row"]], [], step["frame"]
        while frame > 0:
            calls.append(strings[frames[frame]["function"]])
            frame = frames[frame]["parent"]
        text = trace["stdout"][piece["offset"] : piece["offset"] + piece["length"]].strip()
        found.append((text, step["line"], " ".join(calls)))
    assert found == expected
