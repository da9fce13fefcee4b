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
SETS = ("clinc_context", "arxiv_context", "arxiv_entities", "clinc_unseen", "hwu64_unseen")
UNSEEN = ("clinc_unseen", "hwu64_unseen")


def measured(method, task, metric, groups="auto_k"):
    kept = json.loads((RESULTS / method / f"{task}.json").read_text(encoding="utf-8"))
    return kept["granularities"]["flat"][groups][metric]["mean"]


def said(*values):
    return f"{' and '.join(f'{value:.3f}'.removeprefix('0') for value in values)}"


def gains(name, rival):
    """Say by how much CACTUS is above a rival on a set's test subsets, in AMI and ARI."""
    return [
        measured(f"cactus@{name}-from-pretrained", f"{name}_test", metric)
        / measured(f"{rival}@{name}", f"{name}_test", metric)
        - 1
        for metric in MARGINS
    ]


@pytest.mark.parametrize("name", SETS)
def test_cactus_is_above_scl_with_context_as_the_readme_says(name):
    flat = " ".join(README.split())
    found = gains(name, "scl-structural-context")
    beyond = all(gain >= margin for gain, margin in zip(found, MARGINS.values(), strict=True))
    assert beyond == (name not in UNSEEN) and min(found) > 0
    told = []
    for metric in MARGINS:
        pair = (f"cactus@{name}-from-pretrained", f"scl-structural-context@{name}")
        told.append(
            f"{metric.upper()} {said(*(measured(m, f'{name}_test', metric) for m in pair))}"
        )
    assert ", ".join(told) in flat
    if name in UNSEEN:
        assert f"{found[0]:.1%} and {found[1]:.1%} on `{name}`" in flat
    alone = [measured(f"cactus@{name}", f"{name}_test", metric) for metric in MARGINS]
    assert said(*alone) in flat


def test_the_margins_hold_over_two_seeds_on_two_sets():
    flat = " ".join(README.split())
    apart = {"cactus": [], "scl-structural-context": []}
    for name in ("clinc_context", "arxiv_context", "arxiv_entities"):
        found = []
        for metric in MARGINS:
            means = []
            for method, suffix in (("cactus", "-from-pretrained"), ("scl-structural-context", "")):
                runs = [
                    measured(f"{method}@{name}{suffix}{seed}", f"{name}_test", metric)
                    for seed in ("", "-seed-1")
                ]
                means.append(sum(runs) / 2)
                if metric == "ari":
                    apart[method].append(abs(runs[0] - runs[1]))
            found.append(means[0] / means[1] - 1)
        assert f"{found[0]:.1%} and {found[1]:.1%} on `{name}`" in flat
        beyond = all(gain >= margin for gain, margin in zip(found, MARGINS.values(), strict=True))
        assert beyond == (name != "arxiv_entities")
    most = [said(max(apart[method])) for method in ("scl-structural-context", "cactus")]
    assert "on one set are up to {} ARI apart, those of CACTUS up to {}.".format(*most) in flat


def test_beside_scl_without_context_cactus_gains_on_all_but_one_set():
    flat = " ".join(README.split())
    for name in SETS:
        found = gains(name, "scl-structural")
        told = (
            "{:.1%} and {:.1%} on `{}`" if name != SETS[0] else "{:.1%} AMI and {:.1%} ARI on `{}`"
        )
        assert told.format(*map(abs, found), name) in flat
        assert (min(found) > 0) == (name != "hwu64_unseen")
        with_context = measured(f"scl-structural-context@{name}", f"{name}_test", "ari")
        without = measured(f"scl-structural@{name}", f"{name}_test", "ari")
        assert (with_context > without) == (name == "arxiv_entities")
    pairs = [
        [measured(method, f"hwu64_unseen_{split}", "ari") for method in methods]
        for methods in [("cactus@hwu64_unseen-from-pretrained", "scl-structural@hwu64_unseen")]
        for split in ("validation", "test")
    ]
    assert f"validation subsets, {said(*pairs[0])} ARI, and behind" in flat
    assert f"on the test subsets, {said(*pairs[1])}, where" in flat
    assert pairs[0][0] > pairs[0][1] and pairs[1][0] < pairs[1][1]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("method", ["cactus", "scl-structural", "scl-structural-context"])
