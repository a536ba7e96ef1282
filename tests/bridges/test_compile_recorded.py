"""What a recording keeps of a compiled function: a graph for each stretch between breaks, named after its beginning."""

from __future__ import annotations

from engine.recording import record

PROGRAM = """
import engine
from engine.bridges.compile import compile

@compile
def f(x):
    y = x * 2.0
    if y.sum() > 0:
        y = engine.relu(y)
    return y + 1.0

print(f(engine.tensor([1.0, 2.0])))
print(f(engine.tensor([-1.0, -2.0])))
"""


def test_each_graph_says_after_which_break_it_begins():
    trace = record(PROGRAM)
    assert trace["end"]["kind"] == "ok"
    graphs, strings = trace["graphs"], trace["strings"]
    static = [strings[mode] == "static" for mode in graphs["mode"]]
    names = [strings[name] for name, is_static in zip(graphs["name"], static, strict=True) if is_static]
    assert names == ["f", "f, after bool in line 8", "f", "f, after bool in line 8"]
