import glob
import os
import pathlib
import shutil
import stat
import tempfile


def say(function, *args, **kwargs):
    try:
        print(repr(function(*args, **kwargs)))
    except Exception as error:
        print(type(error).__name__, error, getattr(error, "filename2", None))


def put(path, text="x"):
    with open(path, "w") as f:
        f.write(text)


os.mkdir("d")
say(os.mkdir, "d")
say(os.mkdir, "no/such")
os.makedirs("d/e/f")
os.makedirs("d/e/f", exist_ok=True)
say(os.makedirs, "d/e/f")
put("d/1.txt", "one")
put("d/e/2.csv", "two!")
put("d/e/f/3.txt")
say(os.makedirs, "d/1.txt/x")
print(sorted(os.listdir("d")), sorted(os.listdir(b"d")), os.listdir("d/e/f"))
say(os.listdir, "nowhere")
say(os.listdir, "d/1.txt")
print([(os.path.relpath(a), sorted(b), sorted(c)) for a, b, c in sorted(os.walk("d"))])
with os.scandir("d") as entries:
    for e in sorted(entries, key=lambda e: e.name):
        print(e.name, e.path, e.is_dir(), e.is_file(), e.is_symlink(), e.stat().st_size if e.is_file() else "-", e)
for path in ("d", "d/1.txt", "gone", "d/1.txt/x", ""):
    print(path, os.path.exists(path), os.path.isfile(path), os.path.isdir(path), os.path.islink(path), os.access(path, os.W_OK))
print(os.path.getsize("d/e/2.csv"), stat.S_ISDIR(os.stat("d").st_mode), stat.S_ISREG(os.stat("d/1.txt").st_mode))
say(os.stat, "gone")
say(os.path.getsize, "gone")
say(os.remove, "gone")
say(os.remove, "d")
say(os.rmdir, "d")
say(os.rmdir, "d/1.txt")
say(os.rename, "gone", "other")
os.rename("d/1.txt", "d/one.txt")
os.replace("d/one.txt", "d/e/2.csv")
print(open("d/e/2.csv").read(), sorted(os.listdir("d")))
say(os.rename, "d", "d/e/d")
put("file")
say(os.rename, "file", "d")
say(os.rename, "d", "file")
os.utime("file", (1000, 2000))
print(os.stat("file").st_mtime, os.path.getmtime("file"))
os.chmod("file", 0o600)
print(oct(os.stat("file").st_mode), stat.filemode(os.lstat("file").st_mode))
os.link("file", "twin")
print(os.path.samefile("file", "twin"), os.stat("file").st_nlink)
here = os.getcwd()
os.chdir("d")
print(os.path.relpath(os.getcwd(), here), os.listdir("."), sorted(os.listdir("..")), os.path.abspath("x") == here + "/d/x")
os.chdir("..")
say(os.chdir, "nowhere")
say(os.chdir, "file")
print(os.getcwd() == here, os.path.realpath("d/../file") == here + "/file")

p = pathlib.Path("p") / "q"
p.mkdir(parents=True)
say(p.mkdir)
p.mkdir(exist_ok=True)
(p / "t.txt").write_text("hé\n", encoding="utf-8")
(p / "b.bin").write_bytes(b"\0\1")
print((p / "t.txt").read_text(encoding="utf-8"), (p / "b.bin").read_bytes(), (p / "t.txt").stat().st_size)
(p / "new").touch()
say((p / "new").touch, exist_ok=False)
print(sorted(x.name for x in p.iterdir()), sorted(str(x) for x in pathlib.Path(".").rglob("*.txt")), sorted(map(str, p.glob("*"))))
print((p / "new").exists(), p.is_dir(), (p / "new").is_file(), p.resolve() == pathlib.Path.cwd() / "p/q")
(p / "new").rename(p / "old")
(p / "old").unlink()
(p / "old").unlink(missing_ok=True)
say((p / "old").unlink)
say(p.rmdir)
with (p / "t.txt").open("a") as f:
    f.write("more")
print(len((p / "t.txt").read_text(encoding="utf-8")))

print(sorted(glob.glob("**/*.txt", recursive=True)), sorted(glob.glob("d/*")), glob.glob("zz*"))
shutil.copy("p/q/t.txt", "copy.txt")
shutil.copy2("p/q/t.txt", "d")
shutil.copytree("p", "pp")
say(shutil.copy, "nope", "x")
say(shutil.copytree, "p", "pp")
shutil.move("copy.txt", "d/moved.txt")
shutil.move("pp", "d")
print(sorted(os.listdir("d")), sorted(os.listdir("d/pp/q")))
print(os.path.basename(shutil.make_archive("packed", "zip", "p")), sorted(os.path.basename(n) for n in glob.glob("*.zip")))
shutil.unpack_archive("packed.zip", "unpacked")
print(sorted(os.listdir("unpacked/q")))
shutil.make_archive("packed", "gztar", "p")
shutil.unpack_archive("packed.tar.gz", "again")
print(sorted(os.listdir("again/q")))
say(shutil.rmtree, "gone")
say(shutil.rmtree, "file")
shutil.rmtree("d")
shutil.rmtree("nowhere", ignore_errors=True)
print(os.path.exists("d"))

t = tempfile.mkdtemp(prefix="run-")
print(os.path.isdir(t), os.path.dirname(t) == tempfile.gettempdir(), os.listdir(t), os.path.basename(t)[:4])
with tempfile.TemporaryDirectory() as t2:
    put(os.path.join(t2, "x"))
    os.makedirs(os.path.join(t2, "y/z"))
print(os.path.exists(t2))
with tempfile.NamedTemporaryFile("w+", suffix=".txt") as f:
    f.write("hello")
    f.flush()
    print(open(f.name).read(), f.name.endswith(".txt"), os.path.exists(f.name))
print(os.path.exists(f.name))
with tempfile.NamedTemporaryFile(delete=False) as f:
    f.write(b"kept")
print(os.path.getsize(f.name))
os.unlink(f.name)
with tempfile.TemporaryFile() as f:
    f.write(b"abc")
    f.seek(1)
    print(f.read())
with tempfile.SpooledTemporaryFile(max_size=2) as f:
    f.write(b"rolled over")
    f.seek(0)
    print(f.read())
fd, name = tempfile.mkstemp()
with os.fdopen(fd, "w") as f:
    f.write("by descriptor")
print(open(name).read())
os.remove(name)
fd = os.open("bare", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
print(os.write(fd, b"0123456789"), os.lseek(fd, 2, os.SEEK_SET), os.read(fd, 3), os.fstat(fd).st_size, os.isatty(fd))
os.ftruncate(fd, 4)
os.close(fd)
say(os.read, fd, 1)
print(open("bare").read())
say(os.open, "bare", os.O_CREAT | os.O_EXCL | os.O_WRONLY)
say(os.open, "absent", os.O_RDONLY)
say(os.listdir, "")
say(os.mkdir, "")
say(os.stat, None)
say(os.mkdir, "a\0b")
