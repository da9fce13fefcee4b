import gzip
import json
import random
from collections import Counter
from dataclasses import replace

import pytest
from raising import raises

from benchmarks.tasks import TASKS, arxiv
from benchmarks.tasks.arxiv import ARCHIVES, fold1, fold2, sample, stratified_folds
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import Passage

# What the source has, and how many of it the file holds: the file is cut off at 60 a category.
AVAILABLE = {"XX": 300, "YY": 90, "ZZ": 30}
CUT = 60


def document(archive, category, number):
    return {
        "id": f"{archive}/{category}{number}",
        "title": f"On {category}",
        "text": f"We study {category} number {number}.",
        "label": f"{archive}.{category}",
        "archive": archive,
        "categories": [f"{archive}.{category}"],
        "date": "2001-01-01",
    }


def write(path, records):
    path.write_bytes(gzip.compress("".join(json.dumps(r) + "\n" for r in records).encode()))


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr(arxiv, "N_ABSTRACTS", 50)
    records = [
        document(archive, category, number)
        for archive in [*ARCHIVES, "math"]
        for category, count in AVAILABLE.items()
        for number in range(min(count, CUT))
    ]
    rows = ["label\ttrain\ttest\tavailable_in_source\tcross_listed_only"]
    rows += [
        f"{archive}.{category}\t{min(count, CUT)}\t0\t{count}\t0"
        for archive in [*ARCHIVES, "math"]
        for category, count in AVAILABLE.items()
    ]
    documents, table = tmp_path / "documents.jsonl.gz", tmp_path / "categories.tsv"
    write(documents, records)
    table.write_text("\n".join(rows) + "\n")
    return documents, table


def test_a_query_is_an_archive_and_a_subtopic_its_category(files):
    built = fold1(TASKS["arxiv_fold1"], files)
    assert [instance.query.text for instance in built] == list(ARCHIVES.values())
    for instance, archive in zip(built, ARCHIVES, strict=True):
        assert {label.partition(".")[0] for label in instance.gold()} == {archive}
        assert instance.gold("hierarchical") == instance.gold()
        # The abstract alone is the text.
        assert all(p.text.startswith("We study") and p.title for p in instance.passages)


def test_folds_are_disjoint_and_stratified(files):
    card = TASKS["arxiv_fold1"]
    for one, other in zip(fold1(card, files), fold2(card, files), strict=True):
        assert one.query == other.query
        assert len(one.passages) == len(other.passages) == 25
        ids = [p.id for p in (*one.passages, *other.passages)]
        assert len(set(ids)) == 50
        counts, others = Counter(one.gold()), Counter(other.gold())
        assert all(abs(counts[label] - others[label]) <= 1 for label in {*counts, *others})


def test_the_source_is_sampled_not_the_cut_off_file(files):
    card = TASKS["arxiv_fold1"]
    counts = Counter()
    for instance in (*fold1(card, files), *fold2(card, files)):
        counts.update(label.partition(".")[2] for label in instance.gold())
    shares = {category: n / 350 for category, n in counts.items()}
    for category, count in AVAILABLE.items():
        # Of the file, XX and YY would be 0.4 each.
        assert shares[category] == pytest.approx(count / 420, abs=0.06)


def test_the_same_seed_draws_the_same_whatever_the_order_of_the_file(files, tmp_path):
    card = TASKS["arxiv_fold1"]
    with gzip.open(files[0], "rt") as stream:
        records = [json.loads(line) for line in stream]
    turned = tmp_path / "turned.jsonl.gz"
    write(turned, random.Random(1).sample(records, len(records)))
    built = fold1(card, files)
    assert fold1(card, (turned, files[1])) == built
    assert fold1(replace(card, seed=1), files) != built


def test_a_sample_is_drawn_without_replacement_or_refused():
    documents = [Passage(str(i), "text", label="a" if i % 2 else "b") for i in range(20)]
    drawn = sample(documents, {"a": 10, "b": 10}, 20, seed=0)
    assert sorted(p.id for p in drawn) == sorted(p.id for p in documents)
    with raises(BenchmarkError, missing=9, n=20):
        sample(documents, {"a": 100, "b": 10}, 20, seed=0)
    with raises(BenchmarkError, missing=5, n=25):
        sample(documents, {"a": 10, "b": 10}, 25, seed=0)


@pytest.mark.parametrize("sizes", [[1], [1, 1], [3, 5, 7], [2, 1, 4, 1]])
def test_odd_labels_do_not_all_fall_into_one_fold(sizes):
    passages = [
        Passage(f"{k}-{i}", "t", label=str(k)) for k, n in enumerate(sizes) for i in range(n)
    ]
    one, other = stratified_folds(passages)
    assert len(one) - len(other) == sum(sizes) % 2
    assert {p.id for p in one} | {p.id for p in other} == {p.id for p in passages}


def test_archives_are_those_of_table_3():
    assert list(ARCHIVES) == ["eess", "astro-ph", "cond-mat", "nlin", "q-bio", "q-fin", "stat"]
