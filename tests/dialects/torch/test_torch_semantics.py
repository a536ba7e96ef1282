"""Single facts of PyTorch's behaviour that no whole program shows."""

from __future__ import annotations

import copy
import io
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine import events
from engine.dialects import importer


@pytest.fixture
def torch() -> Iterator[Any]:
    with warnings.catch_warnings():
        importer.install("torch")
        import torch  # type: ignore[import-not-found, unused-ignore]

        torch.manual_seed(0)
        yield torch
    importer.uninstall({"torch"})


def test_streams_have_the_frameworks_numbers(torch: Any) -> None:
    assert torch.rand(3).tolist() == [0.49625658988952637, 0.7682217955589294, 0.08847743272781372]
    torch.manual_seed(0)
    np.testing.assert_allclose(torch.randn(2).numpy(), [1.5409960746765137, -0.293428897857666], rtol=1e-7)
    torch.manual_seed(1)
    assert torch.randperm(5).tolist() == [0, 4, 2, 3, 1]


def test_promotion(torch: Any) -> None:
    whole, real, double = torch.tensor([1, 2]), torch.ones(2), torch.ones(2, dtype=torch.float64)
    assert (whole * 2.5).dtype is torch.float32
    assert (whole / whole).dtype is torch.float32
    assert (real + double).dtype is torch.float64
    assert (real + torch.tensor(1.0, dtype=torch.float64)).dtype is torch.float32
    assert (whole + torch.tensor(1.5)).dtype is torch.float32
    assert (whole == whole).dtype is torch.bool
    assert whole.sum().dtype is torch.int64
    assert (torch.tensor([True]) + 1).dtype is torch.int64


def test_retained_and_missing_gradients_warn(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    with pytest.warns(UserWarning, match="not a leaf Tensor is being accessed"):
        assert y.grad is None
    y.retain_grad()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert y.grad is None
    y.sum().backward()
    assert y.grad.tolist() == [1.0, 1.0]


def test_hooks_can_be_taken_away(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    handle = x.register_hook(lambda g: g * 100)
    (x * 3).sum().backward()
    assert x.grad.tolist() == [300.0, 300.0]
    handle.remove()
    handle.remove()
    x.grad = None
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_backward_inside_a_hook(torch: Any) -> None:
    x = torch.ones(1, requires_grad=True)
    inner = torch.ones(1, requires_grad=True)

    def hook(gradient: Any) -> None:
        with torch.enable_grad():
            (inner * 5).sum().backward()

    y = x * 2
    y.register_hook(hook)
    y.sum().backward()
    assert inner.grad.item() == 5
    assert x.grad.item() == 2


def test_no_grad_decorates_functions_and_generators(torch: Any) -> None:
    x = torch.ones(1, requires_grad=True)

    @torch.no_grad()
    def double() -> Any:
        return x * 2

    @torch.no_grad()
    def several() -> Any:
        yield x * 2

    assert not double().requires_grad
    assert not next(several()).requires_grad
    assert (x * 2).requires_grad


def test_state_survives_saving(torch: Any) -> None:
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    buffer = io.BytesIO()
    torch.save({"state": net.state_dict(), "epoch": 3}, buffer)
    buffer.seek(0)
    loaded = torch.load(buffer)
    twin = copy.deepcopy(net)
    for p in net.parameters():
        p.data.zero_()
    assert str(net.load_state_dict(loaded["state"])) == "<All keys matched successfully>"
    assert torch.equal(net[0].weight, twin[0].weight)
    with pytest.raises(RuntimeError, match=r'Missing key\(s\) in state_dict: "1.weight"'):
        net.load_state_dict({k: v for k, v in loaded["state"].items() if k != "1.weight"})


def test_memory_is_shared_with_numpy(torch: Any) -> None:
    array = np.zeros(3)
    tensor = torch.from_numpy(array)
    tensor[1] = 5
    assert array.tolist() == [0, 5, 0]
    assert (np.ones(2) + 1).tolist() == [2, 2]


def test_optimizers_refuse_bad_options(torch: Any) -> None:
    p = [torch.nn.Parameter(torch.ones(1))]
    with pytest.raises(ValueError, match="Invalid momentum value"):
        torch.optim.SGD(p, lr=0.1, momentum=-1)
    with pytest.raises(ValueError, match="Invalid beta parameter at index 0"):
        torch.optim.Adam(p, betas=(1.5, 0.9))
    with pytest.raises(ValueError, match="Nesterov momentum requires"):
        torch.optim.SGD(p, lr=0.1, nesterov=True)


def test_a_closed_loop_learns(torch: Any) -> None:
    nn = torch.nn
    x = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = torch.tensor([0, 1, 1, 0])
    net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    for _ in range(60):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
    assert net(x).argmax(1).tolist() == [0, 1, 1, 0]


class Counting:
    """A listener that counts events."""

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}
        self.roles: list[str] = []

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any, **options: Any) -> int:
            self.seen[name] = self.seen.get(name, 0) + 1
            if name == "node_created":
                self.roles.append(options.get("role", "op"))
                return len(self.roles) - 1
            return 0

        return call


def test_a_training_step_is_told(torch: Any) -> None:
    listener = Counting()
    events.listener = listener  # type: ignore[assignment]
    try:
        layer = torch.nn.Linear(2, 1)
        optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
        torch.nn.functional.mse_loss(layer(torch.ones(3, 2)), torch.zeros(3, 1)).backward()
        optimizer.step()
        optimizer.zero_grad()
        w = torch.ones(1, requires_grad=True)
        (w * 2).backward()
        w.grad.zero_()
    finally:
        events.listener = None
    assert listener.roles.count("variable") == 3
    assert listener.roles.count("update") == 2
    assert listener.seen["gradient_accumulated"] == 3
    assert listener.seen["gradient_cleared"] == 3
    assert listener.seen["backward_started"] == listener.seen["backward_ended"] == 2


def test_a_gradient_is_told_to_be_none_or_zero(torch: Any) -> None:
    told: list[Any] = []

    class Cleared(Counting):
        def gradient_cleared(self, node: int, value: Any = None) -> None:
            told.append(value if value is None else value.tolist())

    events.listener = Cleared()  # type: ignore[assignment]
    try:
        layer = torch.nn.Linear(2, 1, bias=False)
        optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
        for clear in (
            lambda: optimizer.zero_grad(set_to_none=False),
            lambda: layer.weight.grad.zero_(),
            lambda: layer.zero_grad(set_to_none=False),
            lambda: setattr(layer.weight, "grad", None),
        ):
            layer(torch.ones(1, 2)).sum().backward()
            clear()
        layer(torch.ones(1, 2)).sum().backward()
        del layer.weight.grad
    finally:
        events.listener = None
    assert told == [[[0.0, 0.0]]] * 3 + [None, None]


def test_a_listener_changes_nothing(torch: Any) -> None:
    def run() -> list[float]:
        torch.manual_seed(4)
        net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        x = torch.randn(8, 3)
        losses = []
        for _ in range(5):
            optimizer.zero_grad()
            loss = (net(x) ** 2).mean()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    alone = run()
    events.listener = Counting()  # type: ignore[assignment]
    try:
        watched = run()
    finally:
        events.listener = None
    assert watched == alone
