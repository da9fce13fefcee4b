from dataclasses import replace

import numpy as np
import pytest
from judged_sets import labelled_queries
from raising import raises

from subclust.core.exceptions import BenchmarkError
from subclust.grouping.projection import align
from subclust.judging.judgement import judge_checkpoint
from subclust.judging.maps import judgement_maps


@pytest.fixture
def tools(settings, store, encoder):
    return {"settings": settings, "store": store, "encoder": encoder}


@pytest.fixture
def judgement(tools):
    return judge_checkpoint("qs3m/tiny", labelled_queries(3), base="qss/tiny", **tools)


def places(one):
    return np.array(one.coordinates, dtype=np.float32)


def test_both_maps_show_the_same_passages_with_their_scores_and_labels(judgement, tools):
    maps = judgement_maps(judgement, "query 1", labelled_queries(3), **tools)
    (judged,) = [query for query in judgement.queries if query.query == "query 1"]
    assert (maps.before.name, maps.after.name) == ("qss/tiny", "qs3m/tiny")
    assert maps.before.ari == pytest.approx(judged.scores["base"]["ari"], abs=1e-6)
    assert maps.after.ari == pytest.approx(judged.scores["new"]["ari"], abs=1e-6)
    assert maps.before.groups != maps.after.groups
    for one in (maps.before, maps.after):
        assert len(one.coordinates) == len(one.groups) == len(maps.passages) == 12
        assert set(one.groups) == {0, 1, 2}
        assert np.isfinite(places(one)).all() and np.ptp(places(one), axis=0).min() > 0
    assert [maps.subtopics[place] for place in maps.gold] == [f"part {i % 3}" for i in range(12)]
    assert maps.to_dict()["after"]["role"] == "new"


def test_the_new_map_lies_on_the_old_one_as_well_as_turning_can_do(tools):
    # A network that moves the passages, beside one that compares them where they are.
    moved = judge_checkpoint("centred-qs3m/tiny", labelled_queries(3), base="qss/tiny", **tools)
    maps = judgement_maps(moved, "query 0", labelled_queries(3), **tools)
    assert not np.allclose(places(maps.before), places(maps.after), atol=1e-2)
    ids = list(maps.ids)
    again = align(places(maps.after), ids, places(maps.before), ids)
    assert np.allclose(again, places(maps.after), atol=1e-3)
    turned = align(-places(maps.after), ids, places(maps.before), ids)
    assert np.allclose(turned, places(maps.after), atol=1e-3)
    assert not np.allclose(-places(maps.after), places(maps.after), atol=1e-2)


def test_another_method_can_be_asked_for(judgement, tools):
    instances = labelled_queries(3)
    baseline = judgement_maps(judgement, "query 0", instances, against="baseline", **tools)
    assert (baseline.before.name, baseline.before.role) == ("centred-cosine", "baseline")


def test_what_was_not_judged_is_refused(judgement, tools):
    instances = labelled_queries(4)
    with raises(BenchmarkError, checkpoint="qs3m/tiny", query="query 3"):
        judgement_maps(judgement, "query 3", instances, **tools)
    with raises(BenchmarkError, checkpoint="qs3m/tiny", query="query 1"):
        judgement_maps(judgement, "query 1", instances[:1], **tools)
    alone = replace(judgement, methods=judgement.methods[:2])
    with raises(BenchmarkError, checkpoint="qs3m/tiny", against="default", names="'base'"):
        judgement_maps(alone, "query 1", instances, against="default", **tools)
