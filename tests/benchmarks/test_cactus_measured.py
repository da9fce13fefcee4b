"""What the README of CACTUS says was measured, and the paper's margins, against the results."""

import json
from pathlib import Path

import numpy as np
import pytest

import subclust.benchmarks

RESULTS = Path(subclust.benchmarks.__file__).parent / "results"
README = (Path(subclust.benchmarks.__file__).parents[1] / "methods/cactus/README.md").read_text()
MARGINS = {"ami": 0.096, "ari": 0.087}
"""Of CACTUS over SCL (context), section 4.2: the least of the paper's five sets."""


def measured(method, task, metric, groups="auto_k"):
    kept = json.loads((RESULTS / method / f"{task}.json").read_text(encoding="utf-8"))
    return kept["granularities"]["flat"][groups][metric]["mean"]


def said(*values):
    return f"{' and '.join(f'{value:.3f}'.removeprefix('0') for value in values)}"


@pytest.mark.parametrize(
    "name", ["hwu64_unseen", "clinc_context", "arxiv_context", "arxiv_entities", "clinc_unseen"]
)
def test_cactus_is_above_scl_by_more_than_the_papers_margins(name):
    flat = " ".join(README.split())
    told = []
    for metric, margin in MARGINS.items():
        ours = measured(f"cactus@{name}-from-pretrained", f"{name}_test", metric)
        theirs = measured(f"scl-structural-context@{name}", f"{name}_test", metric)
        # On one set the two are level, as the README says.
        assert (ours / theirs - 1 >= margin) == (name != "clinc_unseen") and ours > theirs
        told.append(f"{metric.upper()} {said(ours, theirs)}")
        without = measured(f"scl-structural@{name}", f"{name}_test", metric)
        assert theirs < without and (without < ours) == (name != "clinc_unseen")
    assert ", ".join(told) in flat
    alone = [measured(f"cactus@{name}", f"{name}_test", metric) for metric in MARGINS]
    assert said(*alone) in flat


def test_beside_scl_without_context_cactus_gains_less():
    def gains(name):
        found = []
        for metric in MARGINS:
            ours = measured(f"cactus@{name}-from-pretrained", f"{name}_test", metric)
            found.append(ours / measured(f"scl-structural@{name}", f"{name}_test", metric) - 1)
        return [f"{abs(one):.1%}" for one in found], found[0] > 0

    flat = " ".join(README.split())
    told = [gains(n) for n in ("hwu64_unseen", "clinc_context", "arxiv_context", "arxiv_entities")]
    assert all(gained for _, gained in told)
    (first, *others), (lost, gained) = [values for values, _ in told], gains("clinc_unseen")
    assert f"CACTUS gains less: {first[0]} AMI and {first[1]} ARI on `hwu64_unseen`, " in flat
    sets = ("clinc_context", "arxiv_context", "arxiv_entities")
    for values, name in zip(others, sets, strict=True):
        assert f"{values[0]} and {values[1]} on `{name}`" in flat
    assert not gained and f"it loses {lost[0]} and {lost[1]} on `clinc_unseen`" in flat


@pytest.mark.parametrize(
    ("method", "first", "second"),
    [
        ("scl-structural", "clinc_context", "arxiv_context"),
        ("cactus", "clinc_context", "arxiv_context"),
        ("scl-structural-context", "arxiv_context", "arxiv_entities"),
    ],
)
def test_models_of_which_the_readme_says_so_are_what_they_began_with(method, first, second):
    # On the subsets of a third set two models score all pairs alike only if neither has learnt.
    found = []
    for name in (first, second):
        file = RESULTS / f"{method}@{name}" / "hwu64_unseen_test.json"
        kept = json.loads(file.read_text(encoding="utf-8"))["granularities"]["flat"]["true_k"]
        found.append(kept["auc"]["per_instance"])
    assert found[0] == found[1]
    flat = " ".join(README.split())
    assert "no step was better on the validation subsets than what they began with" in flat


@pytest.mark.parametrize(
    "name", ["hwu64_unseen", "clinc_context", "arxiv_context", "arxiv_entities"]
)
def test_on_four_sets_cactus_is_the_best_of_all_methods(name):
    task = f"{name}_test"
    ours = measured(f"cactus@{name}-from-pretrained", task, "ari")
    for rival in ("scl-structural", "word-emb", "word-emb-context"):
        assert measured(f"{rival}@{name}", task, "ari") < ours
    alone = measured(f"cactus@{name}", task, "ari")
    assert (alone < ours) == (name != "arxiv_entities")
    for untrained in ("kmeans", "spectral", "sbert-cosine"):
        kept = json.loads((RESULTS / untrained / f"{task}.json").read_text(encoding="utf-8"))
        by_rule = kept["granularities"]["flat"]["auto_k_by_rule"]
        assert max(one["ari"]["mean"] for one in by_rule.values()) < ours


