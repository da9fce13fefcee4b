import json
import os
import shutil
import subprocess
import sys

import pytest
from raising import numbers

from subclust.training.split import SPLIT_FILE

KINDS = ["river water boat", "stone tower wall", "bread flour oven"]


def table(path, *more_rows, n_queries=12):
    rows = [
        f"topic{query},{kind} topic{query} {word},part {part}"
        for query in range(n_queries)
        for part, kind in enumerate(KINDS)
        for word in ("old", "new")
    ]
    path.write_text("\n".join(["query,text,label", *rows, *more_rows]) + "\n", encoding="utf-8")
    return path


def test_a_clean_file_has_status_0(run, settings, tmp_path):
    path = table(tmp_path / "set.csv")
    status, out, err = run("check", path)
    assert (status, numbers(out), err) == (0, ["72", "72", "12", "36"], "")


def test_errors_are_listed_and_have_status_1(run, settings, tmp_path):
    path = table(tmp_path / "set.csv", "topic0,,x", "topic1,a,", "topic2,b,", "topic2,7,part 0")
    status, out, err = run("check", path)
    assert status == 1
    assert {"file": "set.csv", "count": 3}.items() <= err.values.items()
    first, errors, warnings = (part.splitlines() for part in out.split("\n\n"))
    assert numbers(first[0]) == ["73", "76", "12", "36"]
    assert [numbers(line) for line in errors] == [[], ["74"], [], ["2", "75", "76"], []]
    assert [numbers(line) for line in warnings] == [[], ["77", "7"], []]


def test_a_hundred_thousand_problems_fit_on_a_screen(run, settings, tmp_path):
    path = table(tmp_path / "set.csv", *["topic0,,x", "topic1,a,"] * 2000)
    status, out, _ = run("check", path)
    assert status == 1 and len(out.splitlines()) < 24
    assert ["2,000", "74", "76", "78", "1,997"] in [numbers(line) for line in out.splitlines()]


def test_warnings_alone_have_status_0(run, settings, tmp_path):
    status, out, err = run("check", table(tmp_path / "set.csv", n_queries=3))
    assert (status, err) == (0, "") and "3 questions" in out


def test_the_object(run, settings, tmp_path):
    path = table(tmp_path / "set.csv", "topic0,,x")
    status, out, err = run("check", path, "--json")
    assert status == 1 and {"file": "set.csv", "count": 1}.items() <= err.values.items()
    report = json.loads(out)
    assert list(report) == [
        "file", "n_rows", "n_queries", "n_passages", "n_labels", "n_errors", "n_warnings",
        "columns", "summary", "problems",
    ]  # fmt: skip
    assert report["columns"] == ["query", "text", "label"]
    assert (report["n_rows"], report["n_errors"], report["n_warnings"]) == (73, 1, 0)
    (problem,) = report["problems"]
    assert (problem["row"], problem["column"], problem["query"]) == (74, "text", "topic0")
    (summary,) = report["summary"]
    assert list(summary) == ["severity", "line", "advice"] and summary["severity"] == "error"
    assert numbers(summary["line"]) == ["74"] and '"text"' in summary["line"]


def test_against_and_column(run, settings, tmp_path):
    path = table(tmp_path / "set.csv")
    path.write_text(path.read_text().replace("query,text,label", "Topic,Abstract,label"))
    held = table(tmp_path / "held.csv", "other,a word,x", "other,b word,y", n_queries=1)
    assert run("check", path)[0] == 1
    words = ["--column", "query=topic", "--column", "text=Abstract"]
    assert run("check", path, *words)[0] == 0
    status, out, _ = run("check", path, *words, "--against", held)
    assert status == 0 and "“topic0”" in out
    status, _, err = run("check", path, "--column", "topic=Topic")
    assert status == 1 and "'topic'" in err and err.count("\n") == 1
    assert run("check", path, "--column", "text")[0] == 2


def test_the_longest_text_follows_the_settings(run, settings, tmp_path, monkeypatch):
    path = table(tmp_path / "set.csv", "topic0," + "word " * 30 + ",part 0")
    assert "nothing wrong" in run("check", path)[1]
    monkeypatch.setenv("SUBCLUST_MAX_SEQ_LENGTH", "27")
    assert "30 words" in run("check", path)[1]


@pytest.mark.parametrize("words", [["absent.csv"], [".", "--json"]])
def test_no_file(run, settings, words):
    status, out, err = run("check", *words)
    assert (status, out) == (1, "") and str(words[0]) in err


