"""How the tests are dealt out to two workers (``-n 2 --dist loadgroup``)."""

from __future__ import annotations

import pytest

_TOGETHER = ("tests/runner/", "tests/teaching/", "tests/web/", "tests/cli/")
"""Where a module's tests share a sandbox or a server, which takes longer to start than they take."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of such a module on one worker."""
    for item in items:
        module = item.nodeid.partition("::")[0]
        if module.startswith(_TOGETHER):
            item.add_marker(pytest.mark.xdist_group(module))
