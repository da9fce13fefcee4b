"""The estimate of a training: made by itself, never waited for, and told when it comes."""

import threading
import time
from types import SimpleNamespace

import pytest
from kept_fruit import QUERIES, keep, open_set
from train_runs_made import make_job
from waiting import wait_until

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import TrainingError
from subclust.core.messages import Message
from subclust.core.translation import translated
from subclust.labelled.sets import LabelledSetStore
from subclust.training.estimates.desk import TrialDesk
from subclust.ui.train import start as train_estimate


@pytest.fixture
def data_dir(tmp_path, random_checkpoint):
    store = CheckpointStore(tmp_path / "models")
    store.save(random_checkpoint("qs3m"))
    store.promote("qs3m", "tiny", as_default=True)
    folder = tmp_path / "data"
    keep(LabelledSetStore(folder / "sets"), folder, "fruit", QUERIES)
    return folder


class Trials:
    """Trials that end when the test says so."""

    def __init__(self, monkeypatch):
        self.asked, self.stops, self.goes_on = [], [], threading.Event()
        desk = TrialDesk(self.estimate)
        monkeypatch.setattr(train_estimate, "_desk", lambda: desk)

    def estimate(self, words, settings, *, stop, gently):
        self.asked.append(words)
        self.stops.append(stop)
        while not self.goes_on.wait(0.01):
            if stop.is_set():
                raise TrainingError("It was stopped.")
        return SimpleNamespace(headline="About 3 minutes.", details="96 steps")

    def wait_for(self, n):
        wait_until(lambda: len(self.asked) >= n)


@pytest.fixture
def held(monkeypatch):
    made = Trials(monkeypatch)
    yield made
    made.goes_on.set()


def at_start(label):
    """Open the page on a set, at the step that starts the training."""
    page = open_set(label)
    page.button(key="train-decide").click().run()
    assert not page.exception
    return page


def shown(page, words):
    """Draw the page until it says something, as its timer does."""
    deadline = time.monotonic() + 30
    while not any(words in text for text in texts(page)):
        assert time.monotonic() < deadline, texts(page)
        page.run()
        assert not page.exception
    return page


def texts(page):
    kinds = (page.get("html"), page.warning, page.markdown, page.caption)
    return [str(element.value).replace("\\", "") for kind in kinds for element in kind]


def test_it_comes_by_itself_and_holds_nothing_up(held, launcher):
    page = at_start("fruit@1")
    assert any("Trying ten steps" in text for text in texts(page))
    assert not page.button(key="train-start").disabled
    held.goes_on.set()
    page = shown(page, "About 3 minutes.")
    (words,) = held.asked
    assert words[:3] == ("qs3m", "--data", "set:fruit@1")
    assert page.button(key="train-estimate")
    page.button(key="train-estimate").click().run()
    shown(page, "About 3 minutes.")
    held.wait_for(2)


def test_another_choice_has_a_trial_of_its_own_and_ends_the_one_before(held, launcher):
    page = at_start("fruit@1")
    held.wait_for(1)
    page.button(key="train-other-method").click().run()
    page.number_input(key="setting-qs3m-epochs").set_value(2.0).run()
    page.button(key="train-decide").click().run()
    held.wait_for(2)
    assert held.stops[0].is_set() and "epochs=2" in held.asked[1]
    held.goes_on.set()
    shown(page, "About 3 minutes.")
    assert len(held.asked) == 2


def test_the_start_of_the_training_ends_the_trial(held, launcher):
    page = at_start("fruit@1")
    held.wait_for(1)
    page.button(key="train-start").click().run()
    assert held.stops[0].is_set()
    assert launcher.started == ["qs3m-fruit"]


def test_beside_a_training_it_is_only_made_if_somebody_asks(held, launcher, data_dir):
    launcher.alive.add(make_job(data_dir).id)
    page = at_start("fruit@1")
    assert held.asked == []
    assert any("Another training" in c.value for c in page.caption)
    page.button(key="train-estimate").click().run()
    held.goes_on.set()
    shown(page, "About 3 minutes.")
    assert len(held.asked) == 1


def test_one_that_takes_long_says_so(held, launcher, monkeypatch):
    monkeypatch.setattr(train_estimate, "_LONG", -1.0)
    page = at_start("fruit@1")
    held.wait_for(1)
    shown(page, "Still trying ten steps")


def test_one_that_fails_is_a_plain_sentence_with_another_try(launcher, monkeypatch):
    def refuse(words, settings, *, stop, gently):
        raise TrainingError("learning_rate must be <above> 0.")

    desk = TrialDesk(refuse)
    monkeypatch.setattr(train_estimate, "_desk", lambda: desk)
    page = shown(at_start("fruit@1"), "must be <above> 0")
    assert [box.value for box in page.warning] == [r"Learning rate must be \<above\> 0\."]
    assert page.button(key="train-estimate")


def test_it_is_said_in_the_language_of_the_page(launcher, monkeypatch):
    told = Message("{count:.1f} hours", count=2.5)

    def estimate(words, settings, *, stop, gently):
        return SimpleNamespace(headline=told, details=Message("{headline}", headline=told))

    desk = TrialDesk(estimate)
    monkeypatch.setattr(train_estimate, "_desk", lambda: desk)
    page = at_start("fruit@1")
    page.query_params["lang"] = "de"
    said = translated(told, "de")
    shown(page, f"**{said}**")
    assert said in texts(page)


def test_what_it_says_is_shown_as_text(trials, launcher):
    page = shown(at_start("fruit@1"), "About 3 minutes <and> 600 MB.")
    assert len(trials) == 1 and not page.warning
