"""Headers, host names, cross-site requests, static files."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.web.assets import Assets


def policy(response: Any) -> dict[str, str]:
    parts = response.headers["Content-Security-Policy"].split("; ")
    return dict(part.split(" ", 1) for part in parts)


def test_every_response_has_the_strict_policy(client: FlaskClient) -> None:
    strict = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'self'",
        "form-action": "'none'",
    }
    for address in ("/healthz", "/api/examples", "/api/runs/none", "/nowhere", "/static/none.js"):
        response = client.get(address)
        assert policy(response) == strict, address
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Referrer-Policy"] == "no-referrer"


def test_the_page_has_no_inline_script_and_a_fresh_nonce_for_styles(client: FlaskClient) -> None:
    first, second = client.get("/"), client.get("/")
    assert first.status_code == 200
    assert first.headers["Cache-Control"] == "no-store"
    assert policy(first)["script-src"] == "'self'"
    nonces = [re.findall(r"'nonce-([^']+)'", policy(page)["style-src"]) for page in (first, second)]
    assert len(nonces[0]) == len(nonces[1]) == 1
    assert nonces[0] != nonces[1]
    assert nonces[0][0] in first.text
    for script in re.findall(r"<script\b([^>]*)>(.*?)</script>", first.text, re.DOTALL):
        assert "src=" in script[0]
        assert not script[1].strip()
    assert not re.search(r"\son\w+\s*=|\sstyle\s*=|javascript:", first.text)
    assert "stepgraph_session=" in first.headers["Set-Cookie"]


def test_every_file_that_the_page_names_exists_and_may_be_kept(client: FlaskClient) -> None:
    page = client.get("/").text
    names = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert names
    for name in names:
        response = client.get(name)
        assert response.status_code == 200, name
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable", name
        if name.endswith(".js"):
            assert response.mimetype == "text/javascript"


def test_static_files_change_address_with_their_content(make: Callable[..., Flask], tmp_path: Any) -> None:
    (tmp_path / "js").mkdir()
    script = tmp_path / "js" / "main.js"
    script.write_text("1")
    app = make()
    client = app.test_client()
    assets = Assets(tmp_path, fresh=0)
    app.extensions["stepgraph"].assets = assets
    first = assets.version()
    assert assets.version() == first
    lasting = client.get(f"/static/v-{first}/js/main.js")
    assert lasting.text == "1"
    assert "immutable" in lasting.headers["Cache-Control"]
    script.write_text("22")
    assert assets.version() != first
    stale = client.get(f"/static/v-{first}/js/main.js")
    plain = client.get("/static/js/main.js")
    assert stale.text == plain.text == "22"
    assert stale.headers["Cache-Control"] == plain.headers["Cache-Control"] == "no-cache"
    same = client.get("/static/js/main.js", headers={"If-None-Match": plain.headers["ETag"]})
    assert same.status_code == 304
    (tmp_path.parent / "secret.txt").write_text("s")
    (tmp_path / ".hidden.txt").write_text("s")
    for escape in ("../secret", "..%2fsecret", "%2e%2e/secret", "js/../../secret", "v-1/../../secret", ".hidden", "js"):
        assert client.get(f"/static/{escape}.txt").status_code == 404, escape
        assert client.get(f"/static/{escape}").status_code == 404, escape


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:5000", 200),
        ("127.0.0.1:8080", 200),
        ("[::1]:5000", 200),
        ("school.example", 200),
        ("evil.example", 403),
        ("evil.example:5000", 403),
        ("localhost.evil.example", 403),
        ("127.0.0.1.evil.example", 403),
        ("[::2]", 403),
        ("192.168.0.7", 403),
    ],
)
def test_on_loopback_only_this_machines_names_are_answered(make: Callable[..., Flask], host: str, status: int) -> None:
    response = make(hosts=("school.example",)).test_client().get("/api/examples", headers={"Host": host})
    assert response.status_code == status
    if status == 403:
        assert "127.0.0.1" in response.get_json()["error"]["hint"]


def test_beyond_loopback_any_name_is_answered(make: Callable[..., Flask]) -> None:
    client = make(host="0.0.0.0").test_client()
    assert client.get("/healthz", headers={"Host": "school.example"}).status_code == 200


@pytest.mark.parametrize(
    ("site", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 202), ("none", 202)]
)
def test_other_sites_cannot_start_runs(client: FlaskClient, site: str, status: int) -> None:
    response = client.post("/api/runs", json={"source": "x"}, headers={"Sec-Fetch-Site": site})
    assert response.status_code == status
    assert client.get("/api/examples", headers={"Sec-Fetch-Site": site}).status_code == 200


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost", 202),
        ("http://LOCALHOST", 202),
        ("https://school.example", 202),
        ("http://evil.example", 403),
        ("http://localhost:8888", 403),
        ("http://localhost.evil.example", 403),
        ("null", 403),
        ("", 403),
        ("file://localhost", 403),
    ],
)
def test_an_origin_must_be_our_own(make: Callable[..., Flask], origin: str, status: int) -> None:
    client = make(hosts=("school.example",)).test_client()
    headers = {"Origin": origin}
    response = client.post("/api/runs", json={"source": "x"}, headers=headers)
    assert response.status_code == status
    assert client.get("/api/examples", headers=headers).status_code == 200
    if status == 403:
        address = client.post("/api/runs", json={"source": "x"}).get_json()["links"]["trace"]
        assert client.delete(address, headers=headers).status_code == 403
        assert client.delete(address).status_code == 204


def test_scripts_are_compressed_where_that_is_accepted(make: Callable[..., Flask], tmp_path: Any) -> None:
    (tmp_path / "main.js").write_text("let x = 1;\n" * 1000)
    app = make()
    app.extensions["stepgraph"].assets = Assets(tmp_path)
    plain = app.test_client().get("/static/main.js")
    packed = app.test_client().get("/static/main.js", headers={"Accept-Encoding": "gzip, br"})
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["ETag"] != plain.headers["ETag"]
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
