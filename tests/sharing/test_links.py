"""Short links over HTTP: made, opened, refused, limited, on either database."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import insert

from app.store import Database
from app.store.tables import programs

SOURCE = "import torch\nx = torch.ones(3)\nprint('</script><script>alert(1)</script>', x)\n"
WHOLE = {
    "source": SOURCE,
    "name": "mine (2).py",
    "step": 3,
    "node": 4,
    "view": "0.1",
    "by": "line",
    "breakpoints": ["7", "3:x > '<b>'", "op:MatMul"],
    "watches": ["x.grad", "<img src=x onerror=alert(1)>"],
    "selected": "loss",
    "find": '"><svg onload=alert(1)>',
}


def test_a_link_gives_back_what_was_put_in_and_everybody_gets_the_same(make: Callable[..., Flask]) -> None:
    first, second = make().test_client(), make().test_client()
    answer = first.post("/api/links", json=WHOLE)
    assert answer.status_code == 201
    id = answer.json["id"]
    assert answer.headers["Location"] == f"/api/links/{id}"
    assert answer.json["links"] == {
        "page": f"http://localhost/s/{id}",
        "code": f"/s/{id}/qr.svg",
        "embed": f"http://localhost/embed?link={id}",
    }
    assert second.post("/api/links", json=WHOLE).json["id"] == id
    assert second.get(f"/api/links/{id}").json == {"v": 1, **WHOLE}
    assert second.get(f"/api/links/{id.upper()}").json == {"v": 1, **WHOLE}
    assert first.post("/api/links", json={**WHOLE, "step": 4}).json["id"] != id


def test_an_id_follows_from_the_content_for_ever(client: FlaskClient) -> None:
    # Links on paper: this id was given once, and must be given again.
    assert client.post("/api/links", json={"source": "print(1)\n", "step": 3}).json["id"] == "emdxlsr2vmxf"


def test_a_link_of_version_1_is_read_as_it_was_stored(make: Callable[..., Flask], set_up: dict[str, str]) -> None:
    database = Database(set_up["database_url"])
    row = {
        "id": "aaaaaaaaaaaa",
        "digest": bytes(32),
        "source": "print(1)\n",
        "options": {"v": 1, "step": 3, "breakpoints": ["1"], "of_the_past": True},
        "size": 1,
        "created": 0.0,
    }
    with database.writing() as connection:
        connection.execute(
            insert(programs).values([row, {**row, "id": "b" * 12, "digest": b"b" * 32, "options": {"v": 2}}])
        )
    database.close()
    client = make().test_client()
    found = client.get("/api/links/aaaaaaaaaaaa")
    assert found.json == {"v": 1, "source": "print(1)\n", "step": 3, "breakpoints": ["1"]}
    newer = client.get("/api/links/bbbbbbbbbbbb")
    assert newer.status_code == 422
    assert "newer Stepgraph" in newer.json["error"]["message"]


def test_the_page_holds_nothing_of_the_program_and_names_its_oembed(client: FlaskClient) -> None:
    id = client.post("/api/links", json=WHOLE).json["id"]
    page = client.get(f"/s/{id}")
    assert page.status_code == 200
    assert "alert(1)" not in page.text
    assert f'href="http://localhost/oembed?url=http%3A%2F%2Flocalhost%2Fs%2F{id}"' in page.text
    assert "frame-ancestors 'self'" in page.headers["Content-Security-Policy"]
    assert client.get(f"/s/{id.upper()}").headers["Location"] == f"/s/{id}"


def test_the_code_is_a_picture_of_the_address(client: FlaskClient) -> None:
    id = client.post("/api/links", json=WHOLE).json["id"]
    code = client.get(f"/s/{id}/qr.svg")
    assert code.mimetype == "image/svg+xml"
    assert re.fullmatch(r"<svg[^<]*>(<path[^<]*/>)+</svg>\s*", code.text)


@pytest.mark.parametrize("path", ["/s/{}", "/s/{}/qr.svg", "/api/links/{}"])
@pytest.mark.parametrize("id", ["aaaaaaaaaaaa", "short", "a" * 60, "%3Cscript%3E", "..%2f..%2fetc"])
def test_what_was_never_made_is_not_there(client: FlaskClient, path: str, id: str) -> None:
    answer = client.get(path.format(id))
    assert answer.status_code == 404
    assert "<script>" not in answer.text
    assert answer.mimetype == ("application/json" if path.startswith("/api") else "text/plain")


BAD: list[tuple[dict[str, Any], str]] = [
    ({}, '"source" must be a program'),
    ({"source": 7}, '"source" must be a program'),
    ({"source": "  \n"}, '"source" must be a program'),
    ({"source": "a" * 100_001}, "at most 100,000"),
    ({"source": "é" * 50_001}, "at most 100,000"),
    ({"source": "a\0"}, "NUL"),
    ({"source": "a\ud800"}, "surrogate"),
    ({"source": "a", "trace": {"version": 1}}, 'Unknown key "trace"'),
    ({"source": "a", "recording": "x"}, 'Unknown key "recording"'),
    ({"source": "a", "v": 2}, '"v" must be 1'),
    ({"source": "a", "v": True}, '"v" must be 1'),
    ({"source": "a", "step": -1}, '"step"'),
    ({"source": "a", "step": True}, '"step"'),
    ({"source": "a", "step": 10**9}, '"step"'),
    ({"source": "a", "view": "1.2.3"}, '"view"'),
    ({"source": "a", "by": "leap"}, '"by"'),
    ({"source": "a", "breakpoints": "7"}, '"breakpoints"'),
    ({"source": "a", "breakpoints": [7]}, '"breakpoints"'),
    ({"source": "a", "breakpoints": ["7"] * 21}, '"breakpoints"'),
    ({"source": "a", "watches": ["x" * 401]}, '"watches"'),
    ({"source": "a", "watches": ["x\ud800"]}, "surrogate"),
    ({"source": "a", "selected": "x" * 201}, '"selected"'),
    ({"source": "a", "find": ["x"]}, '"find"'),
    ({"source": "a", "name": "../x.py"}, '"name"'),
    ({"source": "a", "name": 3}, '"name"'),
]


def test_what_is_no_link_is_refused_with_what_to_do(make: Callable[..., Flask]) -> None:
    client = make(address_links_a_minute=1).test_client()  # what is refused counts for nothing
    for body, words in BAD:
        answer = client.post("/api/links", json=body)
        assert answer.status_code == 422, body
        assert words in answer.json["error"]["message"], body
        assert answer.json["error"]["hint"]
    assert client.post("/api/links", json={"source": "a"}).status_code == 201


def test_another_site_makes_no_links(client: FlaskClient) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert client.post("/api/links", json={"source": "a"}, headers=headers).status_code == 403


def test_a_session_makes_so_many_a_minute_and_new_sessions_do_not_help(make: Callable[..., Flask]) -> None:
    app = make(session_links_a_minute=2, address_links_a_minute=3)
    one = app.test_client()
    one.get("/play")
    statuses = [one.post("/api/links", json={"source": f"print({n})"}).status_code for n in range(3)]
    assert statuses == [201, 201, 429]
    others = [app.test_client().post("/api/links", json={"source": "x"}) for _ in range(2)]
    assert [answer.status_code for answer in others] == [201, 429]
    assert 0 < int(others[1].headers["Retry-After"]) <= 60
    assert "holds the whole program" in others[1].json["error"]["hint"]


def test_without_its_database_the_page_says_what_still_works(make: Callable[..., Flask], tmp_path: Any) -> None:
    (tmp_path / "file").write_text("")
    client = make(database_url=f"sqlite:///{tmp_path}/file/x.sqlite3").test_client()
    answer = client.post("/api/links", json={"source": "a"})
    assert answer.status_code == 503
    assert "needs nothing stored" in answer.json["error"]["hint"]
    page = client.get("/s/aaaaaaaaaaaa")
    assert (page.status_code, page.mimetype) == (503, "text/plain")
    assert client.get("/play").status_code == 200
