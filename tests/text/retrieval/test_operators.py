import pytest

from subclust.text.retrieval.conditions import Either, Every, Term, Without, either, every
from subclust.text.retrieval.operators import Understood, understood


def phrase(words, field="any"):
    return Term(words, field, exact=True)


def years(words, first, last):
    return Term(words, "year", years=(first, last))


WORD = Term("kilns")
PEAT = Term("peat")
YEAR = years("2018", 2018, 2018)


@pytest.mark.parametrize(
    ("question", "condition", "words", "is_open"),
    [
        ('"blue clay"', phrase("blue clay"), "blue clay", False),
        ("„blauer Ton“ in Essen", phrase("blauer Ton"), "blauer Ton in Essen", True),
        ("«blue clay» “red clay”", Every((phrase("blue clay"), phrase("red clay"))), ..., False),
        ("»blauer Ton«", phrase("blauer Ton"), "blauer Ton", False),
        ("kilns NOT peat", Without(PEAT), "kilns", True),
        ("kilns -peat", Without(PEAT), "kilns", True),
        ('kilns -"red clay"', Without(phrase("red clay")), "kilns", True),
        ("NOT peat", Without(PEAT), "", False),
        ("NOT NOT peat", Without(PEAT), "", False),
        ("kilns AND peat", Every((WORD, PEAT)), "kilns peat", False),
        ("kilns OR peat", Either((WORD, PEAT)), "kilns peat", False),
        ("kilns AND NOT peat", Every((WORD, Without(PEAT))), "kilns", False),
        ("+kilns peat", WORD, "kilns peat", True),
        (
            '"blue clay" AND (kilns OR peat) NOT ash',
            Every((phrase("blue clay"), Either((WORD, PEAT)), Without(Term("ash")))),
            "blue clay kilns peat",
            False,
        ),
        ("ash (kilns OR peat)", Either((WORD, PEAT)), "ash kilns peat", True),
        ("((kilns AND ((peat))))", Every((WORD, PEAT)), "kilns peat", False),
        ("ash OR kilns AND peat", Either((Term("ash"), Every((WORD, PEAT)))), ..., False),
        ("uses of peat AND kilns", Every((Term("uses"), PEAT, WORD)), "uses peat kilns", False),
        ("kiln* AND peat", Every((Term("kiln*"), PEAT)), "kiln peat", False),
        ("title:kilns", Term("kilns", "title"), "kilns", False),
        ("titel:kilns", Term("kilns", "title"), "kilns", False),
        (
            "title:(kilns OR peat)",
            Either((Term("kilns", "title"), Term("peat", "title"))),
            ...,
            ...,
        ),
        ('TITLE:"blue clay"', phrase("blue clay", "title"), "blue clay", False),
        ('author: "Noor, Ida"', phrase("Noor, Ida", "author"), "", False),
        ("author:Noor, Ida kilns", Term("Noor, Ida", "author"), "kilns", True),
        ("author:noor kilns", Term("noor", "author"), "kilns", True),
        ("-author:noor kilns", Without(Term("noor", "author")), "kilns", True),
        ("journal:clays", Term("clays", "venue"), "", False),
        ("doi:10.5/x.y", Term("10.5/x.y", "doi"), "", False),
        ("year:2018", years("2018", 2018, 2018), "", False),
        ("year: 2018 kilns", years("2018", 2018, 2018), "kilns", True),
        ("year:2018-2020", years("2018-2020", 2018, 2020), "", False),
        ("year:2020–2018", years("2020–2018", 2018, 2020), "", False),
        ("year:1998-03", years("1998-03", 1998, 1998), "", False),
        ("year:1998-99", years("1998-99", 1998, 1999), "", False),
        ("year:2018..", years("2018..", 2018, None), "", False),
        ("year:-2018", years("-2018", None, 2018), "", False),
        ("year:>2018", years(">2018", 2019, None), "", False),
        ("year:>=2018", years(">=2018", 2018, None), "", False),
        ("year:<2018", years("<2018", None, 2017), "", False),
        ("year:[2018 TO 2020]", years("2018 TO 2020", 2018, 2020), "", False),
        ('jahr:"2018"', years("2018", 2018, 2018), "", False),
        ("year:(2018 OR 2020)", Either((YEAR, years("2020", 2020, 2020))), "", False),
        ("kilns -year:(2018)", Without(YEAR), "kilns", True),
        ("blue kilns[ti]", Every((Term("blue", "title"), Term("kilns", "title"))), ..., False),
        ("ash AND kilns[TI]", Every((Term("ash"), Term("kilns", "title"))), "ash kilns", False),
        ('ash "blue clay"[title]', phrase("blue clay", "title"), "ash blue clay", True),
        ("(kilns OR peat)[ti]", Either((Term("kilns", "title"), Term("peat", "title"))), ..., ...),
        ("kilns AND Noor IB[au]", Every((WORD, Term("Noor", "author"))), "kilns", False),
        ("kilns NOT noor[au]", Without(Term("noor", "author")), "kilns", True),
        ("kilns 2018[dp]", YEAR, "kilns", True),
        ("kilns NOT 2018[dp]", Without(YEAR), "kilns", True),
        ("2018:2020[dp]", years("2018-2020", 2018, 2020), "", False),
        ("DNA AND RNA", Every((Term("DNA"), Term("RNA"))), "DNA RNA", False),
    ],
)
def test_what_passages_must_meet_is_parted_from_what_they_are_about(
    question, condition, words, is_open
):
    read = understood(question)
    assert read.condition == condition
    assert words is ... or read.words == words
    assert is_open is ... or read.is_open == is_open
    assert read.as_words == ()
    assert len(read.told) == 1


