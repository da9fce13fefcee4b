import gzip
import json

from benchmarks.tasks import TASKS
from benchmarks.tasks.newsgroups20 import QUERY, sets, training, validation


def test_sets_of_50_four_fifths_of_them_for_training(tmp_path):
    path = tmp_path / "posts.jsonl.gz"
    records = [
        {"id": f"sci.space/{i}", "title": "Re: moon", "text": f"post {i}", "label": f"g{i % 20}"}
        for i in range(530)
    ]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    card = TASKS["newsgroups20_sets_train"]
    whole = sets(card, [path])
    assert [len(instance.passages) for instance in whole] == [50] * 10
    assert training(card, [path]) + validation(card, [path]) == whole
    assert (len(training(card, [path])), len(validation(card, [path]))) == (8, 2)
    assert {instance.query.text for instance in whole} == {QUERY}
    assert len({p.id for instance in whole for p in instance.passages}) == 500
    # Drawn by lot, so that a set has posts of nearly all groups, and of the file's whole length.
    assert min(len(set(instance.gold())) for instance in whole) >= 14
