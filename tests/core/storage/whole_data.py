"""A data folder with a file of every kind, and what a page or a command asks of each."""

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import torch
from corrected_maps import make_map
from hostile_map import ORIGIN, hostile_map
from label_sets import kept
from made_library import make_library, notes
from saved_corrections import basis_of

from subclust.core.records import Hit
from subclust.core.settings import Settings
from subclust.core.storage.damaged import Damaged
from subclust.jobs import Job, JobStore, job_view, job_views
from subclust.labelled import corrections as curation
from subclust.labelled.corrections import CorrectionStore, History, kept_groups, replay
from subclust.labelled.sets import LabelledSetStore
from subclust.methods.cactus.similarity import KeptSets
from subclust.sessions import SessionStore, session_of
from subclust.text.encoders import CachedEncoder, HashingEncoder
from subclust.text.encoders.lower_states import LowerStates
from subclust.text.ingest.harvest import HarvestState
from subclust.text.ingest.import_record import ImportRecord, read_account
from subclust.text.ingest.near_duplicates import KnownSignatures, near_duplicates
from subclust.text.ingest.report import IngestReport
from subclust.text.library import PassageLibrary
from subclust.text.library.browse import PassageFilter, browse
from subclust.text.library.catalogue import catalogue
from subclust.text.library.folder import Pointer
from subclust.text.library.imports import ImportLog, brought_alone, read_imports
from subclust.text.library.names import name_of, rename_library
from subclust.text.library.versions import versions
from subclust.text.sources.live.base import LiveRequest
from subclust.text.sources.live.pace import Pace
from subclust.text.sources.live.transport import AnswerCache
from subclust.themes import KeptThemes, ThemesRequest, ThemeStore
from subclust.training.augmentation.wordings import augmented
from subclust.training.loop.state import _read_state, write_state
from subclust.training.split import QuerySplit

Ask = Callable[[Settings], object]
Listed = tuple[list[str], list[Damaged]]

ENCODER = HashingEncoder(16)
TEXTS = [f"text number {number} of many" for number in range(40)]
VECTORS = np.ones((20, 4), dtype=np.float32)
MAP = make_map({0: "abc", 1: "de", -1: "f"})
KEY = "0123456789abcdef"


def make(folder: Path) -> None:
    """Fill a data folder as work of all kinds does."""
    settings = Settings(data_dir=folder)
    for encode in (embeddings, wordings, cactus_sets, hidden_states, answers, pace):
        encode(settings)
    for name in ("good", "harmed"):
        library = make_library(settings.library_dir, ENCODER, notes(), name)
        signatures(settings, name)
        with ImportLog(settings.library_dir, name, [Path("notes.csv")]) as log:
            log.storing([one.id for one in notes()[:4]], ())
            log.found([notes()[5].id])
        rename_library(settings.library_dir, name, f"The {name} one")
        Pointer(1, None, None, 1).save(settings.library_dir, name)
        assert library.count() == 24
        _job(settings, name)
        _kept(settings, name)


def _job(settings: Settings, name: str) -> None:
    store = JobStore(settings.jobs_dir)
    store.save(Job(name, ("import", "notes.csv"), kind="import", title=name, outcome="cancelled"))
    folder = store.path(name)
    record = ImportRecord(folder, name, [Path("notes.csv")], [None], lambda stage: None)
    record.begin(0)
    record.stored(3, 3)
    record.end(IngestReport(name, 3, 3, 0, 0, (), 1, 0.5), "CSV")
    record.preparing(1, 2)
    (folder / "log.txt").write_text("Said something.\n")
    QuerySplit(0, 0.5, ("a",), ("b",), ({"name": "x", "part": "training"},)).write(folder)
    write_state(folder, {"x": torch.ones(3)}, {"step": 3})


