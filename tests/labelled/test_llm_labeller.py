import json
from unittest.mock import ANY

import pytest
from raising import raises, values_of

from subclust.core.exceptions import EndpointError, InputError, SettingsError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.core.settings import Settings
from subclust.labelled.llm import (
    ChatEndpoint,
    LLMLabeller,
    estimate_cost,
    from_settings,
    label_file,
    prompt_for,
)
from subclust.labelled.reading.instances import read_instances


def subset(number, *texts):
    passages = tuple(Passage(f"{number}-{i}", text) for i, text in enumerate(texts))
    return ClusteringInstance(Query(f"list {number}", "of a user"), passages)


LISTS = [
    subset(0, "red pen", "red ink", "blue pen"),
    subset(1, "oak table", "oak chair", "elm chair", "oak bed"),
    subset(2, "red pen", "red\nink", "green pen"),
]


@pytest.fixture
def labeller(stub):
    endpoint = ChatEndpoint(stub.url, "small-1", timeout=5.0, n_retries=0, sleep=lambda _: None)
    return LLMLabeller(endpoint, "things")


def test_clusters_become_a_labelled_set_that_training_reads(labeller, tmp_path):
    path = tmp_path / "new" / "labelled.jsonl.gz"
    seen = []
    done = label_file(LISTS, labeller, path, progress=lambda *step: seen.append(step))
    assert (done.n_asked, done.n_labelled, done.n_labels) == (3, 3, 6)
    assert done.discarded == {} and done.n_missing == 0
    assert (done.tokens_in, done.tokens_out) == (90, 60)
    assert seen == [(1, 3), (2, 3), (3, 3)]
    read = read_instances(path)
    assert [instance.gold() for instance in read] == [
        ["Red things", "Red things", "Blue things"],
        ["Oak things", "Oak things", "Elm things", "Oak things"],
        ["Red things", "Red things", "Green things"],
    ]
    assert read[0].query == Query("list 0", "of a user")
    assert [p.id for p in read[1].passages] == ["1-0", "1-1", "1-2", "1-3"]
    assert sorted(p.name for p in path.parent.iterdir()) in (
        ["labelled.jsonl.gz"], [".labelled.jsonl.gz.lock", "labelled.jsonl.gz"],
    )  # fmt: skip


def test_the_model_is_asked_about_a_line_each(stub, labeller):
    labeller.label(LISTS[2])
    asked = stub.requests[0][2]["messages"][0]["content"]
    assert asked == prompt_for(["red pen", "red ink", "green pen"], "things")


def test_what_cannot_be_used_is_left_out_and_counted(stub, labeller, tmp_path):
    stub.script = [
        "Oak:\n- oak table\n- oak chair\n- oak bed",  # forgets one of four
        "",
        "Sorry, I cannot do that.",
        "Red:\n- red pen\n",  # one of two
    ]
    lists = [LISTS[1], LISTS[0], LISTS[2], subset(3, "red pen", "blue bird")]
    done = label_file(lists, labeller, tmp_path / "a.jsonl.gz")
    assert (done.n_asked, done.n_labelled, done.n_missing) == (4, 1, 1)
    assert done.discarded == {"empty": 1, "unparsable": 1, "single": 1}
    (read,) = read_instances(tmp_path / "a.jsonl.gz")
    assert [passage.text for passage in read.passages] == ["oak table", "oak chair", "oak bed"]


