import json

import pytest
from raising import numbers
from small_sets import labelled

from subclust.checkpoints import CheckpointStore
from subclust.judging.judgement import JUDGEMENT_FILE, Judgement


@pytest.fixture
def trained(run, settings, tmp_path):
    """Train a checkpoint on some of 12 queries; give the file and the run's folder."""
    data = labelled(tmp_path / "set.jsonl", n_queries=12)
    status, _, err = run(
        "train", "qs3m", "--data", data, "--name", "mine", "--judge",
        "--set", "epochs=2", "--set", "batch_passages=20", "--set", "test_share=0.5",
    )  # fmt: skip
    assert status == 0, err
    return data, settings.jobs_dir / "qs3m-mine"


def test_a_run_is_judged_on_its_test_queries_and_keeps_that_with_the_model(trained, settings, run):
    data, folder = trained
    split = json.loads((folder / "split.json").read_text(encoding="utf-8"))
    assert [len(split[part]) for part in ("training", "held_out", "test")] == [4, 2, 6]
    kept = json.loads((folder / JUDGEMENT_FILE).read_text(encoding="utf-8"))
    assert CheckpointStore(settings.models_dir).card("qs3m", "mine")["judgement"] == kept
    judgement = Judgement.from_dict(kept)
    assert judgement.part == "test" and "training" in judgement.sentence
    assert {query.query for query in judgement.queries} == set(split["test"])
    assert judgement.data[0]["name"] == "set.jsonl"

    # The same again by hand, from the file and the run's split.
    status, out, err = run("judge", "qs3m/mine", "--data", data, "--split", "qs3m-mine", "--json")
    assert status == 0, err
    again = json.loads(out)
    assert {**again, "seconds": 0, "notes": 0} == {**kept, "seconds": 0, "notes": 0}


def test_judge_says_the_verdict_and_saves_it_when_asked_to(trained, run, settings, tmp_path):
    _, folder = trained
    other = labelled(tmp_path / "other.jsonl", n_queries=7, first=40)
    status, out, err = run("judge", "qs3m/mine", "--data", other, "--base", "tfidf", "--save")
    assert status == 0, err
    assert numbers(out)[0] == "7" and "tfidf" in out and "auto AMI" in out
    card = CheckpointStore(settings.models_dir).card("qs3m", "mine")
    assert card["judgement"]["base"] == "tfidf" and card["judgement"]["part"] == "given"
    # Of the run's own folder nothing was said.
    assert json.loads((folder / JUDGEMENT_FILE).read_text())["base"] != "tfidf"


def test_two_maps_of_a_query_come_with_the_object(trained, run):
    data, _ = trained
    status, out, err = run("judge", "qs3m/mine", "--data", data, "--json", "--map", "topic3")
    assert status == 0, err
    value = json.loads(out)
    assert any("--split" in note for note in value["notes"])
    assert value["maps"]["query"] == "topic3" and len(value["maps"]["after"]["groups"]) == 9
    status, out, err = run("judge", "qs3m/mine", "--data", data, "--json", "--map", "nothing")
    assert (status, out) == (1, "") and "'nothing'" in err


def test_what_cannot_be_judged_is_refused_with_one_sentence(trained, run, tmp_path):
    data, _ = trained
    other = labelled(tmp_path / "other.jsonl", n_queries=3, first=40)
    for words, sentence in [
        (["qs3m/none", "--data", data], "no checkpoint 'none'"),
        (["none/mine", "--data", data], "no method 'none'"),
        (["qs3m/mine", "--data", tmp_path / "gone.jsonl"], "gone.jsonl"),
        (["qs3m/mine", "--data", data, "--split", "no-run"], "no run no-run that kept how"),
        (["qs3m/mine", "--data", other, "--split", "qs3m-mine"], "other.jsonl is not what the run"),
        (["qs3m/mine", "--data", data, "--base", "mine"], "compared with itself"),
    ]:
        status, out, err = run("judge", *words)
        assert (status, out) == (1, ""), words
        assert sentence in err and err.count("\n") == 1 and "Traceback" not in err
    assert run("judge", "qs3m", "--data", data)[0] == 2
    assert run("judge", "qs3m/mine", "--data", data, "--map", "topic3")[0] == 2


def test_few_queries_are_judged_by_folds_and_all_are_trained_on(run, settings, tmp_path):
    data = labelled(tmp_path / "set.jsonl", n_queries=7)
    words = ["train", "qs3m", "--data", data, "--name", "few", "--folds", "3"]
    words += ["--set", "epochs=2", "--set", "batch_passages=20"]
    status, out, err = run(*words, "--json")
    assert status == 0, err
    judgement = Judgement.from_dict(json.loads(out)["judgement"])
    assert judgement.part == "folds" and judgement.n_queries == 7
    assert len({query.query for query in judgement.queries}) == 7
    store = CheckpointStore(settings.models_dir)
    checkpoint = store.load("qs3m", "few")
    assert checkpoint.card["folds"]["n_folds"] == 3
    assert checkpoint.card["scores"]["folds_queries"] == 7
    assert checkpoint.card["scores"]["folds_ari"] == judgement.method("new").means["ari"]
    folder = settings.jobs_dir / "qs3m-few"
    assert json.loads((folder / JUDGEMENT_FILE).read_text()) == checkpoint.card["judgement"]
    split = json.loads((folder / "split.json").read_text(encoding="utf-8"))
    assert (len(split["training"]), split["held_out"], split["test"]) == (7, [], [])
    run.refused("judge", "qs3m/few", "--data", data, "--split", "qs3m-few", folder="qs3m-few")

    for wrong, values in [
        (["--folds", "2", "--name", "x"], {"fewest_folds": 3}),
        (["--folds", "9", "--name", "y"], {"n_folds": 9}),
        (["--folds", "3", "--name", "z", "--validation", data], {}),
    ]:
        run.refused("train", "qs3m", "--data", data, *wrong, **values)
