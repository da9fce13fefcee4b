import gzip
import hashlib
import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from raising import numbers
from small_sets import labelled

from benchmarks.retrieval_tasks import RETRIEVAL_TASKS
from benchmarks.tasks import TASKS
from subclust.checkpoints import CheckpointStore
from subclust.cli import COMMANDS, main
from subclust.methods import METHODS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(run, command):
    status, out, _ = run(command, "--help")
    assert status == 0 and out.startswith("usage: python -m subclust")


def test_wrong_usage_is_status_2(run):
    assert run("no-such-command")[0] == 2
    assert run()[0] == 2
    assert run("search", "a query", "--n-clusters", "none")[0] == 2


def test_search_prints_the_promised_object(run, library):
    status, out, err = run("search", "colony trade", "--library", "small", "--method",
                           "centred-cosine", "--json")  # fmt: skip
    assert (status, err) == (0, "")
    result = json.loads(out)
    assert list(result) == [
        "query", "library", "method", "checkpoint", "seed", "answered", "nearest_cosine",
        "n_clusters", "n_clusters_source", "timings_ms", "subtopics",
        "n_set_aside", "set_aside",
    ]  # fmt: skip
    assert set(result["timings_ms"]) == {
        "retrieve", "encode", "cluster", "name", "project", "total",
    }  # fmt: skip
    subtopic = result["subtopics"][0]
    assert list(subtopic) == [
        "id", "name", "term", "size", "quality", "relevance", "passages",
    ]  # fmt: skip
    assert list(subtopic["passages"][0]) == [
        "id", "document", "title", "text", "rank", "strength", "relevance", "x", "y",
    ]  # fmt: skip
    ids = [passage["id"] for group in result["subtopics"] for passage in group["passages"]]
    assert len(ids) == len(set(ids)) == 24
    names = [group["name"] for group in result["subtopics"]]
    assert len(set(names)) == len(names) >= 2


def test_search_in_words(run, library):
    status, out, _ = run(
        "search", "colony", "--library", "small", "--method", "tfidf", "--n-clusters", "3"
    )
    assert status == 0
    assert sorted(numbers(out.splitlines()[0])) == ["24", "3"] and "'colony'" in out.splitlines()[0]


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (["search", " ", "--method", "tfidf"], {}),
        (["search", "a", "--method", "nonsense"], {"resolved": "nonsense"}),
        (["search", "a", "--method", "qs3m"], {"method": "qs3m", "same": "qs3m"}),
        (["search", "a"], {}),
        (
            ["search", "a", "--method", "tfidf", "--library", "absent"],
            {"name": "absent", "there": "small", "same": "absent"},
        ),
        (["search", "a", "--method", "tfidf", "--top-k", "0"], {"top_k": 0}),
        (
            ["search", "a", "--method", "tfidf", "--checkpoint", "x"],
            {"card": "tfidf", "checkpoint": "x"},
        ),
        (["search", "a", "--method", "tfidf", "--max-other", "7"], {"max_other": 7.0}),
        (["cluster", "absent.jsonl", "--method", "tfidf"], {}),
        (["bench", "absent"], {}),
        (["bench", "trec_car_a"], {}),
        (["train", "tfidf", "--data", "x.jsonl", "--name", "n"], {"card": "tfidf"}),
        (["train", "qs3m", "--data", "x.jsonl", "--name", "n"], {}),
        (["train", "qs3m", "--data", "nowhere", "--name", "n"], {}),
        (["train", "qs3m", "--data", "arxiv_fold1", "--name", "n"], {}),
        (["train", "qs3m", "--data", "x.jsonl", "--name", "../n"], {"name": "../n"}),
        (["train", "qs3m", "--data", "x", "--name", "n", "--set", "epochs"], {"setting": "epochs"}),
        (
            ["train", "qs3m", "--data", "x", "--name", "n", "--gpus", "1"],
            {},
        ),
        (
            ["train", "qs3m", "--data", "x", "--name", "n", "--queue", "--cpus", "1"],
            {},
        ),
        (
            ["train", "aecl", "--data", "x", "--name", "n", "--judge"],
            {"card": "aecl"},
        ),
        (
            ["train", "aecl", "--data", "x.jsonl", "--name", "n", "--validation", "y.jsonl"],
            {"method": "aecl"},
        ),
        (["models", "show", "qs3m"], {"method": "qs3m", "same": "qs3m"}),
        (["models", "rollback", "qs3m"], {"method": "qs3m"}),
        (["models", "import", "absent.zip"], {}),
        (["jobs", "show", "absent"], {"job": "absent", "there": "none"}),
    ],
)
def test_what_a_user_can_mend_is_one_sentence_and_status_1(run, library, words, values):
    if words[0] == "search" and "--library" not in words:
        words = [*words, "--library", "small"]
    run.refused(*words, **values)


