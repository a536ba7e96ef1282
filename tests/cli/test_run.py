"""``stepgraph run``: streams byte for byte, exit statuses, summary, bad files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SUMMARY_KEYS = {
    "end", "error", "limit", "line", "steps", "events", "graphs", "nodes", "trace_bytes", "seconds",
}  # fmt: skip


def stepgraph(*arguments: str, cwd: Path, stdin: bytes = b"", merge: bool = False) -> Any:
    return subprocess.run(
        [sys.executable, str(ROOT / "stepgraph.py"), *arguments],
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merge else subprocess.PIPE,
        cwd=cwd,
        timeout=60,
    )


@pytest.fixture
def program(tmp_path: Path) -> Any:
    """Writes a program into the folder where the command will run."""

    def write(source: str | bytes, name: str = "prog.py") -> str:
        data = source if isinstance(source, bytes) else source.encode()
        (tmp_path / name).write_bytes(data)
        return name

    return write


BOTH = (
    "import sys\n"
    "print('höhe 😀 \\u2028 \\t|', end='')\n"
    "sys.stderr.write('fehler: ß\\n')\n"
    "sys.stdout.write('\\r\\nno newline at the end')\n"
    "print('zwei', file=sys.stderr)\n"
    "print('\\x00\\x1b[31m', end='')\n"
)


def test_both_streams_pass_through_byte_for_byte(program: Any, tmp_path: Path) -> None:
    name = program(BOTH)
    ours = stepgraph("run", name, cwd=tmp_path)
    python = subprocess.run([sys.executable, "-X", "utf8", name], capture_output=True, cwd=tmp_path)
    assert ours.stdout == python.stdout
    assert ours.stderr == python.stderr
    assert ours.returncode == 0


def test_bytes_that_are_no_text_pass_through_too(program: Any, here: Any, tmp_path: Path) -> None:
    name = program(
        "import os, sys\n"
        "sys.stdout.buffer.write(b'\\xff\\xfe')\nprint('é', end='')\nsys.stdout.buffer.write(b'\\xc3')\n"
        "sys.stderr.buffer.write(b'\\x80\\x00')\nsys.stdout.buffer.write(b'\\xa9\\xed\\xa0\\x80')\n"
        "os.write(1, b'\\xfd')\n"
    )
    result = here("run", name, "--json", "trace.json")
    assert result.stdout == b"\xff\xfe\xc3\xa9\xc3\xa9\xed\xa0\x80\xfd"
    assert result.stderr == b"\x80\x00"
    shown = json.loads((tmp_path / "trace.json").read_text())["stdout"]
    assert "\ufffd" in shown
    assert shown.encode("utf-8").decode("utf-8") == shown


def test_in_one_place_the_streams_keep_their_order(program: Any, tmp_path: Path) -> None:
    name = program(BOTH)
    ours = stepgraph("run", name, cwd=tmp_path, merge=True)
    python = subprocess.run(
        [sys.executable, "-u", "-X", "utf8", name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tmp_path
    )
    assert ours.stdout == python.stdout


def test_output_comes_while_the_program_runs(program: Any, tmp_path: Path) -> None:
    import time

    name = program("import time\nprint('one')\ntime.sleep(1.5)\nprint('two')\n")
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "stepgraph.py"), "run", name],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=tmp_path,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"one\n"
    first = time.monotonic()
    assert process.stdout.readline() == b"two\n"
    assert time.monotonic() - first > 0.7
    assert process.wait(20) == 0
    process.stdout.close()


@pytest.mark.parametrize(
    ("source", "status", "end"),
    [
        ("print(1)", 0, "ok"),
        ("", 0, "ok"),
        ("import sys; sys.exit(3)", 3, "exit"),
        ("import sys; sys.exit()", 0, "exit"),
        ("import sys; sys.exit('bye')", 1, "exit"),
        ("raise SystemExit(256 + 7)", 7, "exit"),
        ("1 / 0", 1, "error"),
        ("def (", 1, "error"),
        ("while True: pass", 124, "limit"),
    ],
)
def test_the_exit_status_is_the_programs_own(
    program: Any, here: Any, tmp_path: Path, source: str, status: int, end: str
) -> None:
    result = here("run", program(source), "--seconds", "1", "--summary", "out.json")
    assert result.returncode == status, result.stderr
    summary = json.loads((tmp_path / "out.json").read_text())
    assert summary["end"] == end
    assert set(summary) == SUMMARY_KEYS


def test_the_summary_of_an_error(program: Any, here: Any, tmp_path: Path) -> None:
    name = program("x = 1\nx.nothing\n")
    result = here("run", "--summary", "out.json", "--json=trace.json", name)
    summary = json.loads((tmp_path / "out.json").read_text())
    trace = (tmp_path / "trace.json").read_bytes()
    assert result.returncode == 1
    assert summary["error"] == {
        "type": "AttributeError", "message": "'int' object has no attribute 'nothing'", "line": 2,
    }  # fmt: skip
    assert summary["line"] == 2
    assert summary["limit"] is None
    assert set(summary["seconds"]) == {"total", "program", "recorder"}
    assert summary["trace_bytes"] == len(trace)
    assert summary["steps"] == len(decoded(json.loads(trace)["steps"]["seq"]))


def decoded(column: Any) -> list[int]:
    """A column in any of the three forms of docs/trace.md."""
    if isinstance(column, list):
        return column
    if "rle" in column:
        pairs = column["rle"]
        return [value for value, count in zip(pairs[::2], pairs[1::2], strict=True) for _ in range(count)]
    total, values = 0, []
    for difference in column["delta"]:
        total += difference
        values.append(total)
    return values


def test_the_summary_of_a_limit(program: Any, here: Any, tmp_path: Path) -> None:
    name = program("x = 1\nwhile True:\n    x += 1\n")
    result = here("run", name, "--summary", "out.json", "--seconds", "0.5")
    summary = json.loads((tmp_path / "out.json").read_text())
    assert result.returncode == 124
    assert (summary["end"], summary["error"], summary["limit"]) in [
        ("limit", None, "time"), ("limit", None, "steps"),
    ]  # fmt: skip
    assert summary["line"] in (2, 3)


def test_a_traceback_is_pythons_with_the_users_frames_only(program: Any, here: Any, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    name = program(
        "def outer(n):\n    return inner(n)\n\ndef inner(n):\n    return 1 / n\n\nouter(0)\n", "sub/my prog.py"
    )
    ours = here("run", str(tmp_path / name))
    python = subprocess.run([sys.executable, str(tmp_path / name)], capture_output=True, cwd=tmp_path)
    assert ours.stderr == python.stderr
    relative = here("run", name)
    assert b'File "sub/my prog.py", line 5, in inner' in relative.stderr


@pytest.mark.parametrize("before", [True, False])
def test_arguments_and_input_reach_the_program(program: Any, here: Any, tmp_path: Path, before: bool) -> None:
    name = program("import sys\nprint(sys.argv)\nprint(repr(sys.stdin.read()))\n")
    (tmp_path / "in.txt").write_bytes("zwölf\n3\n".encode())
    options = ["--stdin", "in.txt"]
    words = [*options, name, "a", "--epochs", "3"] if before else [name, *options, "a", "--epochs", "3"]
    result = here("run", *words)
    assert result.stdout.decode() == "['prog.py', 'a', '--epochs', '3']\n'zwölf\\n3\\n'\n"


def test_words_after_two_dashes_are_the_programs(program: Any, here: Any, tmp_path: Path) -> None:
    name = program("import sys\nprint(sys.argv[1:])\n")
    result = here("run", name, "--", "--summary", "x", "--", "-h")
    assert result.stdout == b"['--summary', 'x', '--', '-h']\n"
    assert not (tmp_path / "x").exists()


def test_a_program_knows_its_file_by_the_name_that_was_typed(program: Any, here: Any, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    source = "print(__file__)\nprint(open(__file__).readline().strip())\n"
    for name in (program(source), program(source, "sub/other.py")):
        result = here("run", name)
        assert (result.stdout.decode(), result.stderr) == (f"{name}\nprint(__file__)\n", b"")


def test_a_program_from_standard_input(tmp_path: Path) -> None:
    result = stepgraph("run", "-", cwd=tmp_path, stdin="print('aus ü')\n1/0\n".encode())
    assert result.stdout == "aus ü\n".encode()
    assert b'File "<stdin>", line 2' in result.stderr
    assert result.returncode == 1


def test_a_byte_order_mark_and_windows_line_ends_are_read_as_python_does(
    program: Any, here: Any, tmp_path: Path
) -> None:
    name = program(b"\xef\xbb\xbfx = '''a\r\nb'''\r\nprint(len(x))\r\n")
    assert here("run", name).stdout == b"3\n"


@pytest.mark.parametrize(
    ("data", "printed"),
    [
        (b"# -*- coding: latin-1 -*-\nprint('\xe9', len('\xe9'))\n", "é 1"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=shift_jis :\nprint('\x82\xa0')\n", "あ"),
        (b"\xef\xbb\xbf# coding: utf-8\nprint('\xc3\xa9')\n", "é"),
        (b"\n\n# coding: latin-1\nprint('\xc3\xa9')\n", "é"),
    ],
)
def test_source_is_read_in_the_encoding_that_it_declares(program: Any, here: Any, data: bytes, printed: str) -> None:
    result = here("run", program(data))
    assert (result.stdout.decode(), result.stderr) == (printed + "\n", b"")


BAD_FILES = [
    (None, [], "cannot read prog.py: No such file"),
    (b"x = '\xe9'\n", [], "prog.py is not UTF-8 (line 1)"),
    (b"# coding: nope\n", [], "unknown encoding: nope"),
    (b"# coding: hex\n", [], "'hex' is not a text encoding"),
    (b"\xef\xbb\xbf# coding: latin-1\n", [], "declares an encoding that cannot be used"),
    (b"# coding: cp1252\nx = '\x81'\n", [], "prog.py is not cp1252 (line 2)"),
    (b"#" * 100_001, [], "prog.py is too long"),
    (b"a\n\0", [], "NUL character in line 2"),
    (b"1", ["--stdin", "none.txt"], "cannot read none.txt"),
    (b"1", ["--summary", "no/such/folder"], "cannot write no/such/folder"),
    (b"1", ["--json", "."], "cannot write ."),
    (b"1", ["--seconds", "zero"], "'zero' is no number of seconds"),
    (b"1", ["--seconds", "-1"], "'-1' is no number of seconds"),
    (b"1", ["--seconds", "nan"], "'nan' is no number of seconds"),
    (b"1", ["--seconds"], "expected one argument"),
]


@pytest.mark.parametrize(("data", "options", "piece"), BAD_FILES)
def test_what_cannot_be_started_is_status_2(
    program: Any, here: Any, tmp_path: Path, data: bytes | None, options: list[str], piece: str
) -> None:
    if data is not None:
        program(data)
    result = here("run", "prog.py", *options)
    assert result.returncode == 2
    assert piece in result.stderr.decode()
    assert b"Traceback" not in result.stderr
    assert result.stdout == b""


@pytest.mark.parametrize("words", [["run"], ["run", "--unknown", "x.py"], ["nothing"], []])
def test_a_wrong_command_line_is_status_2(here: Any, words: list[str]) -> None:
    result = here(*words)
    assert result.returncode == 2
    assert result.stderr.startswith(b"usage: stepgraph")


def test_a_reader_that_leaves_early_gets_no_traceback(program: Any, tmp_path: Path) -> None:
    name = program("for i in range(20000): print(i)\n")
    command = f"'{sys.executable}' '{ROOT / 'stepgraph.py'}' run {name} | head -n 1"
    result = subprocess.run(["sh", "-c", command], capture_output=True, cwd=tmp_path, timeout=60)
    assert result.stdout == b"0\n"
    assert b"Traceback" not in result.stderr


ASKING = """
import sys
n = int(input("n? "))
print("twice", file=sys.stderr)
print(2 * n)
for line in sys.stdin:
    print("got", line.strip())
