import json
from dataclasses import replace

import numpy as np
import pytest
from made_library import make_library
from raising import raises

from subclust.core.exceptions import InputError
from subclust.core.records import OTHER_PASSAGES, Passage, Query, Subtopic
from subclust.methods import METHODS
from subclust.pipeline.explainer import Explainer
from subclust.pipeline.load import load_pipeline

SUBJECTS = {
    "Taxes": "taxes on tea and paper angered the merchants of the colonies",
    "Ants": "ants and termites dig burrows under walls of the garden",
    "Books": "librarians catalogue maps and books by author and subject",
}
ASKED = Query("taxes and ants and books")


@pytest.fixture(scope="module")
def passages():
    generator = np.random.default_rng(0)
    drawn = [
        Passage(
            f"{title}-{row}",
            f"Note of the editor. {' '.join(generator.permutation(words.split())[:8])}.",
            title=title,
        )
        for title, words in SUBJECTS.items()
        for row in range(8)
    ]
    return [*drawn, Passage("odd-one", "Quarks zigzag.", title="Odd")]


@pytest.fixture
def explained(settings, encoder, passages, store, monkeypatch):
    """Group the passages by a method and give the explainer."""
    monkeypatch.setattr("subclust.pipeline.load.load_encoder", lambda _: encoder)
    make_library(settings.library_dir, encoder, passages)

    def explain(method="centred-cosine", **options):
        pipeline = load_pipeline(settings, method=method)
        ranking = pipeline.retrieve(ASKED)
        subtopics = pipeline.group(ranking, **{"n_clusters": 3, "max_other": 0.1} | options)
        return Explainer(pipeline, ranking, subtopics)

    return explain


def members(explainer):
    return [
        (member, subtopic)
        for subtopic in explainer.subtopics.subtopics
        for member in subtopic.passages
    ]


@pytest.mark.parametrize(
    "method", ["centred-cosine", "sbert-euclid", "tfidf", "spectral", "qs3m", "centred-qs3m"]
)
def test_the_strength_explained_is_the_strength_shown(explained, method):
    explainer = explained(method)
    shown = [(m.passage.id, m.strength) for m, group in members(explainer) if group.id >= 0]
    placed = [explainer.place(id_).strength for id_, _ in shown]
    np.testing.assert_allclose(placed, [strength for _, strength in shown], atol=2e-4)
    assert np.ptp(placed) > 0.01


@pytest.mark.parametrize("method", sorted(name for name in METHODS if name != "attn-qs3m"))
def test_every_method_can_be_explained(explained, method):
    explainer = explained(method)
    found = explainer.explain("Taxes-3")
    assert found.id == "Taxes-3"
    assert found.group.name == explainer.found("Taxes-3")[1].name
    assert -1 <= found.strength <= 1
    assert len(found.with_query) == len(found.without_query) == 5
    assert "Taxes-3" not in {one.id for one in (*found.with_query, *found.without_query)}
    json.dumps(found.to_dict())


def test_neighbours_are_the_passages_of_the_highest_scores(explained, encoder, passages):
    found = explained().explain("Ants-2")
    texts = {passage.id: passage.text for passage in passages}
    vectors = encoder.encode(list(texts.values()))
    cosines = dict(zip(texts, vectors @ vectors[list(texts).index("Ants-2")], strict=True))
    cosines.pop("Ants-2")
    expected = sorted(cosines, key=cosines.__getitem__, reverse=True)[:5]
    assert [one.id for one in found.without_query] == expected
    assert all(one.id.startswith("Ants") for one in found.with_query)
    assert all(one.group == found.group.name for one in found.with_query)


def test_the_part_that_counts_most_is_of_the_subject_and_not_of_the_frame(explained):
    found = explained("tfidf").explain("Books-1")
    for parts in (found.words, found.sentences):
        best = max(parts, key=lambda one: one.effect)
        assert best.effect > 0
        assert set(found.text[best.start : best.end].strip(".").split()) & set(
            SUBJECTS["Books"].split()
        )


def test_the_quick_membership_is_close_to_the_exact_one(explained):
    explainer = explained("centred-cosine")
    texts = ["Note of the editor. taxes on tea", "ants dig burrows", explainer._texts[0]]
    quick = explainer.membership("Taxes-0")(texts)
    exact = explainer.membership("Taxes-0", exact=True)(texts)
    np.testing.assert_allclose(quick, exact, atol=0.15)
    assert np.argmax(quick) == np.argmax(exact)
    assert quick[1] < quick[0]


def test_the_unchanged_text_has_the_strength_that_is_shown(explained):
    explainer = explained("centred-cosine")
    row = explainer._row["Taxes-0"]
    for exact in (True, False):
        (same,) = explainer.membership("Taxes-0", exact=exact)([explainer._texts[row]])
        assert same == pytest.approx(explainer.place("Taxes-0").strength, abs=1e-4)


def test_other_passages_have_a_reason_and_the_group_they_are_nearest(explained):
    explainer = explained("tfidf", n_clusters="auto")
    asides = [member.passage.id for member, group in members(explainer) if group.id < 0]
    assert "odd-one" in asides
    assert explainer.reason("odd-one").kind == "alone"
    found = explainer.explain("odd-one")
    assert found.group.id == OTHER_PASSAGES
    assert found.nearest is not None and found.nearest.id >= 0
    assert found.runner_up is not None and found.runner_up.id not in {-1, found.nearest.id}


