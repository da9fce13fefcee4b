"""Hit sets with two divisions, on small files of the real form; their sizes are tested on all."""

import gzip
import json
from itertools import product

import pytest
from sklearn.metrics import adjusted_mutual_info_score

from benchmarks.tasks import TASKS, crossed, crossed_digital, crossed_others
from benchmarks.tasks.crossed_cards import CARDS
from benchmarks.tasks.crossed_questions import QUESTIONS
from benchmarks.tasks.crossings import DEPENDENT, N_WORDINGS
from subclust.core.settings import Settings
from subclust.judging.tasks import load_task
from subclust.methods import resolve

INTENTS = ("reminder", "reminder_update", "calendar", "calendar_update", "bill_due", "pay_bill")
INTENTS += ("alarm_query", "alarm_set", "lists_query", "lists_createoradd", "email_query")
INTENTS += ("email_sendemail", "greeting")
METHODS = ("a Monte Carlo study", "the entropy of things", "a game-theoretic view", "nothing of it")


def articles():
    for number in range(12):
        yield {
            "query": f"Article {number}",
            "passages": [
                {"id": f"{number}-{heading}-{row}", "text": f"{heading} {number} {row}"}
                | {"label": heading}
                for heading in ("Early life", "Career", "Family", "Plot", "Unheard of")
                for row in range(2)
            ],
        }


def requests():
    for number, (label, row) in enumerate(product(INTENTS, range(12))):
        yield {"id": f"r{number}", "text": f"{label} words {row}", "label": label}


def abstracts():
    dates = ("1995-02-01", "2004-02-01", "2015-02-01")
    fields = ("cs", "math", "stat", "hep-lat")
    for number, (field, method, date, row) in enumerate(product(fields, METHODS, dates, range(3))):
        text = f"{field} writes on {method}, {row} of {date}"
        yield {"id": f"a{number}", "title": text, "text": text, "archive": field, "date": date}


def goods():
    kinds = ("gel pens", "pencils", "labels", "pens and pencils", "lamps", "wood screws", "hoses")
    makers = ("Able", "Baker", "Cox")
    for number, (brand, kind, row) in enumerate(product(makers, kinds, range(9))):
        title = f"{brand} {kind} {row}"
        yield {"id": f"g{number}", "title": title, "text": "", "brand": brand}


RECORDS = {
    "wikipedia": articles,
    "requests": requests,
    "methods": abstracts,
    "decades": abstracts,
    "products": goods,
}


def kind_of(card):
    return card.name.split("_")[1]


def files_of(card, folder):
    path = folder / "records.jsonl.gz"
    lines = "\n".join(map(json.dumps, RECORDS[kind_of(card)]()))
    path.write_bytes(gzip.compress(lines.encode()))
    return [path]


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_each_hit_set_is_asked_for_both_divisions(card, tmp_path):
    assert TASKS[card.name] is card
    made = resolve(card.builder)(card, files_of(card, tmp_path))
    assert made and len(made) % (2 * N_WORDINGS) == 0
    for start in range(0, len(made), 2 * N_WORDINGS):
        rows, columns = made[start : start + N_WORDINGS], made[start + N_WORDINGS :][:N_WORDINGS]
        ids = {tuple(passage.id for passage in one.passages) for one in (*rows, *columns)}
        assert len(ids) == 1 and len(set(*ids)) == len(*ids)
        assert len({tuple(one.gold()) for one in rows}) == 1
        assert len({tuple(one.gold()) for one in columns}) == 1
        here, there = rows[0].gold(), columns[0].gold()
        assert adjusted_mutual_info_score(here, there) < DEPENDENT
        assert set(zip(here, there, strict=True)) == set(product(set(here), set(there)))
    assert resolve(card.builder)(card, files_of(card, tmp_path)) == made