def test_all_models_of_table_2_have_learnt(method, name):
    for suffix in ("", "-from-pretrained") if method == "cactus" else ("",):
        file = RESULTS / f"{method}@{name}{suffix}" / f"{name}_test.json"
        story = json.loads(file.read_text(encoding="utf-8"))["granularities"]["flat"]["story"]
        assert story["training"]["queries_per_file"] == 0
        # As the README says of it, SCL (context) of one set is a network by chance.
        chance = (method, name) == ("scl-structural-context", "clinc_unseen")
        assert (story["training"]["best_step"] == 0) == chance


@pytest.mark.parametrize("name", SETS)
def test_on_all_sets_but_one_cactus_is_the_best_of_all_methods(name):
    task = f"{name}_test"
    ours = measured(f"cactus@{name}-from-pretrained", task, "ari")
    for rival in ("scl-structural", "word-emb", "word-emb-context"):
        theirs = measured(f"{rival}@{name}", task, "ari")
        assert (theirs < ours) == ((rival, name) != ("scl-structural", "hwu64_unseen"))
    for untrained in ("kmeans", "spectral", "sbert-cosine"):
        kept = json.loads((RESULTS / untrained / f"{task}.json").read_text(encoding="utf-8"))
        by_rule = kept["granularities"]["flat"]["auto_k_by_rule"]
        best = max(one["ari"]["mean"] for one in by_rule.values())
        assert (best < ours) == ((untrained, name) != ("sbert-cosine", "hwu64_unseen"))
        if best > ours:
            told = f"average link on the encoder as it is has {said(best)}"
            assert told in " ".join(README.split())
    assert "On all but the last it is the best of all methods." in " ".join(README.split())


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

    def adds(name, split="validation", few=""):
        task = f"{name}_{split}"
        pair = (f"cactus@{name}{few}-from-pretrained", f"cactus@{name}{few}")
        return measured(pair[0], task, "ari") - measured(pair[1], task, "ari")

    for name in SETS:
        assert f"{signed(adds(name))} on `{name}`" in flat
    most = max(abs(adds(name, "test")) for name in SETS)
    assert f"on the test subsets of all five the two are within {said(most)} of each other" in flat
    for name in ("clinc_context", "arxiv_context"):
        pair = [
            measured(f"cactus@{name}-500{way}", f"{name}_validation", "ari")
            for way in ("-from-pretrained", "")
        ]
        assert f"{said(*pair)} on `{name}`" in flat and pair[0] > pair[1]


def signed(value):
    return ("−" if value < 0 else "+") + said(abs(value))


def test_what_pretraining_on_products_adds():
    flat = " ".join(README.split())
    names = ("clinc_context", "hwu64_unseen")
    pairs = [
        [measured(f"cactus@{name}-from-products", f"{name}_{split}", "ari") for name in names]
        for split in ("test", "validation")
    ]
    assert (
        "has {} on the test subsets of `clinc_context` and {} on those of `hwu64_unseen`,".format(
            *map(said, pairs[0])
        )
        in flat
    )
    assert f"and {said(*pairs[1])} on the validation subsets:" in flat
    for split, pair in zip(("test", "validation"), pairs, strict=True):
        for name, found in zip(names, pair, strict=True):
            own = measured(f"cactus@{name}-from-pretrained", f"{name}_{split}", "ari")
            # Level on one, and above on the others.
            assert found > own - 0.0005


def test_where_all_tags_occur_in_training_cactus_is_above_all_rivals():
    flat = " ".join(README.split())
    task = "stackoverflow_entities_test"
    told, without, by = [], [], []
    for metric in MARGINS:
        theirs = measured("scl-structural-context@stackoverflow_entities", task, metric)
        ours = measured("cactus@stackoverflow_entities-from-pretrained", task, metric)
        alone = measured("cactus@stackoverflow_entities", task, metric)
        for rival in ("scl-structural", "word-emb", "word-emb-context"):
            assert measured(f"{rival}@stackoverflow_entities", task, metric) < ours
        by.append((f"{ours / theirs - 1:.0%}", f"{alone / theirs - 1:.0%}"))
        told.append(f"{metric.upper()} {said(ours, theirs)}")
        without.append(alone)
    assert by[0] == by[1]
    assert f"by {by[0][0]}, {', '.join(told)}, and without pretraining by {by[0][1]}," in flat
    assert f"by {by[0][1]}, {said(*without)}." in flat


