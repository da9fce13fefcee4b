from dataclasses import replace

import numpy as np

from benchmarks.headings.asked import as_instance, asked_groups, name_groups
from benchmarks.headings.bank import general_headings, typical_words
from benchmarks.headings.maps import Article, article_of, learn_kinds, learn_maps
from benchmarks.headings.ranking import (
    COLUMNS,
    Judged,
    found_groups,
    gold_groups,
    grow_trees,
    pooled_articles,
)
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.grouping.naming.headings import Headings, load_headings
from subclust.methods import load_method
from subclust.text.encoders import HashingEncoder

WORDS = {"Early life": "born school parents", "Reception": "critics praised review"}


def article(number):
    passages = [
        Passage(f"{number}-{heading}-{turn}", f"The {words} of x{number}, {turn}", label=heading)
        for heading, words in WORDS.items()
        for turn in ("first", "second", "third")
    ]
    return ClusteringInstance(Query(f"x{number} (thing)"), tuple(passages))


ARTICLES = [article(number) for number in range(9)]
ENCODER = HashingEncoder(32)
EMBEDDINGS = [ENCODER.encode([one.text for one in each.passages]) for each in ARTICLES]


def learnt():
    bank = general_headings(ARTICLES)
    vectors = ENCODER.encode([text for text, _ in bank])
    empty = np.zeros((0, 0), dtype=np.float32)
    numbers = np.array([number for _, number in bank])
    words = typical_words(ARTICLES)
    headings = Headings(
        [text for text, _ in bank], numbers, vectors, words, empty, empty, {}, "h", empty
    )
    groups = [
        article_of(one, vectors, ENCODER.encode, headings.row_of)
        for one, vectors in zip(ARTICLES, EMBEDDINGS, strict=True)
    ]
    maps = learn_maps(groups, vectors, numbers)
    return Headings(
        headings.bank, numbers, vectors, words, *maps, {}, "h", learn_kinds(groups, len(bank))
    )


def test_headings_of_several_articles_are_general_and_their_words_typical():
    assert [number for _, number in general_headings(ARTICLES)] == [9, 9]
    assert {text.lower() for text, _ in general_headings(ARTICLES)} == {"early life", "reception"}
    assert general_headings(ARTICLES[:2]) == []
    words = typical_words(ARTICLES)
    assert words["reception"] > words["school"]


def test_maps_bring_groups_near_their_own_heading():
    headings = learnt()
    named = gold_groups(ARTICLES[0], EMBEDDINGS[0])
    assert headings.group_map.shape == (96, 32) and headings.heading_map.shape == (32, 32)
    judged = Judged(named, headings, ENCODER.encode)
    assert judged.single.exact.sum() == 2  # each group has its heading among its candidates
    assert judged.single.columns.shape[1] == COLUMNS[-1]


def test_the_heading_of_its_group_is_likely_nearest_to_a_text_that_is_one():
    bank = np.eye(3, dtype=np.float32)
    map_of_means = np.concatenate([np.eye(3) * 9, np.zeros((6, 3))]).astype(np.float32)
    headings = Headings(
        ["a", "b", "c"], np.ones(3, dtype=np.int64), bank, {}, map_of_means,
        np.zeros((3, 3), dtype=np.float32), {}, "h", np.zeros((4, 3), dtype=np.float32),
    )  # fmt: skip
    aimed, fits = headings.aim(bank[:2], bank[:2], bank[2]), headings.fits(bank[0])
    found = headings.nearest(bank[[0, 0, 1]], np.array([0, 1, 1]), aimed, fits)
    chances = headings.likely(aimed, fits, 25)[1]
    loop = [_by_loop(headings, bank[row], group, aimed) for row, group in ((0, 0), (0, 1), (1, 1))]
    np.testing.assert_allclose(found, loop, rtol=1e-5)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert found[0] > 0.9 and found[2] > 0.9 and found[1] < 0.1


def _by_loop(headings, vector, group, aimed):
    rows, chances = headings.likely(aimed, np.zeros(3), 25)
    rival = 1 - group
    return sum(
        own * other
        for own, row in zip(chances[group], rows[group], strict=True)
        for other, far in zip(chances[rival], rows[rival], strict=True)
        if vector @ headings.vectors[far] < vector @ headings.vectors[row]
    )


