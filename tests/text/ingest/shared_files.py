"""Files that have a bit of everything, imported by one process, and what is compared."""

import json
from dataclasses import replace

import numpy as np

from subclust.text.ingest import ingest
from subclust.text.ingest.shares import ImportedFile
from subclust.text.library import PassageLibrary
from subclust.text.sources.opening import open_source

BATCH_SIZE = 7


def write(path, rows):
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def record(n, text=None):
    words = " ".join(f"word{(n * k) % 31}" for k in range(1, 14))
    return {"id": str(n), "title": f"Title {n}", "text": text or words}


def make_files(tmp_path):
    """Write files with refusals, doubled ids, near-duplicates, and passages that two share."""
    first = [record(n) for n in range(40)]
    first[5] = "{broken"
    first[9] = record(8)
    first[11] = record(7, "other words under an id that was there")
    second = [record(n) for n in range(30, 70)] + [record(3, "a new text for an old id")]
    third = [record(3), *(record(n) for n in range(65, 90)), record(100, record(80)["text"] + ".")]
    return tuple(
        ImportedFile(write(tmp_path / f"{name}.jsonl", rows), collection="papers")
        for name, rows in (("first", first), ("second", second), ("third", third))
    )


def alone(files, encoder, folder, name="alone", batch_size=BATCH_SIZE):
    return [
        ingest(
            open_source(one.path, one.format, one.collection),
            encoder,
            folder,
            name,
            batch_size=batch_size,
        )
        for one in files
    ]


def told(reports):
    """Give all that reports say but who and how long."""
    return [replace(report, library="", seconds=0.0) for report in reports]


def same(folder, one="alone", other="shared"):
    first, second = (PassageLibrary.open(folder, name) for name in (one, other))
    there, here = first.passages(), second.passages()
    assert there.passages == here.passages
    np.testing.assert_allclose(there.embeddings, here.embeddings, atol=1e-3)
    assert first.revision() == second.revision() and first.fingerprints() == second.fingerprints()
