"""The long form of what the runner's tests try: a full classroom against a real server, as a table.

make soak

200 browser sessions press Run on the examples within 10 seconds. All must be answered, none wrongly. Throughput is told
as a ratio to the same programs run one by one in the same sandbox without a server, measured in the same minute.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

from app.runner import Request, Runner

ROOT = Path(__file__).resolve().parent.parent
STUDENTS = 200
WITHIN = 10.0
WARM_RUNS = 30
WARM = "total = 0\n" + "\n".join(f"a{line} = {line} * 2\ntotal += a{line}" for line in range(9)) + "\nprint(total)\n"
End = tuple[str, str]


def end_of(trace: bytes) -> End:
    """How a program ended and what it printed: what must not differ."""
    document = json.loads(trace)
    return document["end"]["kind"], document["stdout"]


class Student(threading.Thread):
    """A browser session of its own, that presses Run once."""

    def __init__(self, port: int, source: str, at: float) -> None:
        super().__init__(daemon=True)
        self.port, self.source, self.at = port, source, at
        self.seconds = 0.0
        self.finished = 0.0
        self.answer: End | None = None
        self.problem = ""

    def run(self) -> None:
        time.sleep(max(0.0, self.at - time.monotonic()))
        try:
            self._press()
        except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
            self.problem = repr(error)
        self.finished = time.monotonic()

    def _press(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request("GET", "/")
        response = connection.getresponse()
        cookie = (response.getheader("Set-Cookie") or "").partition(";")[0]
        response.read()
        headers = {"Content-Type": "application/json", "Cookie": cookie}
        begun = time.monotonic()
        connection.request("POST", "/api/runs", json.dumps({"source": self.source, "interactive": False}), headers)
        response = connection.getresponse()
        body = response.read()
        if response.status == 202:
            links = json.loads(body)["links"]
            self._follow(links["events"], headers)
            connection.request("GET", links["trace"], headers=headers)
            response = connection.getresponse()
            body = response.read()
        self.seconds = time.monotonic() - begun
        if response.status == 200:
            self.answer = end_of(body)
        else:
            self.problem = f"{response.status} {body[:200]!r}"

    def _follow(self, path: str, headers: dict[str, str]) -> None:
        """Be told of the run until it has ended, as a page is."""
        stream = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        with contextlib.closing(stream):
            stream.request("GET", path, headers=headers)
            for line in stream.getresponse():
                if line.strip() in (b"event: done", b"event: failed", b"event: cancelled"):
                    return


def memory_of(root: int) -> int:
    """Bytes of the process ``root`` and all that it started, shared pages counted once."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parents[int(entry)] = int(Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    family = {root}
    while grown := {child for child, parent in parents.items() if parent in family} - family:
        family |= grown
    total = 0
    for process in family:
        try:
            found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{process}/smaps_rollup").read_text(), re.MULTILINE)
        except OSError:
            continue
        total += int(found.group(1)) * 1024 if found else 0
    return total


def run_one_by_one(sources: list[str]) -> tuple[float, list[End]]:
    """Seconds that all take without a server, and how each ended."""
    runner = Runner()
    try:
        for _ in range(3):
            runner.submit(Request("print(1)")).wait(60)
        begun = time.monotonic()
        ends: list[End] = []
        for source in sources:
            run = runner.submit(Request(source))
            run.wait(120)
            ends.append(end_of(run.trace) if run.trace else ("failed", run.error or ""))
        return time.monotonic() - begun, ends
    finally:
        runner.close()


def press_warm(port: int) -> tuple[float, float]:
    """Median seconds from request to trace of a 20-line program, one client; and of the program's own time."""
    waits, own = [], []
    for number in range(WARM_RUNS):
        body = json.dumps({"source": f"{WARM}# {number}\n", "wait": True})
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        begun = time.monotonic()
        connection.request("POST", "/api/runs", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        trace = response.read()
        waits.append(time.monotonic() - begun)
        if response.status != 200:
            raise SystemExit(f"a warm run was answered with {response.status}: {trace[:200]!r}")
        own.append(json.loads(trace)["seconds"]["program"])
    return statistics.median(waits), statistics.median(own)


def teach(sources: list[str], expected: list[End], serial: float) -> list[tuple[str, str, bool]]:
    """What a classroom meets that hands in ``sources``: a row's name, its value, whether that is fine."""
    command = [sys.executable, str(ROOT / "stepgraph.py"), "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r":(\d+)/", server.stdout.readline())
            assert found, "the server did not start"
            port = int(found.group(1))
            start = time.monotonic()
            students = [
                Student(port, source, start + WITHIN * number / STUDENTS) for number, source in enumerate(sources)
            ]
            for student in students:
                student.start()
            most = 0
            while any(student.is_alive() for student in students):
                most = max(most, memory_of(server.pid))
                time.sleep(0.5)
            warm, own = press_warm(port)  # last: a server that has just started is still recording its examples
        finally:
            server.terminate()
    answered = [student for student in students if student.answer is not None]
    wrong = sum(student.answer != end for student, end in zip(students, expected, strict=True) if student.answer)
    waits = sorted(student.seconds for student in answered) or [0.0]
    took = max(student.finished for student in students) - start
    ratio = max(serial, WITHIN) / took  # all cannot be done before the last has pressed Run
    for problem in sorted({student.problem for student in students if student.problem}):
        print(f"problem: {problem}")
    return [
        ("answered", f"{len(answered)} of {STUDENTS}", len(answered) == STUDENTS),
        ("wrong answers", str(wrong), wrong == 0),
        ("median wait", f"{statistics.median(waits):.2f} s", True),
        ("p95 of the wait", f"{waits[int(len(waits) * 0.95)]:.2f} s", True),
        ("all done after", f"{took:.1f} s (one by one without a server: {serial:.1f} s)", True),
        ("throughput, ratio", f"{ratio:.2f}", ratio >= 0.8),
        ("memory at most", f"{most / 2**20:.0f} MB", most < 2 << 30),
        ("warm run over own time", f"{(warm - own) * 1000:.0f} ms (of {warm * 1000:.0f})", warm - own <= 0.06),
    ]


def main() -> int:
    programs = [path.read_text() for path in sorted((ROOT / "lessons" / "examples").glob("*.py"))]
    alike = [programs[number % len(programs)] for number in range(STUDENTS)]
    print(f"load at the start       {os.getloadavg()[0]:.1f}")
    serial, expected = run_one_by_one(alike)
    failed = False
    for title, sources in (
        ("a class on one lesson: runs of one source share their results", alike),
        ("everybody has changed the program", [f"{text}\n# {number}\n" for number, text in enumerate(alike)]),
    ):
        print(f"\n{title}")
        for name, value, fine in teach(sources, expected, serial):
            print(f"  {name:<24}{value}{'' if fine else '   <- NOT MET'}", flush=True)
            failed |= not fine
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
