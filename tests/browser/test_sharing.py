"""Short links, and the player in a frame of a page of another origin. Opening either runs nothing."""

from __future__ import annotations

import functools
import http.server
import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
import qr
from axe import violations
from player_page import press, run, seek
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]

PROGRAM = "import torch\nmine = torch.ones(3)\nprint(mine * 2)\n"
MARKUP = "<img src=x onerror=alert(1)>"
HOST = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>A chapter</title>
<p>See <a id="line" href="{embed}#line=14" target="demo">line 14</a>.</p>
<iframe name="demo" src="{embed}#example=linear-regression-torch" width="760" height="480"></iframe>
<iframe name="other" src="{other}" width="100" height="50"></iframe>
<script>
  window.heard = [];
  addEventListener("message", (event) => window.heard.push([event.origin, event.data]));
  window.send = (message) => frames.demo.postMessage(message, "*");
</script>
"""


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser of its own; whatever in it opens an alert fails the test."""
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 1000, "height": 700})
    context.set_default_timeout(15_000)
    alerts: list[str] = []
    context.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    yield context
    context.close()
    assert alerts == []


@pytest.fixture(scope="module")
def host(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, str], str]]:
    """Puts a page on a server of its own, which is another origin, and gives its address."""
    folder = tmp_path_factory.mktemp("host")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder)) as other:
        thread = threading.Thread(target=other.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()

        def put(name: str, text: str) -> str:
            Path(folder / name).write_text(text)
            return f"http://localhost:{other.server_port}/{name}"

        yield put
        other.shutdown()
        thread.join(5)


def make_link(server: str, **link: Any) -> str:
    """The id of a short link."""
    body = json.dumps(link).encode()
    with urlopen(Request(f"{server}/api/links", body, {"Content-Type": "application/json"})) as answer:
        id: str = json.load(answer)["id"]
        return id


def runs_in(context: BrowserContext) -> list[str]:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url) if "/api/runs" in request.url else None)
    return asked


def test_a_short_link_is_made_and_opened_elsewhere(open_page: OpenPage, server: str, context: BrowserContext) -> None:
    page = open_page("linear-regression-torch")
    run(page, PROGRAM)
    number = seek(page, r"^mul ")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Make a short link").click()
    field = page.get_by_label("Short link", exact=True)
    expect(field).to_have_value(re.compile(rf"^{server}/s/[a-z2-7]{{12}}$"))
    code = page.get_by_role("img", name=re.compile("QR code of 127.0.0.1"))
    expect(code).to_be_visible()
    assert code.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
    assert qr.read(code) == field.input_value()
    markup = page.get_by_label("Markup of the frame")
    page.get_by_role("checkbox", name="variables").check()
    expect(markup).to_have_value(re.compile(r"show=code,graph,words,transport,variables#program="))
    assert violations(page, "dialog") == []
    address = field.input_value()
    other = context.new_page()
    asked = runs_in(context)
    other.add_init_script('localStorage.setItem(\'stepgraph.program\', \'{"source": "my own", "name": "mine.py"}\')')
    other.goto(address)
    expect(other.locator("#stale-note")).to_contain_text("came with the link. Nothing of it has run")
    expect(other.locator(".cm-content")).to_contain_text("mine = torch.ones(3)")
    other.wait_for_timeout(700)  # what is kept and the address are written after a while
    assert asked == []
    assert "my own" in other.evaluate("() => localStorage.getItem('stepgraph.program')")
    other.locator("#run").click()
    expect(other.locator("#counter b")).to_have_text(str(number))
    expect(other).to_have_url(f"{address}#step={number}")
    other.evaluate("() => { location.hash = '#line=2'; }")
    expect(other.locator("#where")).to_contain_text("Line 2")
    other.locator(".cm-content").click()
    other.keyboard.type("# mine now\n")
    expect(other).to_have_url(re.compile(r"/play#program="))


