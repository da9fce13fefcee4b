import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from raising import raises
from tiny_e5 import e5_file, e5_parts

from benchmarks.__main__ import main
from benchmarks.commands import train_encoder
from benchmarks.distilling.passages import Steps
from benchmarks.distilling.run import N_DRAWN, Recipe, Run, found_sets
from benchmarks.distilling.texts import opened, pool_of, read_documents
from benchmarks.distilling.training import Plan, train
from benchmarks.results import read_result
from subclust.checkpoints.rounding import rounded
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.core.settings import Settings
from subclust.methods import load_method
from subclust.text.encoders import SentenceEncoder, shared_encoder
from subclust.text.encoders.e5 import _write_folder
from subclust.text.encoders.e5_file import E5File

WORDS = (["tea", "teas"], ["war", "wars"])


def instances(n, seed):
    """Make queries whose passages hold words of one of two kinds."""
    random = np.random.default_rng(seed)
    made = []
    for number in range(n):
        passages = tuple(
            Passage(
                f"{number}-{row}",
                " of ".join(random.choice(WORDS[row % 2], 3)),
                label=f"part {row % 2}",
            )
            for row in range(6)
        )
        made.append(ClusteringInstance(Query(f"query {seed} {number}"), passages))
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tiny") / "tiny-encoder"
    folder.mkdir()
    _write_folder(E5File(e5_file(e5_parts())), folder)
    return folder


@pytest.fixture
def encoder(folder):
    return SentenceEncoder(str(folder), precision="float32", max_seq_length=16)


@pytest.fixture
def pool():
    documents = {"papers": [("tea of war", "a")] * 5 + [("wars of teas", "b")] * 4}
    return pool_of({"made": instances(8, 0)}, instances(4, 1), documents)


PLAN = Plan(epochs=2, rate=3e-3, measures=2, tokens=256)
RECIPE = Recipe(
    PLAN, replace(PLAN, label_weight=0.5), teacher_passages=24, student_passages=24, n_found=6
)


def test_texts_lie_in_one_row_and_labels_apart(pool):
    assert len(pool.texts) == 8 * 6 + 4 * 6 + 9
    assert [one.fold for one in pool.training["made"]] == [0, 1] * 4
    assert {one.fold for one in pool.validation} == {-1}
    assert [pool.texts[row] for row in pool.validation[0].rows] == [
        passage.text for passage in instances(4, 1)[0].passages
    ]
    np.testing.assert_array_equal(pool.searched["made"][0], np.arange(48))
    assert [len(rows) for rows in pool.searched["papers"]] == [5, 4]
    assert pool.texts[pool.searched["papers"][1][0]] == "wars of teas"


def test_word_pieces_and_vectors_are_those_of_the_encoder(encoder, pool):
    network, passages = opened(encoder, pool.texts, "cpu")
    network.eval()
    ids, mask = passages.padded(torch.arange(5), 16)
    with torch.no_grad():
        vectors = torch.nn.functional.normalize(network(ids, mask), dim=1)
    np.testing.assert_allclose(vectors, encoder.encode(pool.texts[:5]), atol=1e-4)


def test_hit_sets_hold_what_is_nearest(pool):
    places = torch.arange(len(pool.texts)).float()
    vectors = torch.stack([torch.cos(places / 100), torch.sin(places / 100)], 1)
    found = found_sets(vectors, {"all": [np.arange(60, 81)]}, 3, seed=0)["all"]
    assert len(found) == 3
    for one in found:
        assert len(one.rows) == min(N_DRAWN, 21) and set(one.rows) <= set(range(60, 81))
        assert (one.labels == -1).all() and one.fold == -1


