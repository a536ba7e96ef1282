"""Web processes are replaced under a class and under a program that runs on a worker: nobody is left behind."""

from __future__ import annotations

import contextlib
import http.client
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from served import Servers, worker

PROGRAM = {"source": "import time\nprint('begun')\ntime.sleep(9)\nprint('done')\n", "interactive": False}
STEPS = 40
FOLLOWERS = 10


class Page:
    """A page that follows: when its stream ends it comes back with the number it saw last, as browsers do."""

    def __init__(self, servers: Servers, path: str, enough: Callable[[str, Any], bool]) -> None:
        self.told: list[tuple[str, Any]] = []
        self.connections = 0
        self.refused: list[int] = []
        self._servers, self._path, self._enough = servers, path, enough
        self._last = ""
        self.thread = threading.Thread(target=self._stay, daemon=True)
        self.thread.start()

    def _stay(self) -> None:
        while not self._follow():
            threading.Event().wait(0.2)

    def _follow(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self._servers.port, timeout=30)
        name = ""
        with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
            connection.request("GET", self._path, headers={"Last-Event-ID": self._last} if self._last else {})
            response = connection.getresponse()
            self.connections += 1
            if response.status != 200:
                self.refused.append(response.status)
                return True
            for line in response:
                key, _, value = line.decode().rstrip("\n").partition(": ")
                if key == "id":
                    self._last = value
                elif key == "event":
                    name = value
                elif key == "data":
                    self.told.append((name, value))
                    if self._enough(name, value):
                        return True
        return False


@pytest.mark.slow
def test_processes_are_replaced_twice(tmp_path: Path, new_postgresql_url: Callable[[], str], redis_url: str) -> None:
    with worker(redis_url):
        servers = Servers(tmp_path, new_postgresql_url(), redis_url)
        try:
            _replace(servers)
        finally:
            servers.end()


def _replace(servers: Servers) -> None:
    _, _, opened = servers.ask("POST", "/api/classes", {"source": "print('hello')\n", "name": "main.py"})
    path, key = f"/api/classes/{opened['code']}", {"X_Class_Key": opened["key"]}
    last = f'"step":{STEPS},'
    pages = [
        Page(servers, f"{path}/events?as=projector", lambda name, text: name == "place" and last in text)
        for _ in range(FOLLOWERS)
    ]
    status, _, run = servers.ask("POST", "/api/runs", PROGRAM)
    assert status == 202
    follower = Page(servers, run["links"]["events"], lambda name, text: name in ("done", "failed", "cancelled"))
    sent_again = 0
    for step in range(1, STEPS + 1):
        if step in (10, 25):
            servers.process.send_signal(signal.SIGHUP)
        place = {"kind": "place", "data": {"program": 1, "step": step, "node": -1, "view": None, "pane": None}}
        for _ in range(20):
            try:
                assert servers.ask("POST", f"{path}/events", place, **key)[0] == 200
                break
            except (ConnectionError, http.client.RemoteDisconnected):
                sent_again += 1
                threading.Event().wait(0.1)
        threading.Event().wait(0.25)
    for page in [*pages, follower]:
        page.thread.join(60)
        assert not page.thread.is_alive(), page.told[-3:]
    for page in pages:
        steps = [
            int(text.partition('"step":')[2].partition(",")[0])
            for name, text in page.told
            if name == "place" and '"step"' in text
        ]
        assert page.refused == []
        assert steps == sorted(steps)
        assert steps[-1] == STEPS
        assert page.connections >= 2, "nothing was replaced"
    assert sent_again <= 4, "a request or two may meet a process that closes"
    names = [name for name, _ in follower.told]
    assert (names[-1], names.count("done")) == ("done", 1)
    assert follower.connections >= 2
    status, _, trace = servers.ask("GET", run["links"]["trace"])
    assert (status, trace["stdout"]) == (200, "begun\ndone\n")
    print(f"{FOLLOWERS} pages, {STEPS} steps, processes replaced twice: {sent_again} requests sent again")
