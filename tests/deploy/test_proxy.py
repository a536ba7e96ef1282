"""nginx as Debian has it, with the configuration of deploy/, TLS and all, in front of a real server."""

from __future__ import annotations

import getpass
import http.client
import json
import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from served import Server

from tests.servers import await_port, free_port, missing, stop

NAME = "stepgraph.example.org"
DEPLOY = Path(__file__).parents[2] / "deploy"
WRAPPED = """
user {user};  # the workers must reach the folder, which is ours alone
daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    {ours}
}}
"""


class Proxy:
    """A server behind nginx, spoken to over TLS under its public name."""

    def __init__(self, tls_port: int, plain_port: int, server: Server, folder: Path) -> None:
        self.tls_port, self.plain_port, self.server = tls_port, plain_port, server
        self._trust = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
        self._trust.check_hostname = False  # it is called 127.0.0.1 here
        self._asked: list[http.client.HTTPConnection] = []

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPSConnection("127.0.0.1", self.tls_port, timeout=40, context=self._trust)
        sent = {"Host": NAME, "Content-Type": "application/json"} | {k.replace("_", "-"): v for k, v in headers.items()}
        self._asked.append(connection)
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        return connection.getresponse()

    def close(self) -> None:
        """Hang up; what was asked is read until then."""
        for connection in self._asked:
            connection.close()


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    openssl = shutil.which("openssl")
    if nginx is None or openssl is None:
        missing("nginx openssl")
        raise AssertionError
    folder = tmp_path_factory.mktemp("nginx")
    folder.chmod(0o755)
    key = ["-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"]
    subject = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *key, *subject]
    subprocess.run(command, check=True, capture_output=True)
    server = Server(STEPGRAPH_HOSTS=NAME, STEPGRAPH_PROXIES="1")
    tls, plain = free_port(), free_port()
    ours = (DEPLOY / "nginx.conf").read_text()
    for was, here in (
        (f"/etc/letsencrypt/live/{NAME}", str(folder)),
        ("listen 443 ssl", f"listen 127.0.0.1:{tls} ssl"),
        ("listen 80", f"listen 127.0.0.1:{plain}"),
        ("http://127.0.0.1:5000", f"http://127.0.0.1:{server.port}"),
    ):
        assert was in ours
        ours = ours.replace(was, here)
    (folder / "nginx.conf").write_text(WRAPPED.format(user=getpass.getuser(), folder=folder, ours=ours))
    checked = subprocess.run([nginx, "-t", "-q", "-c", folder / "nginx.conf"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    process = subprocess.Popen([nginx, "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
    await_port(tls, process, "nginx")
    behind = Proxy(tls, plain, server, folder)
    yield behind
    behind.close()
    stop(process)
    server.end()


@pytest.mark.slow
def test_pages_come_and_know_their_own_address(proxy: Proxy) -> None:
    answer = proxy.ask("GET", "/play?example=x")
    page = answer.read().decode()
    assert answer.status == 200
    assert f"https://{NAME}/oembed" in page
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie


@pytest.mark.slow
def test_a_stream_comes_line_by_line(proxy: Proxy) -> None:
    source = "import time\nfor i in range(4):\n    print('line', i)\n    time.sleep(0.7)\n"
    run = json.loads(proxy.ask("POST", "/api/runs", {"source": source, "interactive": False}).read())
    stream = proxy.ask("GET", run["links"]["events"])
    came: dict[str, float] = {}
    name = ""
    for line in stream:
        key, _, value = line.decode().rstrip("\n").partition(": ")
        name = value if key == "event" else name
        if key == "data" and name == "output":
            for number in re.findall(r"line (\d)", value):
                came[number] = time.monotonic()
    assert sorted(came) == ["0", "1", "2", "3"]
    assert came["3"] - came["0"] > 1.5, "they were held back and came together"


@pytest.mark.slow
def test_what_is_not_for_everybody(proxy: Proxy) -> None:
    assert proxy.ask("GET", "/metrics").status == 404
    assert proxy.ask("POST", "/api/runs", {"source": "1"}, Origin="https://elsewhere.example.org").status == 403
    plain = http.client.HTTPConnection("127.0.0.1", proxy.plain_port, timeout=10)
    plain.request("GET", "/play", headers={"Host": NAME})
    moved = plain.getresponse()
    assert (moved.status, moved.headers["Location"]) == (301, f"https://{NAME}/play")
    plain.close()


@pytest.mark.slow
def test_limits_go_by_the_callers_address_and_large_programs_get_our_answer(proxy: Proxy) -> None:
    answer = proxy.ask("POST", "/api/runs", {"source": "#" * 150_000})
    assert (answer.status, "100,000" in answer.read().decode()) == (413, True)
