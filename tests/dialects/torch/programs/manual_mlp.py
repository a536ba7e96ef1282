import torch
torch.manual_seed(1)
N, D, H, C = 37, 5, 13, 3
X = torch.randn(N, D); Y = torch.randint(0, C, (N,))
W1 = torch.randn(D, H) * 0.1; b1 = torch.zeros(H); W2 = torch.randn(H, C) * 0.1; b2 = torch.zeros(C)
for p in (W1, b1, W2, b2): p.requires_grad = True
for epoch in range(30):
    h = torch.relu(X @ W1 + b1)
    logits = h @ W2 + b2
    logp = logits - logits.logsumexp(1, keepdim=True)
    loss = -logp[torch.arange(N), Y].mean()
    loss.backward()
    with torch.no_grad():
        for p in (W1, b1, W2, b2):
            p -= 0.5 * p.grad
            p.grad.zero_()
    if epoch % 5 == 0: print(epoch, f"{loss.item():.6f}", f"{(logits.argmax(1) == Y).float().mean():.4f}")
print(W2); print(b1)