def test_a_short_link_to_an_example_brings_its_recording(server: str, context: BrowserContext) -> None:
    with urlopen(f"{server}/api/examples") as answer:
        source = next(e for e in json.load(answer)["examples"] if e["id"] == "xor-torch")["source"]
    page = context.new_page()
    asked = runs_in(context)
    page.goto(f"{server}/s/{make_link(server, source=source, step=9)}")
    expect(page.locator("#counter b")).to_have_text("9", timeout=30_000)
    expect(page.locator("#stale-note")).to_be_hidden()
    assert asked == []


def test_whatever_a_link_holds_is_text(server: str, context: BrowserContext) -> None:
    id = make_link(
        server,
        source=f"print('{MARKUP}')  # {MARKUP}\n",
        step=2, view="9.9", node=99_999, breakpoints=[f"1:{MARKUP}"], watches=[MARKUP], selected=MARKUP, find=MARKUP,
    )  # fmt: skip
    page = context.new_page()
    for address in (f"{server}/s/{id}", f"{server}/embed?link={id}&show=code,graph,words,transport,output"):
        page.goto(address)
        expect(page.locator(".cm-content")).to_contain_text(MARKUP)
        page.locator("#run").click()
        expect(page.locator("#sentence mark")).to_be_visible(timeout=30_000)
        expect(page.locator("#output")).to_contain_text(MARKUP)
        assert page.locator("img[src=x]").count() == 0


@pytest.fixture
def chapter(server: str, host: Callable[[str, str], str], context: BrowserContext) -> Page:
    """A page of another origin with an embedded example."""
    poke = "<script>addEventListener('message', (e) => parent.frames.demo.postMessage(e.data, '*'))</script>"
    other = host("other.html", f"<!doctype html><title>Another frame</title>{poke}")
    page = context.new_page()
    page.goto(host("chapter.html", HOST.format(embed=f"{server}/embed", other=other)))
    expect(frame(page).locator("#counter b")).to_have_text("1", timeout=30_000)
    return page


def frame(page: Page) -> FrameLocator:
    return page.frame_locator("iframe[name=demo]")


def test_prose_leads_to_places_of_an_embedded_player(chapter: Page) -> None:
    chapter.locator("#line").click()
    expect(frame(chapter).locator("#where")).to_contain_text("Line 14")
    chapter.evaluate("() => send({stepgraph: 1, go: {line: 12}})")
    expect(frame(chapter).locator("#where")).to_contain_text("Line 12")
    chapter.evaluate("() => send({stepgraph: 1, go: {node: 3}})")
    expect(frame(chapter).locator(".nodes .is-selected, .nodes .selected")).to_have_count(1)
    chapter.evaluate("() => send({stepgraph: 1, go: {line: 999}})")
    expect(frame(chapter).locator("#progress")).to_have_text("No step is at line 999.")
    opens = frame(chapter).locator("#open")
    opens.focus()
    expect(opens).to_have_attribute("href", re.compile(r"^/play#example=linear-regression-torch&step=\d+"))


def test_an_embed_hears_its_host_only_and_tells_it_numbers(chapter: Page, server: str) -> None:
    chapter.evaluate("() => send({stepgraph: 1, follow: true, go: {step: 5}})")
    expect(frame(chapter).locator("#counter b")).to_have_text("5")
    for message in ("null", "7", "{stepgraph: 2, go: {step: 9}}", "{stepgraph: 1, go: 'x'}", "{go: {step: 9}}"):
        chapter.evaluate(f"() => send({message})")
    hostile = "{stepgraph: 1, run: true, source: 'print(666)', go: {program: 'abc', example: 'xor-torch', name: '<b>'}}"
    chapter.evaluate(f"() => send({hostile})")
    # From another frame of the same page, in the same words: it is passed on, and not obeyed.
    chapter.evaluate("() => frames.other.postMessage({stepgraph: 1, go: {step: 40}}, '*')")
    chapter.evaluate("() => send({stepgraph: 1, go: {step: 6}})")
    expect(frame(chapter).locator("#counter b")).to_have_text("6")
    expect(frame(chapter).locator("#file")).to_have_text("linear_regression_torch.py")
    heard = chapter.evaluate("() => window.heard")
    assert {origin for origin, _ in heard} == {server}
    assert [data["at"]["step"] for _, data in heard][-1] == 6
    assert 40 not in [data["at"]["step"] for _, data in heard]
    assert all(set(data) == {"stepgraph", "at"} and set(data["at"]) == {"step", "steps", "line"} for _, data in heard)


