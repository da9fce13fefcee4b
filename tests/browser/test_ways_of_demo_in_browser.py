"""Ways to divide the hits of ten questions to the demo library, as the page shows their groups."""

import os
from itertools import combinations
from urllib.parse import quote

import pytest
from explore_walk import groups_of, open_at, settle, wait_for_address, wait_without
from lasting_server import LastingServer
from test_ways_in_browser import WAYS, open_ways

from subclust.cli import main
from subclust.core.settings import PROJECT_ROOT
from subclust.evaluation.metrics import adjusted_mutual_information

pytestmark = pytest.mark.slow

QUESTIONS = (
    "causes of the American Revolutionary War",
    "life and death of Abraham Lincoln",
    "what causes autism and how is it treated",
    "landing on the Moon",
    "the economies of Angola, Albania and Algeria",
    "climate",
    "philosophy of Aristotle",
    "Achilles in the Trojan War",
    "computers and algorithms",
    "anthropology",
)


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    """Serve the demo library with the encoder and the models that ship."""
    folder = tmp_path_factory.mktemp("demo")
    ours = {
        "SUBCLUST_DATA_DIR": str(folder),
        "SUBCLUST_SHIPPED_MODELS_DIR": str(PROJECT_ROOT / "models"),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ours.items():
            patch.setenv(name, value)
        assert main(["demo"]) == 0
        server = LastingServer(folder, os.environ | ours)
        server.start()
        yield server.url
        server.close()


def labels_of(groups):
    """Return the number of each passage's group, in the order of their ids."""
    told = {id_: number for number, ids in groups.items() for id_ in ids}
    return [told[id_] for id_ in sorted(told)]


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_suggested_way_divides_unlike_the_others(new_page, url, question):
    page = new_page(reduced_motion="reduce")
    own = open_at(page, f"{url}/?q={quote(question)}")
    found = [own]
    open_ways(page)
    n_ways = page.locator(WAYS).count()
    assert 2 <= n_ways <= 4
    for place in range(n_ways):
        if place:
            open_ways(page)
        page.locator(WAYS).nth(place).click()
        wait_for_address(page, "by=")
        page.locator(".sc-kept").wait_for()
        settle(page)
        found.append(groups_of(page))
        page.locator(".st-key-kept-back button").click()
        wait_without(page, "by=")
        page.locator(".sc-kept").wait_for(state="detached")
        settle(page)
        assert groups_of(page) == own
    for first, other in combinations(found, 2):
        assert set().union(*first.values()) == set().union(*other.values())
        assert adjusted_mutual_information(labels_of(first), labels_of(other)) < 0.3
