"""CISI and Cranfield: whether the right documents are found, and kept where strangers are cut."""

import hashlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rank_fusion import RRF_K, reciprocal_rank_fusion
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import MAX_QUESTION, Hit, Query, TaskCard
from subclust.core.settings import Settings
from subclust.evaluation.significance import paired_test
from subclust.text.encoders.base import Encoder
from subclust.text.ingest import ingest
from subclust.text.library import PassageLibrary
from subclust.text.retrieval import RETRIEVAL_MODES, Retriever
from subclust.text.retrieval.relevance import STRICTNESSES, cut_of
from subclust.text.retrieval.retriever import FUSION_DEPTH
from subclust.text.sources.jsonl import JsonLines
from subclust.text.sources.textfile import TextFile

CUT = 10
METRIC = f"ndcg_at_{CUT}"

_LICENCE = "Distributed by the University of Glasgow for research"

RETRIEVAL_TASKS: dict[str, TaskCard] = {
    card.name: card
    for card in (
        TaskCard(
            name="cisi",
            label="CISI: library and information science",
            file="retrieval/cisi/docs.jsonl.gz",
            sha256="16a5bb1cc7a7dda870fa530f9312e054b5df6bf8616f6e2270cfd1ac6633a3e3",
            licence=_LICENCE,
            citation=(
                "E. A. Fox: Characterization of two new experimental collections in computer and "
                "information science containing textual and bibliographical concepts. Cornell "
                "University, TR 83-561, 1983."
            ),
            split="test",
            kind="retrieval",
            primary_metric=METRIC,
            n_queries=76,
            n_passages=1460,
        ),
        TaskCard(
            name="cranfield",
            label="Cranfield: aerodynamics",
            file="retrieval/cranfield/docs.jsonl.gz",
            sha256="87c6287196cbdaa059c03796d6e5f3ab5447af0849cd60861e3912b96dd70ccd",
            licence=_LICENCE,
            citation=(
                "C. W. Cleverdon: The Cranfield tests on index language devices. Aslib "
                "Proceedings 19, 1967, pages 173-194."
            ),
            split="test",
            kind="retrieval",
            primary_metric=METRIC,
            n_queries=225,
            n_passages=1398,
        ),
    )
}

_OTHER_FILES = {
    "cisi": {
        "queries.jsonl.gz": "a8a08a2aaf6e96adddee5614dea7e37071e9442bcf031d208ed3841987c7efa6",
        "qrels.tsv": "aba0fd27eb3bfb4884a3c62bf63aa39d324203df9c856f7cf94fa83ec9a887b6",
    },
    "cranfield": {
        "queries.jsonl.gz": "04573dfb982a178405d0096de729d77b8d92d79500d4002701152a55df739247",
        "qrels.tsv": "fca723feb3de220c8bb0fa13852e3ade7f5810332d3d6c01aca6fed05544e107",
    },
}


@dataclass(frozen=True)
class RetrievalSet:
    """Queries, and which documents answer them.

    Parameters
    ----------
    documents : Path
        JSON Lines of ``id, title, text``.
    queries : mapping of str to str
        Id to text; only queries with a document that answers them.
    relevant : mapping of str to set of str
        Query id to the ids of those documents.
    """

    documents: Path
    queries: Mapping[str, str]
    relevant: Mapping[str, frozenset[str]]


def load_retrieval_set(task: str, settings: Settings) -> RetrievalSet:
    """Read a retrieval task, its files checked by their sums.

    A document is relevant where its grade is at least 1. The grades themselves are not used:
    copies of Cranfield disagree on whether 1 or 4 is the best, and mark with -1 something that
    none explains.

    Parameters
    ----------
    task : str
        A key of `RETRIEVAL_TASKS`.
    settings : Settings
        Its `benchmark_data_dir` holds ``retrieval/<task>/``.

    Raises
    ------
    BenchmarkError
        If the task is unknown, or its files are missing or not the expected ones.
    """
    if task not in RETRIEVAL_TASKS:
        raise BenchmarkError(
            "There is no retrieval task {task!r}; known are {names}.",
            task=task,
            names=", ".join(RETRIEVAL_TASKS),
        )
    if settings.benchmark_data_dir is None:
        raise BenchmarkError(
            "No folder of benchmark data is set; set SUBCLUST_BENCHMARK_DATA_DIR to it."
        )
    card = RETRIEVAL_TASKS[task]
    documents = settings.benchmark_data_dir / card.file
    for file, digest in {documents.name: card.sha256, **_OTHER_FILES[task]}.items():
        _check(documents.parent / file, digest)
    texts: dict[str, str] = {}
    with TextFile.look(documents.parent / "queries.jsonl.gz").text() as lines:
        for line in lines:
            query = json.loads(line)
            texts[query["id"]] = query["text"]
    relevant: dict[str, set[str]] = {}
    with TextFile.look(documents.parent / "qrels.tsv").text() as lines:
        for line in list(lines)[1:]:
            query_id, document_id, grade = line.split()
            if int(grade) >= 1:
                relevant.setdefault(query_id, set()).add(document_id)
    return RetrievalSet(
        documents,
        {id_: text for id_, text in texts.items() if id_ in relevant},
        {id_: frozenset(documents) for id_, documents in relevant.items()},
    )


