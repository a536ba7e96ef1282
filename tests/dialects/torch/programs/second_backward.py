import torch


def say(name, function):
    try:
        print(name, function())
    except RuntimeError as error:
        print(name, "RuntimeError |", str(error).splitlines()[0])


x = torch.tensor([1.0, 2.0], requires_grad=True)
for name, make in {
    "square": lambda: (x * x).sum(),
    "double": lambda: (x * 2).sum(),
    "shift": lambda: (x + 2).sum(),
    "half": lambda: (x / 2).sum(),
    "exp": lambda: x.exp().sum(),
    "mean": lambda: x.mean(),
    "view": lambda: x.view(2, 1).sum(),
    "pow": lambda: x.pow(3).sum(),
}.items():
    loss = make()
    loss.backward()
    say(name, loss.backward)
y = x.exp()
y.add_(1)
say("modified result", lambda: y.sum().backward())
a = x * 1
b = a * a
a.add_(1)
say("modified operand", lambda: b.sum().backward())
p = torch.ones(2, 2, requires_grad=True)
q = p @ p
with torch.no_grad():
    p.add_(1)
say("modified leaf", lambda: q.sum().backward())
say("leaf in place", lambda: p.add_(1))
