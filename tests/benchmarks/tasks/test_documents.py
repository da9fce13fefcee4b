import gzip
import json
import random

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.tasks.documents import grouped, read_documents, shuffled
from subclust.core.records import Passage


def passages(n):
    return [Passage(f"d{i}", f"text {i}", label=f"l{i % 3}", path=f"l{i % 3}") for i in range(n)]


def test_documents_are_read_in_the_order_of_the_file(tmp_path):
    path = tmp_path / "documents.jsonl.gz"
    records = [
        {"id": "b", "title": "One", "text": "Zürich and λ", "label": "x", "date": "2001-01-01"},
        {"id": "a", "text": "two", "label": "y"},
    ]
    path.write_bytes(
        gzip.compress("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records).encode())
    )
    assert read_documents(path) == [
        Passage("b", "Zürich and λ", title="One", label="x", path="x"),
        Passage("a", "two", label="y", path="y"),
    ]


def test_the_drawn_order_is_the_same_everywhere():
    # The order of the digests of "0\na" to "0\nf", computed with sha256sum.
    assert shuffled("abcdef", 0, str) == ["d", "a", "b", "f", "e", "c"]
    assert shuffled("abcdef", 1, str) != shuffled("abcdef", 0, str)


@given(st.permutations(list("abcdefgh")), st.integers(0, 9))
def test_the_drawn_order_does_not_depend_on_the_order_before(items, seed):
    assert shuffled(items, seed, str) == shuffled(sorted(items), seed, str)
    assert sorted(shuffled(items, seed, str)) == sorted(items)


def test_every_place_is_equally_likely():
    first = [shuffled("abcd", seed, str)[0] for seed in range(400)]
    assert all(70 < first.count(letter) < 130 for letter in "abcd")


def test_sets_have_one_size_and_share_nothing():
    documents = passages(23)
    sets = grouped(documents, "posts", 5, seed=3)
    assert [len(i.passages) for i in sets] == [5] * 4
    assert {i.query.text for i in sets} == {"posts"}
    ids = [p.id for i in sets for p in i.passages]
    assert len(set(ids)) == 20 and ids != sorted(ids)
    assert sets == grouped(random.Random(0).sample(documents, 23), "posts", 5, seed=3)
    assert sets != grouped(documents, "posts", 5, seed=4)
    assert len(grouped(passages(25), "posts", 5, seed=3)) == 5
    assert grouped(passages(4), "posts", 5, seed=3) == []
