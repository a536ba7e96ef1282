"""What a recording keeps of dynamic batching."""

from __future__ import annotations

from engine.recording import record

PROGRAM = """
import engine
from engine.bridges.batching import Cell, evaluate
w = engine.tensor(2.0, requires_grad=True)
times = Cell(lambda x: x * w, name="times")
plus = Cell(lambda a, b: a + b, name="plus")
trees = [plus(times(1.0), times(2.0)), times(times(3.0)), plus(plus(times(1.0), 4.0), times(3.0))]
evaluate(trees).sum().backward()
print(w.grad)
"""


def test_groups_are_events_with_their_nodes():
    trace = record(PROGRAM)
    assert trace["end"]["kind"] == "ok"
    assert trace["stdout"] == "tensor(19.)\n"
    batched = trace["events"]["batched"]
    strings, lists = trace["strings"], trace["lists"]
    groups = [
        (d, strings[f], r)
        for d, f, r in zip(*(unpacked(batched[c]) for c in ("depth", "function", "rows")), strict=True)
    ]
    assert groups == [(1, "times", 5), (2, "plus", 2), (2, "times", 1), (3, "plus", 1)]
    nodes = [lists[n] for n in unpacked(batched["nodes"])]
    operations = [trace["definitions"][d]["op"] for d in unpacked(trace["nodes"]["definition"])]
    assert [operations[n[-1]] for n in nodes] == ["mul", "add", "mul", "add"]
    assert sorted({node for group in nodes for node in group}) == [node for group in nodes for node in group]
    roles = [trace["definitions"][d]["role"] for d in unpacked(trace["nodes"]["definition"])]
    ran = [operations[node] for node in nodes[1] if roles[node] in ("op", "input")]
    # The left argument; of the right one the values, the constant, both joined and put in order; the call itself.
    assert [op for op in ran if op != "input"] == ["take", "take", "concat", "take", "add"]


def unpacked(column):
    if isinstance(column, list):
        return column
    if "rle" in column:
        pairs = column["rle"]
        return [value for value, count in zip(pairs[::2], pairs[1::2], strict=True) for _ in range(count)]
    total, found = 0, []
    for difference in column["delta"]:
        total += difference
        found.append(total)
    return found
