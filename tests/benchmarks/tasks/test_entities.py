"""The sets of entity subsets, on small files of the real form; their sizes are tested on all."""

import gzip
import json

import pytest

from benchmarks.tasks import TASKS, entity_builders
from benchmarks.tasks.entities import CARDS, SPLITS
from benchmarks.tasks.entity_files import parts, parts_by_label
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.judging.tasks import load_task, without_leaks
from subclust.methods import resolve

NAMES = sorted({card.name.rpartition("_")[0] for card in CARDS})
SHARED_LABELS = [name for name in NAMES if name not in ("clinc_unseen", "clinc_context")]
SHARED_LABELS.remove("hwu64_unseen")


@pytest.fixture(autouse=True)
def few(monkeypatch):
    sizes = {"train": 60, "validation": 30, "test": 40}
    monkeypatch.setattr(entity_builders, "N_SUBSETS", sizes)
    monkeypatch.setattr(
        entity_builders, "N_LARGE_SUBSETS", {"train": 6, "validation": 4, "test": 5}
    )


def record(file, family, label, i):
    """One line as the files have it: fields differ from set to set."""
    text = f"{family} some {label} words {file} {i}"
    if file.startswith("clinc"):
        return {"id": f"{file}-{label}-{i}", "text": text, "label": label, "domain": family}
    if file.startswith("hwu64"):
        return {"id": f"{file}-{label}-{i}", "text": text, "label": f"{family}_{label}"}
    if file == "stackoverflow":
        return {"id": f"{file}-{family}{label}-{i}", "text": text, "label": f"{family}{label}"}
    identity = {"id": f"{file}.{family}.{label}.{i}", "title": text, "text": "An abstract."}
    return {**identity, "label": f"{family}.{label}", "archive": family}


def build(card, folder):
    files = [card.file, *card.other_files]
    families = ("cs", "math", "hep-th") if "arxiv" in card.name else ("bank", "home", "road")
    paths = []
    for place in files:
        name = place.removeprefix("documents/").removesuffix(".jsonl.gz")
        n_each = 30 if card.name.startswith("clinc_gifts") else 12
        lines = [
            json.dumps(record(name, family, f"{family[0]}{label}", i))
            for family in families
            for label in range(10)
            for i in range(n_each)
        ]
        path = folder / f"{name}.jsonl.gz"
        path.write_bytes(gzip.compress("\n".join(lines).encode()))
        paths.append(path)
    return resolve(card.builder)(card, paths)


@pytest.fixture
def splits(request, tmp_path):
    return {split: build(TASKS[f"{request.param}_{split}"], tmp_path) for split in SPLITS}


every_set = pytest.mark.parametrize("splits", NAMES, indirect=True)


@every_set
def test_no_text_is_in_two_splits(splits):
    ids = [{p.id for i in splits[split] for p in i.passages} for split in SPLITS]
    assert all(ids) and sum(map(len, ids)) == len(set().union(*ids))
    # So training on one split leaves nothing out, though the query is the same everywhere.
    assert len(splits["train"]) > len(splits["test"]) > len(splits["validation"])


@every_set
def test_every_split_draws_subsets_of_its_own(splits):
    gold = [[tuple(instance.gold()) for instance in splits[split][:4]] for split in SPLITS]
    assert gold[0] != gold[1] != gold[2] != gold[0]


@pytest.mark.parametrize("splits", ["clinc_unseen", "clinc_context", "hwu64_unseen"], indirect=True)
def test_intents_of_one_split_are_unseen_in_the_others(splits):
    fine = [{p.path for i in splits[split] for p in i.passages} for split in SPLITS]
    assert fine[0].isdisjoint(fine[1] | fine[2]) and fine[1].isdisjoint(fine[2])


@pytest.mark.parametrize("splits", SHARED_LABELS, indirect=True)
def test_the_other_sets_share_their_labels(splits):
    fine = [{p.path for i in splits[split] for p in i.passages} for split in SPLITS]
    assert len(fine[0] & fine[2]) > 0.5 * len(fine[2])


@pytest.mark.parametrize("splits", ["clinc_gifts"], indirect=True)
def test_gifts_are_large(splits):
    assert all(30 <= len(i.passages) <= 80 for split in SPLITS for i in splits[split])


@pytest.mark.parametrize("splits", ["arxiv_entities"], indirect=True)
def test_a_subset_of_arxiv_is_of_the_archive_that_is_its_query(splits):
    queries = {instance.query.text for instance in splits["train"]}
    # An archive that is one category has nothing to divide.
    assert queries == {"Computer Science", "Mathematics"}
    for instance in splits["train"]:
        archive = {"Computer Science": "cs", "Mathematics": "math"}[instance.query.text]
        assert {label.partition(".")[0] for label in instance.gold()} == {archive}
        assert all("some" in passage.text for passage in instance.passages)


def test_labels_are_divided_by_the_shares_in_every_family():
    documents = [
        Passage(f"{family}{label}", "text", label=f"{family}{label}", path=f"{family} / x")
        for family in "abcde"
        for label in range(20)
    ]
    shares = {"train": 0.5, "validation": 0.2, "test": 0.3}
    divided = parts_by_label(documents, shares, 0)
    for family in "abcde":
        counts = [sum(d.label[0] == family for d in divided[name]) for name in shares]
        assert counts == [10, 4, 6]
    assert parts_by_label(documents[::-1], shares, 0)["test"] == divided["test"][::-1]
    assert {d.label for d in parts_by_label(documents, shares, 1)["test"]} != {
        d.label for d in divided["test"]
    }


def test_documents_are_divided_by_the_shares():
    documents = [Passage(str(i), "text", label="x") for i in range(1000)]
    divided = parts(documents, {"train": 0.5, "validation": 0.2, "test": 0.3}, 0)
    assert [len(part) for part in divided.values()] == [500, 200, 300]
    assert len({d.id for part in divided.values() for d in part}) == 1000
    assert parts(documents[::-1], {"a": 0.5, "b": 0.5}, 0) == parts(
        documents, {"a": 0.5, "b": 0.5}, 0
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_real_splits_share_no_text(name, benchmark_data_dir):
    settings = Settings(benchmark_data_dir=benchmark_data_dir)
    real = {split: load_task(f"{name}_{split}", settings)[1] for split in SPLITS}
    ids = [{p.id for i in real[split] for p in i.passages} for split in SPLITS]
    assert sum(map(len, ids)) == len(set().union(*ids))
    for held_out in ("validation", "test"):
        kept = without_leaks(real["train"], real[held_out], [f"{name}_train"])
        assert len(kept) == len(real["train"])
