"""The step in PyTorch's words, as its tutorials write it: for PyTorch itself and for our dialect of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.network import RATE, Network


def step_by_hand(torch: Any, network: Network) -> Callable[[], Any]:
    """One training step whose update is written out, in the one call that PyTorch has for it."""
    x, y = (torch.from_numpy(array) for array in network.data())
    parameters = [torch.from_numpy(array).requires_grad_() for array in network.parameters()]
    w1, b1, w2, b2 = parameters
    relu, mse_loss, no_grad = torch.relu, torch.nn.functional.mse_loss, torch.no_grad

    def step() -> Any:
        h = relu(x @ w1 + b1)
        loss = mse_loss(h @ w2 + b2, y)
        loss.backward()
        with no_grad():
            for p in parameters:
                p.sub_(p.grad, alpha=RATE)
                p.grad = None
        return loss.detach()

    return step


def step_of(torch: Any, network: Network) -> Callable[[], Any]:
    """One training step, as PyTorch's tutorials write it: with an optimizer."""
    x, y = (torch.from_numpy(array) for array in network.data())
    parameters = [torch.from_numpy(array).requires_grad_() for array in network.parameters()]
    w1, b1, w2, b2 = parameters
    relu, mse_loss = torch.relu, torch.nn.functional.mse_loss

    optimizer = torch.optim.SGD(parameters, lr=RATE)

    def step() -> Any:
        optimizer.zero_grad()
        h = relu(x @ w1 + b1)
        loss = mse_loss(h @ w2 + b2, y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step
