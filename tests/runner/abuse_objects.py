"""Programs that turn Python itself against the recorder: signals, finalizers, objects that lie, names and messages
without measure, parsers without depth, ways out of the scratch. Part of the table of ``abuse.py``."""

from __future__ import annotations

OBJECTS: dict[str, tuple[str, str]] = {
    # what it is: (how it ends, the program)
    "stopped by itself": ("time", "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\nprint(WON)"),
    "killed by itself": ("crash", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"),
    "an alarm": ("crash", "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.05)\nwhile True: pass"),
    "alarms upon alarms": (
        "time or recursion",
        "import signal\nsignal.signal(signal.SIGALRM, lambda *_: signal.setitimer(signal.ITIMER_REAL, 1e-6))\n"
        "signal.setitimer(signal.ITIMER_REAL, 1e-6)\nwhile True: pass",
    ),
    "waiting for nothing": ("time", "import select\nselect.select([], [], [])"),
    "a pattern that goes back": ("time", "import re\nre.match('(a+)+$', 'a' * 60 + 'b')\nprint(WON)"),
    "digits of a huge number": (
        "time or memory",
        "import sys\nsys.set_int_max_str_digits(0)\nprint(len(str(1 << 10 ** 9)))\nprint(WON)",
    ),
    "a loop when it has ended": ("time or ran", "import atexit\ndef f():\n    while True: pass\natexit.register(f)"),
    "exits upon exits": (
        "time or ran",
        "import atexit\ndef f():\n    atexit.register(f)\natexit.register(f)",
    ),
    "a finalizer without end": (
        "time or ran",
        "class Held:\n    def __del__(self):\n        while True: pass\nheld = Held()\ndel held\nprint(WON)",
    ),
    "finalizers that make others": (
        "anyhow",
        "class Phoenix:\n    def __del__(self): Phoenix(), Phoenix()\nPhoenix()\nprint('gone')",
    ),
    "what comes back from the dead": (
        "anyhow",
        "import gc\nkept = []\nclass Back:\n    def __init__(self): self.me = self\n"
        "    def __del__(self): kept.append(self); Back()\n"
        "gc.callbacks.append(lambda *_: Back())\nfor _ in range(100_000): Back()",
    ),
    "a flood past Python": ("output", "import os\nwhile True: os.write(1, b'x' * 65536)"),
    "a flood of single letters": ("output or time", "import os\nwhile True: os.write(2, b'x')"),
    "words to a terminal": (
        "ran",
        "print('\\x1b]0;title\\x07\\x1b[2J\\x1b[31m\\x9b31m\\x07\\x08\\r', '\\u202e\\u2066\\u0000\\ufeff\\U000e0001')",
    ),
    "half characters everywhere": (
        "no such letter",
        "names = {'\\ud800': '\\udfff'}\nglobals()['v\\ud800'] = 1\n"
        "raise type('E\\ud83d', (Exception,), {})('\\udc00')",
    ),
    "a name of ten million letters": ("anyhow", "globals()['a' * 10_000_000] = 1\nx = 2"),
    "a message of a hundred million letters": ("anyhow", "raise ValueError('x' * 100_000_000)"),
    "a class with a name like a book": ("anyhow", "raise type('A' * 10_000_000, (Exception,), {})()"),
    "an exit with a speech": ("anyhow", "import sys\nsys.exit('x' * 50_000_000)"),
    "an exit beyond numbers": ("anyhow", "import sys\nsys.exit(2 ** 64)"),
    "errors upon errors": (
        "anyhow",
        "error = None\nfor _ in range(50_000):\n"
        "    new = ValueError('x')\n    new.__context__ = error\n    error = new\n"
        "raise error",
    ),
    "an error that is its own cause": ("anyhow", "e = ValueError('x')\ne.__cause__ = e\ne.__context__ = e\nraise e"),
    "groups in groups": (
        "anyhow",
        "e = ValueError('x')\nfor _ in range(20_000): e = ExceptionGroup('g', [e])\nraise e",
    ),
    "an error that will not be told": (
        "anyhow",
        "class Mute(Exception):\n    def __str__(self): raise self\n    __repr__ = __str__\n"
        "    @property\n    def __traceback__(self): raise KeyboardInterrupt\nraise Mute()",
    ),
    "an object that will not be looked at": (
        "time or ran",
        "class Sly:\n    def __repr__(self):\n        while True: pass\n"
        "    __str__ = __len__ = __hash__ = __iter__ = __repr__\n"
        "    def __getattribute__(self, name): raise SystemExit(name)\nx = Sly()\ny = [x]\nz = 1",
    ),
    "an object that lies about its class": (
        "anyhow",
        "import torch\nclass Liar:\n    @property\n    def __class__(self): return torch.Tensor\n"
        "    def __getattr__(self, name): return self\n    def __index__(self): return 1 << 62\n"
        "x = Liar()\ny = [x, {1: x}]",
    ),
    "a class that claims everything": (
        "anyhow",
        "class Meta(type):\n    def __instancecheck__(self, other):\n        while True: pass\n"
        "    def __getattribute__(self, name): raise BaseException(name)\n"
        "class X(metaclass=Meta): pass\nx = X()\ny = x",
    ),
    "lists in lists": ("anyhow", "x = []\nfor _ in range(300_000): x = [x]\ny = x\nprint(repr(x))"),
    "pickles in pickles": (
        "anyhow",
        "import pickle\nx = []\nfor _ in range(100_000): x = [x]\ntry: pickle.dumps(x)\n"
        "except RecursionError: print('deep')\npickle.loads(b'\\x80\\x04' + b']' * 1_000_000 + b'a' * 999_999 + b'.')",
    ),
    "a pickle that calls": (
        "denied or ran",
        "import pickle\nstatus = pickle.loads(b\"cposix\\nsystem\\n(S'id'\\ntR.\")\n"
        "print(WON if status == 0 else status)",
    ),
    "brackets read while it runs": (
        "anyhow",
        "import ast, json\ntry: json.loads('[' * 1_000_000)\n"
        "except RecursionError: print('deep')\nast.literal_eval('-' * 1_000_000 + '1')",
    ),
    "memory overwritten": ("anyhow", "import ctypes\nfor n in range(50): ctypes.memset(id(n), 255, 32)\nprint(1 + 1)"),
    "the stack overflown": ("anyhow", "import faulthandler\nfaulthandler._stack_overflow()"),
    "no modules": ("anyhow", "import sys\nsys.modules.clear()\nsys.path.clear()\nsys.meta_path.clear()\nx = 1"),
    "no builtins": (
        "anyhow",
        "import builtins\n"
        "for name in ('print', 'len', 'isinstance', 'str', 'repr', 'getattr', 'type', 'open', 'int'):\n"
        "    setattr(builtins, name, None)\nx = [1]\ny = x",
    ),
    "no imports": (
        "anyhow",
        "import builtins\nbuiltins.__import__ = lambda *a, **k: 1 / 0\nx = 1\nimport json",
    ),
    "no recorder": (
        "anyhow",
        "from engine import events\nevents.listener = None\nimport torch\nx = torch.ones(2) * 2\nprint('ran')",
    ),
    "a journal that raises": (
        "anyhow",
        "from engine.recording import journal\ndef fail(*_, **__): raise BaseException('no')\n"
        "journal.Journal.append = fail\nx = 1\nprint(x)",
    ),
    "a module from elsewhere": (
        "denied",
        "import importlib.machinery as m\nm.SourceFileLoader('x', '/etc/passwd').load_module()\nprint(WON)",
    ),
    "a folder of modules elsewhere": (
        "ran or no such module",
        "import sys\nsys.path.insert(0, '/etc')\nsys.path.insert(0, '/proc/self/fd')\nimport passwd\nprint(WON)",
    ),
    "a link out of the scratch": (
        "ran or denied",
        "import os\nos.symlink('/etc/passwd', 'link')\n"
        "text = open('link').read()\nprint(WON if 'root:' in text else 'no')",
    ),
    "a way up out of the scratch": (
        "denied",
        "print(open('../../../../../../etc/passwd').read() and WON)",
    ),
    "an archive that climbs": (
        "anyhow",
        "import io, tarfile\ndata = io.BytesIO()\nwith tarfile.open(fileobj=data, mode='w') as t:\n"
        "    i = tarfile.TarInfo('../../../../tmp/stepgraph_w')\n    i.size = 1\n    t.addfile(i, io.BytesIO(b'x'))\n"
        "data.seek(0)\ntarfile.open(fileobj=data).extractall('.')",
    ),
    "a full scratch": ("denied", "with open('big', 'wb') as f:\n    while True: f.write(bytes(1 << 20))\nprint(WON)"),
    "a hole in the scratch": (
        "denied",
        "f = open('hole', 'wb')\nf.seek(1 << 40)\nf.write(b'x')\nf.close()\nprint(WON)",
    ),
    "a file cut longer": ("denied", "f = open('hole', 'wb')\nf.truncate(1 << 50)\nprint(WON)"),
    "files without number": ("denied or time", "n = 0\nwhile True:\n    open(f'f{n}', 'w').close()\n    n += 1"),
    "arrays of a file": ("denied", "import numpy as np\nprint(np.fromfile('/etc/passwd', 'u1').size and WON)"),
    "an array over a file": ("denied", "import numpy as np\nprint(np.memmap('/etc/passwd', 'u1', 'r').size and WON)"),
    "descriptors without number": ("denied", "import os\nwhile True: os.dup(1)"),
    "shared memory by a module": (
        "denied",
        "from multiprocessing import shared_memory\nshared_memory.SharedMemory(create=True, size=1 << 30)\nprint(WON)",
    ),
    "a pool of processes": ("denied", "import multiprocessing as m\nprint(m.Pool(2).map(abs, [1]) and WON)"),
    "an executor": (
        "denied",
        "from concurrent.futures import ThreadPoolExecutor as E\nE().submit(print, WON).result()",
    ),
    "address space": ("memory or denied", "import mmap\nmmap.mmap(-1, 1 << 40)\nprint(WON)"),
    "shared pages": (
        "memory or denied",
        "import mmap\nm = mmap.mmap(-1, 1 << 33)\nfor i in range(0, 1 << 33, 4096): m[i] = 1\nprint(WON)",
    ),
    "a scheduler in real time": (
        "denied",
        "import os\nos.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))\nprint(WON)",
    ),
}
