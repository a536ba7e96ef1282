"""Programs on workers: as many as a school hands in at once, done by one worker, then by two.

    python -m benchmarks.cluster                            # 200 programs that sleep 3 s, handed in within 10 s
    python -m benchmarks.cluster --program torch --slots 1  # programs that compute: a core for each worker

Redis, the web process and the workers are processes of their own, as they are installed; every program is handed in by
a browser session of its own and followed to its end over HTTP. What is compared is throughput: programs done divided by
the time from the first one's handing in to the last one's end.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.classroom import PROGRAM

PROGRAMS = {"sleep": "import time\n\ntime.sleep(3)\nprint('awake')\n", "torch": PROGRAM}
_STEPGRAPH = Path(sys.executable).with_name("stepgraph")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def process(command: list[str], ready: str, **environ: str) -> Iterator[subprocess.Popen[str]]:
    """A process that has said something with ``ready`` in it."""
    started = subprocess.Popen(command, env={**os.environ, **environ}, stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None
    try:
        for line in started.stdout:
            if ready in line:
                break
        yield started
    finally:
        started.terminate()
        started.wait(90)


class Hand:
    """Hands one program in, under a session of its own, and waits for its end."""

    def __init__(self, port: int, source: str) -> None:
        self.port, self.source = port, source
        self.began = self.ended = 0.0
        self.end = ""

    def work(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        connection.request("GET", "/")
        page = connection.getresponse()
        page.read()
        cookie = page.headers["Set-Cookie"].partition(";")[0]
        self.began = time.monotonic()
        headers = {"Content-Type": "application/json", "Cookie": cookie}
        connection.request("POST", "/api/runs", json.dumps({"source": self.source, "interactive": False}), headers)
        answer = json.loads(connection.getresponse().read())
        connection.request("GET", answer["links"]["events"], headers={"Cookie": cookie})
        said = re.findall(r"^event: (\w+)$", connection.getresponse().read().decode(), re.M)
        self.ended, self.end = time.monotonic(), said[-1]
        assert said.count("done") <= 1
        connection.close()


def measure(workers: int, slots: int, program: str, runs: int, within: float) -> dict[str, float]:
    """Throughput of so many workers, in programs a second, and how long programs took."""
    redis_port, port = free_port(), free_port()
    url = f"redis://127.0.0.1:{redis_port}/0"
    redis = shutil.which("redis-server")
    assert redis, "redis-server is not installed"
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        command = [redis, "--port", str(redis_port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
        stack.enter_context(process(command, "Ready to accept"))
        for _ in range(workers):
            stack.enter_context(process([str(_STEPGRAPH), "worker", "--slots", str(slots)], "Worker", REDIS_URL=url))
        serve = [str(_STEPGRAPH), "serve", "--port", str(port)]
        stack.enter_context(process(serve, "http://", REDIS_URL=url, STEPGRAPH_DATA=folder))
        _until_quiet(port)
        hands = [Hand(port, f"# {number}\n{PROGRAMS[program]}") for number in range(runs)]
        threads = []
        for hand in hands:
            threads.append(threading.Thread(target=hand.work))
            threads[-1].start()
            time.sleep(within / runs)
        for thread in threads:
            thread.join()
    took = max(hand.ended for hand in hands) - min(hand.began for hand in hands)
    waits = sorted(hand.ended - hand.began for hand in hands)
    ends = Counter(hand.end for hand in hands)
    assert ends == {"done": runs}, ends
    handed = max(hand.began for hand in hands) - min(hand.began for hand in hands)
    return {"rate": runs / took, "handed": handed, "median": statistics.median(waits), "longest": waits[-1]}


def _until_quiet(port: int) -> None:
    """The server records its examples first; they are not what is measured."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", "/api/examples")
    for example in json.loads(connection.getresponse().read())["examples"]:
        connection.request("GET", example["links"]["trace"])
        connection.getresponse().read()
    connection.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", choices=sorted(PROGRAMS), default="sleep")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--within", type=float, default=10.0, help="seconds in which they are handed in")
    parser.add_argument("--slots", type=int, default=4, help="programs at a time of each worker")
    options = parser.parse_args()
    found = {n: measure(n, options.slots, options.program, options.runs, options.within) for n in (1, 2)}
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(f"{options.runs} programs ({options.program}), {options.slots} at a time on each worker; load {load:.1f}")
    print("| workers | handed in within | programs a second | median s | longest s | to one worker |")
    print("|---|---|---|---|---|---|")
    for workers, row in found.items():
        ratio = row["rate"] / found[1]["rate"]
        print(
            f"| {workers} | {row['handed']:.1f} s | {row['rate']:.2f} | {row['median']:.1f} | {row['longest']:.1f} | "
            f"{ratio:.2f} |"
        )
    return 0 if found[2]["rate"] >= 1.8 * found[1]["rate"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
