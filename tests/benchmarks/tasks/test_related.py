from collections import Counter
from math import log, sqrt

from benchmarks.tasks.related import nearest_labels

TEXTS = {
    "card_lost": ["i lost my card", "my card is gone", "where is my card"],
    "card_new": ["i need a new card", "send me a card"],
    "weather": ["will it rain", "is it cold today"],
    "rain": ["does rain fall today"],
    "song": ["play something loud"],
}


def slow_nearness(first, second):
    """The cosine of word counts weighted by the logarithm of the labels per label that has it."""

    def weighted(label):
        counts = Counter(" ".join(TEXTS[label]).split())
        spread = {w: sum(w in " ".join(t).split() for t in TEXTS.values()) for w in counts}
        return {w: n * round(100 * log(len(TEXTS) / spread[w])) for w, n in counts.items()}

    a, b = weighted(first), weighted(second)
    product = sum(a[w] * b[w] for w in a.keys() & b.keys())
    return product / sqrt(sum(v * v for v in a.values()) * sum(v * v for v in b.values()))


def test_labels_are_ordered_as_a_slow_loop_has_it():
    near = nearest_labels(TEXTS)
    assert near["card_lost"][0] == "card_new" and near["weather"][0] == "rain"
    for label, others in near.items():
        expected = sorted(
            (o for o in TEXTS if o != label), key=lambda o, of=label: (-slow_nearness(of, o), o)
        )
        assert others == expected


def test_the_order_of_texts_and_labels_does_not_matter():
    turned = {label: texts[::-1] for label, texts in reversed(TEXTS.items())}
    assert nearest_labels(turned) == nearest_labels(TEXTS)


def test_a_label_without_words_is_nearest_to_none_and_breaks_nothing():
    near = nearest_labels({**TEXTS, "empty": ["?!"]})
    assert near["empty"] == sorted(TEXTS)
