import json

import pytest
from raising import raises

from subclust.core.exceptions import InputError, TrainingError
from subclust.core.records import ClusteringInstance, Query
from subclust.training.split import (
    SPLIT_FILE,
    QuerySplit,
    set_test_aside,
    split_queries,
    three_parts,
)


def named(*texts):
    return [ClusteringInstance(Query(text, f"{n}"), ()) for n, text in enumerate(texts)]


def file(name="a.csv", sha256="1", part="training"):
    return {"name": name, "sha256": sha256, "part": part}


def split_of(instances, share=0.3, seed=1):
    training, held = split_queries(instances, share, seed)
    return QuerySplit.of(training, held, [file()], seed=seed, share=share), training, held


def test_what_is_written_is_read(tmp_path):
    split, _, _ = split_of(named("ä", "b", "c", "ä"))
    split.write(tmp_path / "run")
    assert QuerySplit.read(tmp_path / "run") == split
    assert [path.name for path in (tmp_path / "run").iterdir()] == [SPLIT_FILE]
    told = json.loads((tmp_path / "run" / SPLIT_FILE).read_text(encoding="utf-8"))
    assert list(told) == ["seed", "share", "training", "held_out", "files", "test"]
    assert sorted(told["training"] + told["held_out"]) == ["b", "c", "ä"]


def test_it_divides_as_it_was_divided():
    instances = named(*"abcdefgabc")
    split, training, held = split_of(instances)
    assert split.apply(instances, []) == (training, held)
    assert len(held) and len(training) + len(held) == 10
    # With a file of held-out queries the training file gives none of them.
    split = QuerySplit.of(instances[:3], named("x", "y"), [file()], seed=0, share=None)
    training, held = split.apply(instances, named("x", "y", "z"))
    assert [i.query.text for i in training] == [*"abcabc"]
    assert [i.query.text for i in held] == ["x", "y"]


def test_the_test_part_is_kept_and_one_of_before_has_none(tmp_path):
    instances = named(*"abcdefghijklmnopqrst", "a")
    training, held, test = three_parts(instances, 0.2, 0.3, 1)
    split = QuerySplit.of(training, held, [file()], seed=1, share=0.2, test=test)
    split.write(tmp_path)
    read = QuerySplit.read(tmp_path)
    assert read.apply(instances, []) == (training, held)
    assert read.tested(instances) == test and len(set(read.test)) == 6
    path = tmp_path / SPLIT_FILE
    old = json.loads(path.read_text(encoding="utf-8"))
    del old["test"]
    path.write_text(json.dumps(old), encoding="utf-8")
    assert QuerySplit.read(tmp_path).tested(instances) == []


def test_a_test_part_comes_out_of_the_training_queries_alone():
    instances = named(*map(str, range(40)))
    training, held, test = three_parts(instances, 0.25, 0.2, 3)
    texts = [{i.query.text for i in part} for part in (training, held, test)]
    assert [len(part) for part in texts] == [22, 10, 8]
    assert set.union(*texts) == {i.query.text for i in instances}
    without = three_parts(instances, 0.25, 0.0, 3)
    assert without == (*split_queries(instances, 0.25, 3), [])
    assert without[1] == held
    assert {i.query.text for i in set_test_aside(instances[::-1], 0.2, 3)[1]} == texts[2]
    with raises(InputError, count=2):
        three_parts(named("a", "b"), 0.2, 0.2, 0)
    few = three_parts(named("a", "b", "c"), 0.2, 0.6, 0)
    assert [len(part) for part in few] == [1, 1, 1]


@pytest.mark.parametrize(
    ("files", "values"),
    [
        ([file(sha256="2"), file("b.csv", "3", "held-out")], {"left": "a.csv"}),
        ([file("c.csv", "9"), file("b.csv", "3", "held-out")], {"right": "a.csv", "left": "c.csv"}),
        ([file(), file("b.csv", "3")], {"left": "b.csv"}),
        ([file()], {"count": 2, "other_count": 1}),
    ],
)
def test_other_files_are_noticed(files, values):
    split = QuerySplit.of([], [], [file(), file("b.csv", "3", "held-out")], seed=0, share=None)
    with raises(TrainingError, **values):
        split.check_files(files)
    split.check_files([file(), file("moved.csv", "3", "held-out")])


def test_another_task_of_the_same_file_is_noticed():
    before = [file("arxiv_fold1") | {"task": "arxiv_fold1"}]
    split = QuerySplit.of([], [], before, seed=0, share=0.2)
    split.check_files(before)
    with raises(TrainingError, right="arxiv_fold1", left="arxiv_fold2"):
        split.check_files([file("arxiv_fold2") | {"task": "arxiv_fold2"}])


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"seed": 1, "share": 1, "training": 3}', "\xff"]
)
def test_a_damaged_split_is_told(tmp_path, content):
    assert QuerySplit.read(tmp_path) is None
    (tmp_path / SPLIT_FILE).write_text(content, encoding="latin-1")
    with raises(TrainingError):
        QuerySplit.read(tmp_path)
