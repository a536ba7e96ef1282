"""How the tests are dealt out to two workers (``-n 2 --dist loadgroup``), and what is laid aside between modules."""

from __future__ import annotations

import gc
import os

import pytest

pytest_plugins = ("tests.servers", "tests.pages")

_TOGETHER = ("tests/runner/", "tests/teaching/", "tests/web/", "tests/classroom/", "tests/cli/", "tests/cluster/")
"""Where a module's tests share a sandbox or a server, which takes longer to start than they take."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of such a module on one worker."""
    for item in items:
        module = item.nodeid.partition("::")[0]
        if module.startswith(_TOGETHER):
            item.add_marker(pytest.mark.xdist_group(module))


@pytest.fixture(scope="session", autouse=True)
def nobodys_data(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Servers that tests start store in a folder of theirs, whatever the environment says."""
    os.environ["STEPGRAPH_DATA"] = str(tmp_path_factory.mktemp("data"))
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)


@pytest.fixture(scope="module", autouse=True)
def lay_aside() -> None:
    """A recorded program ends with a collection, as Python itself does. What thousands of tests and all dialects have
    left in this process by now is none of its garbage, and looking through it took half a second each time."""
    gc.freeze()
