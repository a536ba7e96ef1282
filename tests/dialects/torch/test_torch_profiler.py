"""The profiler times calls of the dialect, and refuses what is not there."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dialects import importer


@pytest.fixture
def torch() -> Iterator[Any]:
    importer.install("torch")
    yield importlib.import_module("torch")
    importer.uninstall({"torch"})


def test_calls_and_stretches_are_counted_and_nest(torch: Any, tmp_path: Path) -> None:
    from torch.profiler import ProfilerActivity, profile, record_function

    layer, x = torch.nn.Linear(3, 4), torch.ones(2, 3)
    with profile(activities=[ProfilerActivity.CPU]) as watched:
        with record_function("mine"):
            for _ in range(3):
                torch.relu(layer(x))
        x * 2
    rows = {row.key: row for row in watched.key_averages()}
    assert {key: row.count for key, row in rows.items()} == {
        "mine": 1,
        "aten::linear": 3,
        "aten::relu": 3,
        "aten::mul": 1,
    }
    inside = rows["aten::linear"].cpu_time_total + rows["aten::relu"].cpu_time_total
    assert rows["mine"].self_cpu_time_total == pytest.approx(rows["mine"].cpu_time_total - inside)
    lines = watched.key_averages().table(sort_by="cpu_time_total", row_limit=2).splitlines()
    assert [line.split()[0] for line in lines[3:5]] == ["mine", "aten::linear"]
    assert lines[-1].startswith("Self CPU time")
    watched.export_chrome_trace(str(tmp_path / "trace.json"))
    assert len(json.loads((tmp_path / "trace.json").read_text())["traceEvents"]) == 8
    torch.ones(2)
    assert len(watched.events()) == 8  # nothing is timed any more


def test_the_older_way(torch: Any) -> None:
    with torch.autograd.profiler.profile() as watched:
        torch.exp(torch.ones(2))
    assert [row.key for row in watched.key_averages()] == ["aten::ones", "aten::exp"]


@pytest.mark.parametrize("options", [{"profile_memory": True}, {"with_stack": True}, {"schedule": print}])
def test_what_is_not_there_is_refused(torch: Any, options: dict[str, Any]) -> None:
    from torch.profiler import profile, schedule

    with pytest.raises(NotImplementedError, match=f"has no {next(iter(options))}: leave it out"):
        profile(**options)
    with pytest.raises(NotImplementedError, match="has no schedule"):
        schedule(wait=1)