def test_the_words_go_through_a_terminal_of_another_encoding(settings, tmp_path):
    path = table(tmp_path / "set.csv", "topic0,\u597d,caf\u00e9", "topic0,\u597d,x")
    result = subprocess.run(
        [sys.executable, "-m", "subclust", "check", str(path)],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert result.returncode == 0 and b"Traceback" not in result.stderr


TRAIN = ["--name", "n", "--set", "epochs=1"]


def test_training_stops_at_errors_with_one_sentence(run, settings, tmp_path):
    path = table(tmp_path / "set.csv", "topic0,,x", "topic1,a,")
    run.refused("train", "qss", "--data", path, *TRAIN, n=2, row=74, column="text")
    bad, good = path, table(tmp_path / "good.csv")
    run.refused("train", "qss", "--data", good, "--validation", bad, *TRAIN, n=2)


def test_training_tells_how_many_warnings_there_are(run, settings, tmp_path):
    path = table(tmp_path / "set.csv", "topic0,7,part 0", "topic1,8,part 0")
    held = table(tmp_path / "held.csv", n_queries=1)
    status, _, err = run("train", "qss", "--data", path, "--validation", held, *TRAIN)
    assert status == 0, err
    (warned,) = (line for line in err.splitlines() if "subclust check" in line)
    assert numbers(warned)[0] == "3" and f"check {path} --against {held}'" in warned


def test_training_takes_the_columns_that_are_named(run, settings, tmp_path):
    path = table(tmp_path / "set.csv")
    path.write_text(path.read_text().replace("query,text,label", "Topic,text,label"))
    status, _, err = run("train", "qss", "--data", path, *TRAIN, "--column", "query=Topic")
    assert status == 0, err


def test_the_split_is_kept_with_the_run_and_read_when_it_is_resumed(run, settings, tmp_path):
    path = table(tmp_path / "set.csv")
    train = ["train", "qss", "--data", path, *TRAIN, "--replace"]
    assert run(*train, "--set", "validation_share=0.25", "--set", "seed=3")[0] == 0
    file = settings.jobs_dir / "qss-n" / SPLIT_FILE
    split = json.loads(file.read_text())
    assert (split["seed"], split["share"], len(split["held_out"])) == (3, 0.25, 3)
    assert sorted(split["training"] + split["held_out"]) == sorted(f"topic{n}" for n in range(12))
    assert [(f["name"], f["part"], len(f["sha256"])) for f in split["files"]] == [
        ("set.csv", "training", 64)
    ]
    # What is stored counts, not what would be drawn now.
    split["held_out"], split["training"] = ["topic7"], [f"topic{n}" for n in range(6)]
    file.write_text(json.dumps(split))
    shutil.rmtree(settings.models_dir / "qss" / "n")  # as if it had been killed before it was saved
    status, out, err = run(*train, "--set", "validation_share=0.25", "--resume", "--json")
    assert status == 0, err
    assert json.loads(out)["scores"]["validation_queries"] == 1
    assert json.loads(file.read_text()) == split
    # A file that has changed is noticed, and a run that starts anew splits anew.
    table(path, "topic0,one more word,part 0")
    shutil.rmtree(settings.models_dir / "qss" / "n")
    status, _, err = run(*train, "--resume")
    assert status == 1 and err.values["left"] == "set.csv"
    assert run(*train)[0] == 0
    assert len(json.loads(file.read_text())["held_out"]) != 1


def test_a_resumed_run_with_held_out_queries_of_their_own(run, settings, tmp_path):
    path, held = table(tmp_path / "set.csv"), table(tmp_path / "held.csv", n_queries=2)
    train = ["train", "qss", "--data", path, "--validation", held, *TRAIN, "--replace"]
    for words in (train, [*train, "--resume"]):
        status, out, err = run(*words, "--json")
        assert status == 0, err
        assert json.loads(out)["scores"]["validation_queries"] == 2
    split = json.loads((settings.jobs_dir / "qss-n" / SPLIT_FILE).read_text())
    assert split["share"] is None and len(split["training"]) == 10
    assert split["held_out"] == ["topic0", "topic1"]
    table(held, n_queries=3)
    shutil.rmtree(settings.models_dir / "qss" / "n")
    run.refused(*train, "--resume", left="held.csv")
