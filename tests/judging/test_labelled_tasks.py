import hashlib
from dataclasses import replace

from raising import raises

from benchmarks.tasks import TASKS
from subclust.core.exceptions import BenchmarkError, FileFormatError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.core.settings import Settings
from subclust.judging import tasks as judging_tasks
from subclust.judging.demo import CARDS
from subclust.judging.tasks import load_task, provenance, tasks, without_leaks

LINE = '{"query": "q", "passages": [{"id": "1", "text": "t", "label": "l"}]}\n'


def instance(query, *ids):
    return ClusteringInstance(Query(query), tuple(Passage(i, "text", label="l") for i in ids))


def test_without_the_benchmarks_there_is_the_demo(monkeypatch):
    assert list(tasks())[:2] == ["demo", "wiki2014_train"]
    monkeypatch.setattr(judging_tasks, "plugged", lambda kind: ())
    assert list(tasks()) == ["demo"]


def test_a_file_is_read_by_its_path(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text(LINE)
    name, instances = load_task(str(path), Settings())
    assert name == "mine" and instances[0].query.text == "q"
    with raises(BenchmarkError, name="nothing"):
        load_task("nothing", Settings())
    with raises(FileFormatError, file="nothing.jsonl"):
        load_task("nothing.jsonl", Settings())


def test_every_file_of_a_task_is_held_to_its_sum(tmp_path, monkeypatch):
    for name, text in (("one", "1"), ("two", "2")):
        (tmp_path / name).write_text(text)
    sums = {
        name: hashlib.sha256(text.encode()).hexdigest() for name, text in (("a", "1"), ("b", "2"))
    }
    card = replace(
        TASKS["arxiv_fold1"],
        file="one",
        sha256=sums["a"],
        other_files={"two": sums["b"]},
        builder="test_data:built",
    )
    monkeypatch.setitem(TASKS, card.name, card)
    monkeypatch.setattr(
        "subclust.judging.tasks.resolve", lambda name: lambda card, files: [name, *files]
    )
    settings = Settings(benchmark_data_dir=tmp_path)
    assert load_task(card.name, settings)[1] == [
        "test_data:built", tmp_path / "one", tmp_path / "two"
    ]  # fmt: skip
    (tmp_path / "two").write_text("3")
    with raises(BenchmarkError, card="arxiv_fold1"):
        load_task(card.name, settings)
    (tmp_path / "two").unlink()
    with raises(BenchmarkError, card="arxiv_fold1"):
        load_task(card.name, settings)


def test_a_package_that_is_not_installed_is_one_sentence(monkeypatch):
    card = replace(CARDS[0], package="no_such_package")
    monkeypatch.setattr(judging_tasks, "CARDS", [card])
    with raises(BenchmarkError, card="demo", package="no_such_package"):
        load_task("demo", Settings())


def test_provenance_names_files_sums_and_licence(tmp_path):
    told = provenance("arxiv_fold1", Settings())
    assert (told["name"], told["licence"]) == ("arxiv_fold1", "CC0 1.0 (arXiv metadata)")
    assert list(told["files"]) == [
        "documents/arxiv_train.jsonl.gz", "documents/arxiv_categories.tsv"
    ]  # fmt: skip
    assert told["files"]["documents/arxiv_train.jsonl.gz"] == told["sha256"]
    path = tmp_path / "mine.jsonl"
    path.write_text(LINE)
    digest = hashlib.sha256(LINE.encode()).hexdigest()
    assert provenance(str(path), Settings()) == {
        "name": "mine.jsonl", "sha256": digest, "licence": "not stated"
    }  # fmt: skip


def test_the_file_of_a_task_has_its_licence_by_any_name(tmp_path, monkeypatch):
    path = tmp_path / "renamed.jsonl"
    path.write_text(LINE)
    digest = hashlib.sha256(LINE.encode()).hexdigest()
    monkeypatch.setitem(TASKS, "ambient", replace(TASKS["ambient"], sha256=digest))
    assert provenance(str(path), Settings())["licence"] == TASKS["ambient"].licence


def test_validation_queries_are_not_trained_on():
    training = [instance("a", "1"), instance("b", "2"), instance("b", "3"), instance("c", "4")]
    validation = [instance("b", "9"), instance("d", "1")]
    kept = without_leaks(training, validation, ["mine.jsonl"])
    assert [i.query.text for i in kept] == ["a", "c"]


def test_queries_that_splits_share_by_design_are_left_out_by_their_passages():
    training = [instance("posts", "1", "2"), instance("posts", "3", "4")]
    validation = [instance("posts", "4", "5")]
    kept = without_leaks(training, validation, ["newsgroups20_sets_train"])
    assert kept == training[:1]
    # Files are not known to have ids that mean the same.
    assert without_leaks(training, validation, ["newsgroups20_sets_train", "mine.jsonl"]) == []
