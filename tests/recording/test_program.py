"""What a recording knows about the program itself: lines, calls, loops, variables, errors, limits, input."""

from __future__ import annotations

import json
import sys
import textwrap
from typing import Any

import numpy as np
import pytest

from engine import events
from engine.events import clock
from engine.recording import record
from engine.recording.config import Limits, RunConfig
from engine.recording.entry import run
from engine.recording.journal import JournalSizes, anonymous
from engine.recording.program import Program
from engine.recording.reader import Reader
from engine.recording.recorder import Recorder
from engine.recording.rows import Kind
from engine.trace.reading import assignments, printed, table
from engine.trace.summary import summary
from engine.trace.validate import validate


def recorded(source: str, **options: Any) -> dict[str, Any]:
    trace = record(textwrap.dedent(source), **options)
    validate(json.loads(json.dumps(trace, allow_nan=False)))
    return trace


def texts(trace: dict[str, Any], name: str) -> list[str]:
    """The texts that a variable had, in order."""
    return [value["text"] for _, variable, value in assignments(trace) if variable == name and isinstance(value, dict)]


def test_lines_are_the_lines_that_ran() -> None:
    trace = recorded(
        """
        x = 1
        if x > 2:
            y = 1
        elif x == 1:
            y = 2
        for i in range(2):
            z = (i +
                 1)
        while x < 3: x += 1
        """
    )
    lines = [row["line"] for row in table(trace, "events.line")]
    assert lines == [2, 3, 5, 6, 7, 8, 7, 8, 10, 10, 10, 10, 10]
    assert texts(trace, "x") == ["1", "2", "3"]
    assert texts(trace, "z") == ["1", "2"]


def test_a_step_knows_its_expression() -> None:
    trace = recorded("größe = 1; print(größe,\n   2)\n")
    spans, steps = table(trace, "spans"), table(trace, "steps")
    place = spans[steps[-1]["span"]]
    assert (place["line"], place["column"], place["end_line"], place["end_column"]) == (1, 11, 2, 5)


def test_calls_have_frames_and_variables_belong_to_them() -> None:
    trace = recorded(
        """
        def add(a, b=2):
            total = a + b
            return total
        def twice(n):
            return add(n) + add(n, 3)
        result = twice(5)
        """
    )
    frames, names = table(trace, "frames"), trace["strings"]
    assert [names[frame["function"]] for frame in frames] == ["<module>", "twice", "add", "add"]
    assert [frame["parent"] for frame in frames] == [-1, 0, 1, 1]
    mine = [(frame, name, value["text"]) for frame, name, value in assignments(trace) if name in ("a", "b", "total")]
    assert mine == [(2, "a", "5"), (2, "b", "2"), (2, "total", "7"), (3, "a", "5"), (3, "b", "3"), (3, "total", "8")]
    assert [row["frame"] for row in table(trace, "events.returned")] == [2, 3, 1]


def test_frames_of_generators_stay_their_own() -> None:
    trace = recorded(
        """
        def count(name):
            n = 0
            while n < 2:
                n += 1
                yield n
        a, b = count("a"), count("b")
        for x, y in zip(a, b):
            z = x + y
        try:
            next(a)
        except StopIteration:
            done = True
        """
    )
    frames = table(trace, "frames")
    assert [trace["strings"][frame["function"]] for frame in frames] == ["<module>", "count", "count"]
    assert [frame["parent"] for frame in frames] == [-1, 0, 0]
    numbers = [(frame, value["text"]) for frame, name, value in assignments(trace) if name == "n"]
    assert numbers == [(1, "0"), (1, "1"), (2, "0"), (2, "1"), (1, "2"), (2, "2")]
    in_module = [row["line"] for row in table(trace, "events.line") if row["frame"] == 0]
    assert in_module == [2, 7, 8, 9, 8, 9, 11, 13]


def test_exceptions_leave_frames() -> None:
    trace = recorded(
        """
        def inner():
            raise ValueError("no")
        def outer():
            inner()
        try:
            outer()
        except ValueError as error:
            x = 1
        y = 2
        """
    )
    assert [row["frame"] for row in table(trace, "events.returned")] == [2, 1]
    assert [frame for frame, name, _ in assignments(trace) if name in ("x", "y")] == [0, 0]
    (error,) = table(trace, "events.error")
    assert (trace["strings"][error["type"]], trace["strings"][error["message"]]) == ("ValueError", "no")
    assert error["caught"] == 1


def test_loops_count_passes_and_activations() -> None:
    trace = recorded(
        """
        for i in range(2):
            for j in range(2):
                pass
        """
    )
    rows = [(row["loop"], row["activation"], row["iteration"]) for row in table(trace, "events.loop")]
    assert rows == [(0, 0, 0), (1, 1, 0), (1, 1, 1), (0, 0, 1), (1, 2, 0), (1, 2, 1)]
    assert [(row["line"], row["end_line"]) for row in table(trace, "loops")] == [(2, 4), (3, 4)]


