import json

from benchmarks.tasks import TASKS
from benchmarks.tasks.mixed import CARDS, SUFFIX, build
from subclust.training.mixing import ABOUT_SOMETHING_ELSE


def test_no_training_file_is_mixed_for_evaluation():
    assert {card.name for card in CARDS} == {
        "wiki2014_validation_mixed",
        "wiki2021_test_mixed",
        "trec_car_a_mixed",
    }
    for card in CARDS:
        whole = TASKS[card.name.removesuffix(SUFFIX)]
        assert (card.file, card.sha256, card.split) == (whole.file, whole.sha256, whole.split)


def test_each_query_has_its_own_passages_and_others(tmp_path):
    path = tmp_path / "set.jsonl"
    lines = [
        {
            "query": f"query {number}",
            "passages": [
                {
                    "id": f"{number}-{row}",
                    "text": f"text {number} {row}",
                    "label": f"part {row % 3}",
                }
                for row in range(9)
            ],
        }
        for number in range(6)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    made = build(CARDS[0], [path])
    assert [i.query.text for i in made] == [line["query"] for line in lines]
    for number, instance in enumerate(made):
        own = [p for p in instance.passages if p.label != ABOUT_SOMETHING_ELSE]
        assert {p.id.split("-")[0] for p in own} == {str(number)}
        assert len(own) < len(instance.passages)
    assert build(CARDS[0], [path]) == made