def ndcg(ranked: Sequence[str], gains: Mapping[str, float], cut: int = CUT) -> float:
    """Compute the normalised discounted cumulative gain of a ranking.

    K. Järvelin and J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4),
    2002; gain divided by ``log2(rank + 1)``.

    Parameters
    ----------
    ranked : sequence of str
        Document ids, best first.
    gains : mapping of str to float
        Gain of each document that has any, at least 0.
    cut : int
        Ranks that count.

    Returns
    -------
    float
        0 to 1, higher is better; nan where there is nothing to gain.
    """
    discounts = 1.0 / np.log2(np.arange(2, cut + 2))
    gained = np.array([gains.get(id_, 0.0) for id_ in ranked[:cut]])
    best = np.sort(np.array(list(gains.values()), dtype=float))[::-1][:cut]
    ideal = float(best @ discounts[: len(best)])
    return float(gained @ discounts[: len(gained)]) / ideal if ideal > 0 else float("nan")


def run_retrieval(task: str, settings: Settings, encoder: Encoder) -> dict[str, Any]:
    """Measure the retriever as the app uses it: imported, searched by words, by vector, by both.

    Parameters
    ----------
    task : str
        A key of `RETRIEVAL_TASKS`.

    Returns
    -------
    dict
        Ready for JSON. ``modes`` maps ``text``, ``vector``, ``fusion`` and ``rank-fusion`` to
        their nDCG@10 (0 to 1, higher is better): ``mean``, ``stderr`` and ``per_query`` by query
        id. ``fusion_minus`` maps each other one to a paired test of the fusion against it.
        ``cuts`` maps each strictness to precision and recall, over the hits of all queries, of
        what is told to be about them.

    Raises
    ------
    BenchmarkError
        If the data cannot be had.
    """
    data = load_retrieval_set(task, settings)
    with tempfile.TemporaryDirectory(prefix="subclust-") as folder:
        report = ingest(JsonLines(data.documents, task), encoder, Path(folder), task)
        retriever = Retriever(PassageLibrary.open(Path(folder), task), encoder)
        hits = {
            mode: {id_: _asked(retriever, text, mode) for id_, text in data.queries.items()}
            for mode in RETRIEVAL_MODES
        }
    found = {
        mode: {
            id_: [hit.passage.id.removeprefix(f"{task}:") for hit in those]
            for id_, those in ranked.items()
        }
        for mode, ranked in hits.items()
    }
    found["rank-fusion"] = {
        id_: [hit for hit, _ in reciprocal_rank_fusion([found["text"][id_], found["vector"][id_]])]
        for id_ in data.queries
    }
    scores = {
        mode: {
            id_: ndcg(hits, dict.fromkeys(data.relevant[id_], 1.0)) for id_, hits in ranked.items()
        }
        for mode, ranked in found.items()
    }
    others = [mode for mode in scores if mode != "fusion"]
    return {
        "task": task,
        "kind": "retrieval",
        "primary_metric": METRIC,
        "n_queries": len(data.queries),
        "n_documents": report.n_imported,
        "encoder": encoder.name,
        "encoder_revision": encoder.revision,
        "fusion_depth": FUSION_DEPTH,
        "rrf_k": RRF_K,
        "modes": {mode: {METRIC: _summary(values)} for mode, values in scores.items()},
        "fusion_minus": {
            part: asdict(
                paired_test(
                    list(scores["fusion"].values()),
                    list(scores[part].values()),
                    n_comparisons=len(others),
                )
            )
            for part in others
        },
        "cuts": _cuts(hits["fusion"], found["fusion"], data.relevant),
    }


def _asked(retriever: Retriever, text: str, mode: Any) -> tuple[Hit, ...]:
    """Ask a question; one of CISI is longer than any that the product reads, and is cut."""
    text = text[:MAX_QUESTION]
    return retriever.search(Query(text, words=text), FUSION_DEPTH, mode).hits


def _cuts(
    hits: Mapping[str, Sequence[Hit]],
    found: Mapping[str, Sequence[str]],
    relevant: Mapping[str, frozenset[str]],
) -> dict[str, dict[str, float]]:
    """Compute precision and recall, over the hits of all queries, of what each cut keeps.

    Nothing where the hits have no probabilities: the encoder is one that none were learnt for.
    """
    right: list[bool] = []
    kept: dict[str, list[bool]] = {strictness: [] for strictness in STRICTNESSES}
    for id_, those in hits.items():
        probabilities = [hit.relevance for hit in those if hit.relevance is not None]
        if len(probabilities) < len(those):
            return {}
        right += [one in relevant[id_] for one in found[id_]]
        relevance = np.array(probabilities)
        for strictness, keeps in kept.items():
            keeps += (relevance >= cut_of(relevance, strictness)).tolist()
    is_right = np.array(right)
    return {
        strictness: {
            "precision": round(float(is_right[keeps].mean()), 4),
            "recall": round(float(is_right[keeps].sum() / max(is_right.sum(), 1)), 4),
        }
        for strictness, keeps in kept.items()
    }


def _summary(scores: Mapping[str, float]) -> dict[str, Any]:
    values = np.array(list(scores.values()))
    return {
        "mean": round(float(values.mean()), 6),
        "stderr": round(float(values.std(ddof=1) / np.sqrt(len(values))), 6),
        "per_query": {id_: round(score, 6) for id_, score in scores.items()},
    }


def _check(path: Path, sha256: str) -> None:
    if not path.is_file():
        raise BenchmarkError(
            "The benchmark file {path} is missing; put it there, or set "
            "SUBCLUST_BENCHMARK_DATA_DIR to the folder that holds 'retrieval'.",
            path=path,
        )
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != sha256:
        raise BenchmarkError(
            "{path} is not the file of this task (sha256 {digest}…, expected {sha256}…); get it "
            "again.",
            path=path,
            digest=digest[:12],
            sha256=sha256[:12],
        )
