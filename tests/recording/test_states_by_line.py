"""Before each line, the variables of its call in the recording are those that ``sys.settrace`` sees in a plain run."""

from __future__ import annotations

import sys
from types import FrameType, ModuleType
from typing import Any

import pytest

from engine.recording import record
from engine.trace.reading import table, value

BARE = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<lambda>")
PLAIN = (int, float, str, bool, type(None), list, tuple, dict, set)
State = dict[str, str]

PROGRAMS = {
    "changed by a call inside of an expression": """
lst = [1, 2, 3]
x = lst.pop()
while lst.pop() > 5:
    pass
d = {"a": 1}
if d.setdefault("b", 2):
    y = 3
def f(s):
    s.add(4)
    return s.pop()
st = {4}
r = f(st) + len(d)
q = [st.add(i) for i in range(2)]
assert not d.update(c=3)
w = x, lst.append(9)
def g():
    loc = [3, 2, 1]
    m = loc.reverse()
    n = (loc.append(7), 1)[1]
    return loc.pop()
k = g()
print(x, f"{lst.append(7)}")
for i in lst.copy():
    if lst.append(i) or i:
        u = len(lst)
match lst.pop():
    case 9 | 7 if not lst.append(3):
        v = 1
class Stack:
    def __init__(self):
        self.items = [1]
    def pop(self):
        return self.items.pop()
try:
    raise ValueError(lst.pop())
except ValueError as error:
    args = error.args
s = Stack()
items = s.items
top = s.pop()
end = 0
""",
    "changed inside of a container": """
grid = [[0] * 2 for _ in range(2)]
row = grid[0]
row[1] = 5
same = [[0]] * 2
same[0].append(1)
inner = same[1]
inner.append(2)
both = (row, inner)
d = {"k": row, "g": grid}
d["g"][0][0] = "x"
row.append(3)
def use(g):
    first = g[0]
    first[0] = 9
    return first
k = use(grid)
k.append("k")
def main():
    m = [[1], [2]]
    r = m[0]
    t = (r, 1)
    r.append(3)
    a = 0
    for q in m:
        q.append(0)
    n = {"m": m}
    n["m"][0].clear()
    del r, q
    m[1].append("d")
    rows = m[:]
    rows[0].append(9)
    rows.reverse()
    for r in rows:
        r[:] = [5] * 2
    alias = m[0]
    alias += [7]
    pair = (m[0], rows)
    pair[0].clear()
    return m
end = main()
for grid[0][0] in "pq":
    pass
e = {}
e["k"] = v = []
v.append(1)
end = 0
""",
    "bound on the way": """
def f(x):
    if x or (b := 2):
        y = 1
    while x and (c := x):
        x = 0
    if not x and (d := 0):
        pass
    elif (e := 5) > 3:
        z = e
    v = x and (g := 3)
    t = [h for q in [] if (h := q)]
    print(x or (i := 4), any((j := p) > 3 for p in []), any((o := p) > 3 for p in [5]))
    for s in (k := []):
        pass
    match (m := x):
        case 5:
            pass
    del {}.setdefault("a", [1])[(u := 0)]
    assert (w := 5)
    return y, (aa := 7)
print(f(1))
def outer():
    x = [1]
    def inner(q):
        nonlocal x
        del x
    inner(x)
    try:
        x
    except NameError:
        pass
    x = 2
    return x
print(outer())
items = [1]
def own():
    t = [items for items in "ab"]
    items.append(3)
    return t
own()
if (found := items.count(5)):
    pass
end = 0
""",
    "coroutines": """
import asyncio
async def leaf(n):
    await asyncio.sleep(0)
    return n
async def agen(n):
    for i in range(n):
        yield i
        await asyncio.sleep(0)
class Lock:
    async def __aenter__(self):
        await asyncio.sleep(0)
        return 3, 4
    async def __aexit__(self, *exc):
        await asyncio.sleep(0)
async def main():
    hits = 0
    seen = []
    async def bump(k):
        nonlocal hits
        hits += await leaf(k)
        seen.append(hits)
        x = [await leaf(j) for j in range(2)]
        y = {a: b async for a in agen(2) for b in range(a)}
        async with Lock() as (three, four):
            z = await leaf(three) + await leaf(four)
        return x, y, z
    r = await asyncio.gather(bump(1), bump(2))
    async for v in agen(2):
        w = await leaf(v)
    try:
        q = await asyncio.wait_for(asyncio.sleep(9), 0.001)
    except TimeoutError:
        q = await leaf(5)
    finally:
        fin = await leaf(6)
    while (c := await leaf(hits)) > 0:
        hits -= c
    g = await leaf(1) if c else await leaf(2)
    return g
result = asyncio.run(main())
end = 0
""",
    "a generator's variables, from inside": """
def gen():
    n = 0
    def up():
        nonlocal n
        n += 1
        return n
    while n < 3:
        got = yield up()
        if got:
            n += got
it = gen()
a = next(it)
b = it.send(1)
c = list(it)
def takes(items):
    while items:
        yield items.pop()
work = [1, 2]
taken = takes(work)
first = next(taken)
second = next(taken)
end = 0
""",
}


