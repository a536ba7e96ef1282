"""Both buses. The second needs a Redis server, which the tests start from the system's package (tests/servers.py)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.bus import Bus, connect


@pytest.fixture(params=["local", "redis"])
def bus(request: pytest.FixtureRequest) -> Iterator[Bus]:
    found = connect(request.getfixturevalue("redis_url") if request.param == "redis" else None)
    yield found
    found.close()
