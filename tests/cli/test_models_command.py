"""``models`` from the command line."""

import json

import pytest

from subclust.text.encoders import HashingEncoder

FIRST, SECOND = "tiny", "better"


@pytest.fixture
def models(run, settings, store, random_checkpoint):
    encoder = HashingEncoder()
    config = {
        "model": {"embedding_dim": encoder.embedding_dim},
        "encoder_revision": encoder.revision,
    }
    store.save(random_checkpoint("qs3m", FIRST, **config), replace=True)
    store.save(random_checkpoint("qs3m", SECOND, seed=1, base=FIRST, **config))
    store.promote("qs3m", FIRST, as_default=True, who="Ada", why="the only one")

    def as_json(*words):
        status, out, err = run("models", *words, "--json")
        assert status == 0, err
        return json.loads(out)

    return as_json


def test_the_list_keeps_its_keys_and_tells_more(models, run):
    rows = {row["name"]: row for row in models("list")["models"] if row["method"] == "qs3m"}
    assert list(rows[FIRST])[:5] == ["method", "name", "promoted", "default", "scores"]
    assert (rows[FIRST]["promoted"], rows[FIRST]["default"]) == (True, True)
    assert rows[SECOND]["parent"] == "qs3m/tiny" and rows[SECOND]["parent_kept"]
    assert rows[SECOND]["size"] > 1000 and rows[SECOND]["created"].endswith("+00:00")
    assert "qs3m/tiny default" in run("models")[1]


def test_show_tells_card_config_and_protection(models, run):
    shown = models("show", "qs3m", FIRST)
    assert {"config", "card", "summary", "protected"} == set(shown)
    assert "in use as" in shown["protected"]
    assert models("show", "qs3m", SECOND)["protected"] is None
    assert "- Started from: qs3m/tiny" in run("models", "show", "qs3m", SECOND)[1]


def test_compare_shows_where_two_differ(models, run):
    found = models("compare", "qs3m", f"qs3m/{SECOND}")
    assert found["first"]["name"] == FIRST
    rows = {row["field"]: (row["first"], row["second"]) for row in found["differences"]}
    assert rows["parent"] == (None, "qs3m/tiny")
    status, out, _ = run("models", "compare", "default/tiny", f"qs3m/{SECOND}")
    assert status == 0 and "config.base" in out
    run.refused("models", "compare", "qs3m/none", "qs3m", name="none")


def test_promote_refuses_without_a_reason_and_the_history_tells_it(models, run):
    run.refused("models", "promote", "qs3m", SECOND, count=10)
    run.refused("models", "promote", "qs3m", SECOND, "--reason", "short", count=10)
    models("promote", "qs3m", SECOND, "--reason", "it sorts our maps", "--by", "Grace")
    assert models("rollback", "qs3m", "--by", "Ada")["promoted"] == FIRST
    rows = models("history", "qs3m")["history"]
    assert [(row["name"], row["who"], row["why"]) for row in rows] == [
        (FIRST, "Ada", "the only one"),
        (SECOND, "Grace", "it sorts our maps"),
    ]
    assert [row["in_use"] for row in rows] == [True, False] and rows[1]["undone_by"] == "Ada"
    assert [row["method"] for row in models("history")["history"]] == ["default", "qs3m", "qs3m"]
    out = run("models", "history", "qs3m")[1]
    assert "it sorts our maps" in out and "(in use)" in out


def test_what_no_search_could_use_is_not_put_in_use(models, run, store, random_checkpoint):
    store.save(random_checkpoint("qs3m", "foreign", encoder_revision="another"))
    words = ("models", "promote", "qs3m", "foreign", "--reason", "it sorts our maps")
    run.refused(*words, checkpoint="foreign", expected="another")
    assert store.promoted("qs3m") == FIRST


def test_what_is_in_use_may_be_promoted_again(models):
    assert models("promote", "qs3m")["promoted"] == FIRST


def test_a_zip_is_taken_in_under_another_name(models, run, tmp_path):
    path = tmp_path / "x.zip"
    assert models("export", "qs3m", SECOND, path)["file"] == str(path)
    status, _, err = run("models", "import", path)
    assert status == 1 and SECOND in err
    assert models("import", path, "--name", "third") == {"method": "qs3m", "name": "third"}
    assert models("remove", "qs3m", "third") == {"removed": "third"}
    status, _, err = run("models", "import", tmp_path / "none.zip")
    assert status == 1 and "none.zip" in err


def test_method_and_name_may_be_one_word_as_the_list_writes_them(models, run, tmp_path):
    assert models("show", f"qs3m/{SECOND}") == models("show", "qs3m", SECOND)
    models("export", f"qs3m/{SECOND}", tmp_path / "a.zip")
    models("export", "qs3m", SECOND, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").is_file() and (tmp_path / "b.zip").is_file()
    assert models("remove", f"qs3m/{SECOND}")["removed"] == SECOND
    for words in (("remove", "qs3m"), ("export", "qs3m", tmp_path / "c.zip")):
        assert run("models", *words)[0] == 2