def test_one_list_handed_down_a_recursion() -> None:
    trace = record(
        "def down(n, path):\n    path.append(n)\n    return down(n + 1, path)\nkept = []\ntry:\n    down(0, kept)\n"
        "except RecursionError:\n    pass\nlast = kept.pop()\nend = 0\n"
    )
    assert trace["end"]["kind"] == "ok"
    assert len(table(trace, "events.assigned")) < 30_000
    told = [row for row in table(trace, "events.assigned") if trace["strings"][row["name"]] == "kept"]
    assert "in all" in value(trace, told[-1]["value"])["text"]
    assert len(told) > 900


def shown(found: Any, depth: int = 0) -> str:
    """A value as the recording shows it; empty for what it shows in another way."""
    if type(found) not in PLAIN or depth > 3:
        return ""
    parts = [*found, *found.values()] if type(found) is dict else found if type(found) in (list, tuple, set) else ()
    return repr(found) if all(shown(part, depth + 1) for part in parts) else ""


def plainly(source: str) -> list[list[tuple[int, State]]]:
    """For each call of the program, in order: the lines that run in it, and the call's variables before each."""
    calls: dict[int, tuple[FrameType, list[tuple[int, State]]]] = {}

    def traced(frame: FrameType, event: str, _: object) -> Any:
        code = frame.f_code
        if code.co_filename != "main.py" or code.co_name in BARE:
            return None
        lines = calls.setdefault(id(frame), (frame, []))[1]
        if event == "line":
            own = {name: found for name, found in frame.f_locals.items() if name not in code.co_freevars}
            lines.append((frame.f_lineno, {name: shown(one) for name, one in own.items() if name[:2] != "__"}))
        return traced

    module = ModuleType("__main__")
    code = compile(source, "main.py", "exec")
    before = sys.gettrace()
    sys.settrace(traced)
    try:
        exec(code, module.__dict__)
    finally:
        sys.settrace(before)
    return [lines for _, lines in calls.values()]


def recorded(source: str) -> list[list[tuple[int, State]]]:
    """The same out of a recording. It has no lines for ``try``, decorators, and the ends of loops and ``with``."""
    trace = record(source)
    assert trace["end"]["kind"] == "ok", trace["end"]["error"]
    assert not trace["program"]["notes"]
    strings = trace["strings"]
    rows = [(row["seq"], "line", row) for row in table(trace, "events.line")]
    rows += [(row["seq"], kind, row) for kind in ("assigned", "deleted") for row in table(trace, f"events.{kind}")]
    calls: list[list[tuple[int, State]]] = [[] for _ in table(trace, "frames")]
    states: list[State] = [{} for _ in calls]
    for _, kind, row in sorted(rows, key=lambda entry: entry[0]):
        state = states[row["frame"]]
        if kind == "line":
            calls[row["frame"]].append((row["line"], dict(state)))
        elif kind == "assigned":
            state[strings[row["name"]]] = value(trace, row["value"]).get("text", "") if row["value"] >= 0 else ""
        else:
            state.pop(strings[row["name"]], None)
    bare = [strings[row["function"]] in BARE for row in table(trace, "frames")]
    return [lines for lines, hidden in zip(calls, bare, strict=True) if not hidden]


@pytest.mark.parametrize("name", PROGRAMS)
def test_variables_before_each_line(name: str) -> None:
    told, expected = recorded(PROGRAMS[name]), plainly(PROGRAMS[name])
    assert len(told) == len(expected)
    for lines, plain in zip(told, expected, strict=True):
        assert lines
        rest = iter(plain)
        for line, state in lines:
            before = next((variables for number, variables in rest if number == line), None)
            assert before is not None, f"no line {line} in the plain run"
            names = {key for key in state if key[:2] != "__"}
            assert names == before.keys(), line
            assert {key: state[key] for key in names if before[key]} == {
                key: before[key] for key in names if before[key]
            }
