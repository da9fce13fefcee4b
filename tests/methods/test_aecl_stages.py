import pytest
from raising import raises

from subclust.core.exceptions import TrainingError
from subclust.methods.aecl.objective import (
    AeclObjective,
    first_epochs,
    second_epochs,
    stage_of,
)


@pytest.mark.parametrize(
    ("n_texts", "n_clusters", "first", "second"),
    [
        (20_000, 20, 2, 1),  # stackoverflow
        (8_000, 4, 10, 1),  # agnews
        (12_340, 8, 10, 1),  # searchsnippets
        (11_109, 152, 10, 6),  # googlenews_ts
        (2_472, 89, 20, 10),  # tweet
    ],
)
def test_the_stages_of_the_papers_collections(n_texts, n_clusters, first, second):
    objective = AeclObjective()
    assert first_epochs(objective, n_texts) == first
    assert second_epochs(objective, n_texts, n_clusters) == second
    stages = [stage_of(epoch, first, second) for epoch in range(70)]
    assert [stages.count(stage) for stage in (1, 2, 3)] == [first, second, 70 - first - second]
    assert stages == sorted(stages)


def test_a_stage_may_be_left_out():
    assert first_epochs(AeclObjective(first_stage=0), 2_472) == 0
    assert second_epochs(AeclObjective(second_stage=0), 2_472, 89) == 0
    assert stage_of(0, 0, 2) == 2 and stage_of(0, 0, 0) == 3


@pytest.mark.parametrize(
    ("imbalance", "weight"), [("balanced", 10.0), ("slight", 0.18), ("heavy", 0.09)]
)
def test_lambda_4_follows_the_imbalance_unless_it_is_given(imbalance, weight):
    assert AeclObjective(imbalance=imbalance).lambda_4 == weight
    assert AeclObjective(imbalance=imbalance, balance_weight=0.0).lambda_4 == 0


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"first_stage": -2}, {"name": "first_stage", "value": -2}),
        ({"threshold": 1.5}, {"name": "threshold", "value": 1.5}),
        (
            {"instance_temperature": 0.0},
            {"name": "instance_temperature", "value": 0.0},
        ),
        ({"balance_weight": -0.5}, {"name": "balance_weight", "value": -0.5}),
        ({"head_rate": 0.0}, {"name": "head_rate", "value": 0.0}),
        ({"augmented_share": 0.0}, {"name": "augmented_share", "value": 0.0}),
        ({"n_neighbors": 0}, {"name": "n_neighbors", "value": 0}),
        ({"n_steps": -1}, {"name": "n_steps", "value": -1}),
    ],
)
def test_values_that_cannot_work_are_refused(values, told):
    with raises(TrainingError, **told):
        AeclObjective(**values)
