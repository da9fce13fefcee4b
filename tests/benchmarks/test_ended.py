"""What a command has started ends with the command, and its signals are given back."""

import signal
import threading

import pytest

from benchmarks.ended import exit_on_sigterm


def test_sigterm_leaves_the_block_through_its_finally_and_the_handler_comes_back():
    before = signal.getsignal(signal.SIGTERM)
    ended = []
    with pytest.raises(SystemExit) as left, exit_on_sigterm():
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            ended.append("server")
    assert (left.value.code, ended) == (143, ["server"])
    assert signal.getsignal(signal.SIGTERM) is before


def test_another_thread_may_use_it():
    entered = []

    def enter():
        with exit_on_sigterm():
            entered.append(True)

    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert entered and signal.getsignal(signal.SIGTERM) is before
