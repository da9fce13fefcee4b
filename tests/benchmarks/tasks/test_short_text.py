import gzip
import json

import pytest

from benchmarks.tasks import TASKS
from benchmarks.tasks.long_text import CARDS as LONG_CARDS
from benchmarks.tasks.long_text import QUERIES as LONG_QUERIES
from benchmarks.tasks.long_text import whole as whole_of_parts
from benchmarks.tasks.short_text import CARDS, QUERIES, whole


@pytest.mark.parametrize("name", [card.name for card in CARDS])
def test_all_texts_are_one_query(tmp_path, name):
    path = tmp_path / "texts.jsonl.gz"
    records = [{"id": f"{name}-{i}", "text": f"text {i}", "label": str(i % 4)} for i in range(30)]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    (instance,) = whole(TASKS[name], [path])
    assert instance.query.text == QUERIES[name]
    assert [passage.text for passage in instance.passages] == [r["text"] for r in records]
    assert instance.gold() == [r["label"] for r in records]


@pytest.mark.parametrize("card", LONG_CARDS, ids=lambda card: card.name)
def test_all_texts_of_both_parts_are_one_query(tmp_path, card):
    paths = [tmp_path / f"{part}.jsonl.gz" for part in ("train", "test")]
    for path in paths:
        records = [{"id": f"{path.stem}-{i}", "text": f"t{i}", "label": str(i)} for i in range(3)]
        path.write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    (instance,) = whole_of_parts(card, paths)
    assert instance.query.text == LONG_QUERIES[card.name] and len(instance.passages) == 6
    assert len(card.other_files) == 1