def test_on_large_subsets_the_supervised_methods_come_in_the_papers_order():
    flat = " ".join(README.split())
    names = ("cactus", "scl-structural-context", "scl-structural", "word-emb-context", "word-emb")
    found = [measured(f"{name}@clinc_gifts", "clinc_gifts_test", "ari") for name in names]
    assert found == sorted(found, reverse=True)
    labels = ("CACTUS", "SCL (context)", "SCL", "word-emb (context)", "word-emb")
    told = (f"{label} {said(value)}" for label, value in zip(labels, found, strict=True))
    assert f"ARI: {', '.join(told)};" in flat
    for untrained in ("kmeans", "spectral", "sbert-cosine"):
        file = RESULTS / untrained / "clinc_gifts_test.json"
        kept = json.loads(file.read_text(encoding="utf-8"))["granularities"]["flat"]
        assert max(one["ari"]["mean"] for one in kept["auto_k_by_rule"].values()) < 0.70


def test_how_models_do_on_the_subsets_of_another_set():
    sets = ("clinc_gifts", "clinc_context", "hwu64_unseen", "arxiv_entities", "arxiv_context")
    # The paper pretrains for all sets but Gifts.
    ours = {one: one if one == "clinc_gifts" else f"{one}-from-pretrained" for one in sets}
    rows = [
        [
            measured(method, f"{target}_test", "ari")
            for method in (
                f"cactus@{ours[source]}",
                f"scl-structural-context@{source}",
                f"scl-structural@{source}",
            )
        ]
        for target in sets
        for source in sets
        if source != target
    ]
    above = sum(ours > theirs for ours, theirs, _ in rows)
    without = sum(alone > theirs for _, theirs, alone in rows)
    flat = " ".join(README.split())
    assert len(rows) == 20 and above > 10
    assert f"in {above} of {len(rows)} transfers" in flat
    assert f"SCL without context is above SCL with it in {without}," in flat


def test_what_pretraining_adds():
    flat = " ".join(README.split())
    for name, task, verb, sign in (
        ("clinc_context", "clinc_context_validation", "{} ARI on `clinc_context` and", 1),
        ("arxiv_context", "arxiv_context_validation", "{} on `arxiv_context`. On the test", 1),
        ("hwu64_unseen", "hwu64_unseen_test", "it adds {} on `hwu64_unseen`", 1),
        ("clinc_context", "clinc_context_test", "{} on `clinc_context` and", 1),
        ("arxiv_context", "arxiv_context_test", "{} on `arxiv_context`, and", 1),
        ("arxiv_entities", "arxiv_entities_test", "and {} on `arxiv_entities`", -1),
        ("clinc_unseen", "clinc_unseen_test", "takes away {} on `clinc_unseen`", -1),
    ):
        alone = measured(f"cactus@{name}", task, "ari")
        adds = measured(f"cactus@{name}-from-pretrained", task, "ari") - alone
        assert verb.format(said(abs(adds))) in flat, name
        assert adds * sign > 0


def test_what_pretraining_on_products_adds():
    flat = " ".join(README.split())
    tests = [
        measured(f"cactus@{name}-from-products", f"{name}_test", "ari")
        for name in ("clinc_context", "hwu64_unseen")
    ]
    for name, found in zip(("clinc_context", "hwu64_unseen"), tests, strict=True):
        assert found > measured(f"cactus@{name}", f"{name}_test", "ari")
    own = measured("cactus@hwu64_unseen-from-pretrained", "hwu64_unseen_test", "ari")
    validated = measured("cactus@clinc_context-from-products", "clinc_context_validation", "ari")
    assert (
        "has {} on the test subsets of `clinc_context` and {} on those of `hwu64_unseen`:".format(
            *map(said, tests)
        )
        in flat
    )
    assert f"whose model has {said(own)}. On the validation" in flat and tests[1] < own
    assert f"subsets of `clinc_context` it has {said(validated)}." in flat