def test_cluster_groups_and_names_given_passages_with_or_without_labels(run, settings, tmp_path):
    path = labelled(tmp_path / "set.jsonl", n_queries=2)
    status, out, _ = run("cluster", path, "--method", "tfidf", "--n-clusters", "3", "--json")
    assert status == 0
    first, second = map(json.loads, out.splitlines())
    assert (first["query"], first["library"], second["query"]) == ("topic0", "set.jsonl", "topic1")
    assert [group["size"] for group in first["subtopics"]] == [3, 3, 3]
    bare = tmp_path / "bare.jsonl"
    bare.write_text('{"query": "q", "passages": [{"text": "one"}, {"text": "two"}]}\n')
    status, out, _ = run("cluster", bare, "--method", "centred-cosine", "--json")
    assert status == 0 and json.loads(out)["subtopics"]


def test_a_whole_collection_is_learnt_and_then_grouped(run, settings, tmp_path):
    path = tmp_path / "titles.jsonl"
    words = [["tea", "tax", "king", "war"], ["ant", "claw", "night", "tail"]]
    passages = [
        {"id": f"p{n}", "text": f"{words[n % 2][n % 4]} {words[n % 2][(n + 1) % 4]} {n % 7}"}
        for n in range(210)
    ]
    bare = tmp_path / "bare.jsonl"
    bare.write_text(json.dumps({"query": "titles", "passages": passages}) + "\n")
    for n, passage in enumerate(passages):
        passage["label"] = str(n % 2)
    path.write_text(json.dumps({"query": "titles", "passages": passages}) + "\n")
    status, out, err = run("train", "aecl", "--data", path, "--name", "titles", "--set",
                           "epochs=4", "--set", "objective.first_stage=1", "--json")  # fmt: skip
    assert status == 0, err
    assert set(json.loads(out)["scores"]) >= {"acc", "nmi_geometric"}
    status, out, err = run("bench", path, "--method", "aecl@titles", "--json")
    assert status == 0, err
    assert json.loads(out)["methods"]["aecl@titles"]["acc"]["mean"] > 0.4
    status, _, err = run("train", "aecl", "--data", bare, "--name", "bare", "--set", "epochs=2")
    assert status == 1 and "--set model.n_clusters=20" in err and "Traceback" not in err
    status, out, err = run("train", "aecl", "--data", bare, "--name", "bare", "--set", "epochs=2",
                           "--set", "model.n_clusters=5", "--json")  # fmt: skip
    assert status == 0 and json.loads(out)["scores"] == {}, err
    status, out, err = run("cluster", bare, "--method", "aecl", "--checkpoint", "bare",
                           "--n-clusters", "4", "--json")  # fmt: skip
    assert status == 0 and len(json.loads(out)["subtopics"]) == 4, err


def test_train_then_search_promote_and_hand_on(run, library, settings, tmp_path):
    data = labelled(tmp_path / "set.jsonl")
    for name in ("first", "second"):
        status, out, err = run("train", "qs3m", "--data", data, "--name", name, "--set",
                               "epochs=2", "--json")  # fmt: skip
        assert status == 0, err
        assert json.loads(out)["scores"]["validation_queries"] == 1
        assert "step 2/" in err or "step 1/" in err
    assert run("train", "qs3m", "--data", data, "--name", "first")[0] == 1
    status, out, _ = run("search", "trade", "--library", "small", "--method", "qs3m", "--json")
    assert status == 0 and json.loads(out)["checkpoint"] == "first"
    reason = ["--reason", "both are for this test"]
    assert run("models", "promote", "qs3m", "first", "--as-default", *reason)[0] == 0
    assert run("models", "promote", "qs3m", "second", *reason)[0] == 0
    _, out, _ = run("search", "trade", "--library", "small", "--json")
    assert (json.loads(out)["method"], json.loads(out)["checkpoint"]) == ("qs3m", "second")
    assert json.loads(run("models", "rollback", "qs3m", "--json")[1])["promoted"] == "first"
    assert run("models", "remove", "qs3m", "first")[0] == 1  # in use
    archive = tmp_path / "second.zip"
    assert run("models", "export", "qs3m", "second", archive)[0] == 0
    assert run("models", "remove", "qs3m", "second")[0] == 0
    assert run("models", "import", archive)[0] == 0
    rows = json.loads(run("models", "list", "--json")[1])["models"]
    assert [(row["name"], row["default"]) for row in rows] == [("first", True), ("second", False)]
    assert "# qs3m / second" in run("models", "show", "qs3m", "second")[1]
    jobs = json.loads(run("jobs", "list", "--json")[1])["jobs"]
    assert [(job["id"], job["state"]) for job in jobs] == [
        ("qs3m-first", "finished"),
        ("qs3m-second", "finished"),
    ]