"""


def test_our_standard_input_is_the_programs(program: Any, tmp_path: Path) -> None:
    result = stepgraph("run", program(ASKING), cwd=tmp_path, stdin="4\nzwei\u00fc\r\nthree".encode())
    assert (result.returncode, result.stdout.decode()) == (0, "n? 8\ngot zweiü\ngot three\n")
    assert result.stderr == b"twice\n"


def test_at_the_end_of_our_input_there_is_none(program: Any, tmp_path: Path) -> None:
    result = stepgraph("run", program(ASKING), cwd=tmp_path)
    assert (result.returncode, result.stdout) == (1, b"n? ")
    assert result.stderr.endswith(b"EOFError: EOF when reading a line\n")


def test_much_input_is_read_in_no_time(program: Any, tmp_path: Path) -> None:
    lines = "".join(f"{n}\n" for n in range(20_000)).encode()
    name = program("import sys\nprint(sum(map(int, sys.stdin.read().split())))\n")
    result = stepgraph("run", "--seconds", "8", name, cwd=tmp_path, stdin=lines)
    assert (result.returncode, result.stdout) == (0, b"199990000\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_terminal_is_asked_line_by_line_and_time_stands_still(program: Any, tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    name = program(ASKING)
    with subprocess.Popen(
        [sys.executable, str(ROOT / "stepgraph.py"), "run", "--seconds", "1", name],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    ) as command:
        assert command.stdout is not None
        watchdog = threading.Timer(30, command.kill)
        watchdog.start()
        assert command.stdout.read(3) == b"n? "
        time.sleep(1.6)  # longer than the program may run
        os.write(ours, b"21\n")
        assert command.stdout.read(3) == b"42\n"
        os.write(ours, b"x\n")
        assert command.stdout.read(6) == b"got x\n"
        os.write(ours, b"\x04")
        assert command.wait(20) == 0
        watchdog.cancel()
    os.close(theirs)
    os.close(ours)
