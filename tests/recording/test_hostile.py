"""Programs that make it hard to watch them, recorded: they print and end as they do plain, and the trace is valid."""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from engine.recording import record
from engine.trace.reading import printed
from engine.trace.validate import validate

PROGRAMS = {
    "class lies": r"""
class Liar:
    @property
    def __class__(self):
        print("asked for class")
        return list
    def __len__(self): print("len"); return 3
    def __iter__(self): print("iter"); return iter([1])
    def __getitem__(self, i): print("item"); raise IndexError
    def __hash__(self): print("hash"); return 1
    def __eq__(self, o): print("eq"); return True
    def __bool__(self): print("bool"); return False
    def __repr__(self): print("repr"); return "x"
    def __sizeof__(self): print("sizeof"); return 1
    def __dir__(self): print("dir"); return []
    def __format__(self, s): print("format"); return ""
    def __array__(self, *a, **k): print("array"); raise TypeError
    def __index__(self): print("index"); return 1
    def __getattribute__(self, name):
        print("get", name); return object.__getattribute__(self, name)
x = Liar()
y = [x, {"k": x}]
def f(a, *b, **c):
    d = a
    return d
z = f(x, x, k=x)
del x
print("done")
""",
    "metaclass": r"""
class Meta(type):
    def __getattribute__(cls, name):
        print("meta get", name); return type.__getattribute__(cls, name)
    def __eq__(cls, other): print("meta eq"); return True
    def __hash__(cls): print("meta hash"); return 7
    def __instancecheck__(cls, o): print("instancecheck"); return True
    def __subclasscheck__(cls, o): print("subclasscheck"); return True
    def __repr__(cls): print("meta repr"); return "M"
    @classmethod
    def __prepare__(m, name, bases, **k):
        print("prepare")
        class D(dict):
            def __setitem__(self, k, v): print("set", k); dict.__setitem__(self, k, v)
            def __getitem__(self, k):
                print("look", k); return dict.__getitem__(self, k)
        return D()
    def mro(cls): print("mro"); return type.mro(cls)
class A(metaclass=Meta):
    x = 1
    y = x + 1
    def f(self): return self
    del x
a = A()
b = a.f()
c = [a, A]
print(isinstance(3, A), issubclass(int, A))
""",
    "del order": r"""
class D:
    def __init__(self, n): self.n = n
    def __del__(self): print("del", self.n)
def f():
    a = D("a"); b = D("b"); c = [D("c1"), D("c2")]
    a = D("a2")
    del b
    print("end f")
f()
x = D("x")
y = x
x = None
print("still")
y = D("y2")
for i in range(2):
    d = D(i)
try:
    e = D("in try")
    raise ValueError(D("arg"))
except ValueError as error:
    print("caught")
print("after")
l = lambda v: D("lambda")
l(1)
[D(k) for k in "pq"]
with_cycle = D("cycle"); with_cycle.me = with_cycle
del with_cycle
import gc; gc.collect()
g = (D(i) for i in range(3))
next(g)
del g
print("bye")
""",
    "weakrefs": r"""
import weakref, gc
class N: pass
def gone(r): print("gone", r() is None)
a = N()
r = weakref.ref(a, gone)
p = weakref.proxy(a, gone)
f = weakref.finalize(a, print, "finalized")
d = weakref.WeakValueDictionary(k=a)
s = weakref.WeakSet([a])
q = [r, p, d]
print(len(d), len(s))
b = a
del a
print("b holds")
b = 1
print(len(d), len(s), r())
import numpy as np
arr = np.zeros(3)
w = weakref.ref(arr, gone)
v = arr[1:]
del arr
print("view holds", w() is not None)
del v
print(w() is None)
""",
    "generators closed late": r"""
def g(name):
    try:
        while True:
            got = yield name
            print("got", got)
    except GeneratorExit:
        print("exit", name)
        raise
    finally:
        print("finally", name)
a = g("a"); next(a); a.send(1)
b = g("b"); next(b)
b = None
def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2
s = stubborn(); next(s)
try:
    s.close()
except RuntimeError as e:
    print(e)
def delegating():
    r = yield from g("inner")
    print("never", r)
d = delegating(); next(d); d.close()
t = g("thrown"); next(t)
try:
    t.throw(KeyError("k"))
except KeyError as e:
    print("back", e)
c = g("cycle"); next(c)
holder = [c]; holder.append(holder); del c, holder
def never(): yield 1
n = never(); n.close(); del n
print("end of program")
""",
    "async": r"""
import asyncio
async def agen():
    try:
        for i in range(5):
            yield i
            await asyncio.sleep(0)
    finally:
        print("agen closed")
class CM:
    async def __aenter__(self): print("in"); return self
    async def __aexit__(self, *a): print("out", a[0]); return True
async def worker(n):
    await asyncio.sleep(0)
    print("w", n)
    return n * 2
async def main():
    async for i in agen():
        if i == 2: break
    async with CM() as c:
        raise ValueError
    print(await asyncio.gather(*(worker(i) for i in range(3))))
    print([x async for x in agen()])
    t = asyncio.create_task(worker(9))
    t.cancel()
    try:
        await t
    except asyncio.CancelledError:
        print("cancelled")
    async with asyncio.timeout(5):
        await worker(4)
asyncio.run(main())
c = worker(1)
c.close()
""",
    "settrace": r"""
import sys
calls = []
def tracer(frame, event, arg):
    if frame.f_code.co_filename == __file__:
        calls.append((event, frame.f_lineno, frame.f_code.co_name))
    return tracer
def f(x):
    y = x + 1
    return y
print(sys.gettrace(), sys.getprofile())
sys.setprofile(None)
sys.settrace(None)
print(f(1), sys.gettrace())
""",
    "exit hooks": r"""
import atexit, sys
class L:
    def __del__(self): print("del at exit")
keep = L()
@atexit.register
def first(): print("first"); raise ValueError("in hook")
atexit.register(print, "second", sep="-")
def third():
    atexit.register(print, "registered late")
    sys.exit(5)
atexit.register(third)
def hook(t, v, tb): print("hook", t.__name__, v)
sys.excepthook = hook
sys.unraisablehook = lambda u: print("unraisable", u.exc_type.__name__)
class Bad:
    def __del__(self): raise KeyError("in del")
b = Bad(); del b
raise SystemExit("leaving")
""",
    "surrogates": r"""
s = "\ud800a"
d = {s: s, "\udfff": [s]}
class C: pass
c = C(); setattr(c, s, s);
C.__name__ = "q\ud83d"
e = C()
print(ascii(d), len(s))
f = s * 3
try:
    raise ValueError(s)
except ValueError as err:
    print(ascii(err))
def g(**k): return k
print(ascii(g(**{s: 1})))
print("\x00\x1b[31m\u202e\u2028 end")
print(s.encode("utf-8", "surrogatepass"))
raise KeyError(s)
""",
    "huge": r"""
import decimal, fractions
a = 10 ** 20000
b = -a
c = [a, b, 2 ** 64, 2 ** 63, -2 ** 63]
d = fractions.Fraction(a, 3)
e = complex("inf"), float("nan"), -0.0
import numpy as np
f = np.array([2**63], dtype=np.uint64)
g = np.array([2**70, a], dtype=object)
try:
    print(a)
except ValueError as err:
    print(err)
h = "x" * 10_000_000
i = b"y" * 1_000_000
j = list(range(100_000))
k = {n: n for n in range(50_000)}
l = range(10 ** 30)
m = (0,) * 100_000
print(len(h), len(j), f, l)
""",
    "cycles": r"""
a = []; a.append(a)
b = {}; b["b"] = b; b["a"] = a
c = (a, b); a.append(c)
class N:
    __slots__ = ("next", "__dict__")
n = N(); n.next = n; n.__dict__ = n.__dict__; n.x = n
deep = []
for i in range(300):
    deep = [deep]
import collections
q = collections.deque([a]); q.append(q)
dd = collections.defaultdict(lambda: dd); dd["x"]
cm = collections.ChainMap(b, {});
import types
ns = types.SimpleNamespace(); ns.me = ns
s = {1, frozenset({2})}
def f(x): f.x = x; return f
f(f)
o = collections.OrderedDict(); o[1] = o
m = types.MappingProxyType(b)
print(len(a), len(b), ns is ns.me)
print(a)
""",
    "arrays": r"""
import numpy as np
base = np.arange(12).reshape(3, 4)
v = base[::2, ::-1]; t = base.T; z = base[:0]; b = np.broadcast_to(base[0], (5, 4))
v[0, 0] = 99
s = np.zeros(3, dtype=[("a", "i4"), ("b", "f8", (2,)), ("c", "U5")])
s["a"] = 7; s[1]["b"] = [1, 2]; s["c"] = "q\u4e2d"
r = np.rec.array([(1, 2.0)], dtype=[("x", int), ("y", float)])
m = np.ma.array([1, 2, 3], mask=[0, 1, 0])
o = np.empty(2, dtype=object); o[0] = o
dt = np.array(["2020-01-01", "NaT"], dtype="datetime64[D]"); td = dt - dt
st = np.array(["a\x00b", "c"]); by = np.array([b"x\xff"])
sc = np.float16(1.5), np.longdouble(1) / 3, np.complex64(1 + 2j), np.bool_(True), np.void(b"abc")
zd = np.array(5); e = np.zeros((0, 3)); big = np.broadcast_to(np.float32(1), (10**6, 10**6))
mm = np.lib.stride_tricks.as_strided(base, (2, 2), (32, 8))
class Sub(np.ndarray):
    def __array_finalize__(self, obj): print("finalize", obj is None)
    def __array_ufunc__(self, *a, **k): print("ufunc", a[0].__name__); return NotImplemented
    def __array_function__(self, f, *a): print("function", f.__name__); return NotImplemented
    def min(self, *a, **k): print("min"); return 0
    def tobytes(self, *a): print("tobytes"); return b""
    @property
    def shape(self): print("shape"); return (9,)
    @property
    def dtype(self): print("dtype"); return float
    def __len__(self): print("len"); return 1
u = base.view(Sub)
w = u
base.flags.writeable = False
be = np.arange(3, dtype=">i4")
sw = be.byteswap()
print(base.sum(), v.base is base, s.nbytes, m.sum(), be.tolist())
big_view = memoryview(bytearray(b"abc"))[1:]
print(big_view.tolist())
""",
    "signals": r"""
import signal, os, threading, time
def handler(n, f):
    print("signal", n, f.f_lineno > 0)
signal.signal(signal.SIGUSR1, handler)
signal.raise_signal(signal.SIGUSR1)
print(signal.getsignal(signal.SIGUSR1) is handler)
signal.signal(signal.SIGALRM, lambda n, f: (_ for _ in ()).throw(TimeoutError("alarm")))
signal.setitimer(signal.ITIMER_REAL, 0.02)
try:
    while True:
        time.sleep(0.001)
except TimeoutError as e:
    print(e)
""",
    "threads": r"""
import threading
out = []
def work(n):
    for i in range(20):
        x = i * n
        out.append(x)
    def inner(): return n
    out.append(inner())
ts = [threading.Thread(target=work, args=(n,)) for n in range(4)]
for t in ts: t.start()
for t in ts: t.join()
print(len(out), sum(out))
lock = threading.local(); lock.x = 1
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(2) as ex:
    print(list(ex.map(lambda v: v + 1, range(5))))
def bad(): raise ValueError("in thread")
""",
    "frames": r"""
import sys, inspect
def f(a):
    b = 2
    fr = sys._getframe()
    print(sorted(k for k in fr.f_locals if k != "fr"), fr.f_code.co_name, fr.f_lineno, fr.f_back.f_code.co_name)
    print(sorted(locals()) == ["a", "b", "fr"], sorted(vars()) == ["a", "b", "fr"])
    return [i for i in range(3)]
f(1)
print(f.__code__.co_varnames, f.__code__.co_argcount, f.__code__.co_freevars)
print(inspect.signature(f), inspect.getsource(f).splitlines()[0])
print(sorted(k for k in globals() if not k.startswith("__")))
class C:
    x = 1
    print(sorted(locals()))
exec("q = 1\nprint(sorted(k for k in locals() if not k.startswith('__'))[:3])")
print(eval("[n for n in (1,2)]"), eval("(lambda: q)()"))
code = compile("z = 5\nfor i in range(2): z += i\nprint(z)", "<mine>", "exec")
exec(code)
ns = {}
exec("def h(x):\n    return x * 2\n", ns)
print(ns["h"](4), sorted(ns)[:1])
import dis
print(inspect.currentframe().f_lineno)
""",
    "match": r"""
class P:
    __match_args__ = ("x", "y")
    def __init__(s, x, y): s.x, s.y = x, y
def m(v):
    match v:
        case P(x=0, y=yy) if yy > 1: return "zero", yy
        case P(a, b): return a, b
        case [first, *rest]: return first, rest
        case {"k": kk, **others}: return kk, others
        case str() as s: return s
        case 1 | 2 as n: return n
        case None: return None
        case _: return "other"
for v in (P(0, 2), P(1, 1), [1, 2, 3], {"k": 1, "j": 2}, "s", 2, None, 3.5):
    print(m(v))
def tf():
    for i in range(3):
        try:
            if i == 1: continue
            if i == 2: return "ret"
        finally:
            print("fin", i)
            if i == 5: break
    return "end"
print(tf())
def nested():
    try:
        try:
            1 / 0
        finally:
            x = 1
            print(x)
    except ZeroDivisionError as e:
        print(type(e.__context__), e)
        try:
            raise KeyError from None
        except KeyError:
            pass
    else:
        print("no")
    try:
        e
    except NameError as ne:
        print("unbound", ne)
nested()
try:
    raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
except* ValueError as eg:
    print(eg.exceptions)
except* TypeError as eg:
    print("t", eg.exceptions)
del m
try: m
except NameError as e: print(e)
""",
    "descriptors": r"""
class Desc:
    def __get__(self, o, t): print("get"); return 1
    def __set__(self, o, v): print("set", v)
    def __delete__(self, o): print("delete")
    def __set_name__(self, o, n): print("name", n)
class A:
    d = Desc()
    def __setattr__(self, n, v): print("setattr", n); object.__setattr__(self, n, v)
    def __delattr__(self, n): print("delattr", n); object.__delattr__(self, n)
a = A()
a.d = 5
a.x = 6
a.x += 1
del a.d, a.x
class L(list):
    def __iter__(self): print("iter"); return super().__iter__()
    def __len__(self): print("len"); return 100
    def __getitem__(self, i): print("getitem"); return super().__getitem__(i)
    def __setitem__(self, i, v): print("setitem"); super().__setitem__(i, v)
l = L([1, 2]); l[0] = 3; l += [4]; l[0] += 1
class D(dict):
    def items(self): print("items"); return super().items()
    def keys(self): print("keys"); return super().keys()
    def __missing__(self, k): print("missing", k); return 0
d = D(a=1); d["b"] += 1
class I(int):
    def __str__(self): print("str"); return "i"
    def __repr__(self): print("repr"); return "i"
i = I(3)
class S(str):
    def __str__(self): print("str"); return "s"
    def __len__(self): print("slen"); return 5
    def encode(self, *a): print("encode"); return b""
s = S("abc")
x, (y, *z) = 1, (2, 3, 4)
class T(tuple):
    def __iter__(self): print("titer"); return tuple.__iter__(self)
p, q = T((1, 2))
""",
    "del raises and resurrects": r"""
kept = []
class R:
    def __del__(self):
        kept.append(self)
        print("resurrected", len(kept))
r = R()
del r
kept[0].v = 1
x = kept.pop()
x = None
print(len(kept))
class K:
    def __init__(self): self.other = None
    def __del__(self): print("K"); raise ValueError("ignored")
k = K(); k = None
for i in range(2):
    k = K()
    k.other = [k]
    k = None
import gc
print(gc.collect() > 0)
gc.disable(); print(gc.isenabled()); gc.enable()
""",
}


