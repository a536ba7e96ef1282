"""Programs that the tests of the X-ray, of forks and of exports type into the page."""

from __future__ import annotations

DETACHED = """\
import torch
import torch.nn.functional as F
torch.manual_seed(0)
X = torch.randn(4, 2)
y = torch.randn(4, 1)
W1 = torch.randn(2, 3, requires_grad=True)
W2 = torch.randn(3, 1, requires_grad=True)
for i in range(2):
    h = torch.relu(X @ W1)
    h = h.detach()
    loss = F.mse_loss(h @ W2, y)
    loss.backward()
    with torch.no_grad():
        for W in (W1, W2):
            if W.grad is not None:
                W -= 0.1 * W.grad
                W.grad = None
    print(loss.item())
"""
HEALTHY = DETACHED.replace("    h = h.detach()\n", "")
