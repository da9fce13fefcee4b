"""Which words are encoded before anybody asks."""

import numpy as np

from subclust.core.records import Query
from subclust.grouping.naming import HeadingNamer
from subclust.grouping.naming.phrases import vocabulary
from subclust.text.encoders import CachedEncoder, reading

TEXTS = [
    "Bees build hives. The hive's wax is theirs, https://wax.example/wax says.",
    "Wax of the hive; bees and ants, 12 of them.",
    "Ants build no hive: they dig.",
]


def test_words_of_two_texts_are_listed_as_they_are_spelt_the_commonest_first():
    words = vocabulary(TEXTS)
    assert words[0] == "hive"  # in three texts, with and without its ending
    assert set(words) == {"hive", "build"}


def test_signs_stop_words_numbers_and_addresses_are_none():
    assert (
        vocabulary(["the 12 of https://a.example & <b>", "the 12 of https://a.example & <b>"]) == []
    )
    assert vocabulary([]) == []


def test_the_rarest_go_where_there_are_too_many():
    texts = ["wax honey pollen", "wax honey pollen", "wax honey", "wax"]
    assert vocabulary(texts, most=2) == ["wax", "honey"]


def test_a_name_reads_the_words_and_writes_nothing(encoder, tmp_path):
    cached = CachedEncoder(encoder, tmp_path)
    cached.encode(["honey", "wax"])
    before = cached.file.read_bytes()
    asked = []

    class Counting(type(encoder)):
        def _encode(self, texts, query, progress):
            asked.extend(texts)
            return super()._encode(texts, query, progress)

    reader = reading(CachedEncoder(Counting(encoder.embedding_dim), tmp_path))
    texts = ["honey", "honey", "wax", "wax"]
    names = HeadingNamer(reader.encode).name(
        Query("honey"), texts, np.array([0, 0, 1, 1]), embeddings=encoder.encode(texts)
    )
    assert names[1] == "Wax"
    assert asked == []
    assert cached.file.read_bytes() == before
    assert np.allclose(reader.encode(["jar", "wax", "jar"]), encoder.encode(["jar", "wax", "jar"]))
    assert asked == ["jar"]