def test_training_and_validation_never_share_a_query(run, settings, tmp_path):
    data, held = labelled(tmp_path / "set.jsonl"), labelled(tmp_path / "held.jsonl", n_queries=2)
    status, _, err = run("train", "qss", "--data", data, "--validation", held, "--name", "n",
                         "--set", "epochs=1")  # fmt: skip
    assert status == 0
    assert "2 training" in err


def test_nothing_left_to_train_on_is_one_sentence(run, settings, tmp_path):
    data = labelled(tmp_path / "set.jsonl")
    status, _, err = run("train", "qss", "--data", data, "--validation", data, "--name", "n")
    assert status == 1 and err.count("\n") == 1


def test_tasks_are_trained_on_by_name(run, settings, tmp_path, monkeypatch):
    folder = tmp_path / "benchmarks" / "documents"
    folder.mkdir(parents=True)
    kinds = ["river water boat", "stone tower wall", "bread flour oven"]
    posts = [
        {"id": f"post/{i}", "text": f"{kinds[i % 3]} word{i}", "label": f"group {i % 3}"}
        for i in range(500)
    ]
    path = folder / "newsgroups20_raw_train.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, posts)).encode()))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    for name in ("newsgroups20_sets_train", "newsgroups20_sets_validation"):
        monkeypatch.setitem(TASKS, name, replace(TASKS[name], sha256=digest))
    monkeypatch.setenv("SUBCLUST_BENCHMARK_DATA_DIR", str(tmp_path / "benchmarks"))
    train = ["train", "qss", "--data", "newsgroups20_sets_train", "--set", "epochs=1"]
    status, _, err = run(*train, "--name", "n", "--validation", "newsgroups20_sets_validation")
    # All sets have the same query by design, and share no passage: none is left out.
    assert status == 0 and "left out" not in err, err
    card = CheckpointStore(settings.models_dir).load("qss", "n").card
    assert card["scores"]["validation_queries"] == 2
    assert card["limits"].startswith("Trained on encyclopaedia")
    assert card["training_data"] == [
        {
            "name": "newsgroups20_sets_train",
            "n_queries": 8,
            "n_passages": 400,
            "sha256": digest,
            "licence": TASKS["newsgroups20_sets_train"].licence,
            "files": {"documents/newsgroups20_raw_train.jsonl.gz": digest},
        }
    ]
    assert "| newsgroups20_sets_train | 8 | 400 |" in run("models", "show", "qss", "n")[1]
    status, _, err = run(*train, "--name", "m", "--validation", "newsgroups20_sets_train")
    assert status == 1 and err.count("\n") == 1


def test_bench_refuses_pairs_of_too_many_passages_with_one_sentence(run, settings, tmp_path):
    path = labelled(tmp_path / "set.jsonl", n_queries=1, n_passages=5001)
    words = ("bench", path, "--method", "kmeans", "--method", "tfidf")
    run.refused(*words, task="set", n_passages=5001, max_pairwise=5000)
    status, out, _ = run("bench", path, "--method", "kmeans")
    assert status == 0 and out.splitlines()[2].endswith("-        -")


def test_bench_tells_no_interval_of_one_query(run, settings, tmp_path):
    path = labelled(tmp_path / "set.jsonl", n_queries=1, n_passages=12)
    status, out, _ = run("bench", path, "--method", "kmeans", "--method", "jaccard")
    assert status == 0 and "kmeans" in out and "95%" not in out and "p " not in out


def test_a_run_may_start_from_another_checkpoint(run, settings, tmp_path):
    data = labelled(tmp_path / "set.jsonl")
    train = ["train", "centred-qs3m", "--data", data, "--set", "learning_rate=1e-9"]
    train += ["--set", "epochs=1", "--set", "model.hidden_dim=8"]
    assert run(*train, "--name", "one")[0] == run(*train, "--name", "fresh")[0] == 0
    status, _, err = run(*train, "--name", "two", "--base", "one", "--set", "seed=5")
    assert status == 0, err
    store = CheckpointStore(settings.models_dir)
    weights = {n: store.load("centred-qs3m", n).tensors["head.a.weight"] for n in ("one", "two")}
    np.testing.assert_allclose(weights["two"], weights["one"], atol=1e-6)
    assert store.load("centred-qs3m", "two").config["base"] == "one"
    run.refused(*train, "--name", "three", "--base", "absent", name="absent")


