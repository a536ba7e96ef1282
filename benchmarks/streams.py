"""Which WSGI or ASGI server holds hundreds of open event streams while it answers runs?

Starts every candidate that is installed, each in a process of its own, with a small Flask application that behaves as
ours does: a stream waits on a condition and sends a line when something changes, a run is handed to another thread and
waited for. Opens the streams, makes them tick, and times runs meanwhile::

    python benchmarks/streams.py                       # all candidates that are installed
    python benchmarks/streams.py waitress cheroot      # these only
    python benchmarks/streams.py --streams 300 --runs 100

Every figure printed was measured by this call, on this machine. Memory is the resident size of the server's process
and is read from ``/proc``; elsewhere it is left out.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Any

from flask import Flask, Response

SPARE_THREADS = 32
"""Threads beside those that streams occupy, for everything that is answered at once."""


def application(ticks_per_second: float) -> Flask:
    """Streams that tick together, and runs of 5 ms that a pool of two works off: the shape of our own application."""
    app = Flask(__name__)
    changed = threading.Condition()
    state = {"tick": 0, "sent": 0.0, "open": 0}
    pool = ThreadPoolExecutor(2)

    def ticker() -> None:
        while True:
            time.sleep(1 / ticks_per_second)
            with changed:
                state["tick"] += 1
                state["sent"] = time.time()
                changed.notify_all()

    threading.Thread(target=ticker, daemon=True).start()

    @app.get("/stream")
    def stream() -> Response:
        def events() -> Iterator[str]:
            with changed:
                state["open"] += 1
            seen = 0
            try:
                while True:
                    with changed:
                        changed.wait_for(lambda last=seen: state["tick"] > last, timeout=15)  # type: ignore[misc]
                        seen, sent = int(state["tick"]), state["sent"]
                    yield f"data: {sent}\n\n"
            finally:
                with changed:
                    state["open"] -= 1

        return Response(events(), mimetype="text/event-stream")

    @app.get("/open")
    def count() -> dict[str, float]:
        return {"open": state["open"]}

    @app.post("/run")
    def run() -> dict[str, str]:
        pool.submit(time.sleep, 0.005).result()
        return {"trace": "x" * 2000}

    return app


# -- candidates: each serves `app` on 127.0.0.1:`port` until it is killed ----------------------------------------------


def serve_waitress(app: Flask, port: int, threads: int) -> None:
    import waitress

    waitress.serve(app, host="127.0.0.1", port=port, threads=threads, connection_limit=2000, asyncore_use_poll=True)


def serve_cheroot(app: Flask, port: int, threads: int) -> None:
    wsgi = importlib.import_module("cheroot.wsgi")
    server = wsgi.Server(("127.0.0.1", port), app, numthreads=threads, max=threads, request_queue_size=512)
    server.start()


def serve_werkzeug(app: Flask, port: int, threads: int) -> None:
    app.run("127.0.0.1", port, threaded=True)


def serve_uvicorn(app: Flask, port: int, threads: int) -> None:
    a2wsgi, uvicorn = importlib.import_module("a2wsgi"), importlib.import_module("uvicorn")
    uvicorn.run(a2wsgi.WSGIMiddleware(app, workers=threads), host="127.0.0.1", port=port, log_level="error")


def serve_hypercorn(app: Flask, port: int, threads: int) -> None:
    a2wsgi = importlib.import_module("a2wsgi")
    config = importlib.import_module("hypercorn.config").Config()
    config.bind = [f"127.0.0.1:{port}"]
    serve = importlib.import_module("hypercorn.asyncio").serve
    asyncio.run(serve(a2wsgi.WSGIMiddleware(app, workers=threads), config))


def serve_gevent(app: Flask, port: int, threads: int) -> None:
    """Only with its monkey patch (done in :func:`main` before anything else) does a waiting stream give way."""
    pywsgi = importlib.import_module("gevent.pywsgi")
    pywsgi.WSGIServer(("127.0.0.1", port), app, log=None).serve_forever()


CANDIDATES: dict[str, tuple[str, Callable[[Flask, int, int], None]]] = {
    "waitress": ("waitress", serve_waitress),
    "cheroot": ("cheroot", serve_cheroot),
    "werkzeug": ("werkzeug", serve_werkzeug),
    "uvicorn+a2wsgi": ("uvicorn", serve_uvicorn),
    "hypercorn+a2wsgi": ("hypercorn", serve_hypercorn),
    "gevent": ("gevent", serve_gevent),
}


# -- the client --------------------------------------------------------------------------------------------------------


async def _request(port: int, method: str, path: str) -> tuple[float, bytes]:
    """One request on a connection of its own: seconds it took, and the answer."""
    started = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    writer.write(head.encode())
    answer = await asyncio.wait_for(reader.read(), 20)
    writer.close()
    if b" 200 " not in answer.split(b"\r\n", 1)[0]:
        raise RuntimeError(answer[:200].decode("latin-1"))
    return time.perf_counter() - started, answer


class Stream:
    """One open event stream, which notes how late each event arrives."""

    def __init__(self, port: int) -> None:
        self.port, self.first, self.delays = port, asyncio.Event(), list[float]()

    async def read(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    self.delays.append(time.time() - float(line[6:]))
                    self.first.set()
        finally:
            writer.close()


def resident_megabytes(pid: int) -> float | None:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


async def measure(port: int, pid: int, streams: int, runs: int) -> dict[str, Any]:
    """Baseline, then the same with every stream open. Raises when the server cannot hold them."""
    alone = [(await _request(port, "POST", "/run"))[0] for _ in range(runs)]
    idle = resident_megabytes(pid)
    opened = [Stream(port) for _ in range(streams)]
    tasks = [asyncio.create_task(stream.read()) for stream in opened]
    started = time.perf_counter()
    try:
        await asyncio.wait_for(asyncio.gather(*(stream.first.wait() for stream in opened)), 15)
        held = streams
    except TimeoutError:
        held = sum(stream.first.is_set() for stream in opened)
    connected = time.perf_counter() - started
    for stream in opened:
        stream.delays.clear()
    result: dict[str, Any] = {"streams held": held, "seconds to open": round(connected, 2)}
    try:
        beside = [(await _request(port, "POST", "/run"))[0] for _ in range(runs)]
    except (TimeoutError, OSError, RuntimeError) as error:
        result["runs beside streams"] = f"none answered ({type(error).__name__})"
        beside = []
    delays = sorted(delay for stream in opened for delay in stream.delays)
    loaded = resident_megabytes(pid)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    result |= {
        "run alone ms": _spread(alone),
        "run beside streams ms": _spread(beside),
        "event late by ms": _spread(delays),
        "MB idle": idle and round(idle, 1),
        "MB with streams": loaded and round(loaded, 1),
    }
    if held == streams and beside:
        result["streams let go after s"] = await _let_go(port)
    return result


async def _let_go(port: int) -> float | None:
    """Seconds until the server has noticed that every stream's client is gone (None: not within 20 s)."""
    started = time.perf_counter()
    while time.perf_counter() - started < 20:
        _, answer = await _request(port, "GET", "/open")
        if json.loads(answer[answer.index(b"{") : answer.rindex(b"}") + 1])["open"] == 0:
            return round(time.perf_counter() - started, 2)
        await asyncio.sleep(0.1)
    return None


