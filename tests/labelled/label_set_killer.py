"""Does one thing to a store in a child process that breaks at the n-th write; n from 1 on.

Run as ``python label_set_killer.py FOLDER ACTION HOW...``; prints how many breaks there were.
HOW is "kill" (SIGKILL before the write), "refuse" (the write raises as on a full disk) or "limit"
(the process may write so many bytes a file).
"""

import errno
import io
import os
import resource
import signal
import sys
import time
from pathlib import Path

from filelock import FileLock
from label_sets import nothing_half_stored
from labelled_files import FRUIT, csv_text

from subclust.core.exceptions import SubclustError
from subclust.core.storage import ageing
from subclust.labelled.sets import LabelledSetStore

WRITES = ("os.rename", "os.mkdir", "os.rmdir", "os.remove", "os.chmod")


def content(n):
    rows = [[f, f"text {n} of {f} {i}", "AB"[i % 2]] for f in FRUIT for i in range(4)]
    return csv_text([*rows, ["fig", "", "no text"]]).encode()


def act(store, action, n):
    match action:
        case "add":
            upload = store.receive(io.BytesIO(content(n)), "set.csv")
            store.keep(upload, "set", without_errors=True)
        case "remove":
            store.remove("set", store.load("set").version)
        case "export":
            store.export("set", None, store.folder.parent / "out.csv")


def break_at(n, how):
    """Have the n-th write from now on be the last, or go wrong."""
    if how == "limit":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (n * 97, n * 97))
        return
    left, real = n, os.fsync

    def write():
        nonlocal left
        left -= 1
        if left == 0:
            if how == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(errno.ENOSPC, "No space left on device")

    def watch(event, details):
        if event in WRITES or event == "open" and details[2] & (os.O_WRONLY | os.O_RDWR):
            write()

    def fsync(descriptor):
        write()
        real(descriptor)

    os.fsync = fsync
    sys.addaudithook(watch)


def broken(folder, action, how, n):
    """Do it in a child that breaks; give whether it broke."""
    child = os.fork()
    if child == 0:
        store = LabelledSetStore(folder)
        status = 0
        break_at(n, how)
        try:
            act(store, action, n)
        except SubclustError as error:
            status = 7 if str(error).count("\n") == 0 and str(error).endswith("again.") else 8
        except BaseException as error:
            print(type(error), error, file=sys.stderr)
            status = 9
        os._exit(status)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    code = os.WEXITSTATUS(status)
    assert code in (0, 7), f"{action} {how} {n}: {code}"
    return code == 7


def main(folder, action, how):
    store = LabelledSetStore(folder)
    n_broken = n_whole = 0
    for n in range(1, 200):
        act(store, "add", 1000 + n)
        before = nothing_half_stored(folder)
        broke = broken(folder, action, how, n)
        after = nothing_half_stored(folder)
        change = len(after) - len(before)
        assert change in {"add": (0, 1), "remove": (0, -1), "export": (0,)}[action]
        if action == "add" and not broke:
            assert change == 1  # what was said to be kept is kept
        out = folder.parent / "out.csv"
        assert not out.exists() or out.read_bytes().count(b"\n") == 41
        out.unlink(missing_ok=True)
        FileLock(folder / ".lock").acquire(timeout=0).lock.release()  # nobody holds it any more
        # What was left behind is swept, as if a day had passed, and all goes on.
        ageing.WAIT_SECONDS = 0.0
        for path in (folder / "incoming").iterdir():
            os.utime(path, (time.time() - 90_000,) * 2)
        act(store, "add", 5000 + n)
        if action == "remove":
            act(store, "remove", 0)
        assert not any(path.is_dir() for path in (folder / "incoming").iterdir())
        assert not any(folder.glob("*/.removed-*/*"))
        n_broken += broke
        n_whole = 0 if broke else n_whole + 1
        if n_whole == 4 and n_broken:
            break
    print(n_broken)


if __name__ == "__main__":
    for how in sys.argv[3:]:
        (Path(sys.argv[1]) / how).mkdir()
        main(Path(sys.argv[1]) / how / "sets", sys.argv[2], how)
