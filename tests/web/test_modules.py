"""Which scripts a page loads at once: all that its entry imports."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from app.web.assets import Assets

FILES = {
    "js/main.js": 'import { a } from "./one/a.js";\nimport "./b.js";\n'
    '// import "./never.js";\nvoid import("./later.js");\n',
    "js/one/a.js": 'export { b } from "../b.js";\nimport {\n  c,\n} from "./c.js";\n',
    "js/b.js": 'import { main } from "./main.js";\n',
    "js/one/c.js": "export const c = 1;\n",
    "js/later.js": "",
    "js/never.js": "",
}


def test_modules_are_met_once_each_and_later_ones_are_left_out(tmp_path: Path) -> None:
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    assets = Assets(tmp_path, fresh=0)
    assert assets.modules("js/main.js") == ("js/main.js", "js/one/a.js", "js/b.js", "js/one/c.js")
    assert assets.modules("js/none.js") == ()


@pytest.mark.parametrize(("page", "entry"), [("/", "js/start/main.js"), ("/compare", "js/compare/main.js")])
def test_a_page_names_what_its_script_imports(client: FlaskClient, page: str, entry: str) -> None:
    text = client.get(page).text
    assert f"/{entry}" in text
    assert "/js/trace/decode.js" in text
    assert text.count('rel="modulepreload"') > 20


def test_an_old_address_of_an_example_leads_to_the_player(client: FlaskClient) -> None:
    answer = client.get("/?example=xor-torch&mode=projector")
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/play?example=xor-torch&mode=projector"