def _spread(seconds: list[float]) -> str | None:
    if len(seconds) < 2:
        return None
    return f"{statistics.median(seconds) * 1e3:.1f} (p95 {statistics.quantiles(seconds, n=20)[-1] * 1e3:.1f})"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def bench(name: str, streams: int, runs: int, ticks: float) -> dict[str, Any]:
    """Start candidate ``name``, measure it, stop it."""
    port = _free_port()
    command = [sys.executable, __file__, "--serve", name, "--port", str(port), "--streams", str(streams)]
    process = subprocess.Popen([*command, "--ticks", str(ticks)], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            except OSError:
                time.sleep(0.1)
        return asyncio.run(measure(port, process.pid, streams, runs))
    finally:
        process.kill()
        process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("candidates", nargs="*", choices=[[], *CANDIDATES], default=[])
    parser.add_argument("--streams", type=int, default=300)
    parser.add_argument("--runs", type=int, default=60, help="runs timed, alone and beside the streams")
    parser.add_argument("--ticks", type=float, default=2, help="events a second on every stream")
    parser.add_argument("--serve", choices=CANDIDATES, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        if options.serve == "gevent":
            importlib.import_module("gevent.monkey").patch_all()
        CANDIDATES[options.serve][1](application(options.ticks), options.port, options.streams + SPARE_THREADS)
        return
    for name in options.candidates or CANDIDATES:
        distribution = CANDIDATES[name][0]
        try:
            version = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            print(f"{name}: not installed (pip install {distribution})")
            continue
        print(f"{name} {version}", flush=True)
        for key, value in bench(name, options.streams, options.runs, options.ticks).items():
            print(f"    {key:26} {value}", flush=True)


if __name__ == "__main__":
    main()
