"""A data folder in which every text that comes from outside tries to be something else."""

import io
import json
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hostile_map import ORIGIN, hostile_map

from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.cli import main
from subclust.core.records import Hit, Query
from subclust.core.settings import Settings
from subclust.jobs import Job, JobStore
from subclust.labelled.corrections import (
    Basis,
    CorrectionStore,
    History,
    kept_groups,
    rename,
    replay,
)
from subclust.labelled.sets import LabelledSetStore
from subclust.sessions import SessionStore, session_of
from subclust.text.encoders import HashingEncoder
from subclust.text.ingest.import_record import ImportRecord
from subclust.text.ingest.report import IngestReport
from subclust.text.library import PassageLibrary
from subclust.text.library.names import settle_name
from subclust.text.sources.base import Refusal
from subclust.themes import KeptThemes, ThemesRequest, ThemeStore

HOSTILE = {
    "markup": "<script>BAD()</script><img src=x onerror=BAD()><bad>BAD",
    "links": '[BAD](javascript:BAD()) [BAD](data:text/html,BAD) <a href="javascript:BAD()">BAD</a>',
    "markdown": "![BAD](https://evil.example/x.png) **BAD** `BAD` $BAD$ $$BAD$$ ~~BAD~~",
    "directives": ":red[BAD] :blue-background[BAD] :material/bad: :small[BAD] https://evil.example",
    "entities": "]]>&lt;script&gt;&#60;b&#62;BAD--></style></script></textarea>'\"",
    "formula": "=BAD()",
    "formula, later": "\t@BAD",
    "terminal": "BAD\x1b[2J\x9b31m\x07\x08",
    "lines": "BAD\r\nTY  - BAD\r\nER  - \n}\n2001-01-01T00:00:00 info BAD\u2028BAD\x85BAD",
    "bidi": "BAD\u202egnp.exe\u2066\u200b\u200f\ufeff",
    "zero": "BAD\x00\ufffe",
    "long": "BAD" * 300,
}
"""Texts that a program further on could take amiss; all have BAD in them."""

ONE = " ".join(text for name, text in HOSTILE.items() if name not in ("lines", "zero", "long"))
"""Most of them as one line."""

NAME = "=BAD <bad>BAD</b> [BAD](javascript:BAD) :red[BAD] $BAD$"
"""What may be a name where names are checked."""


def documents():
    """Yield records of an import file: each text in each place."""
    for number, text in enumerate([*HOSTILE.values(), ONE]):
        yield {
            "id": f"{number} {text[:60]}",
            "title": text,
            "abstract": f"{text} tea and ships in the harbour of the town, {number}. {text}",
            "authors": [text, "Smith, Anna"],
            "year": text[:30],
            "venue": text,
            "doi": text[:90],
            "url": ("javascript:BAD()", "data:text/html,BAD", f"https://a.example/{text[:40]}")[
                number % 3
            ],
            "keywords": [text],
            "label": text[:90],
        }


@contextmanager
def planted_in(folder):
    """Give settings whose data folder is filled, in the environment too, and the library's id."""
    settings = Settings(
        data_dir=folder / "data", models_dir=folder / "models", encoder="hashing", device="cpu"
    )
    settings.data_dir.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.to_environment().items():
            patch.setenv(name, value)
        yield settings, plant(settings)


def plant(settings):
    """Fill the data folder of some settings by every way in; return the id of the library."""
    inbox = settings.data_dir.parent / "inbox"
    inbox.mkdir()
    file = inbox / "=BAD <bad>BAD :red[BAD] $BAD$.jsonl"
    lines = [json.dumps(one) for one in documents()]
    file.write_text("\n".join([*lines, "{" + ONE, json.dumps({"title": [ONE]})]))
    id_ = settle_name(settings.library_dir, NAME)
    assert main(["import", str(file), "--library", id_, "--collection", NAME]) == 0
    _models(settings)
    answer = _answer()
    _session(settings, answer)
    _corrections(settings, answer, id_)
    _themes(settings, id_)
    _sets(settings)
    _jobs(settings, id_)
    return id_