def test_only_changes_are_told() -> None:
    trace = recorded(
        """
        items = [1]
        items.append(2)
        items.count(1)
        other = items
        other[0] = 5
        n = 1
        n = 1
        n = True
        del n
        """
    )
    # Both names hold the same list: what is done by one is seen by the other.
    assert texts(trace, "items") == ["[1]", "[1, 2]", "[5, 2]"]
    assert texts(trace, "other") == ["[1, 2]", "[5, 2]"]
    assert texts(trace, "n") == ["1", "True"]
    assert [trace["strings"][row["name"]] for row in table(trace, "events.deleted")] == ["n"]


def test_globals_are_variables_of_the_module() -> None:
    trace = recorded(
        """
        total = 0
        seen = []
        def add(n):
            global total
            total += n
            seen.append(n)
        add(4)
        """
    )
    assert [(frame, v["text"]) for frame, name, v in assignments(trace) if name == "total"] == [(0, "0"), (0, "4")]
    assert [(frame, v["text"]) for frame, name, v in assignments(trace) if name == "seen"] == [(0, "[]"), (0, "[4]")]


def test_variables_of_enclosing_functions_belong_to_them() -> None:
    trace = recorded(
        """
        def counter():
            n = 0
            def up():
                nonlocal n
                n += 1
            up()
            return up
        late = counter()
        late()
        """
    )
    told = [(frame, value["text"]) for frame, name, value in assignments(trace) if name == "n"]
    # Once the function that owns it has ended, the variable is shown where it is used.
    assert told == [(1, "0"), (1, "1"), (3, "2")]


def test_arrays_are_values_of_their_moment() -> None:
    trace = recorded(
        """
        import numpy as np
        a = np.zeros(3)
        for i in range(2):
            a[i] = i + 1
        b = np.float32(0.1)
        c = np.array(["text"])
        """
    )
    values = {name: [] for name in "abc"}  # type: dict[str, list[dict[str, Any]]]
    for _, name, value in assignments(trace):
        if name in values and isinstance(value, dict):
            values[name].append(value)
    assert [value["data"] for value in values["a"]] == [[0, 0, 0], [1, 0, 0], [1, 2, 0]]
    assert [(value["shape"], value["dtype"], value["data"]) for value in values["b"]] == [([], "float32", [0.1])]
    assert values["c"] == [{"python": "ndarray", "text": "<ndarray>"}]


@pytest.mark.parametrize(
    ("source", "limits", "limit", "line"),
    [
        ("n = 0\nwhile True:\n    try:\n        n += 1\n    except:\n        pass", Limits(events=2000), "steps", None),
        ("while True:\n  try:\n    print('x' * 100)\n  except:\n    continue", Limits(output_bytes=500), "output", 3),
        ("n = 0\nwhile True:\n    n += 1\n", Limits(seconds=0.05), "time", None),
        (
            "def f():\n    while True:\n        try:\n            f()\n        except:\n            continue\nf()\n",
            Limits(events=3000),
            "steps",
            None,
        ),
    ],
)
def test_limits_end_the_run_whatever_it_catches(source: str, limits: Limits, limit: str, line: int | None) -> None:
    trace = recorded(source, limits=limits)
    end = trace["end"]
    assert (end["kind"], end["limit"], end["exit_code"], end["error"]) == ("limit", limit, 124, None)
    assert line is None or end["line"] == line
    assert summary(trace)["limit"] == limit
    assert summary(trace)["steps"] > 3


def test_output_up_to_the_limit_is_there() -> None:
    trace = recorded("while True:\n    print('ab')\n", limits=Limits(output_bytes=100))
    assert printed(trace) == "ab\n" * 33 + "a"


def test_input_is_answered_and_echoed() -> None:
    trace = recorded("n = int(input('how many? '))\nprint('got', n * 2)\ninput()\n", stdin="4")
    assert printed(trace) == "how many? got 8\n"
    assert trace["stdout"].startswith("how many? 4\ngot 8\n")
    (asked,) = table(trace, "events.asked")
    assert trace["stdout"][asked["offset"] : asked["offset"] + asked["length"]] == "4\n"
    assert trace["end"]["error"]["type"] == "EOFError"


def test_an_uncaught_error_is_a_step_at_its_line() -> None:
    trace = recorded("def f(x):\n    return x[3]\n\nf([1])\n")
    error = trace["end"]["error"]
    assert (error["type"], error["message"], error["line"]) == ("IndexError", "list index out of range", 2)
    assert error["traceback"] == printed(trace, 2)
    assert trace["strings"][table(trace, "steps")[-1]["kind"]] == "error"
    assert summary(trace)["error"] == {"type": "IndexError", "message": "list index out of range", "line": 2}


def test_a_syntax_error_has_no_steps_but_itself() -> None:
    trace = recorded("x = 1\ny = (1\n")
    assert trace["end"]["error"]["type"] == "SyntaxError"
    assert trace["end"]["error"]["line"] == 2
    assert [trace["strings"][step["kind"]] for step in table(trace, "steps")] == ["error"]