def test_a_run_that_broke_off_asks_nothing_twice(stub, labeller, tmp_path):
    path = tmp_path / "a.jsonl.gz"
    stub.script = [stub.script[0], "", 500]
    with raises(EndpointError, n_retries=1):
        label_file(LISTS, labeller, path)
    assert not path.exists() and len(stub.requests) == 3
    journal = tmp_path / ".a.jsonl.gz.journal"
    whole = journal.read_bytes()
    # Killed while the second answer was being written down: that one is asked again, no other.
    journal.write_bytes(whole[:-5])
    stub.script = ["", "A:\n- red pen\n- red ink\n- green pen"]
    done = label_file(LISTS, labeller, path)
    assert len(stub.requests) == 5
    assert (done.n_labelled, done.discarded) == (2, {"empty": 1})
    assert [i.query.text for i in read_instances(path)] == ["list 0", "list 2"]
    assert not journal.exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: b"\xff\x00" + line[2:],
        lambda line: line[:-9],
        lambda line: b"[" * 100_000,
        lambda line: b"[1]",
        lambda line: b"{}",
        lambda line: line.replace(b'"key": "', b'"key": ["').replace(
            b'", "labels"', b'"], "labels"'
        ),
        lambda line: line.replace(b'"tokens_in": ', b'"tokens_in": "x", "was": '),
        lambda line: line.replace(b'["Red things", ', b"["),
    ],
)
def test_what_a_damaged_line_answered_is_asked_again_and_nothing_else(
    stub, labeller, tmp_path, caplog, damage
):
    path = tmp_path / "a.jsonl.gz"
    well = stub.script[0]
    stub.script = [well, well, 500]
    with pytest.raises(EndpointError):
        label_file(LISTS, labeller, path)
    journal = tmp_path / ".a.jsonl.gz.journal"
    first, second = journal.read_bytes().splitlines()
    assert damage(first) != first
    journal.write_bytes(damage(first) + b"\n" + second + b"\n")
    stub.script = [well]
    assert label_file(LISTS, labeller, path).n_labelled == 3
    assert len(stub.requests) == 5
    assert [one.levelname for one in caplog.records if one.args[:2] == (1, journal)] == ["WARNING"]


def test_another_model_is_asked_anew(stub, labeller, tmp_path):
    stub.script = [stub.script[0], 500]
    with pytest.raises(EndpointError):
        label_file(LISTS, labeller, tmp_path / "a.jsonl.gz")
    other = LLMLabeller(ChatEndpoint(stub.url, "large-2", n_retries=0), "things")
    stub.script = [lambda prompt: "A:\n" + "\n".join(f"- {t}" for t in prompt.split("\n")[1:-1])]
    done = label_file(LISTS, other, tmp_path / "a.jsonl.gz")
    assert len(stub.requests) == 5 and done.n_labels == 3


def test_a_set_without_any_label_is_not_written(stub, labeller, tmp_path):
    stub.script = ["No."]
    with raises(InputError, model="small-1"):
        label_file(LISTS, labeller, tmp_path / "a.jsonl.gz")
    assert not (tmp_path / "a.jsonl.gz").exists()


def test_a_file_that_is_there_is_not_written_over(labeller, stub, tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(b"mine")
    with raises(InputError, path=ANY):
        label_file(LISTS, labeller, path)
    with raises(InputError, path=ANY):
        label_file(LISTS, labeller, tmp_path / "a.csv")
    (tmp_path / "file").write_text("")
    with raises(InputError, path=ANY):
        label_file(LISTS, labeller, tmp_path / "file" / "a.jsonl.gz")
    assert path.read_bytes() == b"mine" and stub.requests == []


def test_nothing_is_asked_unless_somebody_says_whom():
    for settings in (Settings(), Settings(llm_url="http://h/v1"), Settings(llm_model="m")):
        with pytest.raises(SettingsError, match="SUBCLUST_LLM_URL"):
            from_settings(settings)
    made = from_settings(Settings(llm_url="http://h/v1", llm_model="m", llm_key="k"), "books")
    assert (made.endpoint.url, made.endpoint.model, made.endpoint.key) == ("http://h/v1", "m", "k")
    assert made.things == "books"


def test_the_cost_is_that_of_all_questions_and_answers():
    cost = estimate_cost(LISTS, price_in=2.0, price_out=8.0)
    asked = sum(len(prompt_for([p.text for p in one.passages])) for one in LISTS)
    answered = sum(len(p.text) + 1 for one in LISTS for p in one.passages) * 1.25
    assert (cost.n_requests, cost.n_entities) == (3, 10)
    assert cost.tokens_in == round(asked / 4) and cost.tokens_out == round(answered / 4)
    assert cost.price == pytest.approx((cost.tokens_in * 2 + cost.tokens_out * 8) / 1e6)
    assert values_of(cost.in_words())["price"] == cost.price
    assert estimate_cost(LISTS, price_in=2.0).price is None
    assert json.dumps(vars(estimate_cost(LISTS)))