def _models(settings):
    encoder = HashingEncoder()
    card = {
        "summary": ONE, "limits": ONE, "intended_use": ONE, "citation": ONE, "licence": ONE,
        "created": ONE, "parent": ONE, "judgement_elsewhere": {"sentence": ONE, "verdict": ONE},
        "scores": {ONE: 0.5}, "training": {ONE: ONE}, "training_data": [{"name": ONE}],
    }  # fmt: skip
    config = {
        "model": {"embedding_dim": encoder.embedding_dim}, "encoder_revision": encoder.revision
    }  # fmt: skip
    weights = {"head.w": np.ones((2, 2), np.float32)}
    CheckpointStore.of(settings).save(Checkpoint("qs3m", "evil", config, weights, card))


def _answer():
    """Return an answer whose groups and passages have such names and texts."""
    answer = hostile_map()
    groups = [
        replace(
            group,
            name=f"{NAME} {group.id}",
            passages=tuple(
                replace(m, passage=replace(m.passage, title=ONE, text=f"{ONE} {m.passage.text}"))
                for m in group.passages
            ),
        )
        for group in answer.subtopics
    ]
    return replace(answer, query=Query(NAME), subtopics=tuple(groups))


def _session(settings, answer):
    hits = [Hit(m.passage, m.rank, 1.0) for g in answer.subtopics for m in g.passages]
    kept = session_of(answer, hits, ORIGIN, address={"q": NAME})
    SessionStore(settings.sessions_dir).save(kept, NAME)


def _corrections(settings, answer, id_):
    basis = Basis(ONE, id_, "hashing", "", "tfidf", None, "", 0, 2, "0.1.0", {"q": NAME})
    edits = (rename(answer, 0, NAME),)
    CorrectionStore(settings.corrections_dir).save(
        "evil", basis, History(edits, ()), kept_groups(replay(answer, edits)), known=None
    )


def _themes(settings, id_):
    themes = KeptThemes(
        key="f" * 16,
        request=ThemesRequest(id_, filters=(f"collection={NAME}",)),
        n_themes_source="user",
        names={0: NAME, 1: ONE},
        ids=tuple(sorted(PassageLibrary.open(settings.library_dir, id_).fingerprints()))[:3],
        labels=np.array([0, 0, 1]),
        strengths=np.ones(3),
        coordinates=np.zeros((3, 2)),
        projection="umap",
        seconds=1.0,
        told={"names": "keywords"},
    )
    ThemeStore(settings.themes_dir).save(themes)


def _sets(settings):
    store = LabelledSetStore(settings.sets_dir)
    rows = [
        {"query": f"{NAME} {q}", "passages": [
            {"text": f"{ONE} {q} {p}", "title": ONE, "label": f"{NAME} {p % 2}"} for p in range(6)
        ]}
        for q in range(4)
    ]  # fmt: skip
    content = "\n".join(map(json.dumps, rows)).encode()
    store.keep(
        store.receive(io.BytesIO(content), f"{NAME}.jsonl".replace("/", "")), "evil", title=ONE
    )


def _jobs(settings, id_):
    store = JobStore(settings.jobs_dir)
    words = ("import", f"/x/{NAME}.ris", "--library", id_)
    told = {"outcome": "failed", "finished": 2.0, "error": ONE}
    store.save(Job("evil", words, kind="import", title=f"{id_}/{NAME}", queued_at=1.0, **told))
    words = ("train", "qs3m", "--data", "set:evil@1", "--name", "x")
    store.save(Job("trained", words, kind="train", title="qs3m/x", queued_at=1.0, **told))
    (store.path("evil") / "log.txt").write_text("\n".join(HOSTILE.values()))
    told = {"outcome": "finished", "finished": 2.0}
    words = ("import", f"/x/{NAME}.ris", "--library", id_)
    store.save(Job("refused", words, kind="import", title=f"{id_}/x", queued_at=1.0, **told))
    record = ImportRecord(
        store.path("refused"), id_, [Path(f"/x/{NAME}.ris")], [None], lambda stage: None
    )
    record.begin(0)
    refusals = tuple(
        Refusal(f"row {n}", text, text, text[:40], text, {text[:40]: text})
        for n, text in enumerate((ONE, *HOSTILE.values()))
    )
    report = IngestReport(
        id_, len(refusals), 0, 0, len(refusals), refusals, 0, 0.5, reasons={ONE: 2, NAME: 1}
    )
    record.end(report, ONE)
