# Mistakes with modules, optimizers, checkpoints
import io
import torch
import torch.nn as nn
import torch.optim as optim

def attempt(label, fn):
    try:
        print(label, "->", fn())
    except Exception as e:
        print(label, "->", type(e).__name__ + ":", str(e))

net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
attempt("missing", lambda: net.load_state_dict({"0.weight": torch.zeros(3, 2)}))
attempt("unexpected", lambda: net.load_state_dict({**net.state_dict(), "foo": torch.zeros(1), "bar.baz": 1}))
attempt("sizes", lambda: net.load_state_dict({**net.state_dict(), "0.weight": torch.zeros(2, 2), "2.bias": torch.zeros(3)}))
attempt("not strict", lambda: net.load_state_dict({"0.bias": torch.zeros(3), "x": 1}, strict=False))
attempt("other net", lambda: nn.Linear(2, 3).load_state_dict(net.state_dict()))
attempt("no params", lambda: optim.SGD([], lr=0.1))
attempt("tensor params", lambda: optim.SGD(net[0].weight, lr=0.1))
attempt("non leaf", lambda: optim.SGD([net[0].weight * 2], lr=0.1))
attempt("lr", lambda: optim.Adam(net.parameters(), lr=-0.1))
attempt("betas", lambda: optim.Adam(net.parameters(), betas=(2, 0.9)))
attempt("twice", lambda: optim.SGD([{"params": net[0].parameters()}, {"params": net.parameters()}], lr=0.1))
attempt("module", lambda: optim.SGD(net, lr=0.1))
attempt("forward", lambda: type("N", (nn.Module,), {})()(torch.ones(1)))
attempt("attr", lambda: net.weight)
attempt("index", lambda: net[7])
attempt("extra arg", lambda: net(torch.ones(1, 2), 3))
attempt("no arg", lambda: net[0]())
attempt("string", lambda: nn.Linear(2, 3, dropout=0.1))
attempt("module list call", lambda: nn.ModuleList([nn.ReLU()])(1))
attempt("grad none", lambda: net[0].weight.grad.sum())
attempt("cuda", lambda: net.cuda())
attempt("to cuda", lambda: torch.ones(1).to("cuda"))
attempt("to gpu", lambda: net.to("gpu0"))
attempt("load", lambda: torch.load("nope.pt"))
attempt("load junk", lambda: type(torch.load(io.BytesIO(b""))))
opt = optim.SGD(net.parameters(), lr=0.1)
attempt("opt state", lambda: opt.load_state_dict(optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1).state_dict()))
attempt("step first", lambda: opt.step())
attempt("dtype", lambda: net(torch.ones(1, 2, dtype=torch.double)))
attempt("long", lambda: net(torch.ones(1, 2, dtype=torch.long)))
attempt("assign param", lambda: setattr(net[0], "weight", torch.ones(3, 2)))
attempt("assign ok", lambda: setattr(net[0], "weight", nn.Parameter(torch.ones(3, 2))))
attempt("deepcopy", lambda: __import__("copy").deepcopy(net[0].weight * 2))
attempt("numpy", lambda: net(torch.ones(1, 2)).numpy())
attempt("requires ints", lambda: torch.tensor([1, 2], requires_grad=True))
attempt("no grad", lambda: torch.ones(1).sum().backward())
with torch.no_grad():
    attempt("inside no_grad", lambda: net(torch.ones(1, 2)).sum().backward())
attempt("detached", lambda: net(torch.ones(1, 2)).detach().sum().backward())
attempt("vector", lambda: net(torch.ones(2, 2)).backward())
attempt("bad reduction", lambda: nn.CrossEntropyLoss(reduction="avg")(torch.ones(1, 2), torch.tensor([0])))
attempt("clip", lambda: nn.utils.clip_grad_norm_(net.parameters(), 1.0))
attempt("dropout", lambda: nn.Dropout(2))
attempt("sched", lambda: optim.lr_scheduler.StepLR(net, 1))
attempt("repr", lambda: net)
