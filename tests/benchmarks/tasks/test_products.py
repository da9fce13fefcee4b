import gzip
import json

from benchmarks.tasks import TASKS
from benchmarks.tasks.products import QUERY, lists


def write(path, records):
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    return path


def test_a_customers_products_are_a_set_without_groups(tmp_path):
    titles = ["Red pen", "Blue pen", " ", "Shredder"]
    items = [{"id": str(n), "title": title} for n, title in enumerate(titles)]
    bought = [{"user": "A", "items": ["3", "0", "3", "2"]}, {"user": "B", "items": ["1", "0"]}]
    files = [write(tmp_path / "items", items), write(tmp_path / "sequences", bought)]
    made = lists(TASKS["office_products"], files)
    assert [[p.text for p in one.passages] for one in made] == [
        ["Shredder", "Red pen"],
        ["Blue pen", "Red pen"],
    ]
    assert {one.query.text for one in made} == {QUERY}
    assert [len(set(one.gold())) for one in made] == [2, 2]
