import gzip
import hashlib
import json
from dataclasses import replace
from unittest.mock import ANY

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises
from sklearn.metrics import ndcg_score

from benchmarks import retrieval_tasks
from benchmarks.retrieval_tasks import (
    METRIC,
    RETRIEVAL_TASKS,
    load_retrieval_set,
    ndcg,
    run_retrieval,
)
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import Hit, Passage
from subclust.core.settings import Settings
from subclust.text.encoders.base import HashingEncoder

SUBJECTS = ["maps", "books", "storms", "war"]


@given(
    gains=st.lists(st.sampled_from([0.0, 0.0, 1.0, 2.0, 3.0]), min_size=2, max_size=15).filter(any),
    cut=st.integers(1, 12),
    seed=st.integers(0, 99),
)
def test_ndcg_against_scikit_learn(gains, cut, seed):
    order = np.random.default_rng(seed).permutation(len(gains))
    ranked = [str(document) for document in order]
    ranks = np.empty(len(gains))
    ranks[order] = -np.arange(len(gains))
    expected = ndcg_score([gains], [ranks], k=cut)
    given_gains = {str(n): gain for n, gain in enumerate(gains) if gain}
    assert ndcg(ranked, given_gains, cut) == pytest.approx(expected)


def test_ndcg_at_the_ends():
    assert ndcg(["a", "b"], {"a": 1, "b": 1}) == 1
    assert ndcg(["x", "a"], {"a": 1}) == pytest.approx(1 / np.log2(3))
    assert ndcg(["x"], {"a": 1}) == ndcg([], {"a": 1}) == 0
    assert np.isnan(ndcg(["a"], {}))
    assert ndcg([f"x{n}" for n in range(10)] + ["a"], {"a": 1}) == 0


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """A task of 12 documents in the place of CISI."""
    folder = tmp_path / "retrieval" / "cisi"
    folder.mkdir(parents=True)
    documents = [
        {"id": str(n), "title": SUBJECTS[n % 4], "text": f"Note {n} on {SUBJECTS[n % 4]}."}
        for n in range(12)
    ]
    queries = [{"id": f"q{n}", "text": f"all about {s}"} for n, s in enumerate(SUBJECTS)]
    queries.append({"id": "unjudged", "text": "nobody knows"})
    qrels = ["query_id\tdoc_id\tgrade", "q0\t1\t-1", "q3\t2\t0", "unjudged\t1\t-1"]
    qrels += [f"q{n % 4}\t{n}\t{1 + n % 3}" for n in range(12)]
    files = {
        "docs.jsonl.gz": gzip.compress("\n".join(map(json.dumps, documents)).encode()),
        "queries.jsonl.gz": gzip.compress("\n".join(map(json.dumps, queries)).encode()),
        "qrels.tsv": "\n".join(qrels).encode(),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    card = replace(RETRIEVAL_TASKS["cisi"], sha256=sums.pop("docs.jsonl.gz"))
    monkeypatch.setitem(retrieval_tasks.RETRIEVAL_TASKS, "cisi", card)
    monkeypatch.setitem(retrieval_tasks._OTHER_FILES, "cisi", sums)
    return Settings(data_dir=tmp_path / "data", benchmark_data_dir=tmp_path)


def test_loading(tiny):
    data = load_retrieval_set("cisi", tiny)
    assert set(data.queries) == {"q0", "q1", "q2", "q3"}
    assert data.relevant["q0"] == {"0", "4", "8"}
    assert data.relevant["q3"] == {"3", "7", "11"}


def test_running(tiny):
    result = run_retrieval("cisi", tiny, HashingEncoder())
    json.dumps(result)
    assert (result["n_documents"], result["n_queries"]) == (12, 4)
    assert set(result["modes"]) == {"text", "vector", "fusion", "rank-fusion"}
    assert set(result["fusion_minus"]) == {"text", "vector", "rank-fusion"}
    assert result["cuts"] == {}
    for scores in result["modes"].values():
        assert set(scores[METRIC]["per_query"]) == {"q0", "q1", "q2", "q3"}
        assert 0 <= scores[METRIC]["mean"] <= 1
    # Each query names its subject, and so do title and text of just the relevant documents.
    assert result["modes"]["text"][METRIC]["mean"] == 1
    assert result["fusion_minus"]["text"]["n_queries"] == 4
    assert result == run_retrieval("cisi", tiny, HashingEncoder())


def test_the_cut_is_measured_over_the_hits_of_all_queries():
    def hits(*relevance):
        return [Hit(Passage(str(n), "x"), n + 1, 0.0, one) for n, one in enumerate(relevance)]

    cuts = retrieval_tasks._cuts(
        {"a": hits(0.9, 0.9, 0.01), "b": hits(0.8, 0.02)},
        {"a": ["1", "2", "3"], "b": ["1", "4"]},
        {"a": frozenset({"1", "3"}), "b": frozenset({"1"})},
    )
    assert cuts["all"] == {"precision": 0.6, "recall": 1.0}
    assert cuts["usual"] == pytest.approx({"precision": 2 / 3, "recall": 2 / 3}, abs=1e-4)
    assert retrieval_tasks._cuts({"a": hits(None)}, {"a": ["1"]}, {"a": frozenset("1")}) == {}


def test_what_cannot_be_had_is_said(tiny):
    with raises(BenchmarkError, names="cisi, cranfield", task="trec"):
        load_retrieval_set("trec", tiny)
    with raises(BenchmarkError):
        load_retrieval_set("cisi", replace(tiny, benchmark_data_dir=None))
    with raises(BenchmarkError, path=ANY):
        load_retrieval_set("cranfield", tiny)
    (tiny.benchmark_data_dir / "retrieval" / "cisi" / "qrels.tsv").write_text("other")
    with raises(BenchmarkError, path=ANY):
        load_retrieval_set("cisi", tiny)


def test_cards():
    assert all(name == card.name for name, card in RETRIEVAL_TASKS.items())
    assert {card.kind for card in RETRIEVAL_TASKS.values()} == {"retrieval"}
    assert {card.primary_metric for card in RETRIEVAL_TASKS.values()} == {METRIC}
