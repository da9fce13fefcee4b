"""Questions with operators and fields over a small library."""

import pytest
from made_library import make_library
from raising import raises

from subclust.core.exceptions import InputError
from subclust.core.records import Passage, Query
from subclust.text.encoders import HashingEncoder
from subclust.text.library.search import search_vector
from subclust.text.retrieval import Retriever

RECORDS = {
    "a": ("Kilns", "Blue clay burns in kilns, and ash remains.", "Noor, Ida; Weiß, Jörg", "2018"),
    "b": ("Blue", "Clay was dug. A kiln stood near.", "Noor, I.", "2019"),
    "c": ("Peat bogs", "Peat, blue-clay and “ashes”.", "Österreicher, Éva", "2020"),
    "d": ("Café culture", "Stories of a city's cafés.", "Ida, Noor B.; Noor, Max", ""),
    "e": ("窯の歴史", "日本の窯について", "山田, 太郎", "c2001."),
    "f": ("Ash trees", "Trees in cities.", "", "1999"),
}
MORE = {
    "a": {"keywords": "ceramics; clay pits", "language": "ger", "venue": "Annals of Fire"},
    "b": {"keywords": 'so-called "earthen" ware', "language": "English", "isbn": "978-3-16-1"},
    "c": {"keywords": "Böden — Torf", "language": "de", "doi": "10.5/c.1"},
    "d": {"language": "en", "publisher": "O'Hara & Sons"},
}


@pytest.fixture(scope="module")
def retriever(tmp_path_factory):
    encoder = HashingEncoder()
    passages = [
        Passage(
            id=id_,
            title=title,
            text=text,
            collection="Old & new" if id_ in "ab" else "other",
            metadata={
                name: value
                for name, value in {"authors": authors, "year": year, **MORE.get(id_, {})}.items()
                if value
            },
        )
        for id_, (title, text, authors, year) in RECORDS.items()
    ]
    library = make_library(tmp_path_factory.mktemp("libraries"), encoder, passages, "clays")
    return Retriever(library, encoder)


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ('"blue clay"', "ac"),
        ('"clay blue"', ""),
        ("„BLUE CLAY“", "ac"),
        ('"blue cla*"', "ac"),
        ("kiln AND clay", "ab"),
        ('"kiln" AND clay', "b"),
        ("clay AND (kilns OR bog) NOT ashes", "b"),
        ('clay AND (kilns OR bog) -"ashes"', "ab"),
        ("story AND city", "d"),
        ("tree AND cities", "f"),
        ("cafe AND culture", "d"),
        ("CAFÉS OR bog", "cd"),
        ("peat OR (ash AND tree)", "cf"),
        ("clay NOT kilns NOT peat", "def"),
        ("clay -peat", "abdef"),
        ("NOT clay", "def"),
        ("+kiln* clay", "ab"),
        ("title:blue", "b"),
        ("title:kiln", "a"),
        ('title:"kiln"', ""),
        ("title:(peat OR blue) clay", "bc"),
        ("text:kilns", "ab"),
        ("title:窯", "e"),
        ('"日本の窯"', "e"),
        ("author:noor", "abd"),
        ('author:"Noor, Ida"', "ad"),
        ('author:"Ida Noor"', "ad"),
        ('author:"Noor, I."', "abd"),
        ('author:"Noor, Max"', "d"),
        ('author:"Ida Max"', ""),
        ('author:"Ida Weiß"', ""),
        ("author:JÖRG", "a"),
        ("author:jorg", "a"),
        ("author:jor", ""),
        ("author:jor*", "a"),
        ("author:österreicher", "c"),
        ("author:eva", "c"),
        ("author:E", "c"),
        ("author:山田", "e"),
        ("author:reicher", ""),
        ("author:keywords", ""),
        ("author:(weiss OR max)", "d"),
        ("NOT author:noor", "cef"),
        ("subject:clay", "a"),
        ("subject:ceramic", "a"),
        ("subject:earthen", "b"),
        ("subject:torf", "c"),
        ("subject:boden", "c"),
        ('subject:"clay pit"', ""),
        ("journal:fire", "a"),
        ("publisher:o'hara", "d"),
        ("language:german", "ac"),
        ("language:de", "ac"),
        ("sprache:Englisch", "bd"),
        ("language:klingon", ""),
        ("isbn:9783161", "b"),
        ("isbn:978-3161", "b"),
        ("doi:10.5/c.1", "c"),
        ("doi:10.5/c", "c"),
        ("doi:10.5/d", ""),
        ('collection:"old & new"', "ab"),
        ("year:2018", "a"),
        ("year:2018-2019", "ab"),
        ("year:>2018", "bc"),
        ("year:<2002", "ef"),
        ("NOT year:2018", "bcdef"),
        ("author:noor year:2019", "b"),
        ("clay author:noor NOT year:2018", "bd"),
        ("author:o';DROP", ""),
    ],
)
def test_every_hit_meets_all_that_was_asked_for(retriever, question, ids):
    found = retriever.search(Query(question))
    assert "".join(sorted(passage.id for passage in found.passages)) == ids
    assert [hit.rank for hit in found.hits] == list(range(1, len(ids) + 1))
    assert found.embeddings.shape == (len(ids), retriever.encoder.embedding_dim)


def test_the_best_hits_are_taken_of_those_that_meet_it(retriever):
    every = retriever.search(Query("clay NOT peat"))
    assert retriever.search(Query("clay NOT peat"), 2).hits == every.hits[:2]
    assert every.query.words == "clay" and every.query.text == "clay NOT peat"


def test_conditions_hold_beside_a_collection_and_ids(retriever):
    asked = Query("author:noor")
    assert [p.id for p in retriever.search(asked, collection="other").passages] == ["d"]
    assert [p.id for p in retriever.search(asked, within=["b", "c"]).passages] == ["b"]
    assert [p.id for p in retriever.search(asked, 2).passages] == ["a", "b"]


@pytest.mark.parametrize("mode", ["text", "vector"])
def test_conditions_hold_in_each_mode(retriever, mode):
    found = retriever.search(Query("clay NOT peat NOT dug"), mode=mode)
    assert {p.id for p in found.passages} <= set("adef")
    assert found.passages[0].id == "a"


def test_a_query_with_its_words_is_not_read_again(retriever):
    text = "clay NOT peat"
    assert len(retriever.search(Query(text, words=text)).hits) == len(RECORDS)


def test_what_an_index_does_not_look_into_is_compared_too(retriever, monkeypatch):
    def of_an_index(table, vector, k, condition, *, exact=False):
        found = search_vector(table, vector, k, condition)
        return found if exact else search_vector(table, vector, 1, condition)

    monkeypatch.setattr("subclust.text.library.search.search_vector", of_an_index)
    found = retriever.search(Query("clay NOT peat"), mode="vector")
    assert len(found.hits) == 5


@pytest.mark.parametrize("question", ["***", "…", '""', "?!", "( )"])
def test_a_question_without_a_word_is_told(retriever, question):
    with raises(InputError, text=question):
        retriever.search(Query(question))
