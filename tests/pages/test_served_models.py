"""A model that is put in use, or trained again under its name, answers from the next search on."""

import gc
import html
from dataclasses import replace

import pytest

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.methods import METHODS
from subclust.pipeline.served import served_model
from subclust.text.encoders import HashingEncoder
from subclust.ui.components import resources
from subclust.ui.components.resources import open_pipeline

WAR = "the American war"


@pytest.fixture
def make(random_checkpoint):
    encoder = HashingEncoder()
    config = {
        "model": {"embedding_dim": encoder.embedding_dim},
        "encoder_revision": encoder.revision,
        "threshold": 0.0,
    }
    return lambda name, seed: random_checkpoint("qs3m", name, seed=seed, **config)


@pytest.fixture
def models(make):
    store = CheckpointStore.of(Settings.from_environment())
    store.save(make("first", 1))
    store.promote("qs3m", "first", as_default=True)
    return store


def test_the_panel_says_whose_model_it_is_and_what_it_learnt_from(models, make, open_page):
    sets = [{"set": "<our> maps", "version": 2, "n_queries": 40, "sha256": "0"}]
    created = "2001-02-03T12:05:00+00:00"
    card = {"training_data": sets, "created": created}
    models.save(replace(make("ours", 3), card=card))
    models.promote("qs3m", "ours")
    said = about(open_page(q=WAR, method="qs3m"))
    assert (
        "QS3M: ours is your own model, trained on &lt;our&gt; maps, version 2 (40 questions) on "
        in said
    )
    assert "3 February 2001." in said and METHODS["qs3m"].summary not in said


def test_the_panel_of_a_model_that_came_with_subclust_is_that_of_its_method(
    models, make, open_page, ship
):
    ship(models.shipped, replace(make("shipped", 3), card={"created": "2001-02-03"}))
    models.promote("qs3m", "shipped")
    said = about(open_page(q=WAR, method="qs3m"))
    assert f"QS3M (model shipped). {html.escape(METHODS['qs3m'].summary)}" in said


def about(page):
    page.button(key="about").click().run()
    return next(text for one in page.get("html") if "sc-terms" in (text := str(one.value)))


def loaded(settings):
    return open_pipeline(settings, "demo", "qs3m").method.checkpoint


def test_a_model_trained_again_under_its_name_is_not_served_from_memory(models, make):
    settings = Settings.from_environment()
    before, weights = served_model(settings, "qs3m"), loaded(settings).head_weights
    assert served_model(settings, "qs3m") == before
    models.save(make("first", 2), replace=True)
    assert served_model(settings, "qs3m") != before
    after = loaded(settings).head_weights
    assert any((after[name] != weights[name]).any() for name in weights)


def test_a_model_put_in_use_answers_at_once_and_the_one_before_after_rolling_back(
    models, make, open_page
):
    settings = Settings.from_environment()
    page = open_page(q=WAR, method="qs3m", groups="3", list="table")
    first = page.dataframe[0].value["Group"].tolist()
    models.save(make("second", 5))
    models.promote("qs3m", "second")
    assert served_model(settings, "qs3m").checkpoint == "second"
    page.run()
    second = page.dataframe[0].value["Group"].tolist()
    assert second != first
    models.roll_back("qs3m")
    page.run()
    assert page.dataframe[0].value["Group"].tolist() == first


def test_what_learns_nothing_has_no_model_and_a_method_without_one_says_so(models):
    settings = Settings.from_environment()
    assert served_model(settings, "tfidf").checkpoint is None
    with pytest.raises(SubclustError, match="no trained checkpoint"):
        served_model(settings, "qss")


def test_what_is_loaded_for_good_is_not_looked_through_for_garbage(
    models, short_lives, monkeypatch
):
    monkeypatch.setattr(resources, "_set_aside_for_good", short_lives)
    gc.unfreeze()
    open_pipeline(Settings.from_environment(), "demo", "qs3m", "first")
    try:
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()
