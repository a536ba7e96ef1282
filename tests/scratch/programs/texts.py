import io
import os


def say(function, *args, **kwargs):
    try:
        print(repr(function(*args, **kwargs)))
    except Exception as error:
        print(type(error).__name__, error)


with open("a.txt", "w") as f:
    print(f.write("first\nsecond\nthird\n"), f.mode, f.name, f.closed, f.encoding.lower())
print(f.closed)
print(repr(f)[:40])
say(f.write, "more")
with open("a.txt") as f:
    print(f.readline(), f.tell(), list(f))
with open("a.txt", "a") as f:
    print(f.tell())
    f.write("fourth")
with open("a.txt", "r+") as f:
    f.write("FIRST")
    f.seek(0, 2)
    f.write("!")
    f.seek(0)
    print(f.read())
    f.truncate(5)
print(open("a.txt").read())
with open("a.txt", "w+") as f:
    f.write("x" * 10)
    f.seek(3)
    print(f.read(), f.truncate(2), os.path.getsize("a.txt"))
with open("n.txt", "w", newline="\r\n") as f:
    f.write("a\nb\n")
print(open("n.txt", "rb").read(), open("n.txt").read().encode(), open("n.txt", newline="").read().encode())
with open("u.txt", "w", encoding="latin-1") as f:
    f.write("café")
print(open("u.txt", "rb").read())
say(open("u.txt", encoding="utf-8").read)
print(open("u.txt", encoding="utf-8", errors="replace").read())
with open("b.bin", "wb") as f:
    print(f.write(bytes(range(10))), f.tell(), f.mode, f)
with open("b.bin", "rb") as f:
    print(f.seek(-3, 2), f.read(), f.read(), f.seek(2), f.peek(1)[:1], f.read1(2), f.readinto(bytearray(3)))
with open("b.bin", "r+b") as f:
    f.seek(4)
    f.write(b"####")
    f.seek(20)
    f.write(b"end")
print(open("b.bin", "rb").read())
with open("b.bin", "ab+") as f:
    f.write(b"appended")
    f.seek(0)
    print(len(f.read()), f.mode)
with open("raw", "wb", buffering=0) as f:
    print(f.write(b"now"), os.path.getsize("raw"), f.seekable(), f.readable(), f.writable())
    say(f.read)
with open("line", "w", buffering=1) as f:
    f.write("a line\nhalf")
    print(os.path.getsize("line"), f.line_buffering)
with open("held", "w") as f:
    f.write("unseen")
    print(os.path.getsize("held"))
    f.flush()
    print(os.path.getsize("held"))
    os.fsync(f.fileno())
for args in (("a.txt", "q"), ("a.txt", "rw"), ("a.txt", "tb"), ("a.txt", "x"), ("a.txt", ""), ("a.txt", "+"), ("a.txt", "wb", 0, "utf-8"),
             ("a.txt", "r", 0), ("no.txt",), ("no/such.txt", "w"), ("a.txt/b",), ("",), (b"a.txt", "r"), (3.5,), (None,), ("a\0b",)):
    try:
        with open(*args) as f:
            print(f.mode, f.name)
    except Exception as error:
        print(args, type(error).__name__, error, getattr(error, "errno", None), getattr(error, "filename", None))
say(open("a.txt").write, "x")
say(open("a.txt", "w").read)
say(open("a.txt", "rb").write, b"x")
os.mkdir("folder")
say(open, "folder")
say(open, "folder", "w")
reader = open("b.bin", "rb")
os.remove("b.bin")
print(len(reader.read()), os.path.exists("b.bin"))
reader.close()
print(io.open("a.txt").read() == "", open is io.open)
with open("print.txt", "w") as f:
    print("into a file", 1, sep="-", file=f)
print(open("print.txt").read(), end="")
with open("x.txt", "x") as f:
    f.writelines(["a\n", "b\n"])
print(sum(1 for _ in open("x.txt")))
with open(os.devnull, "w") as f:
    print(f.write("nothing"))
print(open(os.devnull).read() == "")
