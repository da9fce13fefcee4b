import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

from subclust.core.exceptions import InputError
from subclust.core.records import OTHER_PASSAGES_NAME, Passage, Query
from subclust.grouping.naming import HeadingNamer, heading_namer
from subclust.grouping.naming.base import as_heading, distinct_names
from subclust.grouping.naming.candidates import WORDING, Candidates, Said
from subclust.grouping.naming.headings import load_headings
from subclust.grouping.naming.noun_phrases import is_noun_phrase
from subclust.grouping.naming.words import is_in_latin

QUERY = Query("American Revolutionary War")
TEXTS = [
    "The Stamp Act of 1765 angered Boston merchants, who called taxation unjust.",
    "Parliament repealed the Stamp Act, but taxation without consent went on in Boston.",
    "Many colonies wrote petitions against the Stamp Act and taxation.",
    "George Washington crossed the Delaware River and won at Trenton.",
    "At Yorktown, George Washington and the French fleet forced a surrender.",
    "The French fleet kept British ships away while George Washington marched.",
]
LABELS = np.array([0, 0, 0, 1, 1, 1])
DIRECTIONS = {"stamp": 0, "act": 0, "taxation": 1, "boston": 2, "washington": 3, "fleet": 4}


def encode(texts):
    """Give each word its axis; what has none goes along the last one, which all share."""
    vectors = np.zeros((len(texts), 6), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in text.lower().replace(",", " ").replace(".", " ").split():
            vectors[row, DIRECTIONS.get(word, 5)] += 1
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def named(texts=TEXTS, labels=LABELS, query=QUERY.text, namer=None):
    return (namer or HeadingNamer()).name(Query(query), texts, np.asarray(labels))


def meant(texts=TEXTS, labels=LABELS):
    return HeadingNamer(encode).name(QUERY, texts, np.asarray(labels), encode(texts))


@pytest.mark.parametrize("names", [named(), meant()], ids=["words", "vectors"])
def test_names_are_noun_phrases_of_their_group(names):
    for group, name in names.items():
        texts = " ".join(text.lower() for text in np.array(TEXTS)[group == LABELS])
        assert all(part in texts for part in name.lower().split(" and "))
        assert is_noun_phrase(name) and len(name.split()) <= 7


@pytest.mark.parametrize(
    "query", ["washington", "Washington's causes", "WASHINGTONS", "the taxations of Washington"]
)
def test_words_of_the_query_alone_are_no_name(query):
    names = named(query=query)
    assert all("washington" not in name.lower().split(" and ") for name in names.values())


def test_numbers_addresses_and_markup_are_never_names():
    texts = [
        f"In 1999 {{{{cite web|url=x}}}} see https://example.org/page{i} <ref name='a'>b</ref> "
        f"[[File:Cat.jpg]] &nbsp; 42,000 km h2o copper mining"
        for i in range(3)
    ]
    assert "opper mining" in named(texts, [0, 0, 0])[0]


def test_a_sentence_capital_is_not_part_of_a_phrase():
    texts = ["Slavery was old, and slavery was bad.", "Old slavery laws stood.", "Fish swim."]
    proposed = HeadingNamer().proposals(Query("x"), texts, np.array([0, 0, 1]))
    assert "slavery" in proposed[0] and "Slavery" not in proposed[0]


def test_titles_and_keywords_of_passages_come_into_question():
    passages = [
        Passage("1", "They fly.", title="Honey bees", metadata={"keywords": "apiculture; hives"}),
        Passage("2", "They sting.", title="Honey bees", metadata={"keywords": "apiculture"}),
        Passage("3", "Wheat grows.", title="Grain"),
    ]
    texts = [one.text for one in passages]
    namer = HeadingNamer().knowing(passages, np.zeros((3, 2), dtype=np.float32))
    proposed = namer.proposals(Query("farms"), texts, np.array([0, 0, 1]))
    assert {"honey bees", "apiculture"} <= {one.lower() for one in proposed[0]}


def of_records(texts, labels, titles, query="farms"):
    passages = [
        Passage(str(row), text, title=title)
        for row, (text, title) in enumerate(zip(texts, titles, strict=True))
    ]
    vectors = encode(texts)
    namer = HeadingNamer(encode).knowing(passages, vectors)
    return namer.proposals(Query(query), texts, np.asarray(labels))


def test_a_title_in_title_case_lends_its_words_as_the_passage_writes_them():
    texts = ["We study honey bees.", "They are honey bees.", "Wheat grows.", "Wheat grew."]
    titles = ["Honey Bees and Taxation", "The Honey Bees", "Wheat", "Old wheat"]
    proposed = of_records(texts, [0, 0, 1, 1], titles)
    assert "honey bees" in proposed[0] and "Honey Bees" not in proposed[0]


def test_a_piece_of_names_that_is_a_general_heading_is_written_like_it():
    texts = ["It won an Award.", "The Award was his.", "Wheat grows.", "Wheat grew."]
    proposed = HeadingNamer().proposals(Query("films"), texts, np.array([0, 0, 1, 1]))
    assert "awards" in proposed[0] and "Award" not in proposed[0]


@pytest.mark.parametrize(
    ("texts", "scores", "said_by", "first"),
    [
        (["rate", "numbers", "death rate"], [0.6, 0.5, 0.4], [{1, 2, 3}, {1}, {1}], "death rate"),
        (["rate", "death rate"], [0.6, 0.2], [{1, 2, 3}, {1}], None),  # likelier something else
        (["rate", "death rate"], [0.6, 0.4], [{1, 2, 3, 4}, {1}], None),  # of one in four
        (["Lincoln", "Lincoln Park"], [0.6, 0.5], [{1, 2}, {1}], None),  # a name
        (["history", "oral history"], [0.6, 0.5], [{1, 2}, {1}], None),  # a general heading
        (["two words", "two words more"], [0.6, 0.5], [{1, 2}, {1}], None),
        ([], [], [], None),
    ],
)
def test_a_longer_phrase_says_more_than_a_lone_word_that_it_has(texts, scores, said_by, first):
    found = Candidates(texts, [0] * len(texts), [[]] * len(texts), [*map(frozenset, said_by)])
    row = heading_namer._fuller(found, range(len(texts)), scores, load_headings())
    assert (None if row is None else texts[row]) == first


def test_a_title_in_title_case_lends_words_that_other_passages_write_small():
    texts = ["They fly far.", "They fly.", "We study honey-making bees.", "Wheat grew."]
    titles = ["On Honey-Making Bees, at Last", "Honey-Making Bees", "Wheat", "Old wheat"]
    proposed = of_records(texts, [0, 0, 1, 1], titles)
    assert "honey-making bees" in proposed[0]


def test_a_phrase_of_titles_names_records_rather_than_a_word_that_all_say():
    texts = [
        "Requests are sent, requests wait.",
        "Such requests are lost.",
        "Those requests are kept.",
        "Wheat grows.",
        "Wheat grew.",
    ]
    titles = ["Query routing", "Query routing in archives", "Lost pages", "Wheat", "Old wheat"]
    proposed = of_records(texts, [0, 0, 0, 1, 1], titles, "libraries")
    assert proposed[0][0].lower().startswith("query routing")


def test_records_are_named_by_a_phrase_rather_than_by_letters_alone():
    texts = ["OAI has a crawl policy.", "OAI and a crawl policy.", "Wheat grows.", "Wheat grew."]
    proposed = of_records(texts, [0, 0, 1, 1], [f"On matter {letter}" for letter in "abcd"])
    assert proposed[0].index("crawl policy") < proposed[0].index("OAI")
    assert all(" and " not in one for one in proposed[0])


def test_names_stand_in_the_order_of_their_groups():
    class Reversed(HeadingNamer):
        def propose(self, asked):
            return dict(reversed(super().propose(asked).items()))

    for namer in (HeadingNamer(encode), Reversed(encode)):
        names = namer.name(QUERY, TEXTS, np.asarray(LABELS), encode(TEXTS))
        assert list(names) == sorted(set(LABELS) - {-1}) and len(names) > 1


def test_identical_groups_get_different_names():
    names = named(["Copper mining in Chile"] * 6, [0, 0, 1, 1, 2, 2])
    assert len({name.casefold() for name in names.values()}) == 3


@pytest.mark.parametrize("text", ["", "12345", "!!!", "the of and"])
def test_passages_without_words_still_get_a_name(text):
    assert named([text] * 4, [0, 0, 1, 1]) == {0: "Subtopic 1", 1: "Subtopic 2"}


def test_other_passages_keep_their_name_and_lend_no_words():
    names = named([*TEXTS, "Other passages", "Other passages"], [*LABELS, -1, -1])
    assert names.pop(-1) == OTHER_PASSAGES_NAME
    assert names == named()


def test_no_passages_no_names():
    assert named([], np.zeros(0, dtype=np.int64)) == {}


def test_without_embeddings_or_with_one_group_words_decide():
    namer = HeadingNamer(encode)
    assert named(namer=namer) == named()
    alone = np.zeros(6, dtype=np.int64)
    assert meant(labels=alone) == named(labels=alone)


def test_what_is_known_of_passages_names_parts_of_them_too():
    passages = [Passage(str(row), text) for row, text in enumerate(TEXTS)]
    knowing = HeadingNamer(encode).knowing(passages, encode(TEXTS))
    assert named(namer=knowing) == meant()
    part = [0, 1, 3, 4]
    texts = [TEXTS[row] for row in part]
    assert named(texts, LABELS[part], namer=knowing) == meant(texts, LABELS[part])
    strange = ["Nobody knows tea. Tea!", "No tea.", *TEXTS[3:5]]
    assert named(strange, LABELS[part], namer=knowing) == named(strange, LABELS[part])


def test_embeddings_that_do_not_fit_are_refused():
    with raises(InputError, count=6, other_count=5):
        HeadingNamer(encode).name(QUERY, TEXTS, LABELS, encode(TEXTS[:5]))


def test_general_headings_come_into_question_for_the_encoder_that_they_were_learnt_with():
    kept = load_headings()
    texts = ["He was born in Burnham.", "She was born in Leeds.", "The film won a prize."]
    vectors = np.zeros((3, kept.vectors.shape[1]), dtype=np.float32)
    vectors[:2, 0], vectors[2, 1] = 1, 1

    def along(phrases):
        rows = [kept.row_of(one) for one in phrases]
        return np.stack([vectors[0] if row is None else kept.vectors[row] for row in rows])

    labels = np.array([0, 0, 1])
    namer = HeadingNamer(along, kept.encoder)
    learnt = namer.proposals(Query("x"), texts, labels, vectors)
    records = [Passage(text, text, title=f"Record {row}") for row, text in enumerate(texts)]
    borne_out = namer.knowing(records, vectors).proposals(Query("x"), texts, labels)
    other = HeadingNamer(along, "another").proposals(Query("x"), texts, labels, vectors)
    words = " ".join(texts).lower()
    assert any(one.lower() not in words for one in learnt[0])
    assert all(one.lower() in f"{words} record" for one in borne_out[0] if " and " not in one)
    assert all(one.lower() in words for one in other[0] if " and " not in one)


def test_an_article_is_no_word_that_bears_a_name_out():
    passages = ["The sea is deep.", "The sea is calm.", "Rye is sown on the land."]
    headings = load_headings()
    said = Said(Query("x"), passages, np.array([0, 0, 1]), 2, headings)
    found = said.of(0, 4, 4, [headings.bank.index("Opinion of the Court")])
    having = {
        text: wording[WORDING.index("passages with its words")]
        for text, wording in zip(found.texts, found.wording, strict=True)
    }
    assert having["Opinion of the Court"] == 0 < having["sea"]


def test_general_headings_whose_names_the_passages_do_not_say_are_left_out():
    passages = ["He fought in the Second World War.", "The war went on.", "Rye is sown."]
    headings = load_headings()
    said = Said(Query("x"), passages, np.array([0, 0, 1]), 2, headings)
    asked = ["Second World War", "French Revolutionary Wars", "military service"]
    found = said.of(0, 4, 4, [headings.bank.index(one) for one in asked])
    assert {*asked} & {*found.texts} == {"Second World War", "military service"}


def test_names_say_neither_less_nor_more_than_another():
    proposals = {
        0: ["early career"],
        1: ["career", "later life"],
        2: ["Later life"],
        3: ["pH value"],
    }
    names = distinct_names(proposals, {"ph value"})
    assert names == {0: "Early career", 1: "Later life", 2: "Later life (2)", 3: "pH value (2)"}
    assert distinct_names({0: ["career"], 1: ["early career"]}, set())[1] == "Early career"
    assert distinct_names({0: ["war"], 1: ["the war", "peace"]}, set())[1] == "Peace"
    assert as_heading("pH value") == "pH value"
    assert as_heading("non-English speakers") == "Non-English speakers"


@pytest.mark.parametrize(
    "names",
    [
        ("First phase, 1775–1778", "Second phase, 1778–1781"),
        ("Career in the East", "Career outside the East"),
        ("Uprisings of the 1910s", "Uprisings of the 1920s"),
    ],
)
def test_headings_side_by_side_are_two_names(names):
    assert tuple(distinct_names({0: names[:1], 1: [names[1], "other"]}, set()).values()) == names


def test_a_joining_word_alone_makes_no_other_name():
    names = distinct_names({0: ["citations in papers"], 1: ["papers and citation", "x"]}, set())
    assert names[1] == "X"


WORDS = st.sampled_from("Apple banana of the Cherry tree 42 dates Elder, fig. tart".split())
PASSAGES = st.lists(st.lists(WORDS, max_size=8).map(" ".join), min_size=1, max_size=9)


@given(texts=PASSAGES, data=st.data())
def test_any_input_in_any_order_gives_the_same_distinct_names(texts, data):
    labels = np.array(
        data.draw(st.lists(st.integers(-1, 3), min_size=len(texts), max_size=len(texts)))
    )
    names = named(texts, labels, query="banana")
    assert set(names) == set(labels.tolist())
    assert all(name.strip() for name in names.values())
    assert len({name.casefold() for name in names.values()}) == len(names)
    order = np.array(data.draw(st.permutations(range(len(texts)))))
    assert named([texts[i] for i in order], labels[order], query="banana") == names


def test_two_hundred_long_passages_are_named_fast():
    rng = np.random.default_rng(0)
    ends = ["lor", "min", "tak", "san", "vel", "rud", "pon", "hig", "jat", "wos"]
    vocabulary = np.array([f"{a}{b}{c}" for a in "bdfg" for b in "aeiou" for c in ends])
    ranks = 1 / np.arange(1, len(vocabulary) + 1)
    texts = [" ".join(rng.choice(vocabulary, 120, p=ranks / ranks.sum())) for _ in range(200)]
    seconds = []
    for _ in range(5):
        started = time.process_time()
        named(texts, np.arange(200) % 9)
        seconds.append(time.process_time() - started)
    assert min(seconds) < 0.25  # about 0.1 on an idle core; room for a shared one


def test_what_is_longer_than_any_word_is_no_name():
    texts = ["w" * 300 + " weaves wool.", "w" * 300 + " weaves wool again."]
    assert max(map(len, named(texts, [0, 0]).values())) <= 60


def test_a_name_is_in_the_letters_of_its_passages():
    arabic = "The word alchemy comes from الكيمياء, as the Arabs called it."
    latin = [f"{arabic} Its furnaces were hot in town {n}." for n in range(4)]
    groups = np.array([0] * 4 + [1] * 4)
    others = [f"Rivers carry sand to the sea, mile {n}." for n in range(4)]
    proposed = HeadingNamer().proposals(Query("q"), [*latin, *others], groups)
    assert proposed[0] and not any("ال" in name for name in proposed[0])
    russian = [f"Алхимия искала философский камень, год {n}." for n in range(4)]
    proposed = HeadingNamer().proposals(Query("q"), [*russian, *others], groups)
    assert any("л" in name for name in proposed[0])
    assert is_in_latin("β-carotene of Gdańsk") and not is_in_latin("the word الكيمياء")