def test_a_program_runs_in_a_foreign_frame_only_when_its_reader_presses_run(
    server: str, host: Callable[[str, str], str], context: BrowserContext
) -> None:
    id = make_link(server, source=PROGRAM, step=3)
    asked = runs_in(context)
    page = context.new_page()
    markup = f'<iframe name="demo" src="{server}/embed?link={id}&theme=dark" width="700" height="420"></iframe>'
    page.goto(host("own.html", f'<!doctype html><link rel="icon" href="data:,"><title>Own</title>{markup}'))
    expect(frame(page).locator(".graph")).to_contain_text("Press Run")
    expect(frame(page).locator("#stale-note")).to_contain_text("came with the link")
    expect(frame(page).locator("html")).to_have_attribute("data-theme", "dark")
    assert asked == []
    frame(page).locator("#run").click()
    expect(frame(page).locator("#counter b")).to_have_text("3", timeout=30_000)
    assert len([url for url in asked if url.endswith("/api/runs")]) == 1
    assert context.cookies() == []


@pytest.mark.slow
def test_the_player_itself_stands_in_no_other_page(
    server: str, host: Callable[[str, str], str], context: BrowserContext
) -> None:
    page = context.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text) if "frame-ancestors" in message.text else None)
    page.goto(host("play.html", f'<!doctype html><title>Play</title><iframe name="demo" src="{server}/play"></iframe>'))
    assert len(refused) == 1
    assert frame(page).locator("#app").count() == 0


@pytest.mark.parametrize(
    ("width", "show"),
    [
        (760, "code,graph,words,transport"),
        pytest.param(360, "graph,words,transport,node", marks=pytest.mark.slow),
    ],
)
def test_an_embed_is_clean_and_nothing_overflows(server: str, context: BrowserContext, width: int, show: str) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 520})
    page.goto(f"{server}/embed?show={show}#example=xor-torch&step=60")
    expect(page.locator("#sentence mark")).to_be_visible(timeout=30_000)
    shown = {"code": "#code", "graph": "#graph", "words": "#caption", "transport": "#transport"}
    for feature in show.split(","):
        if feature in shown:
            expect(page.locator(shown[feature])).to_be_visible()
    expect(page.locator("#lanes")).to_be_hidden()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert violations(page, "html") == []


@pytest.mark.slow
def test_a_printed_step_is_light_and_has_its_whole_graph(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    press(page, "ArrowRight", 60)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Share").click()
        page.get_by_role("button", name="Picture, SVG").click()
    assert saved.value.path().read_text().startswith("<svg")
    page.evaluate("() => { window.print = () => dispatchEvent(new Event('beforeprint')); }")
    page.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Print, or save as PDF").click()
    expect(page.locator("dialog.share")).to_have_count(0)
    page.emulate_media(media="print")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    expect(page.locator("header .end")).to_be_hidden()
    boxes = page.evaluate("""() => {
      const box = (element) => element.getBoundingClientRect();
      const { left, right, top, bottom } = box(document.querySelector('.graph > svg.paper'));
      const inside = (b) => b.left >= left && b.right <= right && b.top >= top && b.bottom <= bottom;
      return [...document.querySelectorAll('.graph > svg.paper .node')].map((node) => inside(box(node)));
    }""")
    assert len(boxes) > 0
    assert all(boxes)
    page.evaluate("() => { dispatchEvent(new Event('afterprint')); }")
    expect(page.locator(".graph > svg.paper")).to_have_count(0)