def test_what_a_record_is_about_makes_its_place(tmp_path):
    sets = {
        name: resolve(f"benchmarks.tasks.crossed_others:{name}_sets")(
            TASKS[f"crossed_{name}s_test"],
            files_of(TASKS[f"crossed_{name}s_test"], tmp_path),
        )
        for name in ("request", "method", "decade", "product")
    }
    assert {row for one in sets["request"] for row in one.rows} >= {"alarms", "reminders"}
    for one in sets["method"]:
        assert set(one.columns) <= {"Monte Carlo simulation", "entropy", "game theory"}
        assert set(one.rows) == {"computer science", "mathematics", "statistics"}
    for one in sets["decade"]:
        for passage, decade in zip(one.passages, one.columns, strict=True):
            year = passage.text.split()[-1][:3]
            assert decade == {"199": "the 1990s", "200": "the 2000s", "201": "the 2010s"}[year]
    for one in sets["product"]:
        assert all("pens and pencils" not in passage.text for passage in one.passages)
        assert set(one.columns) <= {"pens", "pencils", "labels"}


def test_products_of_the_test_are_of_other_kinds(tmp_path):
    kinds = [
        {
            kind
            for one in crossed_others.product_sets(card, files_of(card, tmp_path))
            for kind in one.columns
        }
        for card in (TASKS["crossed_products_train"], TASKS["crossed_products_test"])
    ]
    assert kinds == [{"screws and bolts", "tubing and hoses"}, {"pens", "pencils", "labels"}]


def test_the_demo_library_is_asked_twice_what_a_reader_labelled():
    name, made = load_task("crossed_demo_test", Settings.from_environment())
    assert len(made) == TASKS[name].n_queries == 50
    assert sum(len(one.passages) for one in made) == TASKS[name].n_passages
    n_labels = sum(len(set(one.gold())) for one in made) / len(made)
    assert n_labels == pytest.approx(TASKS[name].n_labels, abs=0.05)
    assert len({(one.query.text, one.passages) for one in made}) == 50
    for first, second in zip(made[::2], made[1::2], strict=True):
        assert [one.id for one in first.passages] == [one.id for one in second.passages]
        assert len(set(first.gold())) > 1 and len(set(second.gold())) > 1


def test_abstracts_are_asked_twice_what_a_reader_labelled(tmp_path):
    card = TASKS["crossed_digital_test"]
    searches = json.loads(crossed_digital.LABELS.read_text(encoding="utf-8"))
    ids = {id for search in searches for id in search["passages"]}
    file = tmp_path / "abstracts.jsonl.gz"
    with gzip.open(file, "wt", encoding="utf-8") as lines:
        for id in sorted(ids):
            lines.write(json.dumps({"id": id, "title": f"On {id}", "text": f"We write {id}."}))
            lines.write("\n")
    made = crossed_digital.questions(card, [file])
    assert len(made) == card.n_queries == 2 * len(searches)
    assert sum(len(one.passages) for one in made) == card.n_passages
    n_labels = sum(len(set(one.gold())) for one in made) / len(made)
    assert n_labels == pytest.approx(card.n_labels, abs=0.05)
    for search, first, second in zip(searches, made[::2], made[1::2], strict=True):
        for one in (first, second):
            assert [passage.id for passage in one.passages] == search["passages"]
        assert first.gold() != second.gold() and len(set(first.gold())) > 1


def test_sections_are_told_by_their_headings(tmp_path):
    card = TASKS["crossed_wikipedia_train"]
    for one in crossed.wikipedia_sets(card, files_of(card, tmp_path)):
        assert set(one.columns) <= {"Early life", "Career", "Private life"}
        assert {passage.title for passage in one.passages} == set(one.rows)


def test_training_meets_no_section_that_is_kept_for_the_test():
    named = {name for sections in crossed._SECTIONS.values() for name in sections}
    assert named > crossed.UNSEEN_SECTIONS


@pytest.mark.parametrize("side", QUESTIONS)
def test_no_two_splits_share_a_wording(side):
    sizes = {split: len(forms) for split, forms in QUESTIONS[side].items()}
    assert sizes == {"train": 15, "validation": 5, "test": 10}
    assert len({form for forms in QUESTIONS[side].values() for form in forms}) == 30


def test_training_and_validation_share_no_passage(tmp_path):
    for name, draw in (
        ("requests", crossed_others.request_sets),
        ("methods", crossed_others.method_sets),
        ("products", crossed_others.product_sets),
    ):
        ids = [
            {p.id for one in draw(card, files_of(card, tmp_path)) for p in one.passages}
            for card in (TASKS[f"crossed_{name}_train"], TASKS[f"crossed_{name}_validation"])
        ]
        assert all(ids) and ids[0].isdisjoint(ids[1])
