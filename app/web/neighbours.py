"""Several web processes behind one port: a run lives in the one that took it, and any of them may be asked for it.

An id begins with the name of its process. Whoever is asked for another's run passes the request on, through a socket
in a folder that only this user can open, and hands the answer back as it comes.
"""

from __future__ import annotations

import contextlib
import http.client
import re
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import waitress

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

_RUN = re.compile(r"/api/runs/([0-9a-f]{8})\.")
_HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "date", "server"})
_MOST_BODY = 100_000
"""The longest thing that is sent to a run is an answer to its question (10,000 bytes, as JSON)."""
_CALLER = "X-STEPGRAPH-CALLER"
"""Says for whom a neighbour asks: limits go by address. Nobody else reaches the socket."""
_PATIENCE = 60
_PIECE = 1 << 16


class Neighbours:
    """``app`` for everybody: what concerns a run of another process is answered by that one."""

    def __init__(self, app: Wsgi, name: str, folder: Path, threads: int) -> None:
        self._app = app
        self._name = name
        self._folder = folder
        server = waitress.create_server(
            self._for_neighbours,
            unix_socket=str(folder / name),
            unix_socket_perms="600",
            threads=threads,
            connection_limit=2 * threads,
            # What proxies say stands as it came; how many of them are believed is the application's to know.
            clear_untrusted_proxy_headers=False,
        )
        threading.Thread(target=server.run, name="neighbours", daemon=True).start()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        found = _RUN.match(environ["PATH_INFO"])
        length = int(environ.get("CONTENT_LENGTH") or 0)
        if found and found[1] != self._name and length <= _MOST_BODY:
            answer = self._ask(found[1], environ, environ["wsgi.input"].read(length) if length else None)
            if answer is not None:
                start_response(f"{answer.response.status} {answer.response.reason}", answer.headers)
                return answer
        return self._app(environ, start_response)

    def document(self, id: str) -> bytes | None:
        """The document of another process's run, empty if there is none (yet); None if there is no such run."""
        found = _RUN.match(f"/api/runs/{id}")
        if found is None or found[1] == self._name:
            return None
        answer = self._ask(found[1], {"REQUEST_METHOD": "GET", "PATH_INFO": f"/api/runs/{id}"}, None)
        if answer is None:
            return None
        with contextlib.closing(answer):
            status, text = answer.response.status, b"".join(answer)
        return None if status == 404 else text if status == 200 else b""

    def _for_neighbours(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        environ["REMOTE_ADDR"] = environ.pop(f"HTTP_{_CALLER.replace('-', '_')}")
        return self._app(environ, start_response)

    def _ask(self, name: str, environ: dict[str, Any], body: bytes | None) -> _Answer | None:
        """The answer of the process ``name``; None if there is no such process (any longer)."""
        connection = _Connection(str(self._folder / name))
        headers = {key[5:].replace("_", "-"): text for key, text in environ.items() if key.startswith("HTTP_")}
        headers = {key: text for key, text in headers.items() if key.lower() not in _HOP_BY_HOP}
        headers[_CALLER] = environ.get("REMOTE_ADDR", "")
        if environ.get("CONTENT_TYPE"):
            headers["Content-Type"] = environ["CONTENT_TYPE"]
        query = environ.get("QUERY_STRING")
        path = quote(environ["PATH_INFO"]) + (f"?{query}" if query else "")
        try:
            connection.request(environ["REQUEST_METHOD"], path, body, headers)
            return _Answer(connection, connection.getresponse())
        except (OSError, http.client.HTTPException):
            connection.close()
            return None


class _Connection(http.client.HTTPConnection):
    def __init__(self, address: str) -> None:
        super().__init__("localhost", timeout=_PATIENCE)
        self._address = address

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(_PATIENCE)
        self.sock.connect(self._address)


class _Answer:
    """Handed on piece by piece; closed with the client's connection, so that the neighbour notices who has gone."""

    def __init__(self, connection: _Connection, response: http.client.HTTPResponse) -> None:
        self._connection = connection
        self.response = response
        self.headers = [(key, text) for key, text in response.getheaders() if key.lower() not in _HOP_BY_HOP]

    def __iter__(self) -> Iterator[bytes]:
        while piece := self.response.read1(_PIECE):
            yield piece

    def close(self) -> None:
        self.response.close()
        self._connection.close()