def _kept(settings: Settings, name: str) -> None:
    rows = "query,text,label\n" + "".join(f"{name} {n % 2},text {n},{n // 4}\n" for n in range(8))
    sets = LabelledSetStore(settings.sets_dir)
    kept(sets, f"{rows}{name} 0,,x\n", name, without_errors=True)
    edits = (curation.move(MAP, ["a"], 1), curation.rename(MAP, 0, "New"))
    groups = kept_groups(replay(MAP, edits))
    store = CorrectionStore(settings.corrections_dir)
    store.save(name, basis_of(MAP), History(edits[:1], edits[1:]), groups, known=None)
    answer = hostile_map()
    hits = [Hit(m.passage, m.rank, 1 / (60 + m.rank)) for g in answer.subtopics for m in g.passages]
    header = SessionStore(settings.sessions_dir).save(
        session_of(answer, hits, ORIGIN, address={}), name
    )
    place = settings.sessions_dir / f"{header.id}.subclust"
    (settings.sessions_dir / f"{name:0<12}.subclust").write_text(
        place.read_text(encoding="utf-8").replace(header.id, f"{name:0<12}"), encoding="utf-8"
    )
    place.unlink()
    state = HarvestState("arxiv", LiveRequest(name), name, "all of it", place="10")
    state.save(_made(settings.harvests_dir))
    (settings.harvests_dir / f"{state.name}.json").rename(settings.harvests_dir / f"{name}.json")
    themes = KeptThemes(
        key=KEY if name == "harmed" else "f" * 16,
        request=ThemesRequest(name),
        n_themes_source="user",
        names={0: "Ants", 1: "Tea"},
        ids=("a", "b", "c"),
        labels=np.array([0, 0, 1]),
        strengths=np.ones(3),
        coordinates=np.zeros((3, 2)),
        projection="pca",
        seconds=1.0,
        told={"names": "keywords"},
    )
    ThemeStore(settings.themes_dir).save(themes)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def embeddings(settings: Settings) -> object:
    return CachedEncoder(ENCODER, settings.embeddings_dir).encode(TEXTS)


def wordings(settings: Settings) -> object:
    folder = settings.embeddings_dir / "augmented"
    return augmented(TEXTS, "upper", lambda texts: [text.upper() for text in texts], folder)


def cactus_sets(settings: Settings) -> object:
    sets = KeptSets(settings.embeddings_dir / "sets" / "model.sqlite")
    found = sets.get(b"one")
    if found is None:
        sets.add(b"one", VECTORS)
    assert found is None or (found == VECTORS).all()
    return VECTORS


def hidden_states(settings: Settings) -> object:
    states = LowerStates(settings.embeddings_dir / "lower-states" / "tiny", 4, torch.float32)
    rows = {text: torch.full((3, 4), number + 1.0) for number, text in enumerate(TEXTS)}
    found = states.get(TEXTS)
    states.add({text: rows[text] for text in TEXTS if text not in found})
    return torch.cat([found.get(text, rows[text]) for text in TEXTS]).numpy()


def signatures(settings: Settings, name: str = "harmed") -> object:
    library = PassageLibrary.open(settings.library_dir, name)
    return near_duplicates(library, KnownSignatures(settings.library_dir, name)).n_passages


def answers(settings: Settings) -> object:
    cache = AnswerCache(settings.live_dir, 1e9)
    found = cache.get("question")
    if found is None:
        cache.put("question", b"answer", 1e9)
    return b"answer" if found is None else found[0]


def pace(settings: Settings) -> object:
    with Pace(settings.live_dir / "host.next", 0.0, "Service", sleep=lambda _: None).turn(1.0):
        return None


def library(settings: Settings) -> object:
    opened = PassageLibrary.open(settings.library_dir, "harmed")
    name_of(settings.library_dir, "harmed")
    opened.search_vector(ENCODER.encode(["taxes on tea"])[0], 5)
    opened.search_text("taxes on tea", 5)
    opened.collections(), list(opened.skim()), opened.revision()
    versions(settings.library_dir, "harmed")
    return browse(opened, PassageFilter(words="taxes")).n_passages


