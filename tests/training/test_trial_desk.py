"""Who wants which trial, when each is made, and when it ends."""

import threading
from types import SimpleNamespace

import pytest
from waiting import wait_until

from subclust.core.exceptions import TrainingError
from subclust.core.settings import Settings
from subclust.training.estimates import desk as trial_desk
from subclust.training.estimates.desk import TrialDesk


class Trials:
    """Remembers what was tried; a trial goes on until the test ends it, or it is stopped."""

    def __init__(self):
        self.asked, self.together, self.at_once = [], 0, []
        self.goes_on = threading.Event()

    def __call__(self, words, settings, *, stop, gently):
        self.asked.append(words)
        self.together += 1
        self.at_once.append(self.together)
        try:
            while not self.goes_on.wait(0.005):
                if stop.is_set():
                    raise TrainingError("It was stopped.")
            return SimpleNamespace(sentence=" ".join(words))
        finally:
            self.together -= 1


@pytest.fixture
def trials():
    made = Trials()
    yield made
    made.goes_on.set()


@pytest.fixture
def settings():
    return Settings()


def test_two_who_want_the_same_share_one_trial(trials, settings):
    desk = TrialDesk(trials)
    first, second = (desk.ask(("a",), settings, who) for who in ("Ada", "Grace"))
    assert first is second
    desk.leave("Ada")
    assert not first.stop.is_set()
    trials.goes_on.set()
    assert first.future.result(20).sentence == "a"
    assert trials.asked == [("a",)]


def test_one_at_a_time_and_who_waits_is_told_so(trials, settings):
    desk = TrialDesk(trials)
    first, second = desk.ask(("a",), settings, "Ada"), desk.ask(("b",), settings, "Grace")
    wait_until(lambda: first.seconds is not None)
    assert second.seconds is None
    trials.goes_on.set()
    second.future.result(20)
    assert trials.at_once == [1, 1]


def test_a_new_wish_ends_the_old_one_unless_somebody_else_has_it_too(trials, settings):
    desk = TrialDesk(trials)
    old = desk.ask(("a",), settings, "Ada")
    wait_until(lambda: old.seconds is not None)
    waiting = desk.ask(("b",), settings, "Grace")
    desk.ask(("c",), settings, "Grace")
    assert waiting.future.cancelled() and desk.find(("b",), "Grace") is None
    new = desk.ask(("c",), settings, "Ada")
    assert old.stop.is_set()
    trials.goes_on.set()
    assert new.future.result(20).sentence == "c"
    assert trials.asked == [("a",), ("c",)]


def test_one_that_has_told_is_not_made_again_unless_it_is_asked_for(trials, settings):
    trials.goes_on.set()
    desk = TrialDesk(trials)
    first = desk.ask(("a",), settings, "Ada")
    first.future.result(20)
    assert desk.ask(("a",), settings, "Grace") is first
    again = desk.ask(("a",), settings, "Ada", anew=True)
    assert again is not first
    again.future.result(20)
    assert trials.asked == [("a",), ("a",)]


def test_one_of_long_ago_is_told_only_to_who_asked_for_it(trials, settings, monkeypatch):
    trials.goes_on.set()
    desk = TrialDesk(trials)
    old = desk.ask(("a",), settings, "Ada")
    old.future.result(20)
    monkeypatch.setattr(trial_desk, "KEPT_SECONDS", 0.0)
    assert desk.find(("a",), "Ada") is old
    assert desk.find(("a",), "Grace") is None
    desk.leave("Ada")
    assert desk.find(("a",), "Ada") is None


def test_a_failure_is_its_sentence_and_only_for_who_asked(settings):
    def fails(words, settings, *, stop, gently):
        raise TrainingError("No.")

    desk = TrialDesk(fails)
    trial = desk.ask(("a",), settings, "Ada")
    wait_until(lambda: trial.has_ended)
    assert desk.find(("a",), "Ada") is trial and desk.find(("a",), "Grace") is None
    with pytest.raises(TrainingError, match="No"):
        trial.result()
