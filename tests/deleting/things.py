"""One of each kind that can be deleted, and what is there."""

import io

import made_library
import numpy as np

from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.core.records import Passage
from subclust.deleting.removal import (
    delete_corrections,
    delete_library,
    delete_model,
    delete_session,
    delete_set,
)
from subclust.labelled.sets import LabelledSetStore
from subclust.text.encoders.base import HashingEncoder
from subclust.text.library.imports import ImportLog

ROWS = b"query,text,label\na,one,x\na,two,y\nb,three,x\nb,four,y\n"


def make_library(settings):
    encoder = HashingEncoder(16)
    library = made_library.make_library(settings.library_dir, encoder, [], "maps")
    with ImportLog(settings.library_dir, "maps", []) as log:
        log.storing(["a"], {})
        library.add([Passage("a", "Maps and shelves.")], encoder.encode(["Maps and shelves."]))
    return "maps"


def make_set(settings):
    store = LabelledSetStore(settings.sets_dir)
    return store.keep(store.receive(io.BytesIO(ROWS), "ants.csv"), "ants").label


def make_model(settings):
    tensors = {"head.w": np.ones((2, 2), np.float32)}
    CheckpointStore.of(settings).save(Checkpoint("qs3m", "ours", {}, tensors, {}))
    return "qs3m/ours"


def make_session(settings):
    settings.sessions_dir.mkdir(parents=True, exist_ok=True)
    (settings.sessions_dir / "abcdef012345.subclust").write_text("damaged ones go too")
    return "abcdef012345"


def make_corrections(settings):
    settings.corrections_dir.mkdir(parents=True, exist_ok=True)
    (settings.corrections_dir / "ants.json").write_text("damaged ones go too")
    return "ants"


MAKE = {
    "library": make_library,
    "set": make_set,
    "model": make_model,
    "session": make_session,
    "corrections": make_corrections,
}

DELETE = {
    "library": lambda settings, name: delete_library(settings, name),
    "set": lambda settings, name: delete_set(settings, name.partition("@")[0]),
    "model": lambda settings, name: delete_model(settings, *name.split("/")),
    "session": lambda settings, name: delete_session(settings, name),
    "corrections": lambda settings, name: delete_corrections(settings, name),
}


def content(folder):
    """Return what is in a folder, by path; locks and empty folders do not count."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(".lock")
    }