def test_headings_fit_articles_that_are_like_those_that_have_them():
    novel, algorithm = np.eye(2, dtype=np.float32)
    empty = np.zeros((1, 6), dtype=np.float32)
    articles = [
        Article(empty, empty[:, :2], np.array([int(is_novel)]), (novel if is_novel else algorithm))
        for is_novel in (True, False) * 5
    ]
    kinds = learn_kinds(articles, n_bank=3)
    bare = replace(learnt(), kinds=kinds)
    definition, plot, never = bare.fits(novel)
    assert plot > 0 > definition and never == 0
    assert bare.fits(algorithm)[0] > bare.fits(algorithm)[1]
    fits = np.array([0, 50], dtype=np.float32)  # outweighs what the group says
    assert (learnt().likely(np.zeros((1, 32), dtype=np.float32), fits, 1)[0] == 1).all()


def test_groups_that_were_found_have_the_section_of_their_majority():
    named = gold_groups(ARTICLES[0], EMBEDDINGS[0])
    vectors = np.eye(2, dtype=np.float32)[[0, 0, 1, 1, 1, 1]]
    found = found_groups(replace(named, embeddings=vectors, names=["a", "b"]))
    assert found.names == ["a", "b"]
    assert found.texts == named.texts
    assert found.group_of.tolist() == [0, 0, 1, 1, 1, 1]


def test_pools_have_titles_for_names():
    rng = np.random.default_rng(0)
    (pool,) = pooled_articles(ARTICLES, EMBEDDINGS, 1, rng)
    assert len(set(pool.names)) == len(pool.names) == pool.group_of.max() + 1
    assert pool.query not in pool.names


def test_what_is_learnt_is_read_as_it_was_written(tmp_path, monkeypatch):
    headings = learnt()
    judged = [
        Judged(gold_groups(*pair), headings, ENCODER.encode)
        for pair in zip(ARTICLES, EMBEDDINGS, strict=True)
    ]
    pairs = {n: grow_trees(judged, n) for n in COLUMNS[-1:]}
    file = tmp_path / "headings.npz"
    kept = Headings(
        headings.bank, headings.counts, headings.vectors, headings.words,
        headings.group_map, headings.heading_map, pairs, "h", headings.kinds,
    )  # fmt: skip
    kept.save(file)
    monkeypatch.setattr("subclust.grouping.naming.headings.FILE", file)
    load_headings.cache_clear()
    try:
        read = load_headings()
        columns = judged[0].single.columns
        np.testing.assert_allclose(read.rank(columns), kept.rank(columns), atol=1e-5)
        np.testing.assert_allclose(read.vectors, kept.vectors, atol=0.01)
        assert (read.bank, read.encoder, read.row_of("Receptions")) == (
            kept.bank, "h", kept.row_of("reception"),
        )  # fmt: skip
    finally:
        load_headings.cache_clear()


def test_groups_of_searches_have_heading_or_title_of_what_most_of_them_are():
    passages = [
        Passage("o1", "", label="History"), Passage("o2", "", label="Histories"),
        Passage("o3", "", label="Trade"), Passage("o4", "", label="History"),
        Passage("f1", "", label="Trade"), Passage("f2", "", label="Law"),
        Passage("f3", "", label="Art"), Passage("o5", "", label="Law"),
    ]  # fmt: skip
    owners = np.array([0, 0, 0, 0, 1, 1, 1, 0])
    articles = [
        ClusteringInstance(Query("Opera"), ()),
        ClusteringInstance(Query("Fado (song)"), ()),
    ]
    # Two headings of the article asked for, another article, and what is half of nothing.
    labels = np.array([0, 0, 2, 3, 1, 1, 2, 2])
    assert name_groups(passages, owners, labels, articles) == {0: "History", 1: "Fado"}


def test_searches_bring_groups_of_several_names():
    method = load_method("centred-cosine", encoder=ENCODER)
    rng = np.random.default_rng(0)
    named = list(asked_groups(ARTICLES, EMBEDDINGS, 9, method, ENCODER, rng))
    assert named
    for one in named:
        assert len(set(one.names)) == len(one.names) == one.group_of.max() + 1
        assert len(one.texts) == len(one.group_of) == len(one.embeddings)
        instance = as_instance(one)
        assert instance.query.text == one.query
        assert instance.gold() == [one.names[group] for group in one.group_of]
