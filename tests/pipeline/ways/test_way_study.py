"""Kinds of study, told by words."""

import numpy as np
import pytest

from subclust.pipeline.ways import study
from subclust.pipeline.ways.study import kinds_of_study

TOLD = {
    "Analyses": "We investigate 2,300 papers. Results show a significant correlation.",
    "Methods and models": "We propose a new algorithm. It outperforms other methods in this study.",
    "Systems and tools": "We describe how the platform was built. The prototype serves users.",
    "Surveys and interviews": "In this study, users were asked. The questionnaire had replies.",
    "Reviews": "This paper is a review of the literature. It gives an overview.",
    "Opinions and advice": "In this essay I argue that we should wait.",
    "Simulations": "In this paper, an agent based simulation is used.",
}


@pytest.mark.parametrize("kind", TOLD)
def test_the_words_of_an_abstract_tell_its_kind(kind):
    assert kinds_of_study(["On archives"], [TOLD[kind]]) == [kind]


def test_every_kind_has_rules_for_texts_and_titles():
    assert set(TOLD) == set(study._RULES) == set(study._IN_TITLES)


def test_points_are_those_of_an_obvious_loop():
    text = "We propose an algorithm. We propose a new model. We propose a scheme. Nothing else."
    sentences = [study._words(one) for one in text.split(". ")]
    for kind, rules in study._RULES.items():
        points = 0.0
        for each, lists in rules:
            n_found = 0
            for sentence in sentences:
                n_found += all(any(word in sentence for word in one.split()) for one in lists)
            points += each * min(n_found, 2)
        assert study._points(kind, sentences) == pytest.approx(points)
    assert study._points("Methods and models", sentences) > 0


def test_what_two_kinds_could_be_is_not_told():
    mixed = "We propose a method. We have developed software."
    assert kinds_of_study(["On archives"], [mixed]) == [""]
    assert kinds_of_study(["On archives"], ["We write on books."]) == [""]


def test_titles_count_and_subjects_do_not():
    text = "We write on books."
    assert kinds_of_study(["A survey of archives"], [text]) == [""]  # a review, or people asked
    assert kinds_of_study(["An overview of archives"], [text]) == ["Reviews"]
    assert kinds_of_study(["ArchiveIt: saving pages"], [text]) == ["Systems and tools"]
    assert kinds_of_study(["Peer review"], [text]) == [""]


def test_articles_of_an_encyclopaedia_have_no_kind():
    texts = ["The algorithm of Euclid is a method. It was compared with others."] * 4
    assert kinds_of_study([""] * 4, texts) == [""] * 4
    assert kinds_of_study([""] * 6, [*texts, TOLD["Reviews"], TOLD["Analyses"]]) == [""] * 6
    most = [*texts[:2], TOLD["Reviews"], TOLD["Analyses"]]
    assert kinds_of_study([""] * 4, most)[2:] == ["Reviews", "Analyses"]


def test_the_order_of_records_changes_nothing():
    texts = list(TOLD.values())
    order = np.random.default_rng(0).permutation(len(texts)).tolist()
    told = kinds_of_study([""] * len(texts), texts)
    moved = kinds_of_study([""] * len(texts), [texts[row] for row in order])
    assert moved == [told[row] for row in order]