def test_training_lowers_the_loss_and_resumes_where_it_was_killed(encoder, pool, tmp_path):
    told = []

    def run(state=None, most=99):
        def tell(line):
            told.append(line)
            if len(told) > most:
                raise KeyboardInterrupt

        network, passages = opened(encoder, pool.texts, "cpu")
        steps = Steps(pool.training, {"made": 1.0}, passages.lengths, n_passages=24, seed=1)
        plan = replace(PLAN, epochs=6, measures=3)
        return train(network, passages, steps, pool.validation, plan, state=state, tell=tell)

    whole = run()
    losses = [line["loss"] for line in whole["history"][1:]]
    assert whole["steps"] == 12 and losses[-1] < losses[0]
    told.clear()
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "run.state", most=2)
    assert torch.load(tmp_path / "run.state", weights_only=True)["progress"]["step"] == 4
    told.clear()
    again = run(tmp_path / "run.state")
    assert len(told) == 2  # what was measured before is not measured again
    assert [line["step"] for line in again["history"]] == [0, 4, 8, 12]
    for line, before in zip(again["history"], whole["history"], strict=True):
        assert line["loss"] == pytest.approx(before["loss"], rel=1e-3)
        assert line["ari"] == pytest.approx(before["ari"], abs=1e-6)


def test_a_student_is_rounded_and_what_is_done_is_not_redone(encoder, pool, tmp_path):
    told = []
    run = Run(pool, RECIPE, tmp_path / "run", tell=told.append)
    result = run.distil(encoder, [encoder])
    assert [one["fold"] for one in result["teachers"]] == [0, 1]
    assert len(result["student"]["per_query_rounded"]) == len(pool.validation)
    assert -1 <= result["together"] <= 1
    from safetensors.numpy import load_file

    layers = load_file(tmp_path / "run" / "student.safetensors")
    matrices = [layer for layer in layers.values() if layer.ndim == 2]
    assert matrices and all(np.array_equal(rounded(m), m) for m in matrices)
    told.clear()
    assert run.distil(encoder, [encoder]) == result
    assert not told


def test_documents_are_drawn_by_label(tmp_path):
    file = tmp_path / "papers.jsonl"
    labels = ["a"] * 30 + ["b"] * 30 + ["rare"]
    file.write_text(
        "\n".join(json.dumps({"text": f"{n}", "label": x}) for n, x in enumerate(labels))
    )
    found = read_documents(file, 20, 5, seed=0)
    assert sorted(label for _, label in found) == ["a"] * 20 + ["b"] * 20
    assert len({text for text, _ in found}) == 40
    assert {label for _, label in read_documents(file, 20, 1, seed=0)} in ({"a"}, {"b"})
    file.write_text("{")
    with raises(BenchmarkError, file=str(file)):
        read_documents(file, 20, 5, seed=0)


def test_the_command_writes_a_result_and_rejects_another_run(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(train_encoder, "RESULTS_DIR", tmp_path / "results")
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("SUBCLUST_MODELS_DIR", str(tmp_path / "models"))
    monkeypatch.setenv("SUBCLUST_DEVICE", "cpu")
    for name, seed in (("train", 0), ("held", 1)):
        lines = [
            json.dumps(
                {
                    "query": one.query.text,
                    "passages": [
                        {"id": p.id, "text": p.text, "label": label}
                        for p, label in zip(one.passages, one.gold("flat"), strict=True)
                    ],
                }
            )
            for one in instances(4, seed)
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    words = [
        "train-encoder", "trial", "--student", str(folder), "--teacher", str(folder),
        "--train", str(tmp_path / "train.jsonl"), "--validation", str(tmp_path / "held.jsonl"),
        "--queries", "4", "--epochs", "1", "--save", "--json", "--checkpoint",
    ]  # fmt: skip
    assert main(words) == 0
    printed = json.loads(capsys.readouterr().out.splitlines()[-1])
    kept = read_result(tmp_path / "results" / "distilling" / "trial.json")
    assert kept["student"]["ari_rounded"] == pytest.approx(printed["student"]["ari_rounded"])
    assert kept["story"]["device"] == "cpu" and kept["story"]["card"] is None
    monkeypatch.setenv("SUBCLUST_ENCODER", str(folder))
    method = load_method("centred-qs3m", checkpoint="trial")
    assert method.encoder.revision != shared_encoder(Settings.from_environment()).revision
    assert method.checkpoint.card["scores"]["validation_ari"] == pytest.approx(
        printed["student"]["ari_rounded"], abs=0.02
    )
    assert len(kept["teachers"]) == 2 and kept["recipe"]["teacher_passages"] == 128
    assert main([*words, "--seed", "1"]) != 0
