import numpy as np
import pytest
from stub_model import StubModel

from subclust.core.exceptions import EndpointError, SettingsError
from subclust.core.records import Query
from subclust.core.settings import Settings
from subclust.grouping.naming import HeadingNamer, LanguageModelNamer
from subclust.grouping.naming.language_model import _is_borne_out, _read_names
from subclust.pipeline.names import choose_namer
from subclust.text.encoders import HashingEncoder

QUERY = Query("the American war")
TEXTS = [
    "The Stamp Act put a tax on tea.",
    "Merchants refused the tax on tea.",
    "The French fleet left the harbour.",
    "A fleet of frigates in the harbour.",
]
LABELS = np.array([0, 0, 1, 1])
COUNTED = HeadingNamer().name(QUERY, TEXTS, LABELS)


def named(answer):
    asked = []

    def ask(prompt):
        asked.append(prompt)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return LanguageModelNamer(ask, HeadingNamer()).name(QUERY, TEXTS, LABELS), asked


def test_names_of_the_model_are_taken_and_it_is_asked_once():
    names, asked = named("1: Tax on tea\n2: Naval harbour")
    assert names == {0: "Tax on tea", 1: "Naval harbour"}
    assert len(asked) == 1
    assert '"the American war"' in asked[0]
    assert all(text in asked[0] for text in TEXTS)
    assert all(name in asked[0] for name in COUNTED.values())


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot help with that.",
        EndpointError("The language model does not answer."),
        "1: Gardening\n2: Chess",  # words that stand in no passage
        "1: Stamp\n2: Frigates",  # in one passage only
        f"1: {'tax ' * 30}\n2: {'fleet ' * 30}",
        "1: Other passages\n2: other passages",
        "7: Tax on tea",
    ],
)
def test_what_is_not_borne_out_gives_way_to_the_other_namer(answer):
    assert named(answer)[0] == COUNTED


def test_two_groups_never_get_one_name():
    names, _asked = named("1: Tax, fleet\n2: tax, Fleet")
    assert "tax, fleet" in {name.casefold() for name in names.values()}
    assert len({name.casefold() for name in names.values()}) == 2


def test_lines_are_read_in_the_forms_that_models_write():
    answer = 'Sure!\n1. **Tax on tea**\n- 2: "The harbour."\n3) Peace\n1: again'
    assert _read_names(answer) == {1: "Tax on tea", 2: "The harbour", 3: "Peace"}


def test_a_group_of_one_passage_is_borne_out_by_it():
    assert _is_borne_out("Snow", ["snow fell"])
    assert not _is_borne_out("Snow", ["snow fell", "rain fell"])
    assert not _is_borne_out("of the", ["of the", "of the"])


def test_a_server_is_asked_when_the_settings_say_so_and_never_else():
    server = StubModel()
    try:
        server.script = ["1: Tax on tea\n2: Fleet in harbour"]
        settings = Settings(
            encoder="hashing", names="language-model", llm_url=server.url, llm_model="stub"
        )
        encoder = HashingEncoder(16)
        vectors = encoder.encode(TEXTS)
        names = choose_namer(settings, encoder).name(QUERY, TEXTS, LABELS, vectors)
        assert names == {0: "Tax on tea", 1: "Fleet in harbour"}
        assert len(server.requests) == 1
        for quiet in ("headings", "words"):
            other = Settings(names=quiet, llm_url=server.url, llm_model="stub")
            choose_namer(other, encoder).name(QUERY, TEXTS, LABELS, vectors)
        assert len(server.requests) == 1
        server.script = [500]
        spare = choose_namer(settings, encoder).name(QUERY, TEXTS, LABELS, vectors)
        assert spare == HeadingNamer(encoder.encode).name(QUERY, TEXTS, LABELS, vectors)
    finally:
        server.close()


def test_a_language_model_that_is_not_set_is_answered_by_a_sentence():
    with pytest.raises(SettingsError, match="SUBCLUST_LLM_URL"):
        choose_namer(Settings(names="language-model"), HashingEncoder())
