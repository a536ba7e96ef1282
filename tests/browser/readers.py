"""Readers: browsers with a memory of their own, which tests use one after another.

To start one afresh for each page costs as much as all that the page then does: its scripts are read and compiled anew.
So a reader is kept. Before the next test it forgets what a page could notice (what was stored, cookies, rights); what
stays is what the browser has read.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field

import browser as chromium
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    ConsoleMessage,
    Page,
    ViewportSize,
    sync_playwright,
)

STORED = "local_storage,indexeddb,websql,cache_storage,service_workers,file_systems,cookies"


@dataclass
class Reader:
    """One browser context, and a page of it in which nothing happens, from which it is told to forget."""

    context: BrowserContext
    told: CDPSession
    kept: Page

    @classmethod
    def of(cls, browser: Browser) -> Reader:
        context = browser.new_context()
        kept = context.new_page()
        return cls(context, context.new_cdp_session(kept), kept)

    def forget(self, origin: str) -> None:
        for page in self.context.pages:
            if page is not self.kept:
                page.close()
        self.context.set_offline(False)
        self.context.clear_permissions()
        self.context.clear_cookies()
        self.told.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": STORED})


@dataclass
class Readers:
    """Opens pages of a server: each page of a test has a reader of its own. ``errors`` is what their consoles said."""

    browser: Browser
    origin: str
    known: list[Reader] = field(default_factory=list)
    busy: int = 0
    errors: list[str] = field(default_factory=list)

    def page(self, *, width: int = 1366, height: int = 768, still: bool = True, patience: float = 15_000) -> Page:
        """A page in which nothing is open yet. What goes wrong in it is noted in ``errors``."""
        if self.busy == len(self.known):
            self.known.append(Reader.of(self.browser))
        page = self.known[self.busy].context.new_page()
        self.busy += 1
        page.set_viewport_size(ViewportSize(width=width, height=height))
        page.emulate_media(reduced_motion="reduce" if still else "no-preference")
        page.set_default_timeout(patience)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        return page

    def open(self, path: str, *, width: int = 1366, height: int = 768, still: bool = True) -> Page:
        """A page of the server."""
        page = self.page(width=width, height=height, still=still)
        page.goto(f"{self.origin}{path}")
        return page

    def forget(self) -> None:
        for reader in self.known[: self.busy]:
            reader.forget(self.origin)
        self.busy = 0
        self.errors.clear()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)


class Chromium:
    """Playwright's own browser if it is there, else one of the system's; started when it is first asked for."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._browser: Browser | None = None
        self._readers: Readers | None = None

    def browser(self) -> Browser:
        if self._browser is None:
            playwright = self._open.enter_context(sync_playwright())
            path = chromium.find(playwright)
            if path is None:
                pytest.fail("No Chromium: `python tools/browser.py` says how to get one.")
            self._browser = playwright.chromium.launch(executable_path=path or None, args=list(chromium.FLAGS))
            self._open.callback(self._browser.close)
        return self._browser

    def readers(self, origin: str) -> Readers:
        if self._readers is None:
            self._readers = Readers(self.browser(), origin)
        return self._readers

    def end(self) -> None:
        self._browser = self._readers = None
        self._open.close()
