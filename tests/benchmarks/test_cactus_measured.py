"""What the README of CACTUS says was measured, and the paper's margins, against the results."""

import json
from pathlib import Path

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


@pytest.mark.parametrize("name", ["hwu64_unseen", "clinc_unseen", "clinc_context"])
def test_cactus_is_above_scl_by_more_than_the_papers_margins(name):
    flat = " ".join(README.split())
    for metric, margin in MARGINS.items():
        ours = measured(f"cactus@{name}-from-pretrained", f"{name}_test", metric)
        theirs = measured(f"scl-structural-context@{name}", f"{name}_test", metric)
        assert ours / theirs - 1 >= margin
        assert f"{metric.upper()} {said(ours, theirs)}" in flat
        without = measured(f"scl-structural@{name}", f"{name}_test", metric)
        assert theirs < without < ours
    alone = [measured(f"cactus@{name}", f"{name}_test", metric) for metric in MARGINS]
    assert said(*alone) in flat


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
        assert max(one["ari"]["mean"] for one in kept["auto_k_by_rule"].values()) < 0.65


def test_how_models_do_on_the_subsets_of_another_set():
    sets = ("clinc_gifts", "clinc_context", "hwu64_unseen", "arxiv_entities", "arxiv_context")
    kinds = ("cactus", "scl-structural-context", "scl-structural")
    rows = [
        [measured(f"{kind}@{source}", f"{target}_test", "ari") for kind in kinds]
        for target in sets[1:]
        for source in sets
        if source != target
    ]
    above = sum(ours > theirs for ours, theirs, _ in rows)
    without = sum(alone > theirs for _, theirs, alone in rows)
    flat = " ".join(README.split())
    assert f"in {above} of {len(rows)} transfers" in flat
    assert f"SCL without context is above SCL with it in {without}," in flat


def test_what_pretraining_adds():
    flat = " ".join(README.split())
    for name, task, verb in (
        ("hwu64_unseen", "hwu64_unseen_test", "adds {} ARI on"),
        ("clinc_unseen", "clinc_unseen_test", "and {} on"),
        ("clinc_context", "clinc_context_validation", "it takes away {},"),
        ("arxiv_context", "arxiv_context_validation", "`arxiv_context` {}, and"),
        ("clinc_context", "clinc_context_test", "{} on the test of the former"),
    ):
        alone = measured(f"cactus@{name}", task, "ari")
        adds = measured(f"cactus@{name}-from-pretrained", task, "ari") - alone
        assert verb.format(said(abs(adds))) in flat, name
        assert (adds > 0) == name.endswith("unseen")


@pytest.mark.parametrize("name", ["clinc_context", "arxiv_context"])
def test_set_encoders_and_losses_stand_as_the_readme_says(name):
    flat = " ".join(README.split())
    task = f"{name}_validation"
    parts = {
        "SIA (hid-mean)": "cactus", "SIA (first)": "cactus-sia-first", "NIA": "cactus-nia",
        "SIA (KV-mean)": "cactus-sia-kv-mean", "FIA": "cactus-fia",
        "NIA (context)": "cactus-nia-context",
    }  # fmt: skip
    found = {label: measured(f"{one}@{name}", task, "ari") for label, one in parts.items()}
    assert min(found, key=found.get) == "NIA (context)"
    for label in ("NIA", "FIA", "NIA (context)"):
        assert f"{label} {said(found[label])}" in flat
    losses = [
        measured(f"cactus-sia-first@{name}-{loss}", task, "ari")
        for loss in ("triplet", "structural", "cross-entropy")
    ]
    assert f"triplet {said(losses[0])}" in flat and losses[1] == losses[2]
    assert said(losses[1]) in flat


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
