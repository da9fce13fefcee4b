"""Ways to divide the hits of ten questions to the demo library: each is a way of its own."""

from itertools import combinations

import pytest

import subclust
from subclust.cli import main
from subclust.core.records import OTHER_PASSAGES
from subclust.core.settings import PROJECT_ROOT
from subclust.evaluation.metrics import adjusted_mutual_information
from subclust.pipeline.ways import DIRECTIONS
from subclust.pipeline.ways.kinds import kind_of
from subclust.text.encoders import shared_encoder

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
    "the economies of Angola, Albania and Algeria",
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
    found = [demo.search(question).ways() for question in QUESTIONS]
    assert min(map(len, found)) >= 2
    named = [any(way.key not in DIRECTIONS for way in ways) for ways in found]
    assert sum(named) > len(QUESTIONS) / 2


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (["Angola", "Peru", "Malta", "Algeria"], "country"),
        (["Aristotle", "Arthur Schopenhauer", "Ayn Rand", "George Orwell"], "person"),
        (["Early history", "20th century", "Colonial era", "Middle Ages"], "period"),
        (["Cats", "Reptiles", "Fish", "Apes"], "animal"),
        (["Economy of Angola", "Angola", "Transport in Angola"], ""),
        (["Commandments", "Snowball", "Altruism", "Predatory journals"], ""),
        (["Angola"], ""),
    ],
)
def test_what_names_have_in_common_is_told_where_it_is_clear(demo, names, kind):
    encoder = shared_encoder(demo.settings)
    assert kind_of(names, encoder, encoder.encode) == kind
