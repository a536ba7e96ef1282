"""Programs typed into the page to break out or break down, and what has to become of each.

``python abuse.py CORPUS BACKEND GIVEN PATH...`` tries all of one corpus in one set of layers, as whoever starts it, and
writes what became of them as JSON: so one table is tried as root and as an ordinary user (``test_abuse.py``). What
stands in capitals is ``GIVEN``: a process, a listener and files of the server's user. ``test_attacks.py`` tries
further ones by the bare functions of the system.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from pathlib import Path
from typing import Any

LIBC = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
FAILED = "\nif result: raise OSError(ctypes.get_errno(), 'denied')\nprint(WON)"

ABUSE: dict[str, tuple[str, str]] = {
    # what it is: (how it ends, the program)
    "a loop": ("time", "while True: pass"),
    "a loop that catches": (
        "time",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ),
    "sleeping": ("time", "import time\ntime.sleep(60)"),
    "deaf to signals": (
        "time",
        "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass",
    ),
    "products of big matrices": (
        "time",
        "import numpy as np\na = np.ones((5000, 5000))\nfor _ in range(20): a = a @ a\nprint(WON)",
    ),
    "a huge power": ("time", "x = pow(7, 10 ** 9)\nprint(WON)"),
    "much memory at once": ("memory", "b = bytearray(8 << 30)\nprint(WON)"),
    "a huge array": ("memory", "import numpy as np\na = np.zeros(4_000_000_000)\nprint(WON)"),
    "memory bit by bit": (
        "memory",
        "pieces = []\nfor _ in range(3000): pieces.append(bytearray(1 << 20))\nprint(WON)",
    ),
    "memory of the kernel, in pipes": (
        "denied",
        "import fcntl, os\nfor _ in range(200):\n    r, w = os.pipe()\n    fcntl.fcntl(w, 1031, 1 << 20)\nprint(WON)",
    ),
    "many processes": (
        "denied",
        "import os, time\nfor _ in range(40):\n    if os.fork() == 0:\n        time.sleep(1)\n        os._exit(0)\n"
        "print(WON)",
    ),
    "a thread": ("denied", "import threading\nt = threading.Thread(target=lambda: None)\nt.start()\nprint(WON)"),
    "a shell": ("denied or ran", "import os\nstatus = os.system('id')\nprint(WON if status == 0 else status)"),
    "a command": ("denied", "import subprocess\nprint(WON, subprocess.check_output(['/usr/bin/id']))"),
    "another program": ("denied", "import os\nos.execv('/bin/sh', ['sh', '-c', 'echo ' + WON])"),
    "a flood": ("output", "while True: print('x' * 1_000_000)"),
    "every descriptor closed": ("silent", "import os\nos.closerange(0, 64)\nwhile True: pass"),
    "a forged result": (
        "ended",
        'import os\nfor fd in range(3, 20):\n    try:\n        os.write(fd, b\'{"stdout": "won"}\')\n'
        "    except OSError: pass\nos._exit(0)",
    ),
    "gone without a word": ("ended", "import os\nos._exit(0)"),
    "a read of nowhere": ("crash", "import ctypes\nctypes.string_at(0)"),
    "an abort": ("crash", "import os\nos.abort()"),
    "endless recursion": ("recursion", "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(n): return f(n + 1)\nf(0)"),
    "the users of the machine": ("denied", "print(WON, open('/etc/passwd').read()[:9])"),
    "a file of the server's user": ("denied", "print(WON, open(SECRET).read())"),
    "a folder": ("denied", "import os\nprint(WON, os.listdir('/etc')[:1])"),
    "elsewhere": ("denied", "import os\nos.chdir('/etc')\nprint(WON, os.getcwd())"),
    "the environment": ("denied", "import os\nassert os.environ.get('STEPGRAPH_TREASURE')\nprint(WON)"),
    "the server's environment": ("denied", "print(WON if open(f'/proc/{SERVER}/environ', 'rb').read() else '')"),
    "the parent's memory": ("denied", "import os\nf = open(f'/proc/{os.getppid()}/mem', 'rb')\nprint(WON)"),
    "the parent, traced": ("denied or killed", LIBC + "result = libc.ptrace(16, os.getppid() or 1, 0, 0)" + FAILED),
    "the server, traced": ("denied or killed", LIBC + "result = libc.ptrace(16, SERVER, 0, 0)" + FAILED),
    "a signal to the parent": ("denied", "import os\nos.kill(os.getppid() or 1, 0)\nprint(WON)"),
    "a connection": (
        "denied",
        "import socket\ns = socket.create_connection(('127.0.0.1', PORT), 1)\nprint(WON, s.recv(9))",
    ),
    "a datagram": ("denied", "import socket\ns = socket.socket(2, 2)\ns.sendto(b'x', ('127.0.0.1', PORT))\nprint(WON)"),
    "a pair of sockets": ("denied", "import socket\nsocket.socketpair()\nprint(WON)"),
    "a file in /tmp": ("ran", "open('/tmp/stepgraph_w', 'w').write('x')\nprint('written')"),
    "a mode": ("denied", "import os\nos.chmod(SHARED, 0o600)\nprint(WON)"),
    "a file less": ("denied", "import os\nos.unlink(SHARED + '.2')\nprint(WON)"),
    "a folder in /tmp": ("ran", "import os\nos.mkdir('/tmp/stepgraph_d')\nos.rmdir('/tmp/stepgraph_d')\nprint(1)"),
    "a mount": ("denied or killed", LIBC + "result = libc.mount(b'none', b'/tmp', b'tmpfs', 0, 0)" + FAILED),
    "a namespace": ("denied or killed", LIBC + "result = libc.unshare(0x10000000)" + FAILED),
    "a limit raised": ("denied", "import resource as r\nr.setrlimit(r.RLIMIT_AS, (-1, -1))\nprint(WON)"),
    "a better priority": ("denied", "import os\nos.setpriority(0, 0, -5)\nprint(WON)"),
    "another processor": ("denied", "import os\nos.sched_setaffinity(0, {0})\nprint(WON)"),
    "no tracing": ("ran", "import sys\nsys.settrace(None)\nsys.setprofile(None)\nprint('fine')"),
    "our own frames": (
        "ran",
        "import sys\nf, held = sys._getframe(), set()\nwhile f:\n    held |= {str(v) for v in f.f_globals.values()}\n"
        "    f = f.f_back\nprint(WON if any('treasure' in v for v in held if 'STEPGRAPH' in v) else 'nothing')",
    ),
    "a library not yet loaded": ("ran or no such module", "import _sqlite3\nprint('fine')"),
    "modules not yet loaded": ("ran or no such module", "import xml.dom.minidom, csv\nprint('fine')"),
    "half a character": ("ran or no such letter", "print('\\ud800')"),
    "brackets in brackets": ("too deep", f"x = {'(' * 100_000}1{')' * 100_000}"),
    "minus upon minus": ("too deep", f"x = {'-' * 200_000}1"),
}
CORPORA = {
    "system": ABUSE,
    "objects": runpy.run_path(str(Path(__file__).with_name("abuse_objects.py")))["OBJECTS"],
}
"""``system``: to break out; ``objects``: to break what records and answers."""
WITHIN = 0.5
"""Seconds that a program that does not end may take."""
ENDLESS = {"time", "recursion", "anyhow"}


def attempt(corpus: str, backend: str, given: dict[str, Any]) -> dict[str, Any]:
    """``{name: what became of it}`` and, under ``""``, what the next run printed and the layers there were."""
    from app.runner import Limits, Request, Runner

    runner = Runner(backend=backend, packages=False)
    try:
        layers = runner.isolation()
        head = "".join(f"{key} = {value!r}\n" for key, value in given.items()) + "WON = 'wo' + 'n'\n"
        started = {
            name: runner.submit(
                Request(head + program, limits=Limits(30.0 if ENDLESS.isdisjoint(expected.split(" or ")) else WITHIN))
            )
            for name, (expected, program) in CORPORA[corpus].items()
        }
        runs: dict[str, Any] = {}
        for name, run in started.items():
            answered = run.wait(120)
            trace = json.loads(run.trace) if run.trace else None
            runs[name] = {
                "state": run.state if answered else "no answer",
                "status": run.exit_status,
                "end": trace["end"] if trace else None,
                "output": trace["stdout"][:2000] if trace else "",
            }
        follower = runner.submit(Request("print('next')"))
        follower.wait(30)
        runs[""] = {"output": follower.output_so_far()[0], "layers": layers.layers, "isolated": layers.isolated}
        return runs
    finally:
        runner.close()


if __name__ == "__main__":
    sys.path[:0] = sys.argv[4:]
    print(json.dumps(attempt(sys.argv[1], sys.argv[2], {**json.loads(sys.argv[3]), "SERVER": os.getpid()})))