def test_a_passage_put_aside_by_hand_says_so(explained):
    explainer = explained("tfidf")
    groups = explainer.subtopics.subtopics
    moved = groups[0].passages[0]
    rest = [replace(groups[0], passages=groups[0].passages[1:]), *groups[1:]]
    others = [group for group in rest if group.id == OTHER_PASSAGES]
    kept = tuple(group for group in rest if group.id != OTHER_PASSAGES)
    aside = (*(others[0].passages if others else ()), moved)
    edited = replace(
        explainer.subtopics,
        subtopics=(*kept, Subtopic(OTHER_PASSAGES, "Other passages", 0.0, aside)),
    )
    again = Explainer(explainer.pipeline, explainer.ranking, edited, machine=explainer.subtopics)
    assert again.reason(moved.passage.id).kind == "by hand"
    assert again.explain(moved.passage.id).nearest.id == groups[0].id


def test_a_gated_passage_is_about_something_else(explained, monkeypatch):
    from subclust.grouping.similarity.network import NetworkSimilarity

    def about(self, query, passages, embeddings):
        odd = np.asarray([np.abs(v).argmax() for v in embeddings]) == odd_axis
        return np.where(odd, 0.2, 0.9).astype(np.float32)

    monkeypatch.setattr(NetworkSimilarity, "relevance", about)
    odd_axis = -1
    first = explained("centred-qs3m")
    odd_axis = int(np.abs(first._embeddings[first._row["odd-one"]]).argmax())
    pipeline = first.pipeline
    from subclust.grouping.clustering.agglomerative import GatedSubtopics

    gated = GatedSubtopics(pipeline.method.clusterer.similarity)
    pipeline.method = replace(pipeline.method, clusterer=gated)
    subtopics = pipeline.group(first.ranking, n_clusters=3)
    explainer = Explainer(pipeline, first.ranking, subtopics)
    reason = explainer.reason("odd-one")
    assert reason.kind == "about something else"
    assert reason.value == pytest.approx(0.2)
    shown = [(m.passage.id, m.strength) for m, group in members(explainer) if group.id >= 0]
    placed = [explainer.place(id_).strength for id_, _ in shown]
    np.testing.assert_allclose(placed, [strength for _, strength in shown], atol=2e-4)


def test_stability_tells_firm_groups_from_a_forced_split(explained):
    firm = explained("tfidf").stability()
    assert min(firm.values()) > 0.8
    forced = explained("tfidf", n_clusters=9).stability()
    assert min(forced.values()) < min(firm.values())


@pytest.mark.parametrize("method", ["centred-cosine", "kmeans", "spectral"])
def test_stability_does_not_depend_on_the_order_of_the_hits(explained, method):
    explainer = explained(method)
    ranking = explainer.ranking
    turned = replace(ranking, hits=ranking.hits[::-1], embeddings=ranking.embeddings[::-1].copy())
    again = Explainer(explainer.pipeline, turned, explainer.subtopics)
    assert again.stability() == pytest.approx(explainer.stability(), abs=1e-6)


def test_an_unknown_passage_is_answered_by_a_sentence(explained):
    with raises(InputError, passage_id="nobody"):
        explained().explain("nobody")


def test_the_command_prints_the_explanation(settings, passages, monkeypatch, capsys):
    from subclust.cli import main
    from subclust.text.encoders import HashingEncoder

    make_library(settings.library_dir, HashingEncoder(), passages)
    for name, value in settings.to_environment().items():
        monkeypatch.setenv(name, value)
    options = ["--method", "tfidf", "--n-clusters", "3", "--json"]
    assert main(["explain", ASKED.text, "Taxes-3", *options]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["id"] == "Taxes-3"
    assert told["reason"]["kind"] == "in a group"
    for part in told["words"]:
        assert told["text"][part["start"] : part["end"]] == part["text"]
    assert main(["explain", ASKED.text, "nobody", *options]) == 1
    assert "'nobody'" in capsys.readouterr().err


@pytest.fixture
def divided(explained):
    """Group the same hits in a way, and give the explainer."""
    first = explained()

    def explain(way):
        query = replace(ASKED, way=way)
        subtopics = first.pipeline.group(first.ranking, query, n_clusters="auto")
        return Explainer(first.pipeline, first.ranking, subtopics)

    return explain


def test_a_field_that_decides_is_told_and_no_word_is_marked(divided):
    explainer = divided("field:document")
    for id_, title in (("Taxes-3", "Taxes"), ("Ants-0", "Ants")):
        found = explainer.explain(id_)
        assert found.value == title and found.reason.kind == "in a group"
        assert found.words == () and found.sentences == ()
        assert found.to_dict()["value"] == title
    assert explainer.explain("odd-one").value == ""


@pytest.mark.parametrize("way", ["directions", "minor", "rest"])
def test_along_directions_the_unchanged_text_keeps_its_strength(divided, way):
    explainer = divided(way)
    for id_ in ("Taxes-3", "Ants-0"):
        text = explainer.found(id_)[0].passage.text
        strength = explainer.place(id_).strength
        assert explainer.membership(id_)([text])[0] == pytest.approx(strength, abs=1e-6)


def test_along_directions_the_words_of_a_group_are_marked(divided):
    explainer = divided("directions")
    effects = []
    for title in SUBJECTS:
        found = explainer.explain(f"{title}-3")
        assert found.value == ""
        own = found.text.index(". ") + 2  # where the words of its subject begin
        effects.append(sum(word.effect for word in found.words if word.start >= own))
    assert sum(effects) > 0
