from unittest.mock import patch

import pytest

from subclust.checkpoints import CheckpointStore
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.judging import other_questions
from subclust.judging.demo import CARDS, MIN_PASSAGES, MIN_SECTIONS, _divisible
from subclust.judging.other_questions import N_QUESTIONS, judge_on_other_questions
from subclust.judging.tasks import load_task
from subclust.text.sources.wikidump import DEMO_DUMP, DEMO_LICENCE, DEMO_SHA256, demo_dump


def article(n_passages, n_sections):
    return "Title", "Lead.", [
        Passage(str(i), f"text {i}", label=f"s{i % n_sections}") for i in range(n_passages)
    ]  # fmt: skip


def test_articles_that_cannot_be_divided_are_left_out():
    documents = [article(10, 2), article(9, 2), article(40, 1), article(12, 12)]
    kept = _divisible(documents)
    assert [len(instance.passages) for instance in kept] == [10, 12]
    assert (kept[0].query.text, kept[0].query.description) == ("Title", "Lead.")


@pytest.fixture(scope="module")
def demo(demo_articles):
    """Load the task from what was read of its file, which is that of the demo library."""
    whole = demo_dump()

    def read(path, *, licence, sha256):
        assert (path, licence, sha256) == (whole.path, whole.licence, whole.sha256)
        return demo_articles

    with patch("subclust.text.sources.wikidump.WikipediaDump", read):
        return load_task("demo", Settings(benchmark_data_dir=None))


def test_the_installed_articles_need_no_data_folder(demo):
    card = CARDS[0]
    name, built = demo
    assert name == "demo"
    assert (len(built), sum(len(i.passages) for i in built)) == (card.n_queries, card.n_passages)
    assert all(len(i.passages) >= MIN_PASSAGES for i in built)
    assert all(len(set(i.gold())) >= MIN_SECTIONS for i in built)
    alaska = next(i for i in built if i.query.text == "Alaska")
    assert alaska.query.description and alaska.query.description.startswith("Alaska")
    assert any(p.path != p.label and p.path.startswith(f"{p.label} / ") for p in alaska.passages)


def test_two_models_are_judged_on_the_articles_that_came_with_subclust(
    tmp_path, random_checkpoint, encoder, monkeypatch, demo
):
    monkeypatch.setattr(other_questions, "load_task", lambda *_: demo)
    store = CheckpointStore(tmp_path)
    for name in ("mine", "before"):
        store.save(random_checkpoint("qs3m", name))
    found = judge_on_other_questions(
        "qs3m/mine", "qs3m/before", Settings(data_dir=tmp_path), store, encoder
    )
    assert [one.name for one in found.methods[:2]] == ["qs3m/mine", "qs3m/before"]
    # The two have the same weights.
    assert found.methods[0].means["ari"] == pytest.approx(found.methods[1].means["ari"])
    assert found.verdict == "unclear" and found.n_queries == N_QUESTIONS
    assert all(query.n_groups > 1 for query in found.queries)


def test_it_is_the_file_of_the_demo_library():
    card = CARDS[0]
    assert (card.file, card.sha256, card.licence) == (DEMO_DUMP, DEMO_SHA256, DEMO_LICENCE)
