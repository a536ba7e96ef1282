"""Programs made at random print and end, recorded, as they do plain."""

from __future__ import annotations

import contextlib
import io
import json
import textwrap
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.recording import record
from engine.recording.config import Limits
from engine.trace.reading import printed, table
from engine.trace.validate import validate

NAMES = st.sampled_from("abcd")
ATOMS = st.one_of(
    NAMES,
    st.integers(0, 5).map(str),
    st.sampled_from(["[]", "[1, 2]", "'x'", "None", "{}", "f(1)", "list(g(2))", "1.5"]),
)
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "*", "==", "<", "and", "or", "//", "in"]), inner).map(
            lambda parts: f"({' '.join(parts)})"
        ),
        inner.map(lambda one: f"[x for x in ({one}, 2)]"),
        inner.map(lambda one: f"(lambda x: x or {one})(0)"),
        st.tuples(inner, inner).map(lambda two: f"({two[0]} if {two[1]} else 3)"),
        st.tuples(NAMES, inner).map(lambda two: f"({two[0]} := {two[1]})"),
    ),
    max_leaves=4,
)


def block(lines: list[str]) -> str:
    return textwrap.indent("\n".join(lines) or "pass", "    ")


SIMPLE = st.one_of(
    st.tuples(NAMES, EXPRESSIONS).map(lambda two: f"{two[0]} = {two[1]}"),
    st.tuples(NAMES, EXPRESSIONS).map(lambda two: f"{two[0]} += {two[1]}"),
    st.tuples(NAMES, NAMES, EXPRESSIONS).map(lambda three: f"{three[0]}, *{three[1]} = {three[2]}"),
    EXPRESSIONS.map(lambda one: f"print({one})"),
    NAMES.map(lambda name: f"{name}.append(7)"),
    NAMES.map(lambda name: f"del {name}"),
    st.tuples(NAMES, EXPRESSIONS).map(lambda two: f"{two[0]}[0] = {two[1]}"),
    st.tuples(NAMES, NAMES).map(lambda two: f"{two[0]} = {two[1]}"),
    st.tuples(NAMES, NAMES, EXPRESSIONS).map(lambda three: f"{three[0]} = Thing()\n{three[0]}.{three[1]} = {three[2]}"),
    st.tuples(NAMES, EXPRESSIONS).map(lambda two: f"exec({f'{two[0]} = {two[1]}'!r})"),
    st.tuples(NAMES, EXPRESSIONS).map(
        lambda two: f"exec({f'for {two[0]} in range(2):{chr(10)}    print({two[1]}){chr(10)}del {two[0]}'!r})"
    ),
    st.sampled_from(["raise ValueError('v')", "assert a, 'no'", "1 / 0", "print(list(g(2)))"]),
)
STATEMENTS = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.tuples(EXPRESSIONS, st.lists(inner, max_size=3), st.lists(inner, max_size=2)).map(
            lambda parts: f"if {parts[0]}:\n{block(parts[1])}\nelse:\n{block(parts[2])}"
        ),
        st.tuples(NAMES, st.lists(inner, max_size=3), st.sampled_from(["pass", "break", "continue"])).map(
            lambda parts: f"for {parts[0]} in range(3):\n{block([*parts[1], parts[2]])}\nelse:\n    print('else')"
        ),
        st.lists(inner, max_size=3).map(
            lambda body: f"n = 0\nwhile n < 3:\n    n += 1\n{block([*body, 'if n == 2: continue', 'print(n)'])}"
        ),
        st.tuples(st.lists(inner, max_size=3), st.lists(inner, max_size=2), st.lists(inner, max_size=2)).map(
            lambda parts: (
                f"try:\n{block(parts[0])}\nexcept (TypeError, NameError, ValueError) as error:\n"
                f"{block(['print(type(error).__name__, error)', *parts[1]])}\nfinally:\n{block(parts[2])}"
            )
        ),
        st.tuples(NAMES, st.lists(inner, max_size=3), EXPRESSIONS).map(
            lambda parts: f"def f({parts[0]}, b=2):\n{block([*parts[1], f'return {parts[2]}'])}"
        ),
        st.tuples(st.lists(inner, max_size=2), EXPRESSIONS).map(
            lambda parts: f"def g(n):\n{block(['yield n', *parts[0], f'got = yield {parts[1]}', 'print(got)'])}"
        ),
        st.tuples(NAMES, st.lists(inner, max_size=3)).map(
            lambda parts: f"class {parts[0]}:\n{block([*parts[1], 'def m(self): return __class__'])}"
        ),
        st.tuples(EXPRESSIONS, st.lists(inner, max_size=2)).map(
            lambda parts: f"match {parts[0]}:\n    case [a, *b]:\n{textwrap.indent(block(parts[1]), '    ')}"
        ),
    ),
    max_leaves=8,
)


def whole(statements: list[str]) -> str:
    """A program of these statements, with names that they may use."""
    return "class Thing: pass\ndef f(x): return x\ndef g(n): yield n\na = 1\nb = [1]\n" + "\n".join(statements) + "\n"


def plainly(program: str) -> tuple[str, str, int]:
    """What a program prints, and the type and line of the error that ends it."""
    out = io.StringIO()
    space: dict[str, Any] = {"__name__": "__main__"}
    try:
        code = compile(program, "main.py", "exec", dont_inherit=True)
    except SyntaxError as error:
        return "", "SyntaxError", error.lineno or -1
    with contextlib.redirect_stdout(out):
        try:
            exec(code, space)
        except Exception as error:
            tb, line = error.__traceback__, -1
            while tb is not None:
                if tb.tb_frame.f_code.co_filename == "main.py":
                    line = tb.tb_lineno
                tb = tb.tb_next
            return out.getvalue(), type(error).__name__, line
    return out.getvalue(), "", -1


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STATEMENTS, min_size=1, max_size=6))
def test_recorded_is_plain(statements: list[str]) -> None:
    program = whole(statements)
    expected = plainly(program)
    trace = record(program, limits=Limits(events=50_000, seconds=20))
    error = trace["end"]["error"]
    ended = (error["type"], error["line"]) if error else ("", -1)
    assert (printed(trace), *ended) == expected
    validate(json.loads(json.dumps(trace, allow_nan=False)))
    # Every call that began has ended, and every frame belongs to a call that began.
    called = {row["frame"] for row in table(trace, "events.called")}
    returned = [row["frame"] for row in table(trace, "events.returned")]
    assert sorted(returned) == sorted(set(returned))
    assert set(returned) <= called
    assert {row["frame"] for row in table(trace, "events.line")} <= called | {0}


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs=st.lists(st.lists(STATEMENTS, min_size=1, max_size=6), min_size=8, max_size=8))
def test_steps_show_the_same_however_one_came_to_them(
    in_the_page: Callable[[list[dict[str, Any]]], None], programs: list[list[str]]
) -> None:
    in_the_page([record(whole(statements), limits=Limits(events=5_000, seconds=5)) for statements in programs])
