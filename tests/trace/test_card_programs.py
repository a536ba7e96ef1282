"""Cards by programs: each card is found however the mistake is written, and wherever it stands."""

from __future__ import annotations

import pytest

from engine.recording import record
from engine.trace.cards import RULES

TORCH = "import torch\n"
TF2 = "import tensorflow as tf\n"
TF1 = "import tensorflow.compat.v1 as tf\ntf.disable_eager_execution()\n"
PROGRAMS: dict[str, list[str]] = {
    "symbolic-loop": [
        TF1 + "x = tf.constant([1.0, 2.0])\nprint(sum(x))",
        TF1 + "for v in tf.placeholder(tf.float32): pass",
        TF1 + "a, b = tf.constant([1, 2])",
    ],
    "empty-graph": [
        TF1 + "s = tf.Session()\nfor step in range(2):\n    s.run([])\n    s.run('train')",
        TF1 + "tf.Session().run('y:0')",
        TF1 + "with tf.Session() as s:\n    s.run(None)",
    ],
    "state-dict": [
        TORCH + "m = torch.nn.Sequential(torch.nn.Linear(1, 1))\nm.load_state_dict({'weight': torch.ones(1, 1)})",
        TORCH + "torch.nn.Linear(1, 1).load_state_dict({})",
        TORCH + "torch.nn.Linear(2, 2).load_state_dict(torch.nn.Linear(3, 2).state_dict())",
    ],
    "name": [
        "valeu = 3\nprint(value)",
        "def f():\n    return torhc\nf()",
        "import math\nprint(pi)",
        "del x",
        "for i in rnage(3): pass",
        "class A:\n    y = zz",
    ],
    "indentation": [
        "if True:\nx = 1",
        "def f():\n    x = 1\n      y = 2",
        "if 1:\n\tx = 1\n        y = 2",
        "  x = 1",
        "for i in range(3):\n",
    ],
    "syntax": [
        "x = (1,\n",
        "if x = 3:\n    pass",
        "print 'hi'",
        "def f(\n    pass",
        "x = 5 +",
        "s = 'abc",
        "else:\n    pass",
        "return 3",
        "f'{x'",
        "while True print(1)",
        "a = [1, 2",
    ],
    "none": [
        TF2 + "v = tf.Variable(1.0)\nwith tf.GradientTape() as t: y = tf.constant(2.0)\nv.assign_sub(t.gradient(y, v))",
        "x = [3,1].sort()\nprint(x[0])",
        "def f(): pass\nf() + 1",
        "d = {}.get('a')\nd.lower()",
        "x = None\nfor i in x: pass",
        "x = None\nlen(x)",
        "x=None\nx()",
        "a, b = None",
        "x = print('a')\nx.y = 3",
        TORCH + "x = torch.ones(2, requires_grad=True)\nx.grad.zero_()",
        "x=None\nx[0]=3",
        "1 < None",
        "'a' in None",
        "with None: pass",
        "int(None)",
        "-None",
        "sum(None)",
    ],
    "arguments": [
        "def f(a): pass\nf()",
        "class A:\n    def m(self, x): pass\nA().m()",
        "def f(a): pass\nf(1, 2)",
        "def f(a): pass\nf(b=1)",
        "def f(*, k): pass\nf()",
        "len()",
        "class A: pass\nA(3)",
        "class A:\n    def m(): pass\nA().m()",
        "int('3', bas=2)",
        "dict(1,2,3)",
        "def f(a): pass\nf(1, a=2)",
        "print('a', separator='')",
        "'a'.upper(3)",
        "class A:\n    def __init__(self, x): pass\nA()",
    ],
    "index": [
        TF2 + "tf.constant([1, 2])[5]",
        TF2 + "tf.gather(tf.constant([1, 2]), 7)",
        "import numpy as np\nnp.zeros(3).sum(axis=1)",
        TORCH + "torch.nn.Embedding(3, 2)(torch.tensor([5]))",
        "x=[1]\nx[5]",
        "()[0]",
        "'abc'[9]",
        "[].pop()",
        "import numpy as np\nnp.zeros(3)[7]",
        TORCH + "torch.zeros(3)[5]",
        "x=[1]\nx[3]=2",
        "x=[]\ndel x[0]",
        "import numpy as np\nnp.zeros((2,3))[1,5]",
    ],
    "key": [
        "{}['a']",
        "d={1:2}\nd['1']",
        "d={}\ndel d['k']",
        "d={}\nd.pop('z')",
        "set().remove(3)",
        "import os\nos.environ['NOPE_X']",
    ],
    "zero": [
        "1/0",
        "1//0",
        "1%0",
        "divmod(1,0)",
        "1.0/0.0",
        "pow(0,-1)",
    ],
    "attribute": [
        "[].push(3)",
        "import math\nmath.sqr(4)",
        "class A: pass\nA().x",
        "'a'.foo",
        "(3).real.x",
        "x = 3\nx.append(1)",
    ],
    "import": [
        "import nothing_here",
        "from math import sqrtt",
        "import numpy.nope",
        "from collections import Mapping",
    ],
    "recursion": [
        "def f(): f()\nf()",
        "class A:\n    def __repr__(self): return repr(self)\nprint(A())",
        "def a(): b()\ndef b(): a()\na()",
        "f = lambda: f()\nf()",
    ],
    "unbound": [
        "x=1\ndef f():\n    print(x)\n    x=2\nf()",
        "def f():\n    n += 1\nn=0\nf()",
        "def f():\n    if 0: z=1\n    return z\nf()",
        "def f():\n    for i in []: pass\n    return i\nf()",
        "def o():\n    def i(): return q\n    i()\n    q=1\no()",
    ],
    "not-callable": [
        "x=3\nx()",
        "list=[1]\nlist((2,))",
        "'a'()",
        "x=[1]\nx(0)",
        "sum=0\nsum([1])",
    ],
    "subscript": [
        "3[0]",
        "x=5\nx[1]=2",
        "(1,2)[0] if 0 else None\nt=(1,)\nt[0]=2",
        "'abc'[0.5]",
        "[1]['a']",
        "{[]:1}",
        "def f(): pass\nf[0]",
        "s='abc'\ns[0]='x'",
        "{1}[0]",
        "d={}\nd[[1]]=2",
    ],
    "operand-types": [
        "1+'a'",
        "'a'+1",
        "[]+1",
        "'a'*'b'",
        "1<'a'",
        "for i in range('3'): pass",
        "sum(['a'])",
        "'a'-'b'",
        "{}+{}",
        "range(2.5)",
        "[1,2]/2",
        "math=1\n'%d' % 'x'",
        "'-'.join([1,2])",
    ],
    "unpack": [
        "a,b=1,2,3",
        "a,b=[1]",
        "for a,b in [(1,2,3)]: pass",
        "a,b=3",
        "(a,*b),c = [],1",
        "a,b='x'",
    ],
    "literal": [
        "int('x')",
        "float('1,5')",
        "int('3.5')",
        "int('')",
        "complex('z')",
    ],
    "value": [
        "import numpy as np\nif np.ones(2): pass",
        "import numpy as np\nwhile np.ones(3) > 0: pass",
        "import numpy as np\nx=np.ones(2)\nprint(x and 1)",
    ],
    "shapes": [
        TORCH + "torch.zeros(2, 3)[0] = torch.ones(4)",
        TORCH + "torch.ones(2, 3).expand(4, 3)",
        TORCH + "torch.bmm(torch.ones(2, 3, 4), torch.ones(3, 4, 5))",
        TORCH + "torch.einsum('ij,jk->ik', torch.ones(2, 3), torch.ones(2, 3))",
        TF2 + "tf.keras.layers.Dense(3)(tf.ones(4))",
        TF2 + "m=tf.keras.Sequential([tf.keras.layers.Dense(3)])\nm(tf.ones([2,4]))\nm(tf.ones([2,5]))",
        TF2 + "tf.Variable(tf.ones(2)).assign(tf.ones(3))",
        TF2 + "tf.einsum('ij,jk->ik', tf.ones((2, 3)), tf.ones((2, 3)))",
        "import numpy as np\nnp.linalg.solve(np.ones((2, 3)), np.ones(2))",
        TORCH + "torch.ones(2,3) @ torch.ones(2,3)",
        TORCH + "torch.ones(2,3)+torch.ones(4)",
        TORCH + "torch.nn.Linear(3,2)(torch.ones(1,4))",
        TORCH + "torch.ones(6).view(4,2)",
        TORCH + "torch.cat([torch.ones(2,2), torch.ones(3,3)])",
        TORCH + "torch.nn.functional.cross_entropy(torch.ones(3,2), torch.zeros(4).long())",
        TORCH + "torch.mv(torch.ones(2,3), torch.ones(2))",
        TORCH + "torch.stack([torch.ones(2), torch.ones(3)])",
        TF2 + "tf.ones((2,3)) @ tf.ones((2,3))",
        TF2 + "tf.ones((2,3)) + tf.ones((4,))",
        TF2 + "tf.reshape(tf.ones(6),(4,2))",
        TF2 + "tf.concat([tf.ones((2,2)), tf.ones((3,3))], 0)",
        TF1 + "tf.matmul(tf.ones((2,3)), tf.ones((2,3)))",
        TF1 + "x=tf.placeholder(tf.float32,[None,3])\ny=x+tf.ones((2,3))\ntf.Session().run(y,{x:[[1,2,3]]*5})",
        TF1 + "x=tf.placeholder(tf.float32,[None,3])\ntf.Session().run(x,{x:[[1,2]]})",
        "import numpy as np\nnp.ones((2,3)) @ np.ones((2,3))",
        "import numpy as np\nnp.ones(3)+np.ones(4)",
        "import numpy as np\nnp.ones(6).reshape(4,2)",
        "import numpy as np\nnp.concatenate([np.ones((2,2)),np.ones((3,3))])",
        TORCH + "torch.nn.Conv2d(3,4,3)(torch.ones(1,1,8,8))",
    ],
    "dtype": [
        TORCH + "torch.ones(3)[torch.ones(2)]",
        TORCH + "torch.ones(3, 2).index_select(0, torch.tensor([0.0, 1.0]))",
        TF2 + "tf.reduce_mean(tf.constant(['a']))",
        TF2 + "tf.Variable(1.0).assign_add(tf.constant(1))",
        "import numpy as np\nx = np.arange(3)\nx += 0.5",
        TORCH + "torch.ones(2,2) @ torch.ones(2,2).long()",
        TORCH + "torch.ones(2).double() @ torch.ones(2)",
        TORCH + "torch.nn.Linear(2,2)(torch.ones(1,2).double())",
        TORCH + "torch.nn.functional.cross_entropy(torch.ones(3,2), torch.zeros(3))",
        TORCH + "torch.ones(2, dtype=torch.long, requires_grad=True)",
        TORCH + "torch.ones(2).long().mean()",
        TF2 + "tf.constant(1)+tf.constant(1.0)",
        TF2 + "tf.matmul(tf.ones((2,2)), tf.ones((2,2),tf.float64))",
        TF2 + "tf.constant(1.5)*tf.constant([1,2])",
        TF1 + "tf.constant(1)+tf.constant(1.0)",
        TORCH + "torch.nn.Embedding(3,2)(torch.ones(2))",
        TORCH + "x=torch.zeros(2).long()\nx += 0.5",
    ],
    "backward-twice": [
        TORCH + "x=torch.ones(1,requires_grad=True)\ny=(x*x).sum()\ny.backward()\ny.backward()",
        TORCH
        + (
            "w=torch.ones(2,2,requires_grad=True)\n"
            "h=torch.zeros(1,2)\n"
            "for i in range(3):\n"
            "    h=torch.tanh(h@w+1)\n"
            "    h.sum().backward()"
        ),
        TF2 + "x=tf.Variable(1.0)\nwith tf.GradientTape() as t:\n    y=x*x\nt.gradient(y,x)\nt.gradient(y,x)",
        TORCH + "x=torch.ones(1,requires_grad=True)\ny=x.exp()\ntorch.autograd.grad(y,x)\ntorch.autograd.grad(y,x)",
    ],
    "leaf-in-place": [
        TORCH + "w=torch.ones(2,requires_grad=True)\nw -= 1",
        TORCH + "w=torch.nn.Parameter(torch.ones(2))\nw.add_(1)",
        TORCH + "w=torch.ones(2,requires_grad=True)\nw[0]=3",
        TORCH + "w=torch.ones(2,requires_grad=True)\nw.zero_()",
    ],
    "modified": [
        TORCH + "x=torch.ones(2,requires_grad=True)\ny=x.exp()\ny+=1\ny.sum().backward()",
        TORCH + "x=torch.ones(2,requires_grad=True)\ny=x*1\nz=y*y\ny.zero_()\nz.sum().backward()",
        TORCH + "w=torch.ones(2,requires_grad=True)\ny=(w*w).sum()\nwith torch.no_grad(): w+=1\ny.backward()",
    ],
    "not-scalar": [
        TORCH + "x=torch.ones(2,requires_grad=True)\n(x*2).backward()",
        TORCH + "x=torch.ones(2,requires_grad=True)\ntorch.autograd.grad(x*2,x)",
        TORCH + "m=torch.nn.Linear(2,2)\nm(torch.ones(3,2)).backward()",
    ],
    "no-gradient": [
        TORCH + "torch.ones(1).backward()",
        TORCH + "x=torch.ones(1,requires_grad=True)\nwith torch.no_grad(): y=x*2\ny.backward()",
        TORCH + "x=torch.ones(1,requires_grad=True)\ny=torch.ones(1,requires_grad=True)\ntorch.autograd.grad(x*2,y)",
        TF2 + "x=tf.Variable(1.0)\nopt=tf.keras.optimizers.SGD()\nopt.apply_gradients([(None,x)])",
    ],
    "numpy-of-grad": [
        TORCH + "torch.ones(1,requires_grad=True).numpy()",
        TORCH + "import numpy as np\nnp.array(torch.ones(2,requires_grad=True)*2)",
        TORCH + "m=torch.nn.Linear(2,2)\nm.weight.numpy()",
    ],
    "tensor-as-bool": [
        TORCH + "if torch.ones(2): pass",
        TORCH + "while torch.ones(2)>0: pass",
        TORCH + "x=torch.ones(3)\nassert x==x",
        TF2 + "if tf.ones(2)>0: pass",
        TF1 + "x=tf.placeholder(tf.float32)\nif x>0: pass",
        TF1 + "x=tf.constant(1)\nnot x",
    ],
    "uninitialised": [
        TF1 + "v=tf.Variable(1.0)\ntf.Session().run(v)",
        TF1 + "v=tf.get_variable('a',[2])\nwith tf.Session() as s:\n    print((v+1).eval())",
        TF1
        + (
            "v=tf.Variable(1.0)\n"
            "s=tf.Session()\n"
            "s.run(tf.global_variables_initializer())\n"
            "w=tf.Variable(2.0)\n"
            "s.run(w+v)"
        ),
    ],
    "not-fed": [
        TF1 + "x=tf.placeholder(tf.float32)\ntf.Session().run(x*2)",
        TF1 + "x=tf.placeholder(tf.float32,name='q')\ny=tf.placeholder(tf.float32)\ntf.Session().run(x+y,{x:1})",
        TF1 + "x=tf.placeholder(tf.float32,[2])\nwith tf.Session(): print(tf.reduce_sum(x).eval())",
    ],
    "other-graph": [
        TF1 + "g=tf.Graph()\nwith g.as_default(): a=tf.constant(1)\nb=tf.constant(2)\na+b",
        TF1 + "a=tf.constant(1)\ng=tf.Graph()\ntf.Session(graph=g).run(a)",
        TF1 + "g=tf.Graph()\nwith g.as_default(): v=tf.Variable(1.0)\ntf.assign(v,tf.constant(2.0))",
    ],
    "tf1-names": [
        TF2 + "tf.compat.v1.enable_eager_execution()\ntf.compat.v1.Session().run(tf.constant(1))",
        TF2 + "tf.compat.v1.placeholder(tf.float32)",
        TF2 + "@tf.function\ndef f(x): return x\nf(tf.constant(1))\ntf.Session()",
        TF2 + "x=tf.Variable(1.0)\nwith tf.GradientTape() as t: y=x*x\ntf.global_variables_initializer()",
    ],
    "exists": [
        TF1 + "tf.get_variable('a',[1])\ntf.get_variable('a',[1])",
        TF1 + "for i in range(2):\n    with tf.variable_scope('s'): tf.get_variable('w',[2])",
        TF1 + "def layer():\n    return tf.get_variable('w',[1])\nlayer()\nlayer()",
    ],
    "device": [
        TORCH + "torch.ones(2).cuda()",
        TORCH + "torch.ones(2,device='cuda')",
        TORCH + "torch.nn.Linear(2,2).to('cuda')",
    ],
    "variables-in-function": [
        TF2 + "@tf.function\ndef f(x):\n    v=tf.Variable(1.0)\n    return v*x\nf(tf.constant(1.0))",
        TF2 + "@tf.function\ndef g():\n    return tf.Variable(2.0)+1\ng()\ng()",
        TF2
        + (
            "class M(tf.Module):\n"
            "    @tf.function\n"
            "    def __call__(self,x):\n"
            "        w=tf.Variable(1.0)\n"
            "        return x*w\n"
            "M()(tf.constant(1.0))"
        ),
    ],
    "out-of-scope": [
        TF2 + "k=[]\n@tf.function\ndef f(x):\n    k.append(x*2)\n    return x\nf(tf.constant(1.0))\nk[0]+1",
        TF2
        + (
            "class A: pass\n"
            "a=A()\n"
            "@tf.function\n"
            "def f(x):\n"
            "    a.t=x+1\n"
            "    return x\n"
            "f(tf.constant(1.0))\n"
            "print(a.t*2)"
        ),
        TF2 + "seen = {}\n@tf.function\ndef f(x):\n    seen['y'] = tf.reduce_sum(x)\n    return x\n"
        "f(tf.ones(3))\nprint(tf.sqrt(seen['y']))",
    ],
    "not-iterable": [
        "for i in 5: pass",
        "len(3)",
        "list(3.5)",
        "sum(7)",
        "3 in 5",
        "[*4]",
    ],
    "changed-meanwhile": [
        "d={1:1}\nfor k in d: d[k+1]=0",
        "s={1}\nfor x in s: s.add(x+1)",
        "d={1:2}\nfor k in d: del d[k]",
    ],
    "empty": [
        "max([])",
        "min(())",
        "min({}, key=len)",
        "from functools import reduce\nreduce(max, [])",
    ],
    "not-found": [
        "[1].index(3)",
        "[1].remove(2)",
        "'abc'.index('z')",
        "(1,).index(2)",
    ],
    "file": [
        "open('nope.txt')",
        "def f(n):\n    with open(n) as g: return g.read()\nf('data/a.csv')",
        "import os\nos.remove('zz')",
    ],
    "out-of-range": [
        "import math\nmath.sqrt(-1)",
        "import math\nmath.log(0)",
        "2.0**10000",
        "import math\nmath.exp(1000)",
        "int(float('inf'))",
    ],
    "assertion": [
        "assert 1>2",
        "def f(x):\n    assert x, 'no'\nf(0)",
        "assert [] == [1], [1]",
    ],
    "interrupted": [
        "next(iter([]))",
        "it=iter('a')\nnext(it)\nnext(it)",
        "def g():\n    yield 1\ni=g()\nnext(i); next(i)",
    ],
    "input": [
        "input()",
        "for i in range(2): x=input('? ')",
        "def ask(): return int(input())\nask()",
    ],
    "unicode": [
        "'\\ud800'.encode()",
        "b'\\xff'.decode()",
        "'é'.encode('ascii')",
    ],
    "no-session": [
        TF1 + "tf.constant(1).eval()",
        TF1 + "x=tf.constant(2)*3\nprint(x.eval())",
        TF1 + "tf.global_variables_initializer().run()",
    ],
    "closed-session": [
        TF1 + "s=tf.Session()\ns.close()\ns.run(tf.constant(1))",
        TF1 + "a=tf.constant(1)\nwith tf.Session() as s: pass\ns.run(a)",
        TF1 + "a=tf.constant(1)\nwith tf.Session() as s: s.run(a)\nprint(a.eval(session=s))",
    ],
    "feed-tensor": [
        TF1 + "x=tf.placeholder(tf.float32)\ntf.Session().run(x,{x:tf.constant(1.0)})",
        TF1 + "x=tf.placeholder(tf.float32,[2])\nd={x:tf.ones([2])}\nwith tf.Session() as s: s.run(x*2,feed_dict=d)",
        TF1 + "x=tf.placeholder(tf.float32)\nv=x+1\ntf.Session().run(v,{x:v})",
    ],
    "finalized": [
        TF1 + "g=tf.get_default_graph()\ng.finalize()\ntf.constant(1)",
        TF1 + "a=tf.constant(1.0)\ntf.get_default_graph().finalize()\nfor i in range(2): a=a+1",
        TF1 + "tf.get_default_graph().finalize()\ntf.placeholder(tf.float32)",
    ],
    "memory": [
        "raise MemoryError",
        "[0]*(1<<62)",
        "import numpy as np\nnp.zeros(1<<50)",
    ],
}


@pytest.mark.parametrize("card", PROGRAMS)
def test_the_card_is_found(card: str) -> None:
    found = {}
    for program in PROGRAMS[card]:
        error = record(program, files={})["end"]["error"]
        found[program] = error and (error["card"] or {}).get("id")
    assert len(found) >= 3
    assert found == dict.fromkeys(PROGRAMS[card], card)


def test_cards_have_programs() -> None:
    rare = {"not-here", "traced-value"}
    assert {rule.id for rule in RULES} - rare == PROGRAMS.keys()
