"""Labelled sets that are kept, and the Train page opened on one of them."""

import gzip
import json

from app_files import PAGES
from streamlit.testing.v1 import AppTest

QUERIES = [f"query {number}" for number in range(30)]


def open_set(label):
    train = AppTest.from_file(PAGES / "train.py", default_timeout=120)
    train.query_params["set"] = label
    train.run()
    assert not train.exception
    return train


def keep(store, folder, name, queries):
    lines = [
        {
            "query": query,
            "passages": [
                {"text": f"{word} {query}", "label": label}
                for label in ("left", "right")
                for word in ("one", "two")
            ],
        }
        for query in queries
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path = folder / f"{name}.jsonl.gz"
    folder.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))
    with path.open("rb") as stream:
        store.keep(store.receive(stream, path.name), name)
