"""A recorded program prints what the plain one prints, fails as it fails, and ends with its status."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from engine.recording import record
from engine.trace.reading import printed

PROGRAMS = {
    "generators": """
def count(n):
    try:
        for i in range(n):
            got = yield i
            if got:
                print("got", got)
    finally:
        print("closed")
g = count(3)
print(next(g), g.send("x"))
g.close()
def outer():
    value = yield from count(2)
    return value
print(list(outer()))
h = count(5)
next(h)
try:
    h.throw(ValueError("inside"))
except ValueError as error:
    print("caught", error)
print([x * y for x, y in zip(count(2), count(2))])
""",
    "recursion": """
def depth(n):
    global deepest
    deepest = n
    return depth(n + 1)
try:
    depth(0)
except RecursionError as error:
    print(type(error).__name__, deepest)
import sys
print(sys.getrecursionlimit())
sys.setrecursionlimit(500)
try:
    depth(0)
except RecursionError as error:
    print(error, deepest, sys.getrecursionlimit())
import traceback
try:
    depth(0)
except RecursionError as error:
    traceback.print_exc()
    print(len(traceback.extract_tb(error.__traceback__)))
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
print(fib(12))
""",
    "tracebacks": """
import sys, traceback
def f(n):
    if n:
        return f(n - 1)
    return [1][n + 3]
def g():
    try:
        f(2)
    except IndexError as error:
        traceback.print_exc()
        print(traceback.format_exc(limit=1), traceback.format_exception_only(error))
        print([(one.name, one.lineno) for one in traceback.extract_tb(error.__traceback__)])
        try:
            raise KeyError("second")
        except KeyError:
            traceback.print_exc(file=sys.stdout)
    traceback.print_stack()
    print([(one.name, one.lineno) for one in traceback.extract_stack()])
g()
""",
    "names of errors": """
def f():
    try:
        1 / 0
    except ZeroDivisionError as error:
        return str(error)
    finally:
        print("error" in locals())
print(f())
for i in range(3):
    try:
        raise ValueError(i)
    except ValueError as error:
        if i == 1:
            continue
        print(error, error.__traceback__.tb_lineno, error.__traceback__.tb_next)
        if i == 2:
            del error
try:
    print(error)
except NameError as other:
    print(other)
try:
    try:
        raise KeyError("a")
    except KeyError as inner:
        raise
except KeyError as outer:
    print(outer, outer.__context__, "inner" in globals())
""",
    "class bodies": """
class Loud(dict):
    def __getitem__(self, name):
        print("looks up", name)
        return super().__getitem__(name)
class Meta(type):
    @classmethod
    def __prepare__(cls, name, bases):
        return Loud()
class A(metaclass=Meta):
    x = [1]
    x.append(2)
class B:
    __hidden = 1
    y = [__hidden]
    y.append(2)
    del y
    global z
    z = 5
print(B._B__hidden, z, A.x)
""",
    "recursion of generators": """
def walk(n):
    global deepest
    deepest = n
    yield n
    yield from walk(n + 1)
try:
    print(sum(walk(0)))
except RecursionError:
    print(deepest)
""",
    "exec": """
space = {"y": 1}
exec("def f(x):\\n    return x + y\\nz = f(2)", space)
print(space["z"], eval("1 + 1"))
code = compile("print('compiled')", "<there>", "exec")
exec(code)
def g():
    a = 1
    exec("a = 2; b = a")
    return a, sorted(locals())
print(g())
exec("global c\nc = [n for n in range(3)]\nclass K:\n    d = c\nprint(K.d, __name__)")
exec("def gen():\n    x = yield 1\n    print(x)\n    yield from range(2)\nprint(list(gen()))")
for bad in ("z = (", "return 1", b"print('bytes')", "x = 1 is 1"):
    try:
        exec(bad, {}, {})
    except SyntaxError as error:
        print(error)
try:
    exec("\n\ndef f():\n    1 / 0\nf()")
except ZeroDivisionError as error:
    import traceback
    traceback.print_exc()
from builtins import exec as run
run("print('by another name')")
exec("exec('exec(\\'print(1)\\')')")
exec("raise KeyError('inside')")
""",
    "decorators": """