@pytest.mark.parametrize("name", ["clinc_context", "arxiv_context"])
def test_set_encoders_and_losses_stand_as_the_readme_says(name):
    flat = " ".join(README.split())
    task = f"{name}_validation"
    parts = {
        "SIA (hid-mean)": "cactus", "SIA (KV-mean)": "cactus-sia-kv-mean",
        "SIA (first)": "cactus-sia-first", "NIA": "cactus-nia", "FIA": "cactus-fia",
        "NIA (context)": "cactus-nia-context",
    }  # fmt: skip
    found = {label: measured(f"{one}@{name}", task, "ari") for label, one in parts.items()}
    # In an encoder like BERT KV-mean is hid-mean, but for rounding.
    assert found["SIA (KV-mean)"] == pytest.approx(found["SIA (hid-mean)"], abs=0.005)
    for other in ("SIA (first)", "NIA", "FIA", "NIA (context)"):
        assert found[other] < found["SIA (hid-mean)"]
    assert found["NIA (context)"] < min(found["SIA (first)"], found["NIA"])
    in_order = sorted(found, key=found.get, reverse=True)
    told = ", ".join(f"{label} {said(found[label])}" for label in in_order)
    assert f"on `{name}` {told}" in flat
    losses = {
        label: measured(f"cactus-sia-first@{name}{suffix}", task, "ari")
        for label, suffix in (
            ("augmented triplet", ""),
            ("triplet", "-triplet"),
            ("cross-entropy", "-cross-entropy"),
            ("structural", "-structural"),
        )
    }
    told = ", ".join(f"{label} {said(value)}" for label, value in losses.items())
    assert f"on `{name}` {told}" in flat
    triplets = (losses["augmented triplet"], losses["triplet"])
    assert min(triplets) > max(losses["cross-entropy"], losses["structural"])
    assert (triplets[0] > triplets[1]) == (name == "arxiv_context")


@pytest.mark.parametrize("name", ["hwu64_unseen", "clinc_context", "clinc_unseen"])
def test_the_validated_threshold_is_better_than_the_neutral_similarity_on_two_sets(name):
    flat = " ".join(README.split())
    task = f"{name}_test"
    validated = measured(f"cactus@{name}-from-pretrained", task, "ari")
    neutral = measured(f"cactus@{name}-neutral", task, "ari")
    assert (validated > neutral) == (name != "clinc_unseen")
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


def test_on_textbooks_the_shipped_models_own_number_is_better():
    flat = " ".join(README.split())
    task, methods = "openstax_modules_train", ("cactus-query@wikipedia", "centred-qs3m")
    ours, below = (measured(method, task, "ari", "true_k") for method in methods)
    own = [measured(method, task, "ari") for method in methods]
    assert f"level with the true number, {said(ours, below)}," in flat
    assert f"the shipped one is above, {said(*own)}, by" in flat
    each = [
        np.array(
            json.loads((RESULTS / method / f"{task}.json").read_text(encoding="utf-8"))[
                "granularities"
            ]["flat"]["auto_k"]["ari"]["per_instance"]
        )
        for method in methods
    ]
    differs = each[0] - each[1]
    error = differs.std(ddof=1) / len(differs) ** 0.5
    assert f"by {said(differs.mean())} ± {said(error)}" in flat and differs.mean() > 2 * error


def test_reading_all_subsets_twice_adds_little():
    flat = " ".join(README.split())
    twice, once = (
        [
            measured(f"cactus@{name}{way}", f"{name}_validation", "ari")
            for name in ("clinc_context", "arxiv_context")
        ]
        for way in ("-twice", "")
    )
    assert f"{said(twice[0])} ARI on the validation subsets of `clinc_context` and" in flat
    assert f"{said(twice[1])} on those of `arxiv_context`, where once gives {said(*once)}." in flat
    assert all(0 < more - less < 0.012 for more, less in zip(twice, once, strict=True))
