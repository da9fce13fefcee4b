"""Imports done as a worker does them, and what the Library page then says."""

import io
import time
from contextlib import suppress

from subclust.jobs import Job, JobStore
from subclust.text.encoders import HashingEncoder
from subclust.text.ingest.import_record import ImportRecord
from subclust.text.ingest.local import ingest
from subclust.text.ingest.uploads import receive_file
from subclust.text.library.imports import ImportLog
from subclust.text.sources.opening import open_source

RIS = "TY  - JOUR\nTI  - Maps {0}\nAB  - About maps and shelves, number {0}.\nPY  - {1}\nER  - \n\n"
CSV = "id,text,language\n1,About maps and shelves.,eng\n2,,eng\n3,Über Bücher und Regale.,ger\n"


def checked(page):
    assert not page.exception
    return page


def said(page):
    kinds = (page.info, page.warning, page.error, page.success, page.markdown, page.caption)
    return " ".join(one.value for kind in kinds for one in kind).replace("\\", "")


def button(page, label):
    return next(one for one in page.button if label in one.label)


def records(n=30):
    return "".join(RIS.format(n, 1990 + n) for n in range(n)).encode()


def imported(data, *files, name="mine", state="finished", **changes):
    """Do an import as its worker does, and write its record."""
    store, encoder = JobStore(data / "jobs"), HashingEncoder()
    paths = []
    for filename, content in files:
        paths.append(receive_file(data / "uploads", io.BytesIO(content), filename).path)
    id_ = f"import-{name}"
    words = ("import", *map(str, paths), "--library", name)
    now = time.time()
    ended = {"outcome": state, "finished": now} if state in ("finished", "cancelled") else {}
    facts = {"kind": "import", "title": f"{name}/{files[0][0]}", "device": "cpu", "created": now,
             "queued_at": now, "started": now, "pid": 1, "process_started": 1.0}  # fmt: skip
    store.save(Job(id_, words, **facts | ended | changes))
    record = ImportRecord(store.path(id_), name, paths, [None] * len(paths), lambda stage: None)
    with (
        suppress(KeyboardInterrupt),
        ImportLog(data / "library", name, paths, job=id_) as log,
    ):
        for number, path in enumerate(paths):
            record.begin(number)
            source = open_source(path)
            report = ingest(source, encoder, data / "library", name, watcher=record, log=log)
            record.end(report, source.label)
        if state == "cancelled":
            raise KeyboardInterrupt  # as if it had been stopped while it looked on
    return id_
