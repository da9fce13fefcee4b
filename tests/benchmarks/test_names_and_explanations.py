import json

import numpy as np
import pytest
from made_library import make_library

from benchmarks import names
from benchmarks.__main__ import main
from benchmarks.explanations import measure_explanations
from benchmarks.names import BASELINE, SHIPPED, in_words, measure_names, namers
from benchmarks.results import OTHER_FOLDERS, RESULTS_DIR, read_result
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.grouping.naming.base import SubtopicNamer
from subclust.methods import load_method
from subclust.pipeline.query import SubtopicPipeline
from subclust.text.encoders import HashingEncoder

# What the shipped names gain over plain ones, in points of a hundred.
LEAST_GAIN = {"trec_car_a": 13.0, "demo": 15.0, "wiki2021_test": 20.0}


class Fixed(SubtopicNamer):
    def __init__(self, names):
        self.names = names

    def propose(self, asked):
        return {group: [self.names[group]] for group in asked.wanted}


def instances():
    texts = [("Tea tax", "the tax on tea"), ("Tea tax", "tea and tax"), ("Fleet", "a fleet")]
    passages = tuple(Passage(f"p{i}", text, label=h) for i, (h, text) in enumerate(texts))
    alone = tuple(Passage(f"q{i}", "word", label="Only") for i in range(3))
    return [
        ClusteringInstance(Query("war"), passages),
        ClusteringInstance(Query("nothing to tell apart"), alone),
    ]


def test_a_name_is_right_where_its_own_heading_is_the_nearest():
    chosen = {  # headings in order: Fleet, Tea tax
        BASELINE: Fixed({0: "tea tax", 1: "fleet"}),
        "right": Fixed({0: "the fleet", 1: "tax on tea"}),
        "half": Fixed({0: "fleet", 1: "fleet of ships"}),
    }
    found = measure_names(instances(), chosen, HashingEncoder(256))
    assert (found["n_queries"], found["n_sections"], found["n_larger_sections"]) == (1, 2, 1)
    shares = {name: told["share"] for name, told in found["namers"].items()}
    assert shares == {BASELINE: 0.0, "right": 1.0, "half": 0.5}
    assert found["namers"]["right"]["per_query"] == [2]
    assert found["namers"]["right"]["share_of_larger"] == 1.0
    assert found["namers"]["half"]["gain"]["mean"] == 0.5
    assert found["namers"][BASELINE]["exact"] == 0.0 and found["namers"]["half"]["exact"] == 0.5
    right = found["namers"]["right"]
    assert (right["n_words"], right["noun_phrases"], right["query_words"]) == (2.5, 0.5, 0.0)
    assert "right" in in_words({"task": "t", **found})


def test_every_namer_can_be_measured():
    encoder = HashingEncoder(64)
    found = measure_names(instances(), namers(encoder, lambda prompt: "1: tea"), encoder)
    assert {BASELINE, SHIPPED, "medoid", "words", "language-model"} <= set(found["namers"])
    assert all(0 <= told["share"] <= 1 for told in found["namers"].values())


def test_the_command_refuses_an_unknown_namer(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    assert main(["names", "demo", "--namer", "poet"]) == 1
    assert "'poet'" in capsys.readouterr().err


def test_the_first_queries_are_kept_beside_the_result_of_all(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    monkeypatch.setattr(names, "RESULTS_DIR", tmp_path)
    asked = ["names", "demo", "--namer", SHIPPED, "--queries", "2", "--save", "--json"]
    assert main(asked) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["task"], told["n_queries"]) == ("demo-2", 2)
    assert read_result(tmp_path / "names" / "demo-2.json") == told
    with pytest.raises(SystemExit):
        main(["names", "demo", "--queries", "0"])
    assert "but is '0'" in capsys.readouterr().err


@pytest.mark.parametrize("task", LEAST_GAIN)
def test_the_shipped_names_are_well_above_plain_ones(task):
    saved = read_result(RESULTS_DIR / "names" / f"{task}.json")
    plain, shipped = saved["namers"][BASELINE], saved["namers"][SHIPPED]
    assert 100 * (shipped["share"] - plain["share"]) >= LEAST_GAIN[task]
    assert shipped["gain"]["interval"][0] > 0.05
    assert shipped["share"] > saved["namers"]["words"]["share"]
    assert sum(shipped["per_query"]) / saved["n_sections"] == pytest.approx(
        shipped["share"], abs=1e-4
    )
    assert len(shipped["per_query"]) == len(saved["queries"]) == saved["n_queries"]


def test_marked_words_are_faithful_in_what_was_measured():
    (path,) = (RESULTS_DIR / "explanations").glob("demo-centred-qs3m.json")
    saved = read_result(path)
    assert saved["n_passages"] >= 50
    assert saved["interval"][0] > 0
    assert saved["lost_without_marked"] > saved["lost_without_random"]
    marked = np.array([one["marked"] for one in saved["passages"]])
    random = np.array([one["random"] for one in saved["passages"]])
    assert saved["difference"] == pytest.approx((marked - random).mean(), abs=1e-4)


def test_results_of_names_and_explanations_are_no_method():
    assert {"names", "explanations"} <= OTHER_FOLDERS


def test_marked_words_are_tried_on_a_small_library(tmp_path):
    from subclust.checkpoints import CheckpointStore
    from subclust.text.retrieval import Retriever

    encoder = HashingEncoder()
    subjects = {
        "tea": "merchants refused the tax on tea and paper",
        "fleet": "frigates of the French fleet left the harbour",
        "snow": "hungry soldiers drilled in winter snow",
    }
    passages = [
        Passage(f"{name}-{row}", f"Letter {row} of the war. {text}, as letters report.")
        for name, text in subjects.items()
        for row in range(8)
    ]
    library = make_library(tmp_path / "library", encoder, passages)
    method = load_method("centred-cosine", CheckpointStore(tmp_path / "models"), encoder)
    pipeline = SubtopicPipeline(Retriever(library, encoder), method)
    found = measure_explanations(pipeline, ["letters of the war"], n_passages=6)
    assert found["n_passages"] + found["n_unmarked"] == 6
    assert found["lost_without_marked"] > found["lost_without_random"]
    assert {row["id"] for row in found["passages"]} <= {passage.id for passage in passages}
