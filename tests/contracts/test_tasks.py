"""What every task of the registry must be, whatever it is."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from raising import raises

from benchmarks.retrieval_tasks import RETRIEVAL_TASKS
from benchmarks.tasks import TASKS
from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import Settings
from subclust.judging.tasks import load_task
from subclust.methods import resolve

ALL = [*TASKS.values(), *RETRIEVAL_TASKS.values()]


def test_names_are_unique():
    assert len({card.name for card in ALL}) == len(ALL) == len(TASKS) + len(RETRIEVAL_TASKS)
    assert len({card.label for card in ALL}) == len(ALL)
    # No two tasks are made of the same file in the same way: a builder looks at the split, and that
    # of manuals at the languages in the name.
    alone = [card for card in ALL if card.builder != "benchmarks.tasks.manuals:build"]
    assert len({(card.sha256, card.builder, card.split) for card in alone}) == len(alone)
    assert all(name == card.name for name, card in {**TASKS, **RETRIEVAL_TASKS}.items())


def test_cards_are_whole():
    for card in ALL:
        assert re.fullmatch(r"[a-z][a-z0-9_]+", card.name)
        assert card.label and card.licence.strip() and len(card.citation.strip()) > 20
        for digest in (card.sha256, *card.other_files.values()):
            assert re.fullmatch(r"[0-9a-f]{64}", digest)
        for file in (card.file, *card.other_files):
            assert not Path(file).is_absolute() and ".." not in file
        assert card.split in ("train", "validation", "test", "fold")
        assert card.n_queries > 0 and card.n_passages >= card.n_queries
        assert card.url == "" or card.url.startswith("http")


def test_how_they_are_built_is_said_and_there():
    for card in TASKS.values():
        assert card.n_labels >= 2
        if card.builder is not None:
            assert callable(resolve(card.builder))
            assert len(card.construction) > 40


@pytest.mark.parametrize(
    "card", [card for card in TASKS.values() if card.package is None], ids=lambda card: card.name
)
def test_a_missing_or_other_file_is_one_sentence(card, tmp_path):
    for folder in (None, tmp_path):
        with raises(BenchmarkError, card=card.name) as caught:
            load_task(card.name, Settings(benchmark_data_dir=folder))
        assert card.file in str(caught.value) and "\n" not in str(caught.value)
    assert card.citation.rstrip(".") in str(caught.value) and card.url in str(caught.value)
    path = tmp_path / card.file
    path.parent.mkdir()
    path.write_bytes(b"something else")
    with raises(BenchmarkError, card=card.name) as caught:
        load_task(card.name, Settings(benchmark_data_dir=tmp_path))
    assert str(path) in str(caught.value)


def test_splits_with_the_same_queries_come_together():
    shared = Counter(card.name.rpartition("_")[0] for card in TASKS.values() if card.shared_queries)
    assert shared.pop("arxiv") == 3 and shared.pop("newsgroups20_sets") == 3
    assert len(shared) == 9 and set(shared.values()) == {3}  # the sets of entities


def test_listing_reads_no_dump_and_imports_no_torch():
    code = (
        "import sys, benchmarks.tasks\n"
        "print({'torch', 'mwparserfromhell', 'defusedxml'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.slow
@pytest.mark.parametrize("card", TASKS.values(), ids=lambda card: card.name)
def test_the_sizes_on_the_card_are_those_of_the_files(card, benchmark_data_dir):
    _, instances = load_task(card.name, Settings(benchmark_data_dir=benchmark_data_dir))
    assert len(instances) == card.n_queries
    assert sum(len(instance.passages) for instance in instances) == card.n_passages
    n_labels = np.mean([len(set(instance.gold())) for instance in instances])
    assert n_labels == pytest.approx(card.n_labels, abs=0.051)
    for instance in instances:
        ids = [passage.id for passage in instance.passages]
        assert len(set(ids)) == len(ids), instance.query.text
        assert all(passage.text.strip() for passage in instance.passages)


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        ("arxiv_fold1", "arxiv_fold2"),
        ("newsgroups20_sets_train", "newsgroups20_sets_validation", "newsgroups20_sets_test"),
    ],
)
def test_splits_of_one_data_set_share_no_passage(names, benchmark_data_dir):
    settings = Settings(benchmark_data_dir=benchmark_data_dir)
    ids = [
        passage.id
        for name in names
        for instance in load_task(name, settings)[1]
        for passage in instance.passages
    ]
    assert len(set(ids)) == len(ids)
