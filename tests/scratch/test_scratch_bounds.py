"""What the scratch refuses, and what it puts back."""

from __future__ import annotations

import builtins
import contextlib
import errno
import io
import os
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from engine.scratch import QUOTA, Tree, installed, tree_for


def test_quota_counts_contents_and_names_and_gives_them_back() -> None:
    with installed(Tree()) as tree:
        before = tree.left
        with pytest.raises(OSError, match="16 MB in all") as caught, open("big", "wb", buffering=0) as file:
            file.write(bytes(QUOTA + 1))
        assert caught.value.errno == errno.ENOSPC
        os.remove("big")
        assert tree.left == before
        with open("kept", "wb") as file:
            file.write(bytes(QUOTA - 10_000))
        with pytest.raises(OSError, match="No space left on device"):
            np.save("more.npy", np.zeros(100_000))
        reader = open("kept", "rb")  # noqa: SIM115
        os.remove("kept")
        assert tree.left < before - 1_000_000
        reader.close()
        os.remove("more.npy")
        assert tree.left == before
        with pytest.raises(OSError, match="No space left"):
            _make_folders(1_000_000)
        with pytest.raises(OSError, match="No space left"), open(os.devnull, "rb"), open("folder0/f", "wb") as file:
            file.truncate(1 << 40)


def _make_folders(count: int) -> None:
    for number in range(count):
        os.mkdir(f"folder{number}")


def test_huge_offsets_take_no_memory() -> None:
    with installed(Tree()), open("f", "wb", buffering=0) as file:
        file.seek(1 << 50)
        with pytest.raises(OSError, match="No space left"):
            file.write(b"x")
        with pytest.raises(OSError, match="Invalid argument"):
            file.seek((1 << 62) + 1)


def test_nothing_outside_can_be_changed(tmp_path: Path) -> None:
    outside = os.path.join(os.path.expanduser("~"), "stepgraph-scratch-test")
    with installed(Tree()):
        for act in (
            lambda: open("/etc/stepgraph", "w"),  # noqa: SIM115
            lambda: os.mkdir("/etc/stepgraph"),
            lambda: os.remove("/etc/passwd"),
            lambda: os.rename("/etc/passwd", "mine"),
            lambda: os.rename("/home/student", "/tmp/x"),
            lambda: os.open("/etc/stepgraph", os.O_CREAT | os.O_WRONLY),
            lambda: os.truncate("/etc/passwd", 0),
            lambda: os.chmod("/etc/passwd", 0),
            lambda: os.link("/etc/passwd", "mine"),
            lambda: os.symlink("/etc/passwd", "mine"),
            lambda: os.rmdir("/home/student"),
            lambda: Path("/etc/stepgraph").touch(),
            lambda: np.save("/etc/stepgraph.npy", np.zeros(1)),
            lambda: open(outside, "w"),  # noqa: SIM115
        ):
            with pytest.raises(OSError, match=r"Permission denied|No such file|busy|not permitted"):
                act()
        with pytest.raises(FileNotFoundError, match="No such file or directory: '/no/such/folder/file'"):
            Path("/no/such/folder/file").write_text("x")
        # Real temporary files are out of sight; real files elsewhere can be read.
        assert not os.path.exists(tmp_path)
        assert Path(os.__file__).read_text().startswith('r"""OS routines')
    assert os.path.exists(tmp_path)
    assert not os.path.exists(outside)


def test_a_path_leads_no_further_up_than_where_the_program_starts() -> None:
    with installed(Tree({"beside.txt": b"x"})):
        os.makedirs("../../data/mnist", exist_ok=True)
        with open("../../data/mnist/a.txt", "w") as file:
            file.write("1")
        assert os.listdir("data/mnist") == ["a.txt"]
        assert Path("../beside.txt").read_text() == Path("data/../beside.txt").read_text() == "x"
        os.chdir("..")
        assert os.getcwd() == "/home/student"
        assert not os.path.exists("../../../../../../etc/passwd")


def test_everything_is_put_back() -> None:
    watched = [
        (builtins, "open"), (io, "open"), (io, "open_code"), (os, "open"), (os, "stat"), (os, "listdir"),
        (os, "getcwd"),
        (os, "remove"), (np, "fromfile"), (np.lib.format, "isfileobj"), (shutil, "_use_fd_functions"),
        (tempfile, "tempdir"), (tempfile._TemporaryFileCloser.close, "__defaults__"),  # type: ignore[attr-defined]
    ]  # fmt: skip
    before = [getattr(owner, name) for owner, name in watched if hasattr(owner, name)]
    finders, cwd = list(sys.meta_path), os.getcwd()
    with contextlib.suppress(ZeroDivisionError), installed(Tree()):
        os.chdir("/tmp")
        raise ZeroDivisionError
    assert [getattr(owner, name) for owner, name in watched if hasattr(owner, name)] == before
    assert (sys.meta_path, os.getcwd()) == (finders, cwd)


def test_files_lie_beside_the_program_and_where_it_starts() -> None:
    tree, folder = tree_for("print(1)", "lessons/one.py", {"data/a.csv": b"1,2", "helper.py": b"X = 3"})
    assert folder == "/home/student/lessons"
    with installed(tree, folder):
        assert Path("data/a.csv").read_text() == Path("lessons/data/a.csv").read_text() == "1,2"
        assert Path("lessons/one.py").read_text() == "print(1)"
        import helper  # type: ignore[import-not-found]

        assert helper.X == 3
        with open("lessons/out.txt", "w") as file:
            file.write("beside")
    tree, folder = tree_for("pass", "/some/place/one.py", {"a": b"x"})
    with installed(tree, folder):
        assert sorted(os.listdir("/some/place")) == ["a", "one.py"]
        assert os.listdir() == ["a"]
    with pytest.raises(ValueError, match="does not lie beside"):
        tree_for("", "main.py", {"../x": b""})
    with pytest.raises(OSError, match="No space left"):
        tree_for("", "main.py", {"x": bytes(QUOTA)})


def test_modules_in_tracebacks_show_their_lines() -> None:
    import traceback

    with installed(Tree({"faulty.py": b"def f():\n    return 1 / 0\n"})):
        import faulty  # type: ignore[import-not-found]

        try:
            faulty.f()
        except ZeroDivisionError:
            text = traceback.format_exc()
    assert 'File "/home/student/faulty.py", line 2, in f\n    return 1 / 0\n' in text


def test_tofile_says_what_works() -> None:
    with installed(Tree()), pytest.raises(OSError, match=r"np\.save"):
        np.arange(3).tofile("x.bin")
