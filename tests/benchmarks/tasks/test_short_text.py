import gzip
import json

import pytest

from subclust.benchmarks.tasks import TASKS
from subclust.benchmarks.tasks.short_text import CARDS, QUERIES, whole


@pytest.mark.parametrize("name", [card.name for card in CARDS])
def test_all_texts_are_one_query(tmp_path, name):
    path = tmp_path / "texts.jsonl.gz"
    records = [{"id": f"{name}-{i}", "text": f"text {i}", "label": str(i % 4)} for i in range(30)]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    (instance,) = whole(TASKS[name], [path])
    assert instance.query.text == QUERIES[name]
    assert [passage.text for passage in instance.passages] == [r["text"] for r in records]
    assert instance.gold() == [r["label"] for r in records]
