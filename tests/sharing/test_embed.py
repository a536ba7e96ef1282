"""The embed page and oEmbed over HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.web import Config, create_app
from tests.sharing.conftest import NoRunner


@pytest.fixture(scope="module")
def app() -> Iterator[Flask]:
    app = create_app(Config(record_examples=False, hosts=("course.example",)), runner=NoRunner())
    yield app
    app.extensions["stepgraph"].close()


@pytest.fixture(name="client")
def _client(app: Flask) -> FlaskClient:
    return app.test_client()


def policy(client: FlaskClient, path: str) -> dict[str, str]:
    text = client.get(path).headers["Content-Security-Policy"]
    return dict(part.strip().partition(" ")[::2] for part in text.split(";"))


def test_only_the_embed_stands_in_other_peoples_pages(client: FlaskClient) -> None:
    for path in ("/", "/play", "/compare", "/api/examples", "/s/aaaaaaaaaaaa", "/oembed?url=x"):
        assert policy(client, path)["frame-ancestors"] == "'self'", path
        assert client.get(path).headers["Cross-Origin-Resource-Policy"] == "same-origin"
    embed = policy(client, "/embed")
    assert "frame-ancestors" not in embed
    assert embed["script-src"] == "'self'"
    assert embed["default-src"] == "'none'"
    assert client.get("/embed").headers["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_an_embed_sets_no_cookie(client: FlaskClient) -> None:
    assert "Set-Cookie" not in client.get("/embed").headers


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("", 200, 'data-show="code graph words transport"'),
        ("?show=graph,%20words,graph", 200, 'data-show="graph words"'),
        ("?theme=dark", 200, 'data-asked="dark"'),
        ("?link=ABCDEFGHIJKL", 200, 'data-link="abcdefghijkl"'),
        ("?utm_source=x", 200, "data-show"),
        ("?show=", 422, "show takes code, graph"),
        ("?show=grpah", 422, 'There is no "grpah" to show'),
        ('?show="><script>alert(1)</script>', 422, "There is no"),
        ("?theme=pink", 422, "theme is one of"),
        ('?link="onload="alert(1)', 422, "no id of a short link"),
    ],
)
def test_parameters_choose_what_it_shows(client: FlaskClient, query: str, status: int, words: str) -> None:
    answer = client.get(f"/embed{query}")
    assert (answer.status_code, answer.mimetype) == (status, "text/html" if status == 200 else "text/plain")
    assert words in answer.text


def test_oembed_gives_a_frame_for_a_short_link_and_for_a_whole_address(client: FlaskClient) -> None:
    id = client.post("/api/links", json={"source": "print(1)"}).json["id"]
    for path, source in [
        (f"/s/{id}", f"/embed?link={id}"),
        (f"/s/{id.upper()}#step=3", f"/embed?link={id}#step=3"),
        ("/play#program=abc&step=3", "/embed#program=abc&amp;step=3"),
        ("/play?example=xor-torch", "/embed#example=xor-torch"),
        ("/embed?show=graph#example=xor-torch", "/embed?show=graph#example=xor-torch"),
    ]:
        answer = client.get(f"/oembed?url={quote('http://localhost' + path, safe='')}&maxwidth=640&maxheight=4000")
        assert answer.status_code == 200, path
        assert (answer.json["version"], answer.json["type"]) == ("1.0", "rich")
        assert (answer.json["width"], answer.json["height"]) == (640, 560)
        assert f'<iframe src="http://localhost{source}" width="640" height="560"' in answer.json["html"]


def test_an_example_can_be_discovered_and_its_address_is_only_text(client: FlaskClient) -> None:
    page = client.get("/play?example=xor-torch").text
    found = re.search(r'application/json\+oembed" href="http://localhost(/oembed\?url=[^"]*)"', page)
    assert found
    assert "#example=xor-torch" in client.get(found[1]).json["html"]
    assert "json+oembed" not in client.get("/play").text
    assert "<script>alert" not in client.get('/play?example="><script>alert(1)</script>').text


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 422),
        ("url=http://evil.example/play%23program=abc", 404),
        ("url=http://localhost.evil.example/play%23program=abc", 404),
        ("url=http://localhost@evil.example/play%23program=abc", 404),
        ("url=javascript:alert(1)", 404),
        ("url=http://[::1/play", 404),
        ("url=http://localhost/play", 404),
        ("url=http://localhost/api/examples", 404),
        ("url=http://localhost/s/aaaaaaaaaaaa", 404),
        ("url=http://localhost/play%23example=x&format=xml", 501),
        ("url=http://localhost/play%23example=x&maxwidth=wide", 422),
        ("url=http://localhost/play%23example=x&maxheight=0", 422),
        ("url=http://course.example/play%23example=x", 200),
    ],
)
def test_oembed_answers_for_nobody_else(client: FlaskClient, query: str, status: int) -> None:
    assert client.get(f"/oembed?{query}").status_code == status


def test_oembed_answers_for_the_address_that_others_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(Config(record_examples=False, host="0.0.0.0"), runner=NoRunner())
    try:
        for address in ("192.0.2.7", "192.0.2.8"):  # a laptop that is taken from one network to another
            monkeypatch.setattr("app.web.reach._own_address", lambda address=address: address)
            made = app.test_client().post("/api/links", json={"source": "print(1)"}).get_json()["links"]["page"]
            assert made.startswith(f"http://{address}/s/")
            assert app.test_client().get(f"/oembed?url={quote(made, safe='')}").status_code == 200
        assert app.test_client().get("/oembed?url=http://192.0.2.9/embed").status_code == 404
    finally:
        app.extensions["stepgraph"].close()


def test_the_markup_of_a_hostile_address_stays_one_attribute(client: FlaskClient) -> None:
    url = quote('http://localhost/embed?a"onload="alert(1)#"><script>alert(1)</script>', safe="")
    html = client.get(f"/oembed?url={url}").json["html"]
    assert html.count("<") == 2
    assert re.fullmatch(r'<iframe (?:[a-z]+="[^"<>]*" ?)+></iframe>', html)