def without_addresses(text: str) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x", text)


@pytest.mark.parametrize("name", PROGRAMS)
def test_watching_changes_nothing(name: str, tmp_path: Path, plain: Callable[[Path], CompletedProcess[bytes]]) -> None:
    path = tmp_path / "main.py"
    path.write_text(PROGRAMS[name], encoding="utf-8")
    expected = plain(path)
    gc.collect()  # what a hook of the program before has kept alive is none of this one's
    trace = record(PROGRAMS[name], str(path))
    assert printed(trace) == expected.stdout.decode("utf-8", "surrogateescape")
    assert without_addresses(printed(trace, 2)) == without_addresses(expected.stderr.decode())
    assert trace["end"]["exit_code"] == expected.returncode
    assert not trace["program"]["notes"]
    validate(trace)
    assert json.loads(json.dumps(trace, allow_nan=False).encode("utf-8")) == trace


@pytest.mark.parametrize(
    ("array", "shape", "counts"),
    [
        ("np.broadcast_to(np.float32(1), (10**6, 10**6))", [10**6, 10**6], (1.0, 1.0, 0)),
        ("np.broadcast_to(np.arange(1000.0), (1000, 1000, 1000))", [1000, 1000, 1000], (0.0, 999.0, 10**6)),
        ("np.broadcast_to(np.zeros((5, 900, 1)), (5, 900, 800))", [5, 900, 800], (0.0, 0.0, 3_600_000)),
    ],
)
def test_a_broadcast_of_any_size_is_summarised(array: str, shape: list[int], counts: tuple[float, float, int]) -> None:
    trace = record(f"import numpy as np\nx = {array}\n")
    [found] = [one for one in trace["values"] if one.get("shape") == shape]
    assert (found["min"], found["max"], found["zeros"]) == counts
    assert (found["grid"]["rows"], found["grid"]["columns"], len(found["head"])) == (24, 24, 8)


def test_windows_over_one_memory_are_not_counted_one_by_one() -> None:
    trace = record("import numpy as np\nx = np.lib.stride_tricks.sliding_window_view(np.zeros(10**6), 10**5)\n")
    assert trace["end"]["kind"] == "ok"
    assert {"python": "ndarray", "text": "<ndarray>"} in trace["values"]
