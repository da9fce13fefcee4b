import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subclust.labelled.llm import parse_answer, prompt_for
from subclust.labelled.llm.answer import ParsedAnswer

TEXTS = [
    "Elmer's glue, all-purpose, 4 oz",
    "Tacky craft glue",
    "Soy candle wax flakes",
    "Cotton candle wicks 6-inch",
    "Candle dye: red",
]
GLUE = ("Glue", "Glue", "Candles", "Candles", "Candles")


def written(head, bullet, gap="\n"):
    """Write the answer that `GLUE` stands for in one of the ways that models have."""
    clusters = {"Glue": TEXTS[:2], "Candles": TEXTS[2:]}
    blocks = []
    for number, (title, members) in enumerate(clusters.items(), start=1):
        lines = [head.format(n=number, title=title)]
        lines += [bullet.format(n=at, text=text) for at, text in enumerate(members, start=1)]
        blocks.append("\n".join(lines))
    return f"\n{gap}".join(blocks)


def test_the_prompt_is_the_papers():
    asked = prompt_for(["a  b", "c\nd"])
    first, *items, last = asked.splitlines()
    assert "products" in first and items == ["a b", "c d"] and "products" in last
    assert prompt_for(["a"], "passages").count("passages") == 2


@pytest.mark.parametrize("head", ["{title}:", "{title}", "**{title}**", "## {title}",
                                  "{n}. {title}", "Cluster {n}: {title}", "Cluster A - {title}",
                                  "**Cluster {n}: {title}**", "### {n}. {title}"])  # fmt: skip
@pytest.mark.parametrize("bullet", ["- {text}", "* {text}", "   {n}. {text}", "• {text}",
                                    '- "{text}"', "  - **{text}**", "{n}) {text}"])  # fmt: skip
@pytest.mark.parametrize("gap", ["", "\n"])
def test_whatever_bullets_and_titles_a_model_uses(head, bullet, gap):
    parsed = parse_answer(written(head, bullet, gap), TEXTS)
    titles = [title.removeprefix("1. ").removeprefix("2. ") for title in parsed.titles]
    assert titles == ["Glue", "Candles"]
    assert parsed.clusters == (0, 0, 1, 1, 1) and parsed.n_missing == 0


@pytest.mark.parametrize("head", ["{title}:", "**{title}**", "{title}"])
def test_without_bullets_a_gap_tells_titles_from_members(head):
    parsed = parse_answer(written(head, "{text}", "\n"), TEXTS)
    assert parsed.labels == GLUE


def test_an_answer_of_loose_lists_with_words_around_it():
    answer = "Here are the clusters:\n\n" + written("### {title}\n", "- {text}\n") + "\nEnjoy!"
    assert parse_answer(answer, TEXTS).labels == GLUE


@pytest.mark.parametrize(
    "content",
    [
        {"Glue": TEXTS[:2], "Candles": TEXTS[2:]},
        {"clusters": [{"title": "Glue", "products": TEXTS[:2]},
                      {"title": "Candles", "products": TEXTS[2:]}]},
        [{"name": "Glue", "items": TEXTS[:2]}, {"name": "Candles", "items": TEXTS[2:]}],
    ],
)  # fmt: skip
@pytest.mark.parametrize("fence", ["{}", "```json\n{}\n```", "\n```\n{}\n```\n"])
def test_an_answer_in_json(content, fence):
    assert parse_answer(fence.format(json.dumps(content, indent=1)), TEXTS).labels == GLUE


def test_clusters_on_one_line_each():
    answer = f"Glue: {TEXTS[0]}; {TEXTS[1]}\n**Candles**: {TEXTS[2]}, {TEXTS[3]}, {TEXTS[4]}"
    assert parse_answer(answer, TEXTS).labels == GLUE


def test_what_nobody_asked_about_is_neither_member_nor_title():
    answer = f"Glue:\n- {TEXTS[0]}\n- A glue gun\n- {TEXTS[1]}\nCandles:\n" + "\n".join(
        f"- {text}" for text in TEXTS[2:]
    )
    assert parse_answer(answer, TEXTS).labels == GLUE


def test_a_forgotten_entity_has_no_label_and_a_repeated_one_its_first():
    answer = f"Glue:\n- {TEXTS[0]}\n- {TEXTS[1]}\nCandles:\n- {TEXTS[1]}\n- {TEXTS[2]}"
    parsed = parse_answer(answer, TEXTS)
    assert parsed.labels == ("Glue", "Glue", "Candles", None, None)
    assert parsed.n_missing == 2


def test_an_entity_that_was_cut_short_or_drawn_out_is_known_again():
    answer = f"Glue:\n- elmers glue all purpose\n- {TEXTS[1]} (white)\nWax:\n- {TEXTS[2].upper()}"
    texts = ["Elmers glue, all-purpose, 4 oz bottle", *TEXTS[1:3]]
    assert parse_answer(answer, texts).labels == ("Glue", "Glue", "Wax")
    # But not where two entities begin alike.
    twins = ["Tacky craft glue white", "Tacky craft glue clear", "Wax"]
    parsed = parse_answer("Glue:\n- Tacky craft glue\n- Tacky craft glue clear\nW:\n- Wax", twins)
    assert parsed.labels == (None, "Glue", "W")


def test_copies_of_a_text_are_placed_one_by_one():
    texts = ["Pen", "Ink", "Pen"]
    parsed = parse_answer("A:\n- Pen\n- Ink\nB:\n- Pen", texts)
    assert parsed.labels == ("A", "A", "B")


def test_two_clusters_of_one_title_stay_two():
    parsed = parse_answer("Other:\n- Pen\n\nOther:\n- Ink", ["Pen", "Ink"])
    assert parsed.titles == ("Other", "Other (2)")
    assert parse_answer("- Pen\n- Ink", ["Pen", "Ink"]).titles == ("Cluster 1",)


@pytest.mark.parametrize(
    "answer",
    ["", "  \n", "I cannot help with that.", "Glue:\nCandles:", "{}", "[1, 2", "null", "```\n```",
     f"Glue:\n- {TEXTS[0]}\n- {TEXTS[1]}"],
)  # fmt: skip
def test_no_answer_is_none(answer):
    # The last one places two entities of five: fewer than half.
    assert parse_answer(answer, TEXTS) is None


@given(st.text(), st.lists(st.text(), max_size=6))
def test_no_text_breaks_it(answer, texts):
    parsed = parse_answer(answer, texts)
    assert parsed is None or isinstance(parsed, ParsedAnswer)


@given(st.lists(st.sampled_from(TEXTS), unique=True, min_size=1), st.data())
def test_any_grouping_survives_being_written_and_read(texts, data):
    numbers = data.draw(st.lists(st.integers(0, 3), min_size=len(texts), max_size=len(texts)))
    lines = []
    for number in sorted(set(numbers)):
        lines.append(f"**Group {number}**")
        lines += [f"- {t}" for t, n in zip(texts, numbers, strict=True) if n == number]
    parsed = parse_answer("\n".join(lines), texts)
    assert parsed.labels == tuple(f"Group {number}" for number in numbers)
