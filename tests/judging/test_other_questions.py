import pytest

from subclust.checkpoints import CheckpointStore
from subclust.core.settings import Settings
from subclust.judging.other_questions import N_QUESTIONS, judge_on_other_questions


def test_two_models_are_judged_on_the_articles_that_came_with_subclust(
    tmp_path, random_checkpoint, encoder
):
    store = CheckpointStore(tmp_path)
    for name in ("mine", "before"):
        store.save(random_checkpoint("qs3m", name))
    found = judge_on_other_questions(
        "qs3m/mine", "qs3m/before", Settings(data_dir=tmp_path), store, encoder
    )
    assert [one.name for one in found.methods[:2]] == ["qs3m/mine", "qs3m/before"]
    # The two have the same weights.
    assert found.methods[0].means["ari"] == pytest.approx(found.methods[1].means["ari"])
    assert found.verdict == "unclear" and found.n_queries == N_QUESTIONS
    assert all(query.n_groups > 1 for query in found.queries)
