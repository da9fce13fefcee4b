import threading

import pytest

from subclust.jobs import process


@pytest.mark.skipif(not (process.PROC / "self" / "task").is_dir(), reason="asks the kernel")
def test_every_thread_gives_way_for_a_while(monkeypatch):
    asked = []
    monkeypatch.setattr(process.os, "getpriority", lambda kind, id_: 3)
    monkeypatch.setattr(process.os, "setpriority", lambda kind, *what: asked.append(what))
    ended = threading.Event()
    other = threading.Thread(target=ended.wait)
    other.start()
    with process.giving_way():
        mine = {threading.get_native_id(), other.native_id}
        assert mine <= {id_ for id_, _ in asked} and {niceness for _, niceness in asked} == {15}
        asked.clear()
    assert mine <= {id_ for id_, _ in asked} and {niceness for _, niceness in asked} == {3}
    ended.set()
    other.join()


def test_a_thread_that_ended_or_may_not_be_hurried_is_left(monkeypatch):
    def refused(*_):
        raise PermissionError

    monkeypatch.setattr(process.os, "setpriority", refused)
    with process.giving_way():
        pass