def imports(settings: Settings) -> object:
    for one in read_imports(settings.library_dir, "harmed"):
        brought_alone(settings.library_dir, "harmed", one.id)
    return None


def job(settings: Settings) -> object:
    store = JobStore(settings.jobs_dir)
    view = job_view(store, "harmed")
    view.log_tail(), view.to_dict(curves=True)
    account = read_account(view.folder)
    if account is not None:
        account.total("n_read"), account.n_stored, account.is_whole
    QuerySplit.read(view.folder), _read_state(view.folder)
    return None


def labelled_set(settings: Settings) -> object:
    found = LabelledSetStore(settings.sets_dir).find("set:harmed@1")
    return [one.reasons for one in found.left_out], found.n_queries + found.n_passages


def corrections(settings: Settings) -> object:
    return CorrectionStore(settings.corrections_dir).load("harmed").facts()


def session(settings: Settings) -> object:
    return SessionStore(settings.sessions_dir).load("harmed000000")


def harvest(settings: Settings) -> object:
    state = HarvestState.load(settings.harvests_dir, "harmed")
    return str(replace(state, n_records=state.n_records + 1)), asdict(state)


def themes(settings: Settings) -> object:
    found = ThemeStore(settings.themes_dir).load(KEY)
    return found.sizes(), found.ids_of(0), found.n_themes


FILES: dict[str, Ask] = {
    "embeddings/*.sqlite": embeddings,
    "embeddings/augmented/*.sqlite": wordings,
    "embeddings/sets/*.sqlite": cactus_sets,
    "embeddings/lower-states/*.states": hidden_states,
    "embeddings/lower-states/*.index": hidden_states,
    "library/.harmed.alike.npy": signatures,
    "library/.harmed.versions.json": library,
    "library/.harmed.name.json": library,
    "library/.harmed.imports/*": imports,
    "library/harmed.lance/**/*": library,
    "jobs/harmed/*": job,
    "jobs/harmed/state/*": job,
    "sets/harmed/1/*": labelled_set,
    "corrections/harmed.json": corrections,
    "sessions/harmed*.subclust": session,
    "live/*": answers,
    "live/host.next": pace,
    "harvests/harmed.json": harvest,
    f"themes/{KEY}/*": themes,
}
"""Each kind of file, and who reads it."""

CACHES = (embeddings, wordings, cactus_sets, hidden_states, signatures, answers)
"""What is made again must be as it was."""


def _libraries(settings: Settings) -> Listed:
    entries = catalogue(settings.library_dir)
    told = [Damaged(one.name, one.problem) for one in entries if one.problem]
    return [one.name for one in entries if not one.problem], told


def _jobs(settings: Settings) -> Listed:
    store = JobStore(settings.jobs_dir)
    return [one.job.id for one in job_views(store)], store.damaged()


def _sets(settings: Settings) -> Listed:
    store = LabelledSetStore(settings.sets_dir)
    return [one.name for one in store.sets()], store.damaged()


def _corrections(settings: Settings) -> Listed:
    store = CorrectionStore(settings.corrections_dir)
    return [one.facts()["name"] for one in store.all()], store.damaged()


def _sessions(settings: Settings) -> Listed:
    store = SessionStore(settings.sessions_dir)
    return [one.name for one in store.headers()], store.damaged()


def _harvests(settings: Settings) -> Listed:
    folder = settings.harvests_dir
    return [one.library for one in HarvestState.all(folder)], HarvestState.damaged(folder)


def _themes(settings: Settings) -> Listed:
    store = ThemeStore(settings.themes_dir)
    return [one.request.library for one in store.all()], store.damaged()


LISTS: dict[str, Callable[[Settings], Listed]] = {
    "library": _libraries,
    "jobs": _jobs,
    "sets": _sets,
    "corrections": _corrections,
    "sessions": _sessions,
    "harvests": _harvests,
    "themes": _themes,
}
"""Of each store, what can be read and what is damaged."""