import functools
def twice(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        "inner doc"
        return function(*args, **kwargs), function(*args, **kwargs)
    return inner
@twice
@functools.lru_cache
def add(a, b=2, *rest, key=None, **others):
    "adds"
    return a + b
print(add(1), add.__name__, add.__doc__, add.__wrapped__.__doc__)
import inspect
print(inspect.signature(add), inspect.getsource(add).splitlines()[0])
""",
    "classes": """
'''module doc'''
from __future__ import annotations
import enum, dataclasses, abc
print(__doc__, __name__)
class Meta(type):
    def __new__(mcls, name, bases, space, **options):
        print(name, [key for key in space], options)
        return super().__new__(mcls, name, bases, space)
    def __hash__(cls): raise RuntimeError("no hash")
    def __eq__(cls, other): raise RuntimeError("no comparison")
    @property
    def __name__(cls): raise RuntimeError("no name")
class Base(metaclass=Meta, option=1):
    "doc of base"
    x: int = 3
    __slots__ = ("a", "__private")
    def __init__(self):
        self.a = 1
        self.__private = 2
    def show(self):
        return self.a, self.__private, __class__ is Base.__mro__[0]
base = Base()
print(base.show(), Base.__doc__, Base.__annotations__)
pair = [base, (base, {"k": base})]
class Colour(enum.Enum):
    RED = 1
    GREEN = enum.auto()
    def both(self): return self.name, self.value
print(Colour.GREEN.both(), list(Colour))
@dataclasses.dataclass(order=True)
class Point:
    x: int
    y: int = 0
    def norm(self): return self.x ** 2 + self.y ** 2
print(Point(1), Point(3, 4).norm(), Point(1) < Point(2))
class Child(Point):
    def norm(self):
        return super().norm() + 1
print(Child(1, 1).norm(), locals() is globals(), sorted(k for k in globals() if not k.startswith("__")))
""",
    "try and finally": """
def f(n):
    try:
        if n == 0:
            return "returned"
        if n == 1:
            raise ValueError("one")
        return 1 / 0
    except ValueError as error:
        return f"caught {error}"
    else:
        return "else"
    finally:
        print("finally", n)
print(f(0), f(1))
try:
    f(2)
except ZeroDivisionError as error:
    print(error)
while True:
    try:
        break
    finally:
        print("left")
for i in range(3):
    try:
        continue
    finally:
        print(i, end=" ")
else:
    print("else of for")
try:
    raise ExceptionGroup("many", [ValueError(1), TypeError(2)])
except* ValueError as group:
    print("values", group.exceptions)
except* TypeError:
    print("types")
try:
    error
except NameError as e:
    print(e)
try:
    e
except NameError as e:
    print(e)
""",
    "match": """
def what(value):
    match value:
        case {"kind": kind, **rest} if kind != "no":
            return kind, rest
        case [first, *others]:
            return first, others
        case int(n) | float(n):
            return n
        case str() as text:
            return text
        case _:
            return None
for value in ({"kind": 1, "b": 2}, [1, 2, 3], 4, 2.5, "s", None, {"kind": "no"}):
    print(what(value))
""",
    "scopes": """
def annotated(self, x: int = 1) -> int:
    y: int
    missing.attribute: int
    return x
print(annotated(None))
def outer():
    n = 0
    def inner():
        nonlocal n
        n += 1
        global total
        total = n
        return locals()
    print(inner(), inner())
    return locals().keys()
print(list(outer()), total)
x = 5
def shadow():
    try:
        print(x)
    except UnboundLocalError as error:
        print(error)
    x = 1
    del x
    try:
        x
    except UnboundLocalError as error:
        print(error)
shadow()
print([y for y in range(3) if (z := y) > 0], z, (lambda a, b=2: a + b)(1))
def default(a=[]):
    a.append(1)
    return a
print(default(), default(), {k: v for k, v in zip("ab", (1, 2))})
a, (b, *c), d = 1, (2, 3, 4), 5
a += 1; b = c = [a]
print(a, b, c, d)
with open(__file__) as f, open(f.name) as g:
    print(f.readline() == g.readline())
del a
print("a" in globals())
import os.path as where
assert where.join("a", "b") == "a/b", "never"
if x > 3: print("big")
elif x > 2: print("middle")
else: print("small")
""",
    "stacks": """
import inspect, sys, traceback
print([one.function for one in inspect.stack()], sys._getframe().f_back)
def walk():
    frame, seen = sys._getframe(), []
    while frame:
        seen.append((frame.f_code.co_name, frame.f_lineno))
        frame = frame.f_back
    print(seen, len(inspect.stack()), inspect.currentframe().f_back.f_code.co_name)
    traceback.print_stack(file=sys.stdout)
    print(len(traceback.extract_stack()), inspect.getouterframes(inspect.currentframe())[-1].function)
walk()
for depth in (-1, 0, 1, 5, "x"):
    try:
        print(sys._getframe(depth).f_code.co_name)
    except (ValueError, TypeError) as error:
        print(type(error).__name__)
next(walk() for _ in range(1))
class Body:
    name = sys._getframe(1).f_code.co_name
exec("print(sys._getframe(1).f_code.co_name, sys._getframe(1).f_back)")
try:
    1 / 0
except ZeroDivisionError as error:
    print(error.__traceback__.tb_frame.f_back)
class Own:
    f_back = "mine"
print(Own.f_back, Own().f_back, sorted([2, 1], key=lambda x: len(inspect.stack())))
try:
    print((3).f_back)
except AttributeError as error:
    print(error)
""",
    "coroutines": """
import asyncio
async def tick(name, n):
    for i in range(n):
        await asyncio.sleep(0)
        print(name, i)
    return name
async def numbers():
    for i in range(2):
        yield i
        await asyncio.sleep(0)
class Manager:
    async def __aenter__(self): return self
    async def __aexit__(self, *what): print("out"); return True
async def main():
    print(await asyncio.gather(tick("a", 2), tick("b", 3)))
    async for number in numbers():
        print(number)
    print([n async for n in numbers()])
    async with Manager():
        raise ValueError
    try:
        await asyncio.wait_for(asyncio.sleep(10), 0.001)
    except TimeoutError:
        print("late")
asyncio.run(main())
""",
    "destruction": """
class Noisy:
    def __init__(self, name): self.name = name
    def __del__(self): print("del", self.name)
def f():
    local = Noisy("local")
    print("in f")
f()
x = Noisy("x")
x = Noisy("second x")
del x
print("after del")
y = [Noisy("in list")]
y.clear()
for n in (Noisy("loop a"), Noisy("loop b")):
    pass
del n
def gen():
    held = Noisy("held")
    yield 1
g = gen(); next(g); del g
print("end")
""",
    "destruction at exit": """
import atexit
class Noisy:
    def __init__(self, name): self.name = name
    def __del__(self): print("del", self.name)
a = Noisy("a")
atexit.register(print, "first registered")
@atexit.register
def last():
    print("exit handler")
""",
    "hostile": """
class Hostile:
    def __getattr__(self, name): raise RuntimeError(name)
    def __eq__(self, other): raise RuntimeError("eq")
    def __bool__(self): raise RuntimeError("bool")
    def __repr__(self): raise RuntimeError("repr")
    def __len__(self): raise RuntimeError("len")
    def __hash__(self): raise RuntimeError("hash")
    def __iter__(self): raise RuntimeError("iter")
    @property
    def __class__(self): raise RuntimeError("class")
h = Hostile()
pair = [h, (h, h), {"h": h}]
h = pair[0]
def take(x):
    y = x
    return y
take(h)
class Text(str):
    def __repr__(self): print("repr called"); return "x"
    __str__ = __repr__
t = Text("a")
class Numbers(list):
    def __iter__(self): print("iter called"); return iter(())
    def __len__(self): print("len called"); return 0
n = Numbers([1])
class Odd(Exception):
    def __str__(self): print("str called"); return "odd"
try:
    raise Odd
except Odd as error:
    print("quiet")
print("done")
""",
    "chained": """
def f():
    try:
        {}["a"]
    except KeyError as error:
        raise ValueError("second") from error
def g():
    try:
        f()
    except ValueError:
        raise TypeError("third")
g()
""",
    "positions": """
def f(a, b):
    return (a
            + b["x"]["y"] * 2)
f(1, {"x": {}})
""",
    "uncaught in a loop": """
for i in range(3):
    while i < 2:
        i = i + [None, 1][1] if i == 0 else undefined
""",
    "notes": """
error = ValueError("noted")
error.add_note("a note")
raise error
""",
    "group": """
raise ExceptionGroup("g", [ValueError("a"), ExceptionGroup("h", [TypeError("b")])])
""",
    "hook": """
import sys
def hook(kind, value, tb):
    print("hook", kind.__name__, value, tb.tb_lineno, tb.tb_next)
sys.excepthook = hook
raise ValueError("to the hook")
""",
    "metaclasses and descriptors": """
class M(type):
    @classmethod
    def __prepare__(mcs, name, bases, **k):
        print("prepare", name, k); return {"pre": 1}
    def __new__(mcs, name, bases, ns, **k):
        print("new", name, sorted(n for n in ns if not n.startswith("__")))
        return super().__new__(mcs, name, bases, dict(ns))
    def __init__(cls, name, bases, ns, **k): print("init", name); super().__init__(name, bases, ns)
    def __call__(cls, *a): print("call", a); return super().__call__(*a)
class D:
    def __set_name__(self, o, n): print("set_name", n); self.n = "_" + n
    def __get__(self, o, t=None):
        print("get", self.n); return self if o is None else getattr(o, self.n, 0)
    def __set__(self, o, v): print("set", v); setattr(o, self.n, v)
class A(metaclass=M, flag=3):
    d = D()
    def __init__(self, v): self.d = v
    def __init_subclass__(cls, **k): print("sub", cls.__name__)
    __slots__ = ("_d", "__weakref__")
a = A(4); a.d += 1; print(a.d)
class B(A): pass
print(B.__mro__[1].__name__, type(B).__name__)
""",
    "order of evaluation": """
n = 0
def tick(x):
    global n
    n += 1
    print("tick", x); return n
print(f"{tick('a')} {tick('b')!r:>{tick('w')+3}} {n=}")
print([y := tick(k) for k in range(2)], y)
if (m := tick("if")) > 2 and (q := m * 2): print(m, q)
while (z := tick("while")) < 9: pass
print(z, tick(1) < tick(2) < tick(3), tick(5) or tick(6), *[tick(i) for i in "xy"], sep="|", end="!\\n")
a, (b, *c), d = 1, (2, 3, 4), tick("d"); print(a, b, c, d)
a = b = [tick("l")]; a += [1]; print(b)
x = {tick("k"): tick("v"), **{}}; print(x)
i = 0; arr = [0, 0]; i, arr[i] = 1, 9; print(arr)
assert tick("as") or 1, tick("never")
""",
    "protocols of loops": """
class It:
    def __init__(s): s.n = 0
    def __iter__(s): print("iter"); return s
    def __next__(s):
        s.n += 1
        if s.n > 3: raise StopIteration
        return s.n
    def __len__(s): print("len"); return 3
    def __bool__(s): print("bool"); return False
    def __contains__(s, x): print("contains"); return x == 1
    def __getitem__(s, i): print("item", i); return i
    def __iadd__(s, o): print("iadd"); return s
    def __enter__(s): print("enter"); return s
    def __exit__(s, *a): print("exit"); return False
i = It()
for x in i: print(x)
else: print("else")
print(1 in i, bool(i), i[3], (i and 4) is i)
i += 1
with i as j: pass
while not i: break
else: print("no")
print(*It(), sep=",")
a, b, c = It(); print(a, b, c)
for i.n in (7,): print(i.n)
for d in [{}]:
    for d["k"] in (1, 2): pass
print(d)
def gen():
    try: yield 1
    finally: print("gen closed")
for v in gen(): break
print("after break")
g = gen(); next(g); del g; print("deleted")
""",
    "groups and tasks": """
import asyncio
class CM:
    async def __aenter__(self): print("in"); await asyncio.sleep(0); return self
    async def __aexit__(self, *a): print("out", a[0]); return True
async def agen(n):
    for i in range(n):
        await asyncio.sleep(0); yield i
async def main():
    async with CM() as c:
        async for i in agen(3): print(i)
        raise ValueError("x")
    print([i async for i in agen(3) if i])
    print(await asyncio.gather(*(one(k) for k in range(3))))
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(bad()); tg.create_task(one(5))
    except* KeyError as eg: print(eg.exceptions)
async def one(k):
    await asyncio.sleep(0); return k*k
async def bad(): raise KeyError("k")
asyncio.run(main())
""",
    "changed while read": """
d = {"a": 1}
try:
    for k in d: d[k + "x"] = 1
except RuntimeError as e: print(e)
l = [1, 2, 3]
for x in l:
    if len(l) < 8: l.append(x)
print(l)
s = {1}
try:
    for v in s: s.add(v + 100)
except RuntimeError as e: print(e)
import collections
c = collections.Counter("abracadabra"); c.update("zz"); print(c.most_common(2))
dd = collections.defaultdict(list); dd["x"].append(1); print(dd)
od = collections.OrderedDict(a=1); od.move_to_end("a"); dq = collections.deque([1,2], 2); dq.append(3); print(od, dq)
m = [[0] * 3] * 2; m[0][0] = 5; print(m)
def f(a=[]): a.append(len(a)); return a
f(); print(f(), f.__defaults__)
del d["a"]; d |= {"q": 2}; d.setdefault("w", []).append(3); print(d)
""",
    "cleaning up": """
import functools, contextlib
def d(*tags):
    print("make", tags)
    def w(fn):
        print("wrap", fn.__name__)
        @functools.wraps(fn)
        def i(*a, **k):
            print("before", a, k)
            try: return fn(*a, **k)
            finally: print("after")
        return i
    return w
@d("a")
@d("b", 2)
def f(x, /, y, *z, k=1, **o): return x, y, z, k, o
print(f(1, 2, 3, *[4, 5], k=6, **{"q": 7}), f.__name__, f.__wrapped__.__name__)
@functools.lru_cache
def fib(n): return n if n < 2 else fib(n-1) + fib(n-2)
print(fib(60), fib.cache_info())
@contextlib.contextmanager
def cm(n):
    print("enter", n)
    try: yield n * 2
    except ValueError as e: print("sup", e)
    finally: print("exit", n)
with cm(1) as a, cm(2) as b:
    print(a, b); raise ValueError("v")
def t():
    for i in range(3):
        try:
            if i == 1: continue
            if i == 2: return i
        finally: print("fin", i)
print(t())
""",
    "warnings from far": """
import warnings
def w(): warnings.warn("careful", stacklevel=2)
def far(): warnings.warn("far", stacklevel=9)
w()
far()
warnings.warn("top", stacklevel=3)
""",
    "surrogate": "print('fine: \\u00e9 \\u4e2d')\nprint('\\ud800')\n",
    "streams": """
import sys
print("a", 1, sep="-", end="!\\n")
print("e\\ud800", file=sys.stderr)
sys.stdout.buffer.write(b"bytes\\n")
sys.stdout.write("no newline")
print(sys.stdout.encoding, sys.stdout.errors, sys.stderr.errors, sys.stdout.name, sys.stdin.read())
print(sys.argv[1:], sys.stdout.isatty())
""",
    "exit code": "import sys\nprint('x')\nsys.exit(3)\n",
    "exit text": "import sys\nsys.exit('bye')\n",
    "exit none": "raise SystemExit\n",
    "interrupt": "raise KeyboardInterrupt\n",
    "end of input": "a = input('? ')\n",
    "warning": "x = 1\nif x is 1:\n    print('yes')\nimport warnings\nwarnings.warn('careful')\n",
    "syntax error": "x = 1\ny = torch.tensor([1.0, 2.0)\n",
    "indentation error": "if True:\nx = 1\n",
    "late syntax error": "def f():\n    return\nbreak\n",
    "null": "x = '\\0'\nprint(repr(x))\n",
    "star": "from math import *\nprint(sqrt(4.0))\nfrom os import path, sep as s\nprint(s)\n",
    "empty": "",
    "docstring only": "'''doc'''\n",
    "long integers": "x = 10 ** 5000\ny = [x]\nprint(x % 7)\n",
    "self reference": "x = []\nx.append(x)\nd = {}\nd['d'] = d\nprint(len(x))\n",
    "recursion error": "def f(n):\n    return f(n + 1)\nf(0)\n",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_recorded_is_plain(name: str, tmp_path: Path, plain: Callable[[Path], CompletedProcess[bytes]]) -> None:
    path = tmp_path / "main.py"
    path.write_text(PROGRAMS[name], encoding="utf-8")
    expected = plain(path)
    trace = record(PROGRAMS[name], str(path))
    assert printed(trace) == expected.stdout.decode("utf-8", "surrogateescape")
    assert printed(trace, 2) == expected.stderr.decode()
    code = trace["end"]["exit_code"]
    assert code == (expected.returncode if expected.returncode >= 0 else 128 - expected.returncode)
    assert not trace["program"]["notes"]
