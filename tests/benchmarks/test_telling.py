"""A report and a judgement are read in the words and numbers that they are given."""

import json
import re

import pytest

from subclust.benchmarks.judgement import NOTES
from subclust.benchmarks.report import (
    REPORTS_DIR,
    SENTENCES,
    growth_sentences,
    read_column,
    space_sentence,
    speed_sentences,
    whole_rule,
)
from subclust.benchmarks.telling import ENGLISH, Telling


def comma(value, decimals):
    return f"{value:.{decimals}f}".replace(".", ",")


SHOUTED = Telling(
    lambda text: re.sub(r"[^{}]+(?![^{]*\})", lambda one: one[0].upper(), text), comma
)


def reports():
    return [json.loads(path.read_text(encoding="utf-8")) for path in REPORTS_DIR.glob("*.json")]


def told(report, tell):
    for table in report["tables"]:
        for at in range(len(table["columns"])):
            yield from read_column(table, at, None, tell)
    for figure in report["figures"]:
        first, second = (series["label"] for series in figure["series"])
        for panel in (figure["ours"] or {}).get("panels", []):
            if figure["kind"] == "spaces":
                yield space_sentence(panel, first, second, tell)
                yield whole_rule(panel["rule"], tell)
            elif figure["kind"] == "growth":
                yield from growth_sentences(panel, tell)
            else:
                yield from speed_sentences(panel, figure["kind"], tell)


@pytest.mark.parametrize("report", reports(), ids=lambda one: one["paper"]["name"])
def test_every_word_of_what_is_read_aloud_can_be_said_in_another_language(report):
    said = list(told(report, SHOUTED))
    assert said
    for sentence in said:
        assert not re.search(r"\d\.\d", sentence)
        names = re.sub(r"\b(?:[a-z-]+@|trec_|arxiv_|wiki)\S+|\b(?:min|ms|s|h)\b", "", sentence)
        assert names == names.upper(), sentence


def test_a_recorded_sentence_is_said_again():
    note = NOTES[1].format(name="qs3m/mine", data="tea.jsonl")
    again = SHOUTED.retell(note, NOTES)
    assert again.startswith("qs3m/mine WAS TRAINED ON tea.jsonl, SO IT MAY")
    assert SHOUTED.retell("Something else.", NOTES) == "Something else."
    assert ENGLISH.retell(note, NOTES) == note


def test_durations_and_shares_are_said_in_the_numbers_of_the_language():
    assert ENGLISH.duration(210) == "3.5 min" and SHOUTED.duration(210) == "3,5 min"
    assert ENGLISH.share(0.146) == "15%"
    assert len(set(SENTENCES)) > 40
