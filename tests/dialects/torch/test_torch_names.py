"""Every name that most teaching programs use is there (``names.txt``; a leading dot: an attribute of an object)."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.dialects import importer

NAMES = (Path(__file__).parent / "names.txt").read_text(encoding="utf-8").split()


@pytest.fixture(scope="module")
def torch() -> Iterator[Any]:
    with warnings.catch_warnings():
        importer.install("torch")
        import torch  # type: ignore[import-not-found, unused-ignore]

        yield torch
    importer.uninstall({"torch"})


@pytest.mark.parametrize("name", NAMES)
def test_name_is_there(torch: Any, name: str) -> None:
    if name.startswith("."):
        layers = torch.nn.Linear(1, 1), torch.nn.LSTM(1, 1)
        owners = (torch.ones(2), *layers, torch.optim.SGD(layers[0].parameters(), 0.1))
        assert any(hasattr(owner, name[1:]) for owner in owners)
        return
    first, *rest = name.split(".")
    found = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "optim": torch.optim}[first]
    for part in rest:
        found = getattr(found, part)


def test_anomaly_mode_points_to_the_forward_line(torch: Any) -> None:
    x = torch.tensor([0.0], requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        y = x.sqrt()  # the line that the warning shows
        with (
            np.errstate(all="ignore"),
            pytest.warns(UserWarning, match=r"(?s)Error detected in SqrtBackward0.*# the line that the warning shows"),
            pytest.raises(RuntimeError, match="Function 'SqrtBackward0' returned nan values in its 0th output"),
        ):
            (y * 0).backward()
    assert not torch.is_anomaly_enabled()


def test_event_files_hold_scalars_and_histograms(torch: Any, tmp_path: Path) -> None:
    from torch.utils.tensorboard import SummaryWriter  # type: ignore[import-not-found, unused-ignore]

    from engine.dialects.tensorflow.summary import summary_iterator

    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("loss", torch.tensor(0.5), 3)
        writer.add_histogram("weights", torch.ones(4), 4)
        with pytest.raises(AttributeError, match="keeps scalars, histograms and pictures"):
            writer.add_mesh("picture", None)
    events = list(summary_iterator(next(tmp_path.iterdir())))
    assert [(e.step, [v.tag for v in e.summary.value]) for e in events[1:]] == [(3, ["loss"]), (4, ["weights"])]
    assert events[1].summary.value[0].simple_value == 0.5