def test_bench_prints_the_promised_object(run, settings, tmp_path):
    path = labelled(tmp_path / "set.jsonl", n_queries=3)
    status, out, _ = run("bench", path, "--method", "tfidf", "--method", "jaccard", "--json")
    assert status == 0
    result = json.loads(out)
    assert (result["task"], result["n_instances"], result["granularity"]) == ("set", 3, "flat")
    for name in ("tfidf", "jaccard"):
        scores = result["methods"][name]
        for metric in ("ari", "ami", "nmi", "ri", "f1", "auc"):
            assert set(scores[metric]) == {"mean", "stderr", "per_instance"}
            assert len(scores[metric]["per_instance"]) == 3
        assert scores["ari"]["mean"] == 1.0 and scores["checkpoint"] is None
        assert len(result["auto_k"]["methods"][name]["n_clusters"]) == 3
    assert result["comparisons"][0]["against"] == "jaccard"
    status, out, _ = run("bench", path, "--method", "tfidf", "--granularity", "hierarchical",
                         "--count", "silhouette")  # fmt: skip
    assert status == 0 and "set, 3 questions, hierarchical" in out


def test_bench_draws_one_bar_of_a_method_however_often_it_reports(
    run, settings, tmp_path, monkeypatch
):
    def report(*_given, progress, **_more):
        for done in range(1, 100):
            progress("tfidf", done, 12345)

    monkeypatch.setattr("subclust.cli.training.judging.run_benchmark", report)
    status, _, err = run("bench", labelled(tmp_path / "set.jsonl"), "--method", "tfidf")
    assert status == 0 and err.count("12,345") == 1


def test_bench_takes_a_task(run, settings):
    status, out, err = run("bench")
    assert status == 2 and out == "" and "error:" in err


def test_import_reports_every_row(run, settings, tmp_path):
    path = tmp_path / "records.csv"
    path.write_text("id,title,text\n1,One,The first abstract of all.\n2,,\n3,Three,A third.\n")
    status, out, err = run("import", path, "--library", "mine", "--json")
    assert status == 0, err
    report = json.loads(out)["files"][0]
    assert (report["n_read"], report["n_imported"], report["n_refused"]) == (3, 2, 1)
    assert report["refusals"][0]["place"] in err
    status, out, _ = run("search", "abstract", "--library", "mine", "--method", "tfidf", "--json")
    assert status == 0 and sum(g["size"] for g in json.loads(out)["subtopics"]) == 2


def test_a_column_that_is_named_is_remembered(run, settings, tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text(f"Benennung;Wann\nOn {name};2019\n")
    say = ("--column", "title=Benennung", "--column", "year=Wann")
    status, _, err = run("import", tmp_path / "one.csv", "--library", "mine", *say)
    assert status == 0, err
    status, out, err = run("import", tmp_path / "two.csv", "--library", "mine", "--json")
    assert status == 0 and json.loads(out)["files"][0]["n_imported"] == 1, err
    status, _, err = run("import", tmp_path / "one.csv", "--library", "mine", "--column", "title")
    assert status == 1 and "Traceback" not in err


def test_lists(run, settings):
    rows = json.loads(run("methods", "--json")[1])["methods"]
    assert [row["name"] for row in rows] == list(METHODS)
    tasks = json.loads(run("tasks", "--json")[1])["tasks"]
    assert {row["name"] for row in tasks} == {"demo", *TASKS, *RETRIEVAL_TASKS}
    assert {"split", "licence", "citation", "sha256", "n_queries", "n_passages"} <= set(tasks[0])
    lines = run("tasks")[1].splitlines()
    assert (
        "arxiv_fold1                    fold              7     1,750        6.9  CC0 1.0"
        in "".join(lines)
    )
    assert len(lines) == len(tasks) + 2
    assert run("methods")[0] == run("tasks")[0] == run("models")[0] == 0


@pytest.mark.app
def test_as_a_program(settings):
    done = subprocess.run(
        [sys.executable, "-m", "subclust", "search", "x", "--library", "absent"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and done.stdout == "" and "absent" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--language", "de"], "„gone“"),
        (["--language=en"], "'gone'"),
        ([], "'gone'"),
    ],
)
def test_errors_are_told_in_the_language_asked_for(words, told, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path))
    assert main([*words, "bin", "restore", "gone"]) == 1
    assert told in capsys.readouterr().err


def test_a_language_there_is_not_is_wrong_usage():
    with pytest.raises(SystemExit) as ended:
        main(["--language", "xx", "bin"])
    assert ended.value.code == 2
