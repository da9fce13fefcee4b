"""Uploads for the tests, and what must hold of a store whatever happened to it."""

import io

from subclust.labelled.reading.checker import check_labelled_set
from subclust.labelled.sets import LabelledSetStore


def received(store, content, name="set.csv"):
    return store.receive(
        io.BytesIO(content if isinstance(content, bytes) else content.encode()), name
    )


def kept(store, content, name="set", filename="set.csv", **options):
    return store.keep(received(store, content, filename), name, **options)


def nothing_half_stored(folder):
    """Look at every folder and file of a store; give the sets, all of which are whole."""
    store = LabelledSetStore(folder)
    sets = store.sets()
    versions = [
        path
        for path in folder.glob("*/*")
        if path.parent.name != "incoming" and not path.name.startswith(".removed-")
    ]
    assert sorted(versions) == sorted(one.path.parent for one in sets)
    for one in sets:
        assert store.find(one.reference) == one  # its file is what was kept
        report = check_labelled_set(one.path)
        assert not report.errors
        assert (report.n_queries, report.n_passages) == (one.n_queries, one.n_passages)
        assert len(one.left_out) <= max(one.n_left_out, 0) or not one.left_out
    return sets


def incoming(folder):
    """List what lies among the uploads."""
    return sorted((folder / "incoming").iterdir()) if (folder / "incoming").exists() else []
