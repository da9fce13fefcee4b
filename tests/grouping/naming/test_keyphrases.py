import numpy as np
import pytest

from subclust.core.exceptions import InputError
from subclust.core.records import OTHER_PASSAGES_NAME, Query
from subclust.grouping.naming import ClassTfidfNamer, KeyphraseNamer, PlainTfidfNamer
from subclust.text.encoders import HashingEncoder

QUERY = Query("American Revolutionary War")
TEXTS = [
    "The Stamp Act angered Boston merchants, who called taxation unjust.",
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


def named(texts=TEXTS, labels=LABELS, **options):
    return KeyphraseNamer(encode, **options).name(QUERY, texts, np.asarray(labels), encode(texts))


def test_names_mean_what_sets_a_group_apart():
    names = named()
    assert "Stamp Act" in names[0]
    assert "George Washington" in names[1] or "French fleet" in names[1]
    assert not {"stamp act", "taxation"} & set(names[1].lower().split(", "))


def test_a_phrase_far_from_its_group_is_passed_over_however_often_it_is_there():
    heavy = ["Boston harbour. " + text for text in TEXTS[:3]]
    vectors = encode(TEXTS)  # as if the passages did not mean what "harbour" says
    names = KeyphraseNamer(encode, max_phrases=1).name(QUERY, heavy + TEXTS[3:], LABELS, vectors)
    counted = ClassTfidfNamer(max_phrases=1).name(QUERY, heavy + TEXTS[3:], LABELS)
    assert "harbour" in counted[0]
    assert names[0] == "Stamp Act"


def test_every_phrase_of_a_larger_group_is_held_by_two_of_its_passages():
    for group, name in named(small=2).items():
        texts = [text.lower() for text in np.array(TEXTS)[group == LABELS]]
        for phrase in name.lower().split(", "):
            assert sum(phrase in text for text in texts) >= 2, phrase


def test_a_small_group_may_be_named_by_words_of_one_passage_behind_a_phrase_of_two():
    texts = ["Stamp Act and riots", "Stamp Act", "French fleet", "French fleet at anchor"]
    means = encode(["boston", "boston", "fleet", "fleet"])  # what only "riots" says of the first

    def directed(phrases):
        return encode([phrase.replace("riots", "boston") for phrase in phrases])

    labels = np.array([0, 0, 1, 1])
    small = KeyphraseNamer(directed).name(QUERY, texts, labels, means)
    assert small[0] == "Stamp Act, riots"
    assert KeyphraseNamer(directed, small=1).name(QUERY, texts, labels, means)[0] == "Stamp Act"
    assert "riots" not in KeyphraseNamer(directed, n_lone=0).name(QUERY, texts, labels, means)[0]


def test_names_are_different_short_and_without_words_of_the_query():
    names = named([*TEXTS, *TEXTS], [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    assert len(set(names.values())) == 4
    assert all(len(name) <= 60 for name in names.values())
    assert not any(
        "american" in name.lower() or "war" in name.lower().split() for name in names.values()
    )


@pytest.mark.parametrize("remove", ["shared", "query"])
def test_the_order_of_the_passages_changes_nothing(remove):
    order = np.random.default_rng(0).permutation(len(TEXTS))
    shuffled = named([TEXTS[i] for i in order], LABELS[order], remove=remove)
    assert shuffled == named(remove=remove)


def test_other_passages_keep_their_name_and_name_nobody():
    names = named([*TEXTS, "Zebra zebra. Zebra."], [*LABELS, -1])
    assert names[-1] == OTHER_PASSAGES_NAME
    assert {group: name for group, name in names.items() if group >= 0} == named()


def test_without_embeddings_or_with_one_group_the_words_are_counted():
    counted = ClassTfidfNamer().name(QUERY, TEXTS, LABELS)
    assert KeyphraseNamer(encode).name(QUERY, TEXTS, LABELS) == counted
    alone = np.zeros(6, dtype=np.int64)
    assert named(labels=alone) == ClassTfidfNamer().name(QUERY, TEXTS, alone)


def test_what_is_known_of_passages_names_parts_of_them_too():
    knowing = KeyphraseNamer(encode).knowing(TEXTS, encode(TEXTS))
    assert knowing.name(QUERY, TEXTS, LABELS) == named()
    part = [0, 1, 3, 4]
    texts = [TEXTS[row] for row in part]
    assert knowing.name(QUERY, texts, LABELS[part]) == named(texts, LABELS[part])
    strange = ["Nobody knows tea. Tea!", "No tea.", *TEXTS[3:5]]
    counted = ClassTfidfNamer().name(QUERY, strange, LABELS[part])
    assert knowing.name(QUERY, strange, LABELS[part]) == counted


@pytest.mark.parametrize("texts", [["", "", "?", "!"], ["1 2", "3 4", "a", "b"]])
def test_passages_without_words_still_get_names(texts):
    names = named(texts, [0, 0, 1, 1])
    assert len(set(names.values())) == 2


def test_embeddings_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="6 passages but 5 embeddings"):
        KeyphraseNamer(encode).name(QUERY, TEXTS, LABELS, encode(TEXTS[:5]))


def test_few_phrases_are_encoded():
    asked = []

    def counting(texts):
        asked.append(len(texts))
        return HashingEncoder(16).encode(texts)

    texts = [f"{w} alpha{w} beta{w} gamma delta" for w in "abcdefgh" for _ in range(20)]
    labels = np.repeat(np.arange(8), 20)
    vectors = HashingEncoder(16).encode(texts)
    KeyphraseNamer(counting).name(QUERY, texts, labels, vectors)
    assert len(asked) == 1
    assert asked[0] <= 8 * 16


def test_plain_class_tfidf_is_the_formula_of_bertopic():
    texts, labels = ["tax tax tea", "tax snow", "snow snow hill"], np.array([0, 0, 1])
    # Words of each group: 5 and 3, on average 4. f: tax 3, tea 1, snow 3, hill 1.
    tax, tea, snow = 3 / 5 * np.log1p(4 / 3), 1 / 5 * np.log1p(4), 1 / 5 * np.log1p(4 / 3)
    assert tax > tea > snow
    names = PlainTfidfNamer(2).name(QUERY, texts, labels)
    assert names == {0: "Tax tea", 1: "Snow hill"}
    assert 2 / 3 * np.log1p(4 / 3) > 1 / 3 * np.log1p(4)


def test_plain_names_are_different_too():
    names = PlainTfidfNamer(2).name(QUERY, ["tea tax", "tea tax", "?"], np.array([0, 1, 2]))
    assert len(set(names.values())) == 3
