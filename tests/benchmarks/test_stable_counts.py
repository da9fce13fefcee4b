"""The most stable number of groups beside the automatic one."""

from benchmarks.results import OTHER_FOLDERS
from benchmarks.stable_counts import measure_counts
from subclust.checkpoints import CheckpointStore
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.text.encoders import HashingEncoder

WORDS = ("tea tax paper", "fleet ship harbour", "snow winter camp")


def test_the_three_numbers_cut_the_same_tree(tmp_path):
    passages = tuple(
        Passage(f"p{row}", f"{WORDS[row % 3]} {row % 4}", label=WORDS[row % 3]) for row in range(12)
    )
    instances = [
        ClusteringInstance(Query("war"), passages),
        ClusteringInstance(Query("few"), passages[:3]),
    ]
    found = measure_counts(
        instances, "centred-cosine", HashingEncoder(64), CheckpointStore(tmp_path / "models")
    )
    counts = found["counts"]
    assert found["n_queries"] == 1
    assert counts["gold"]["per_query"] == [3] and counts["gold"]["error"] == 0
    assert counts["gold"]["ari"] == 1.0
    assert found["gain"]["mean"] == round(counts["stable"]["ari"] - counts["automatic"]["ari"], 4)


def test_its_results_are_no_method():
    assert "stability" in OTHER_FOLDERS