@pytest.mark.parametrize(
    "question",
    [
        "Hamlet: a tragedy", "title", "10:30", "what is a title", "kilns and peat or ash, not clay",
        "Not peat", "C++", "f(x) of H2(SO4)", "clay (blue)", "well-known kilns - or not",
        "at -5 degrees", '5" and 6" pipes', "foo:bar", "http://a.example/b?c=d", "***", '""',
        "«»", "()", ")(", "", " ", "kilns of 1914-1918", "Noor, Ida: Kilns", "c:/kilns",
    ],
)  # fmt: skip
def test_ordinary_questions_stay_as_they_are(question):
    assert understood(question) == Understood(question)


@pytest.mark.parametrize(
    ("question", "as_words"),
    [
        ('"blue clay', ('"',)),
        ("Portland, OR", ("OR",)),
        ("AND", ("AND",)),
        ("OR AND NOT", ("AND", "OR", "NOT")),
        ("THE KILNS AND THE PEAT", ("AND",)),
        ("Ton UND Torf", ("UND",)),
        ("kilns NEAR/3 peat", ("NEAR/3",)),
        ("kiln* of peat", ("kiln*",)),
        ("kilns[tw]", ("kilns[tw]",)),
        ("kilns soon[dp]", ("soon[dp]",)),
        ("year:(early 2018)", ("year:",)),
        ("shelf:peat format:pdf", ("format:pdf",)),
        ("year:soon", ("year:soon",)),
        ("author: Noor", ("author:",)),
        ("author:'; DROP", ("author:';",)),
    ],
)
def test_what_looks_like_a_command_and_is_none_is_told(question, as_words):
    read = understood(question)
    assert read.condition is None and read.words == question
    assert sorted(read.as_words) == sorted(as_words)
    assert len(read.told) == 1


def test_both_are_told_where_only_a_part_is_obeyed():
    read = understood("format:pdf NOT peat AND")
    assert read.condition == Without(PEAT)
    assert read.as_words == ("format:pdf", "AND")
    assert len(read.told) == 2


@pytest.mark.parametrize(
    "question",
    [
        "(" * 1000 + "a" + ")" * 999, "NOT " * 500, "-a " * 666, "a AND " * 333, "a OR " * 400,
        '"' * 2000, '("' * 1000, "title:" * 333, "(a OR " * 333, "-(" * 1000, '"a" ' * 500,
        "a[ti] " * 333, '"a"[ti]' * 280, "(a)[dp]" * 280, "-(" * 500 + "a[au]", "year:(" * 333,
    ],
)  # fmt: skip
def test_any_question_is_read(question):
    read = understood(question)
    assert [str(sentence) for sentence in read.told] == list(map(str, read.told))
    assert read.sql is None or isinstance(read.sql, str)


def test_equal_conditions_are_one():
    assert every([]) is None is either([])
    assert every([WORD, WORD]) == WORD == either([WORD, WORD])
    assert every([Every((WORD, PEAT)), WORD]) == Every((WORD, PEAT))
    assert either([Either((WORD, PEAT)), WORD]) == Either((WORD, PEAT))
