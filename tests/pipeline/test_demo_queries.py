"""The main job on real input: the demo library, the shipped model, the printed object."""

import json

import pytest

from benchmarks.speed import QUERIES
from subclust.cli import main
from subclust.core.records import OTHER_PASSAGES
from subclust.core.settings import PROJECT_ROOT

pytestmark = pytest.mark.slow


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
    assert len(ids) == len(set(ids)) == 200
    others = sum(group["size"] for group in result["subtopics"] if group["id"] == OTHER_PASSAGES)
    assert others <= 20
