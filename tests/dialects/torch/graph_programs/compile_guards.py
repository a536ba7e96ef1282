import torch, torch._dynamo as dynamo
from torch._dynamo.testing import CompileCounter
cnt = CompileCounter()
@torch.compile(backend=cnt)
def f(x, n): return x * n
for n in range(1, 12): f(torch.ones(2), n)
print(cnt.frame_count, cnt.op_count)
for n in range(2): f(torch.ones(2), float(n))
print(cnt.frame_count)
dynamo.reset(); cnt.clear()
g = torch.compile(lambda x: x + 1, backend=cnt)
for s in [1, 2, 3, 4, 5, 0, 1]: g(torch.ones(s)); print(s, cnt.frame_count)
for dt in [torch.float64, torch.int64]: g(torch.ones(3, dtype=dt)); print(dt, cnt.frame_count)
g(torch.ones(3, 3)); print(cnt.frame_count)
g(torch.ones(3, requires_grad=True)); print(cnt.frame_count)
with torch.no_grad(): g(torch.ones(3))
print("nograd", cnt.frame_count)
dynamo.reset(); cnt.clear()
torch._dynamo.config.recompile_limit = 3
@torch.compile(backend=cnt, dynamic=False)
def h(x, s): return x + 1 if s == "a" else x - 1
for s in ["a", "b", "c", "d", "e"]: print(h(torch.ones(2), s), cnt.frame_count)
K = 2
@torch.compile(backend=cnt)
def gl(x): return x * K
cnt.clear(); gl(torch.ones(2)); K = 3; print(gl(torch.ones(2)), cnt.frame_count)
lst = []
@torch.compile(backend="eager")
def se(x):
    lst.append(1); return x + len(lst)
print(se(torch.ones(1)), se(torch.ones(1)), lst)
print(torch._dynamo.list_backends())
try: torch.compile(se, backend="nope")(torch.ones(1))
except Exception as e: print(type(e).__name__, str(e))
@torch._dynamo.disable
def dis(x): return x * 5
@torch.compile(backend=cnt)
def usedis(x): return dis(x + 1) + 2
cnt.clear(); print(usedis(torch.ones(1)), cnt.frame_count)
print(torch.compiler.is_compiling(), torch._dynamo.config.recompile_limit, torch._dynamo.config.cache_size_limit)
@torch.compile(backend="eager")
def comp(x): return x + (1 if torch.compiler.is_compiling() else 100)
print(comp(torch.ones(1)))
