import json

import pytest
from raising import numbers
from small_sets import labelled

from subclust.checkpoints import CheckpointStore
from subclust.jobs import Job, JobStore
from subclust.labelled.reading.checker import check_labelled_set
from subclust.labelled.sets import TEMPLATES, LabelledSetStore
from subclust.training.split import SPLIT_FILE

TRAIN = ["train", "qss", "--name", "n", "--set", "epochs=1"]


def table(path, n_queries=6, *more_rows):
    rows = [
        f"topic{query},{kind} topic{query} {word},{kind}"
        for query in range(n_queries)
        for kind in ("river", "stone")
        for word in ("old", "new")
    ]
    path.write_text("\n".join(["query,text,label", *rows, *more_rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def added(run, settings, tmp_path):
    status, out, err = run("sets", "add", table(tmp_path / "my rows.csv"), "--name", "mine")
    assert (status, err) == (0, "")
    assert out == "Kept mine@1: 6 questions, 24 passages, 12 subtopics\n"
    return LabelledSetStore(settings.sets_dir)


def test_a_set_is_added_listed_shown_and_removed(run, added, tmp_path):
    status, out, err = run("sets", "list", "--json")
    (one,) = json.loads(out)["sets"]
    assert (status, err) == (0, "")
    assert list(one) == [
        "name", "version", "title", "created", "sha256", "filename", "n_queries", "n_passages",
        "n_labels", "n_left_out", "path", "owner", "shared", "team", "reference",
    ]  # fmt: skip
    assert (one["reference"], one["filename"]) == ("set:mine@1", "my rows.csv")
    assert run("sets")[1] == run("sets", "list")[1]
    status, out, _ = run("sets", "show", "mine@1", "--json")
    assert status == 0 and json.loads(out) == {**one, "left_out": []}
    assert "from my rows.csv" in run("sets", "show", "set:mine")[1]
    assert run("sets", "remove", "mine", "--json")[1] == '{"removed": ["mine@1"]}\n'
    assert json.loads(run("sets", "list", "--json")[1])["sets"] == []
    run.refused("sets", "show", "mine", name="mine")


def test_the_same_again_adds_nothing_and_says_so(run, added, tmp_path):
    words = ["sets", "add", tmp_path / "my rows.csv", "--name", "mine"]
    assert run(*words)[1].startswith("mine@1")
    assert json.loads(run(*words, "--json")[1])["added"] is False
    path = table(tmp_path / "Second Set.csv", 5)
    result = json.loads(run("sets", "add", path, "--title", "Five", "--json")[1])
    assert (result["added"], result["reference"], result["title"]) == (
        True, "set:second-set@1", "Five",
    )  # fmt: skip


def test_without_the_rows_that_have_errors(run, settings, tmp_path):
    path = table(tmp_path / "set.csv", 6, "topic0,,river", "topic1,a stone,", "=2,x,y")
    status, out, err = run("sets", "check", path)
    assert status == 1 and numbers(err) == ["3"]
    assert "--without-errors" in out
    result = json.loads(run("sets", "check", path, "--json")[1])
    assert result["can_leave_out"] is True and result["n_errors"] == 3
    run.refused("sets", "add", path, n=3, row=26, column="text")
    status, out, err = run("sets", "add", path, "--without-errors")
    assert status == 0, err
    assert numbers(out.splitlines()[1])[0] == "3" and "set@1" in out.splitlines()[1]
    told = run("sets", "show", "set")[1]
    assert "26" in told and '"text"' in told and "- row 27:" in told
    target = tmp_path / "left.csv"
    assert run("sets", "export", "set", target, "--left-out")[0] == 0
    lines = target.read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "row,passage,query,reasons,advice" and lines[1].startswith("26,,topic0,")
    assert lines[3].startswith("28,,'=2,")
    assert run("check", "set:set")[0] == 0


@pytest.mark.parametrize("format", TEMPLATES)
def test_a_template_and_an_export_pass_the_check(run, added, tmp_path, format):
    path = tmp_path / f"template.{format}"
    assert run("sets", "template", path)[0] == 0
    assert [p.kind for p in check_labelled_set(path).problems] == ["few-queries"]
    assert run("sets", "add", path)[0] == 0
    path = tmp_path / f"out.{format}"
    assert json.loads(run("sets", "export", "mine", path, "--json")[1]) == {
        "set": "mine@1", "file": str(path),
    }  # fmt: skip
    status, out, _ = run("sets", "add", path, "--name", "mine")
    assert status == 0 and "mine@1" in out


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (["add", "absent.csv"], {"file": "absent.csv"}),
        (["add", "."], {"path": "."}),
        (["add", __file__], {"file": "test_sets_command.py"}),
        (["template", "x.doc"], {"file": "x.doc"}),
        (["template", "/nowhere/x.csv"], {"file": "/nowhere/x.csv"}),
        (["export", "mine", "x.doc"], {"file": "x.doc"}),
        (["export", "mine", "x.xlsx", "--left-out"], {"file": "x.xlsx"}),
        (["export", "mine@2", "x.csv"], {"name": "mine", "number": 2, "there": "1"}),
        (["show", "../x"], {"incoming": "incoming", "name": "../x"}),
        (["remove", "mine@x"], {"name": "mine", "version": "x"}),
    ],
    ids=lambda value: None if isinstance(value, str) else "-".join(map(str, value))[:20],
)
def test_what_can_go_wrong_is_one_sentence(run, added, words, values):
    run.refused("sets", *words, **values)


def test_a_set_that_a_job_reads_is_not_removed(run, added, settings):
    JobStore(settings.jobs_dir).save(Job("waiting", ("train", "qss", "--data", "set:mine")))
    status, _, err = run("sets", "remove", "mine@1")
    assert status == 1 and "waiting" in err and added.load("mine").version == 1


def test_training_takes_a_set_and_tells_its_version(run, added, settings, tmp_path):
    # A column that is named is that of the files, not of a set.
    other = tmp_path / "more.csv"
    table(other, 8)
    other.write_text(other.read_text().replace("query,", "Topic,").replace("topic", "other"))
    words = ["--data", "set:mine", "--data", other, "--column", "query=Topic"]
    status, _, err = run(*TRAIN, *words)
    assert status == 0, err
    card = CheckpointStore(settings.models_dir).load("qss", "n").card
    one = added.load("mine")
    told = {k: card["training_data"][0][k] for k in ("name", "sha256", "set", "version")}
    assert told == {"name": "mine@1", "sha256": one.sha256, "set": "mine", "version": 1}
    own = f"Trained on {told['name']} and more.csv; groups follow that way of dividing a subject."
    assert card["limits"] == own
    assert card["training_data"][0]["n_queries"] == 6
    split = json.loads((settings.jobs_dir / "qss-n" / SPLIT_FILE).read_text())
    assert split["files"][0] == {"name": "mine@1", "sha256": one.sha256, "part": "training"}


def test_a_run_goes_on_with_the_version_it_was_started_with(run, added, settings, tmp_path):
    held = labelled(tmp_path / "held.jsonl", 2, first=50)
    words = [*TRAIN, "--data", "set:mine", "--validation", held, "--replace"]
    assert run(*words)[0] == 0
    assert run("sets", "add", table(tmp_path / "b.csv", 9), "--name", "mine")[0] == 0
    assert run(*words, "--resume")[0] == 0
    card = CheckpointStore(settings.models_dir).load("qss", "n").card
    assert card["training_data"][0]["version"] == 1
    assert run(*words)[0] == 0
    card = CheckpointStore(settings.models_dir).load("qss", "n").card
    assert card["training_data"][0]["version"] == 2


def test_validation_check_cluster_and_bench_take_a_set(run, added, settings, tmp_path):
    data = table(tmp_path / "train.csv", 8)
    data.write_text(data.read_text().replace("topic", "other"))
    status, _, err = run(*TRAIN, "--data", data, "--validation", "set:mine")
    assert status == 0, err
    assert run("check", "set:mine", "--against", "set:mine@1")[1].count("also in") == 1
    assert run("cluster", "set:mine", "--method", "tfidf", "--json")[1].count("\n") == 6
    result = json.loads(run("bench", "set:mine", "--method", "tfidf", "--json")[1])
    assert (result["task"], result["n_instances"]) == ("mine@1", 6)
    run.refused("bench", "set:yours", "--method", "tfidf", name="yours", there="mine")


def test_bench_and_cluster_read_what_the_check_reads(run, settings, tmp_path):
    path = table(tmp_path / "set.csv")
    path.write_bytes(path.read_text().replace(",", ";").encode("utf-16"))
    status, out, _ = run("bench", path, "--method", "tfidf", "--json")
    assert status == 0 and json.loads(out)["n_instances"] == 6
    assert run("cluster", path, "--method", "tfidf", "--json")[0] == 0