def test_exit_has_its_status() -> None:
    assert recorded("import sys\nsys.exit(3)\n")["end"] == {
        "kind": "exit", "exit_code": 3, "limit": None, "line": 2, "error": None, "hints": [],
    }  # fmt: skip


def nested_blocks(depth: int) -> str:
    source = "".join("    " * level + f"for i{level} in (1,):\n" for level in range(depth)) + "    " * depth + "pass\n"
    return "def f():\n" + textwrap.indent(source, "    ") + "f()\nprint('ran')\n"


def compiles(program: str) -> bool:
    try:
        compile(program, "main.py", "exec")
    except SyntaxError:
        return False
    return True


def test_what_cannot_be_rewritten_runs_and_says_so() -> None:
    # As many nested blocks as this Python takes: the probes would need one more.
    program = max((nested_blocks(depth) for depth in range(10, 60)), key=lambda one: compiles(one) * len(one))
    trace = recorded(program)
    assert printed(trace) == "ran\n"
    (note,) = trace["program"]["notes"]
    assert note.startswith("the program runs without line steps: too many statically nested blocks")


def test_everything_is_put_back() -> None:
    before = (sys.stdout, sys.stderr, sys.stdin, sys.argv, sys.getrecursionlimit, sys.getrecursionlimit())
    main = sys.modules["__main__"]
    recorded("import sys\nsys.argv = 3\nsys.stdout = None\nsys.setrecursionlimit(77)\n1 / 0\n")
    assert (sys.stdout, sys.stderr, sys.stdin, sys.argv, sys.getrecursionlimit, sys.getrecursionlimit()) == before
    assert sys.modules["__main__"] is main
    assert events.listener is None


def test_probes_are_no_names() -> None:
    trace = recorded(
        "x = 1\ndef f():\n    return sorted(locals()), dir()\nprint(f(), [n for n in dir() if n[0] != '_'])\n"
    )
    assert printed(trace) == "([], []) ['f', 'x']\n"


def test_a_configuration_survives_its_journey() -> None:
    config = RunConfig("print('é')", "a.py", ("x",), "in", Limits(seconds=1.5, events=7))
    assert RunConfig.from_json(config.to_json()) == config
    with pytest.raises(ValueError, match="malformed setting"):
        RunConfig.from_json('{"source": "", "limits": {"second": 1}}')
    with pytest.raises(ValueError, match="the text 'source'"):
        RunConfig.from_json("[]")


def test_two_thousand_prints_are_small() -> None:
    trace = recorded("for i in range(2000):\n    print('line', i)\n")
    assert len(json.dumps(trace, separators=(",", ":"))) < 300_000
    assert printed(trace).splitlines()[-1] == "line 1999"


def test_deep_recursion_is_small() -> None:
    trace = recorded("def f(n):\n    return f(n + 1)\nf(0)\n")
    assert len(json.dumps(trace, separators=(",", ":"))) < 300_000
    assert trace["end"]["error"]["type"] == "RecursionError"


def test_a_large_tensor_is_small() -> None:
    trace = record("import torch\nbig = torch.zeros(4000, 4000)\nbig = big + 1\nprint(big.sum().item())\n")
    assert len(json.dumps(trace)) < 300_000
    assert [one["shape"] for one in trace["values"] if one.get("shape") == [4000, 4000]]


CLOCKED = """
def double(x):
    return [y * 2 for y in range(x)]
total = 0
for i in range(30):
    total += sum(map(lambda y: y + 1, double(i)))
    try:
        [1 // y for y in (1, 0)]
    except ZeroDivisionError:
        total -= 1
"""


def test_the_programs_clock_never_runs_backwards() -> None:
    # What a probe books inside of another one is booked once.
    journal = anonymous(JournalSizes(20_000, 4 << 20, 10_000))
    assert run(RunConfig(CLOCKED), journal, own_process=False) == 0
    rows = Reader(journal.buffer).rows
    times = rows["time"][np.isin(rows["kind"], [Kind.LINE, Kind.CALLED, Kind.RETURNED, Kind.LOOP, Kind.ASSIGNED])]
    assert len(times) > 500
    assert (np.diff(times) >= 0).all()


def test_the_way_into_a_probe_is_taken_out_of_every_line() -> None:
    journal = anonymous(JournalSizes(1000, 1 << 20, 1000))
    recorder = Recorder(journal, "main.py", "")
    program = Program(recorder)
    program.statements.append((1, -1))
    recorder.base, recorder.lead = clock() - 10**12, 10**9
    for _ in range(5):
        program.line(0)
    assert 5 * 10**9 <= recorder.overhead < 6 * 10**9
    gaps = np.diff(Reader(journal.buffer).rows["time"])
    assert len(gaps) == 4
    assert (abs(gaps + 10**9) < 10**8).all()
