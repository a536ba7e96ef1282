import bz2
import configparser
import csv
import fileinput
import gzip
import json
import linecache
import logging
import lzma
import pickle
import shelve
import sqlite3
import tarfile
import wave
import zipfile

import numpy as np

a = np.arange(6, dtype=np.float32).reshape(2, 3)
np.save("a.npy", a)
np.save("b", a)
print(np.load("a.npy"), np.load("b.npy").dtype)
np.savez("c.npz", x=a, y=a + 1)
with np.load("c.npz") as z:
    print(sorted(z.files), z["y"])
np.savez_compressed("d", a)
print(np.load("d.npz")["arr_0"].sum())
np.savetxt("t.txt", a, fmt="%.1f", delimiter=",", header="p,q,r")
print(open("t.txt").read(), np.loadtxt("t.txt", delimiter=","), np.genfromtxt("t.txt", delimiter=",", names=True)["q"])
np.savetxt("t.txt.gz", a)
print(np.loadtxt("t.txt.gz").shape)
with open("many.npy", "wb") as f:
    np.save(f, a)
    np.save(f, np.array([{"k": 1}], object), allow_pickle=True)
with open("many.npy", "rb") as f:
    print(np.load(f).shape, np.load(f, allow_pickle=True)[0])
with open("numbers.bin", "wb") as f:
    f.write(a.tobytes())
print(np.fromfile("numbers.bin", np.float32), np.fromfile("numbers.bin", np.float32, 2), np.fromfile("numbers.bin", np.float32, offset=16))
with open("numbers.bin", "rb") as f:
    print(np.fromfile(f, np.float32, 2), np.fromfile(f, np.float32, 1), f.tell())
try:
    np.load("gone.npy")
except OSError as error:
    print(type(error).__name__, error)

with open("p.pkl", "wb") as f:
    pickle.dump({"w": a, "n": 3}, f)
with open("p.pkl", "rb") as f:
    print(pickle.load(f)["n"])
with open("j.json", "w") as f:
    json.dump([1, {"a": None}], f, indent=1)
print(json.load(open("j.json")))
with open("c.csv", "w", newline="") as f:
    w = csv.DictWriter(f, ["x", "y"])
    w.writeheader()
    w.writerows([{"x": i, "y": i * i} for i in range(3)])
with open("c.csv", newline="") as f:
    print(list(csv.DictReader(f)), open("c.csv", "rb").read())
for module in (gzip, bz2, lzma):
    with module.open("z", "wt") as f:
        f.write("packed\n" * 3)
    print(module.__name__, module.open("z", "rt").readlines())
with zipfile.ZipFile("z.zip", "w") as z:
    z.write("j.json")
    z.writestr("s.txt", "written")
with zipfile.ZipFile("z.zip") as z:
    print(z.namelist(), z.read("s.txt"), z.testzip())
    z.extractall("out")
print(json.load(open("out/j.json")))
with tarfile.open("t.tar.gz", "w:gz") as t:
    t.add("j.json")
with tarfile.open("t.tar.gz") as t:
    print(t.getnames())
    t.extractall("tar")
with wave.open("w.wav", "wb") as w:
    w.setparams((1, 2, 8000, 0, "NONE", ""))
    w.writeframes(b"\0\1" * 10)
print(wave.open("w.wav").getnframes())
c = configparser.ConfigParser()
c["s"] = {"k": "v"}
with open("c.ini", "w") as f:
    c.write(f)
d = configparser.ConfigParser()
print(d.read(["c.ini", "none.ini"]), d["s"]["k"])
print(linecache.getline("c.csv", 2))
for line in fileinput.input(["c.csv"]):
    print(fileinput.lineno(), line.strip())
log = logging.getLogger("mine")
handler = logging.FileHandler("run.log")
handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
log.addHandler(handler)
log.warning("kept %d", 3)
handler.close()
print(open("run.log").read())
with open("helper.py", "w") as f:
    f.write("VALUE = 41\ndef f():\n    return VALUE + 1\n")
import helper

print(helper.f(), helper.__name__)
import importlib
import os
import sys

with open("helper.py", "w") as f:
    f.write("VALUE = 141 # longer\ndef f():\n    return VALUE + 1\n")
importlib.reload(helper)
print(helper.f())
os.makedirs("pack/sub")
for name, text in {"pack/__init__.py": "from .one import ONE", "pack/one.py": "ONE = 1", "pack/sub/two.py": "from ..one import ONE\nTWO = ONE + 1"}.items():
    with open(name, "w") as f:
        f.write(text)
from pack.sub.two import TWO

import pack

print(pack.ONE, TWO, os.path.basename(pack.__file__))
os.mkdir("elsewhere")
with open("elsewhere/far.py", "w") as f:
    f.write("x = 'far'")
sys.path.append("elsewhere")
import far

print(far.x)
exec(open("helper.py").read())
print(VALUE)
print(sqlite3.connect(":memory:").execute("select 1").fetchall())
