"""A class with several browsers: steps, a hand, a question, the hall, a lost connection, the end."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator

import pytest
import qr
from axe import violations
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

pytestmark = pytest.mark.browser

SOURCE = """import torch

x = torch.ones(3, 2)
w = torch.ones(2, 1, requires_grad=True)
loss = (x @ w).sum()
loss.backward()
print(w.grad)
"""


class Hall:
    """The browsers of one class; what goes wrong on any page fails the test."""

    def __init__(self, browser: Browser, server: str) -> None:
        self.browser = browser
        self.server = server
        self.contexts: list[BrowserContext] = []
        self.errors: list[str] = []
        body = json.dumps({"source": SOURCE, "name": "model.py", "title": "A model"}).encode()
        request = urllib.request.Request(f"{server}/api/classes", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            opened = json.load(answer)
        self.code, self.key = opened["code"], opened["key"]

    def open(self, path: str, *, width: int = 1366, height: int = 768) -> Page:
        context = self.browser.new_context(viewport=ViewportSize(width=width, height=height), reduced_motion="reduce")
        context.set_default_timeout(15_000)
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{self.server}{path}")
        return page

    def teach(self) -> Page:
        page = self.open(f"/class/{self.code}/teach#key={self.key}")
        expect(page.locator("#counter")).to_contain_text("of", timeout=30_000)
        expect(page.locator("#following")).to_contain_text("follow")
        return page

    def join(self, name: str, **size: int) -> Page:
        page = self.open("/class", **size)
        page.fill("#code", f" {self.code[:3].upper()} {self.code[3:]}")
        page.fill("#name", name)
        page.click("button[type=submit]")
        expect(page.locator("#counter")).to_contain_text("of", timeout=30_000)
        return page


@pytest.fixture
def hall(browser: Browser, server: str) -> Iterator[Hall]:
    made = Hall(browser, server)
    yield made
    for context in made.contexts:
        context.close()
    assert made.errors == []


def test_a_class(hall: Hall) -> None:
    teacher = hall.teach()
    assert hall.key not in teacher.url
    ada = hall.join("Ada")
    bob = hall.join("<b>Bob</b>", width=390, height=844)
    expect(teacher.locator("#following")).to_have_text("2 follow")

    # A step of the teacher moves everybody; who looks around is left alone, and comes back where the teacher is.
    step = "#counter b"
    for _ in range(3):
        teacher.keyboard.press("ArrowRight")
    for page in (teacher, ada):
        expect(page.locator(step)).to_have_text("4")
    ada.keyboard.press("End")
    expect(ada.locator("#with")).to_contain_text("on your own")
    teacher.keyboard.press("ArrowRight")
    expect(ada.locator("#with")).to_contain_text("The teacher is at step 5.")
    expect(ada.locator(step)).not_to_have_text("5")
    ada.get_by_role("button", name="Back to the teacher").click()
    expect(ada.locator(step)).to_have_text("5")

    # A hand goes up, and names are text.
    bob.click("#hand")
    expect(bob.locator("#hand")).to_have_text("Lower hand")
    expect(teacher.locator("#hands")).to_have_text("1")
    teacher.click("[data-panel=people]")
    expect(teacher.locator(".people .person").first).to_have_text("needs help: <b>Bob</b>")

    # A question that is answered in the graph, and its histogram.
    teacher.click("[data-panel=ask]")
    teacher.get_by_role("button", name="Ask the class").click()
    expect(ada.locator("#poll .question")).to_have_text("Which node runs next?")
    ada.locator(".node").first.click()  # what runs next is a gradient, which stands there already
    expect(ada.locator("#poll .sent")).to_contain_text("Your answer:")
    bob.locator(".node").first.click()
    expect(teacher.locator("#votes")).to_have_text("2 of 2 have answered")
    assert ada.locator(".histogram").count() == 0
    teacher.click("#reveal")
    for page in (ada, bob):
        expect(page.locator("#poll .histogram .bar-count")).to_contain_text("2")
        expect(page.locator("#poll .right-answer")).to_contain_text("Right:")
    for page in (teacher, bob):
        assert violations(page, "body") == []
    teacher.click("#dismiss")
    expect(ada.locator("#poll")).to_be_hidden()

    # A lost connection and a reload both go on in place.
    ada.context.set_offline(True)
    ada.evaluate("dispatchEvent(new Event('online'))")  # drops the open stream, as the network did
    expect(ada.locator("#line")).to_contain_text("Connection lost")
    teacher.keyboard.press("ArrowRight")
    ada.context.set_offline(False)
    expect(ada.locator(step)).to_have_text("6")
    bob.reload()
    expect(bob.locator("#hand")).to_have_text("Lower hand")
    teacher.reload()
    expect(teacher.locator(step)).to_have_text("6")
    expect(teacher.locator("#following")).to_have_text("2 follow")

    # The end.
    teacher.click("#more-button")
    teacher.get_by_role("menuitem", name="End the class").click()
    teacher.click("#end-class")
    for page in (teacher, ada, bob):
        expect(page.locator("#message")).to_contain_text("over")
    ada.reload()
    expect(ada.locator("h1")).to_have_text("This class is over.")


def test_the_hall_executes_what_the_projector_shows_and_a_remote_steps(hall: Hall) -> None:
    teacher = hall.teach()
    ada = hall.join("Ada", width=390, height=844)
    remote = hall.open(f"/class/{hall.code}/remote#key={hall.key}", width=390, height=844)
    screen = hall.open(f"/class/{hall.code}/screen")
    expect(screen.locator(".big-code")).to_have_text(f"{hall.code[:3]} {hall.code[3:]}")
    for theme in ("light", "dark"):
        screen.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        assert qr.read(screen.locator(".invitation")) == f"{hall.server}/class/{hall.code}"
    expect(remote.locator("#counter")).to_contain_text("Step 1 of")
    remote.get_by_role("button", name="Next", exact=True).click()
    expect(ada.locator("#counter b")).to_have_text("2")

    teacher.keyboard.press("End")
    teacher.click("[data-panel=hall]")
    teacher.get_by_role("button", name="Deal, static").click()
    fire = ada.locator(".fire:not([disabled])")
    ops = ada.locator(".phone-op")
    expect(ops.first).to_be_visible()
    for n in range(ops.count()):
        fire.first.click()
        expect(ada.locator(".phone-op.has-fired")).to_have_count(n + 1)
    expect(screen.locator(".hall-op.is-critical").first).to_be_visible()
    expect(screen.locator(".hall-times")).to_contain_text("The room took")
    expect(teacher.locator("#panel-hall")).to_contain_text(f"{ops.count()} of {ops.count()} ops have fired")
    teacher.get_by_role("button", name="End", exact=True).click()
    expect(ada.locator("#phone")).to_be_hidden()


def test_what_is_pushed_and_a_students_run_that_is_shown_have_their_input_and_their_files(hall: Hall) -> None:
    teacher = hall.teach()
    ada = hall.join("Ada")
    teacher.set_input_files(
        ".files input[type=file]", {"name": "rate.txt", "mimeType": "text/plain", "buffer": b"0.25"}
    )
    teacher.locator(".cm-content").click()
    teacher.keyboard.press("Control+A")
    teacher.keyboard.type("print(open('rate.txt').read(), input('How many? '))")

    def run(page: Page, typed: str) -> None:
        page.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        page.get_by_label("How many?").fill(typed, timeout=30_000)
        page.keyboard.press("Enter")

    run(teacher, "7")
    expect(ada.locator(".cm-content")).to_contain_text("How many?", timeout=30_000)
    teacher.get_by_role("button", name="Last step").click()
    expect(ada.locator("#output")).to_contain_text("0.25 7")
    # The files came with the program, so a student runs it, too; it is shown when they have offered it, and not before.
    run(ada, "8")
    offer = ada.get_by_role("button", name="Offer this run")
    expect(offer).to_be_visible(timeout=30_000)
    teacher.click("[data-panel=offers]")
    expect(teacher.locator("#panel-offers")).to_contain_text("can offer it")
    offer.click()
    teacher.get_by_role("button", name="Show to all").click()
    bob = hall.join("Bob")
    expect(bob.locator("#shown-by")).to_have_text("Shown: the program of Ada")
    expect(teacher.locator("#counter b")).to_have_text("1")
    teacher.get_by_role("button", name="Last step").click()
    expect(bob.locator("#output")).to_contain_text("0.25 8")
