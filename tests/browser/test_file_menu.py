"""The menu File: what is saved can be read by those whom it is for; what is opened is not run."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import networkx
import pytest
from axe import violations
from page_programs import DETACHED
from player_page import go_to, places, press, run, seek, sentence, step, steps
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]
OPEN = re.compile("^Open …")
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = DETACHED + "print('</script><script>document.title = 1</script><!-- \\u2028 ]]> & \" \\\\')\n"


def saved(page: Page, item: str, folder: Path) -> Path:
    page.locator("#file-button").click()
    with page.expect_download() as waiting:
        page.get_by_role("menuitem", name=re.compile(f"^{re.escape(item)}")).click()
    file = folder / waiting.value.suggested_filename
    waiting.value.save_as(file)
    return file


def test_graph_files(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("linear-regression-torch")
    run(page, HOSTILE)
    seek(page, "backward starts")
    shown = page.locator(".nodes .node").count()
    graph = networkx.read_graphml(saved(page, "Graph, GraphML", tmp_path))
    assert graph.number_of_nodes() == shown
    assert {"W1", "W2", "X", "y", "loss"} <= {data["name"] for _, data in graph.nodes(data=True)}
    kinds = {data["kind"] for _, _, data in graph.edges(data=True)}
    assert {"data", "gradient", "saved"} <= kinds
    loss = next(node for node, data in graph.nodes(data=True) if data["name"] == "loss")
    first = next(node for node, data in graph.nodes(data=True) if data["name"] == "X")
    assert networkx.has_path(graph, first, loss)
    dot = saved(page, "Graph, DOT", tmp_path)
    assert dot.name == f"program-step-{step(page)}.dot"
    program = shutil.which("dot")
    if program is None:
        pytest.skip("no Graphviz here")
    plain = subprocess.run([program, "-Tplain", dot], capture_output=True, text=True, check=True).stdout
    assert sum(line.startswith("node ") for line in plain.splitlines()) == shown
    assert sum(line.startswith("edge ") for line in plain.splitlines()) == graph.number_of_edges()


def test_pictures(open_page: OpenPage, browser: Browser, tmp_path: Path) -> None:
    page = open_page("linear-regression-torch")
    go_to(page, 12)
    before = places(page), page.locator("#graph .world").last.get_attribute("transform")
    shown = page.locator(".nodes .node").count()
    file = saved(page, "Picture, SVG", tmp_path)
    assert (places(page), page.locator("#graph .world").last.get_attribute("transform")) == before
    tree = ElementTree.parse(file)
    titles = [title.text or "" for title in tree.iter(f"{SVG}title")]
    assert sum("," in title for title in titles) >= shown
    assert tree.find(f"{SVG}desc") is not None
    assert "".join(tree.find(f"{SVG}desc").itertext()).startswith("Step 12: ")  # type: ignore[union-attr]
    assert not [name for node in tree.iter() for name in node.attrib if name.startswith("on") or name == "style"]
    # Alone, in a page of its own, it looks as it should: something of each category's colour is there.
    alone = browser.new_page()
    alone.goto(file.as_uri())
    fills = alone.evaluate("[...document.querySelectorAll('rect, path')].map((one) => getComputedStyle(one).stroke)")
    assert len(set(fills)) > 4
    alone.close()
    png = saved(page, "Picture, PNG", tmp_path).read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png[16:20], "big") > 800
    assert len(png) > 8000


def test_a_moving_picture(open_page: OpenPage, browser: Browser, tmp_path: Path) -> None:
    page = open_page("linear-regression-torch")
    go_to(page, 8)
    page.locator("#file-button").click()
    page.get_by_role("menuitem", name=re.compile("^Moving")).click()
    form = page.locator("form.range")
    form.locator("[name=from]").fill("9")
    form.locator("[name=to]").fill("5")
    form.get_by_role("button", name="Save").click()
    expect(page.locator("#message")).to_contain_text("comes after the last one")
    form.locator("[name=to]").fill("16")
    with page.expect_download() as waiting:
        form.get_by_role("button", name="Save").click()
    file = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(file)
    assert file.name.endswith("-steps-9-16.svg")
    tree = ElementTree.parse(file)
    moving = list(tree.iter(f"{SVG}animate"))
    assert moving
    assert all(one.get("dur") == "6.4s" for one in moving)
    # What the page says at a step is what the picture says at its time.
    alone = browser.new_page()
    alone.goto(file.as_uri())
    for number in (9, 13, 16):
        go_to(page, number)
        alone.evaluate(
            "(t) => { document.documentElement.pauseAnimations(); document.documentElement.setCurrentTime(t); }",
            (number - 9) * 0.8 + 0.3,
        )
        words = alone.evaluate(
            "[...document.querySelectorAll('svg > g > text')].filter((one) => one.getClientRects().length)"
            ".map((one) => one.textContent)"
        )
        assert f"{number}. {sentence(page)}" in words
    alone.close()


def test_the_recording_as_a_page(open_page: OpenPage, browser: Browser, tmp_path: Path) -> None:
    page = open_page("linear-regression-torch")
    run(page, HOSTILE)
    go_to(page, 20)
    words, count = sentence(page), steps(page)
    file = saved(page, "Page that plays it", tmp_path)
    context = browser.new_context(offline=True, reduced_motion="reduce", viewport={"width": 1366, "height": 768})
    alone = context.new_page()
    heard: list[str] = []
    asked: list[str] = []
    alone.on("console", lambda message: heard.append(message.text))
    alone.on("pageerror", lambda error: heard.append(str(error)))
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(file.as_uri())
    expect(alone.locator("#counter")).to_contain_text(f"Step 1 of {count}")
    go_to(alone, 20)
    assert sentence(alone) == words
    assert alone.locator(".nodes .node").count() > 4
    press(alone, "End")
    expect(alone.locator("#output")).to_contain_text("</script><script>document.title = 1</script>")
    assert alone.title() == "program.py, recorded with Stepgraph"
    press(alone, "y")
    expect(alone.locator(".xray-words")).to_contain_text("h is detached")
    assert violations(alone, ".bar", ".graph", ".time") == []
    # Its program cannot be edited by mistake, and it can be saved from here.
    alone.locator(".cm-content").click()
    alone.keyboard.type("x")
    assert "x" not in (alone.locator(".cm-line").first.text_content() or "")
    alone.keyboard.press("Escape")
    assert saved(alone, "Program, .py", tmp_path).read_text() == HOSTILE
    assert asked == [url for url in asked if url.startswith(("file:", "data:", "blob:"))]
    assert heard == []
    context.close()


def test_json_is_a_recording_that_opens_again(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("linear-regression-torch")
    run(page, DETACHED)
    count = steps(page)
    file = saved(page, "Recording, JSON", tmp_path)
    from app.cli.show import read_trace

    assert read_trace(str(file))["program"]["source"] == DETACHED
    page = open_page("linear-regression-torch")
    assert steps(page) != count
    page.locator("#file-button").click()
    with page.expect_file_chooser() as waiting:
        page.get_by_role("menuitem", name=OPEN).click()
    waiting.value.set_files(file)
    expect(page.locator("#counter")).to_contain_text(f"of {count}")
    expect(page.locator("#stale-note")).to_be_hidden()


NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": "# Title"},
        {"cell_type": "code", "source": ["!pip install torch\n", "import torch"]},
        {"cell_type": "code", "source": "print(torch.ones(2).sum())"},
    ],
    "metadata": {},
    "nbformat": 4,
}


@pytest.mark.parametrize("way", ["chosen", "dropped"])
def test_notebooks_open_as_programs(open_page: OpenPage, tmp_path: Path, way: str) -> None:
    page = open_page("linear-regression-torch")
    if way == "chosen":
        file = tmp_path / "lesson.ipynb"
        file.write_text(json.dumps(NOTEBOOK))
        page.locator("#file-button").click()
        with page.expect_file_chooser() as waiting:
            page.get_by_role("menuitem", name=OPEN).click()
        waiting.value.set_files(file)
    else:
        page.evaluate(
            """(text) => {
              const data = new DataTransfer();
              data.items.add(new File([text], "lesson.ipynb"));
              const options = { dataTransfer: data, bubbles: true, cancelable: true };
              document.body.dispatchEvent(new DragEvent("drop", options));
            }""",
            json.dumps(NOTEBOOK),
        )
    expect(page.locator("#message")).to_contain_text("has not been run")
    expect(page.locator("#message")).to_contain_text("1 line is kept as comments")
    expect(page.locator(".cm-content")).to_contain_text("# !pip install torch")
    expect(page.locator("#output")).not_to_contain_text("tensor(2.)")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#run-word")).to_have_text("Run", timeout=30_000)
    expect(page.locator("#stale-note")).to_be_hidden()
    press(page, "End")
    expect(page.locator("#output")).to_contain_text("tensor(2.)", timeout=30_000)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [("a.ipynb", "{", "not JSON"), ("a.json", "[1]", "recording"), ("a.json", "{", "not JSON"), ("a.bin", "x", ".py")],
)
def test_what_cannot_be_opened_says_why(open_page: OpenPage, tmp_path: Path, name: str, text: str, words: str) -> None:
    page = open_page("linear-regression-torch")
    before = page.locator(".cm-content").text_content()
    file = tmp_path / name
    file.write_text(text)
    page.locator("#file-button").click()
    with page.expect_file_chooser() as waiting:
        page.get_by_role("menuitem", name=OPEN).click()
    waiting.value.set_files(file)
    expect(page.locator("#message.bad")).to_contain_text(words)
    assert page.locator(".cm-content").text_content() == before


@pytest.mark.parametrize("width", [1366, 360])
def test_the_menu_fits_and_axe_is_content(open_page: OpenPage, width: int) -> None:
    page = open_page("linear-regression-torch", width=width)
    page.locator("#file-button").click()
    expect(page.get_by_role("menuitem", name=re.compile("^Picture, SVG"))).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page, ".menu") == []