def test_where_all_tags_occur_in_training_pretraining_decides():
    flat = " ".join(README.split())
    task = "stackoverflow_entities_test"
    told, without = [], []
    for metric in MARGINS:
        theirs = measured("scl-structural-context@stackoverflow_entities", task, metric)
        ours = measured("cactus@stackoverflow_entities-from-pretrained", task, metric)
        alone = measured("cactus@stackoverflow_entities", task, metric)
        assert alone < theirs < ours
        told.append(f"{metric.upper()} {said(ours, theirs)}")
        without.append(alone)
    assert f"with pretraining, {', '.join(told)}, and without it below, {said(*without)}." in flat


@pytest.mark.parametrize("name", ["clinc_context", "arxiv_context"])
def test_set_encoders_and_losses_stand_as_the_readme_says(name):
    flat = " ".join(README.split())
    task = f"{name}_validation"
    parts = {
        "SIA (hid-mean)": "cactus", "SIA (first)": "cactus-sia-first", "NIA": "cactus-nia",
        "FIA": "cactus-fia", "NIA (context)": "cactus-nia-context",
    }  # fmt: skip
    found = {label: measured(f"{one}@{name}", task, "ari") for label, one in parts.items()}
    # In an encoder like BERT KV-mean is hid-mean.
    same = measured(f"cactus-sia-kv-mean@{name}", task, "ari")
    assert same == pytest.approx(found["SIA (hid-mean)"], abs=1e-6)
    assert min(found, key=found.get) == "NIA (context)"
    in_order = sorted(found, key=found.get, reverse=True)
    told = ", ".join(f"{label} {said(found[label])}" for label in in_order)
    assert f"on `{name}` {told}" in flat
    losses = [
        measured(f"cactus-sia-first@{name}{loss}", task, "ari")
        for loss in ("-triplet", "", "-structural", "-cross-entropy")
    ]
    if name == "clinc_context":
        assert (
            "triplet {}, augmented triplet {}, structural {}, cross-entropy {};".format(
                *map(said, losses)
            )
            in flat
        )
    else:
        assert "`arxiv_context` {}, {}, {} and {}.".format(*map(said, losses)) in flat


@pytest.mark.parametrize("name", ["hwu64_unseen", "clinc_context", "clinc_unseen"])
def test_the_validated_threshold_is_better_than_the_neutral_similarity(name):
    flat = " ".join(README.split())
    task = f"{name}_test"
    validated = measured(f"cactus@{name}-from-pretrained", task, "ari")
    neutral = measured(f"cactus@{name}-neutral", task, "ari")
    assert validated > neutral
    assert f"{said(validated, neutral)} on `{name}`" in flat


def test_what_the_query_adds_to_a_set_of_word_pieces():
    flat = " ".join(README.split())
    for method in ("cactus-query", "cactus"):
        for task in ("wiki2021_test", "trec_car_a"):
            pair = [
                measured(f"{method}@wikipedia-pieces", task, "ari", groups)
                for groups in ("true_k", "auto_k")
            ]
            assert said(*pair) in flat, (method, task)


def test_the_shipped_model_is_at_least_level_with_the_one_below_it():
    flat = " ".join(README.split())
    for task in ("wiki2021_test", "trec_car_a"):
        ours = measured("cactus-query@wikipedia", task, "ari", "true_k")
        below = measured("centred-qs3m", task, "ari", "true_k")
        assert ours > below
        assert f"{said(ours)} on {task}" in flat and said(below) in flat
    for method in ("cactus-query@wikipedia", "centred-qs3m"):
        pair = [measured(method, task, "ari") for task in ("wiki2021_test", "trec_car_a")]
        assert said(*pair) in flat


def test_the_readme_says_how_far_chance_goes_in_what_the_shipped_model_gains():
    def differs(task, groups):
        ours, below = (
            np.array(
                json.loads((RESULTS / method / f"{task}.json").read_text(encoding="utf-8"))[
                    "granularities"
                ]["flat"][groups]["ari"]["per_instance"]
            )
            for method in ("cactus-query@wikipedia", "centred-qs3m")
        )
        found = ours - below
        error = found.std(ddof=1) / len(found) ** 0.5
        sign = "−" if found.mean() < 0 else ""
        assert abs(found.mean()) < 2 * error
        return f"{sign}{said(abs(found.mean()))} ± {said(error)}"

    told = [differs(t, g) for g in ("true_k", "auto_k") for t in ("wiki2021_test", "trec_car_a")]
    assert (
        "differs by {} and {}, with a number of its own by {} and {} (one standard error over the "
        "queries): none of it is more than chance."
    ).format(*told) in " ".join(README.split())
