"""Ways to divide the hits of ten questions to the demo library: each is a way of its own."""

from itertools import combinations

import pytest

import subclust
from subclust.cli import main
from subclust.core.records import OTHER_PASSAGES
from subclust.core.settings import PROJECT_ROOT
from subclust.evaluation.metrics import adjusted_mutual_information

pytestmark = pytest.mark.slow

QUESTIONS = (
    "causes of the American Revolutionary War",
    "economy",
    "history",
    "climate",
    "religion and philosophy",
    "animals",
    "Abraham Lincoln",
    "computers and algorithms",
    "music and art",
    "What is known of Angola, Albania, Algeria and Andorra?",
)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SUBCLUST_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        patch.setenv("SUBCLUST_SHIPPED_MODELS_DIR", str(PROJECT_ROOT / "models"))
        assert main(["demo"]) == 0
        yield subclust.open_library("demo")


def labels_of(answer):
    groups = answer.subtopics.groups
    return [groups[hit.passage.id] for hit in answer.ranking.hits]


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_way_divides_unlike_the_others_and_unlike_the_question(demo, question):
    answer = demo.search(question)
    ways = answer.ways()
    assert len(ways) <= 4 and len({str(way.text) for way in ways}) == len(ways)
    divided = [answer.regroup(way) for way in ways]
    for way, found in zip(ways, divided, strict=True):
        sizes = sorted((one.size for one in found.subtopics.subtopics), reverse=True)
        groups = [one.size for one in found.subtopics.subtopics if one.id != OTHER_PASSAGES]
        assert tuple(sorted(groups, reverse=True)) == way.sizes
        assert sizes[0] <= 0.8 * len(answer)
    for first, other in combinations([answer, *divided], 2):
        assert adjusted_mutual_information(labels_of(first), labels_of(other)) < 0.3


def test_most_questions_have_several_ways(demo):
    counts = [len(demo.search(question).ways()) for question in QUESTIONS]
    assert sum(counts) >= 2 * len(QUESTIONS)


def test_groups_that_are_countries_are_said_to_be(demo):
    keys = {way.key: way.kind for way in demo.search("economy").ways()}
    assert keys["field:document"] == "country"
