"""The main job on real input: the demo library, the shipped model, the printed object."""

import json

import pytest

from benchmarks.speed import QUERIES
from subclust.cli import main
from subclust.core.records import OTHER_PASSAGES
from subclust.core.settings import PROJECT_ROOT
from subclust.text.retrieval import FEW

pytestmark = pytest.mark.slow

ANSWERED = {
    "causes of the American Revolutionary War": (
        "American Revolutionary War",
        "Articles of Confederation",
    ),
    "treatment of autism": ("Autism",),
    "apollo missions": ("Apollo 8", "Apollo 11", "Astronaut"),
    "anarchism in different countries": ("Anarchism",),
    "life and death of Abraham Lincoln": ("Abraham Lincoln",),
    "chemistry of the alkali metals": ("Alkali metal",),
    "history of Albania": ("Albania",),
    "economy and trade of Angola": (
        "Angola",
        "Economy of Angola",
        "Transport in Angola",
        "Foreign relations of Angola",
    ),
    "ethics of abortion": ("Abortion",),
    "amphibians": ("Amphibian",),
    "philosophy of Aristotle": ("Aristotle",),
    "altruism in animals": ("Altruism",),
    "Einstein's theory of relativity": ("Albert Einstein",),
    "tennis career of Andre Agassi": ("Andre Agassi",),
    "characters of Atlas Shrugged": ("List of Atlas Shrugged characters", "Ayn Rand"),
    "computer animation": ("Animation",),
    "sorting algorithms": ("Algorithm", "Algorithms (journal)"),
    "the god Apollo in art": ("Apollo", "Art"),
    "films of Tarkovsky": ("Andrei Tarkovsky",),
    "wildlife of Alaska": ("Alaska",),
    "alchemists of the Middle Ages": ("Alchemy",),
    "abacus": ("Abacus",),
    "pigs in Animal Farm": ("Animal Farm",),
    "ocean currents of the Atlantic": ("Atlantic Ocean",),
    "asphalt for roads": ("Asphalt",),
    "aikido training": ("Aikido",),
}
"""Questions, and the articles of the demo library that answer them."""

UNANSWERED = (
    "digital preservation",
    "malaria vaccine",
    "jazz guitar",
    "knitting patterns",
    "stock market crash of 1929",
    "dinosaurs",
    "sushi recipes",
    "Shakespeare's sonnets",
    "bicycle repair",
    "volleyball rules",
    "chess openings",
    "quantum cryptography",
)
"""Questions on which the demo library has nothing, or a passage here and there."""


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SUBCLUST_DATA_DIR", str(folder))
        patch.setenv("SUBCLUST_SHIPPED_MODELS_DIR", str(PROJECT_ROOT / "models"))
        assert main(["demo"]) == 0
        yield folder


@pytest.mark.parametrize("query", QUERIES)
def test_every_example_has_named_groups(data_dir, capsys, query):
    assert main(["search", query, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["query"], result["method"]) == (query, "centred-qs3m")
    groups = [group for group in result["subtopics"] if group["id"] != OTHER_PASSAGES]
    names = [group["name"] for group in groups]
    assert len(groups) == result["n_clusters"] >= 2
    assert len({name.casefold() for name in names}) == len(names) and all(names)
    ids = [passage["id"] for group in result["subtopics"] for passage in group["passages"]]
    assert len(ids) == len(set(ids)) == 200 - result["n_set_aside"]
    others = sum(group["size"] for group in result["subtopics"] if group["id"] == OTHER_PASSAGES)
    assert others <= len(ids) / 10


@pytest.mark.parametrize("query", ANSWERED)
def test_no_group_is_mostly_about_another_subject(data_dir, capsys, query):
    assert main(["search", query, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["answered"] is True
    for group in result["subtopics"]:
        others = [one for one in group["passages"] if one["title"] not in ANSWERED[query]]
        assert len(others) * 2 <= group["size"], group["name"]


@pytest.mark.parametrize("query", UNANSWERED)
def test_a_sentence_says_that_there_is_nothing_or_little(data_dir, capsys, query):
    assert main(["search", query, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    n_passages = sum(group["size"] for group in result["subtopics"])
    assert result["answered"] is False or n_passages < FEW
    assert main(["search", query]) == 0
    assert "demo" in capsys.readouterr().out.splitlines()[0]
