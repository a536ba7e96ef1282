"""What a program shows, in the page: pictures that follow the steps, curves, files to add and to download."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe import violations
from conftest import OpenPage
from player_page import run
from playwright.sync_api import expect

PROGRAM = """
import matplotlib.pyplot as plt
from torch.utils.tensorboard import SummaryWriter
writer = SummaryWriter("runs/one")
plt.ion()
for step in range(3):
    plt.cla()
    plt.plot([0, step + 1])
    writer.add_scalar("height", step + 1, step)
    plt.pause(0.1)
print(open("beside.txt").read())
open("left.txt", "w").write("bye")
"""


@pytest.mark.browser
def test_pictures_curves_and_files(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/play")
    beside = tmp_path / "beside.txt"
    beside.write_text("hello there")
    page.locator(".files input[type=file]").set_input_files(beside)
    expect(page.locator(".files")).to_contain_text("beside.txt")
    run(page, PROGRAM)
    page.keyboard.press("End")
    shown = page.locator(".shown")
    expect(shown).to_contain_text("Figure 1, picture 3 of 3")
    expect(shown.get_by_role("img", name=re.compile("^height: 3 at 2"))).to_be_visible()
    expect(page.locator("#output")).to_contain_text("hello there")
    last = shown.locator(".picture img").get_attribute("src")
    shown.get_by_role("button", name="The picture before").click()
    expect(shown).to_contain_text("picture 2 of 3")
    assert shown.locator(".picture img").get_attribute("src") != last
    page.keyboard.press("Home")
    expect(shown).to_contain_text("No picture has been shown by this step.")
    left = page.locator(".files summary", has_text="Files that the program left")
    expect(left).to_be_hidden()
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="left.txt")).to_be_hidden()
    left.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="left.txt").click()
    assert download.value.path().read_text() == "bye"
    assert violations(page, ".shown") == []
