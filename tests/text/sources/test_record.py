"""What becomes of a record's fields, whichever file they come from."""

import pytest

from subclust.core.records.languages import language_codes, language_spellings
from subclust.exports.reference import whole_records
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.cleaning import clean_abstract, clean_text
from subclust.text.sources.dates import read_date
from subclust.text.sources.fields import FIELDS, field_of, tagged_fields
from subclust.text.sources.kinds import KINDS, kind_of
from subclust.text.sources.record import MOST_CARRIED, document


def made(**fields: object) -> Document:
    item = document({"title": "On looms", **fields}, "row 2", "c")
    assert not isinstance(item, Refusal)
    return item


@pytest.mark.parametrize(
    ("fields", "id_"),
    [
        ({"doi": "https://doi.org/10.1234/ABC", "pmid": "7", "number": "12"}, "doi:10.1234/abc"),
        ({"url": "http://dx.doi.org/10.1234/abc"}, "doi:10.1234/abc"),
        ({"pmid": "30000001"}, "pmid:30000001"),
        ({"ut": "WOS:000123"}, "ut:wos:000123"),
        ({"eid": "2-s2.0-85"}, "eid:2-s2.0-85"),
        ({"openalex": "https://openalex.org/W12"}, "openalex:w12"),
        ({"isbn": "978-3-16-148410-0", "type": "BOOK"}, "isbn:9783161484100"),
        ({"isbn": "9783161484100", "edition": "2nd ed."}, "isbn:9783161484100:2nd-ed"),
        ({"control": "DE-604:BV1", "number": "BV1"}, "control:DE-604:BV1"),
        ({"number": "doi:10.1234/x", "doi": "10.1234/y"}, "doi:10.1234/x"),
        ({"id": "mine", "doi": "10.1234/abc"}, "mine"),
        ({"doi": "10.1234/a#b"}, "doi:10.1234/a%23b"),
    ],
)
def test_what_is_unique_in_the_world_is_the_id(fields: dict[str, str], id_: str) -> None:
    assert made(**fields).id == id_


@pytest.mark.parametrize(
    "other",
    [
        {"authors": "Berg, B."},
        {"year": "2003"},
        {"venue": "Notes"},
        {"pages": "9"},
        {"title": "On ships"},
    ],
)
def test_without_one_it_is_told_by_its_description(other: dict[str, str]) -> None:
    told = {"authors": "Alm, A.", "year": "2001", "venue": "Weaving", "pages": "1-2"}
    assert made(**told).id != made(**{**told, **other}).id
    assert made(**told, number="1").id == made(**told, number="2", text="Looms.").id


def test_where_little_describes_it_its_text_counts_too() -> None:
    assert made(text="Looms weave.").id != made(text="Looms rest.").id


def test_the_number_of_the_file_and_former_ids_are_kept() -> None:
    one = made(number="17", doi="10.1234/abc")
    assert one.metadata["number"] == "17"
    assert one.former_ids[0] == "17" and one.former_ids[1].startswith("sha256-")


@pytest.mark.parametrize(
    "nothing", ["NA", "N/A", "[Anonymous]", "null", "NaN", "#N/A", "No Specified", "-"]
)
def test_what_says_nothing_is_no_value(nothing: str) -> None:
    one = made(pmid=nothing, text=nothing, keywords=[nothing, "wool"], pages=nothing)
    assert dict(one.metadata) == {"keywords": "wool"} and one.passages[0].text == "On looms"


@pytest.mark.parametrize(
    ("given", "year", "date"),
    [
        ("2019-05-03", "2019", "2019-05-03"),
        ("2019/5", "2019", "2019-05"),
        ("03/05/2019", "2019", "03/05/2019"),
        ("May 2019", "2019", "2019-05"),
        ("2018 May 3", "2018", "2018-05-03"),
        ("3. Mai 2018", "2018", "2018-05-03"),
        ("3 mai 2018", "2018", "2018-05-03"),
        ("c2019", "2019", "c2019"),
        ("[2019?]", "2019", None),
        ("1387 [2008]", "2008", None),
        ("1998-2001", "1998", None),
        ("2019.0", "2019", None),
        ("20190503", "2019", "2019-05-03"),
        ("43588", "2019", "2019-05-03"),
        ("2019-05-03 00:00:00", "2019", "2019-05-03"),
        ("n.d.", None, "n.d."),
        ("0000-00-00", None, None),
        ("5.3.19", None, None),
        ("19--?", None, None),
    ],
)
def test_years_and_dates(given: str, year: str | None, date: str | None) -> None:
    one = made(year=given)
    assert one.metadata.get("year") == year
    if read_date(given)[4:]:
        assert one.metadata.get("date") == date


def test_the_more_exact_of_year_and_date_counts_if_they_agree() -> None:
    assert made(year="2019", date="2019-05-03").metadata["date"] == "2019-05-03"
    assert "date" not in made(year="2018", date="2019-05-03").metadata
    assert made(date="May 2019").metadata["year"] == "2019"


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        ("English", ["eng"]),
        ("en-GB", ["eng"]),
        ("Deutsch", ["ger"]),
        ("deu", ["ger"]),
        ("allemand", ["ger"]),
        ("zh_CN", ["chi"]),
        ("engfreger", ["eng", "fre", "ger"]),
        ("English; French", ["eng", "fre"]),
        ("und", []),
        ("Tlingit-ish", ["Tlingit-ish"]),
    ],
)
def test_languages(given: str, codes: list[str]) -> None:
    assert language_codes(given) == codes
    assert made(language=given).metadata.get("language", "") == "; ".join(codes)


def test_a_language_is_found_under_all_of_its_names() -> None:
    assert {"en", "eng", "english", "englisch"} <= set(language_spellings("English"))
    assert language_spellings("Klingon-like") == ["Klingon-like"]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("PM<sub>2.5</sub> in <i>Salix</i>", "PM2.5 in Salix"),
        ("wool &amp;amp; flax", "wool & flax"),
        ("<p>One.</p><p>Two (p &lt; 0.05).</p>", "One.\n\nTwo (p < 0.05)."),
        ("<jats:title>Methods</jats:title><jats:p>Seen.</jats:p>", "Methods: Seen."),
        ("<jats:title>Abstract</jats:title><jats:p>Seen.</jats:p>", "Seen."),
        ("<AbstractText Label='AIM'>To see.</AbstractText>", "AIM: To see."),
        ("<mml:math><mml:mi>x</mml:mi></mml:math>-rays", "x-rays"),
        ("a < b and c > d", "a < b and c > d"),
        ("AT&T; R&D", "AT&T; R&D"),
        (r"$\beta$-carotene, CO$_2$, 5 \%", "β-carotene, CO2, 5 %"),
        (r"G\"odel and \emph{wool}", "Gödel and wool"),
        ("costs $5 and $10 a day", "costs $5 and $10 a day"),
        (r"C:\looms\old", r"C:\looms\old"),
        ("\x98Der\x9c Webstuhl", "Der Webstuhl"),
        ("<<Le>> métier", "Le métier"),
        ("¬Das¬ Garn", "Das Garn"),
    ],
)
def test_texts_are_words(given: str, shown: str) -> None:
    assert clean_text(given) == shown == clean_text(shown)
    one = made(text=given, keywords=given)
    assert one.passages[0].text == shown
    assert one.metadata.get("abstract_as_given", shown) == given


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("No abstract available.", ""),
        ("[Abstract not available]", ""),
        ("Looms weave. © 2019 Loom Press B.V. All rights reserved.", "Looms weave."),
        ("© 2019 Loom Press B.V. All rights reserved. Looms weave.", "Looms weave."),
        ("© 2020 The Authors. Published by Loom Inc. Looms weave.", "Looms weave."),
        ("Looms weave. (ABSTRACT FROM AUTHOR)", "Looms weave."),
        ("Looms. Copyright of Wool is the property of W and may not be copied.", "Looms."),
        ("Copyright law changed in 1976. We study it.",) * 2,
        ("AbstractWe weave.MethodsWe look.", "We weave. Methods: We look."),
        ("BACKGROUND:Looms stand.", "BACKGROUND: Looms stand."),
        ("Abstract: looms.", "looms."),
        ("Abstract algebra is old.",) * 2,
        ("Methods for looms are old.",) * 2,
    ],
)
def test_abstracts_are_without_rights_and_headings(given: str, shown: str) -> None:
    assert clean_abstract(given) == shown == clean_abstract(shown)


@pytest.mark.parametrize(
    ("given", "shown"),
    [("b$$%$c", "b$$%$c"), ("b$%$:$c", "b$%$:$c"), ("$$x^2$$", "x2"), ("a $x$, $y$ b", "a x, y b")],
)
def test_formulas_are_read_once(given: str, shown: str) -> None:
    assert clean_text(given) == shown == clean_text(shown)


@pytest.mark.parametrize(
    ("abstracts", "n_kept", "n_remarks"),
    [
        (["Looms weave wool all day long in an old mill."] * 2, 1, 1),
        (["Looms don't weave wool all day in old mills, ever.",
          "Abstract Looms don’t weave wool all day in old mills, ever."], 1, 1),
        (["Looms weave wool all day in the old mills", "Webstühle weben den ganzen Tag."], 2, 1),
    ],
)  # fmt: skip
def test_copies_of_an_abstract(abstracts: list[str], n_kept: int, n_remarks: int) -> None:
    one = made(text=abstracts)
    assert len(one.passages[0].text.split("\n\n")) == n_kept and len(one.mended) == n_remarks


@pytest.mark.parametrize(
    ("given", "people"),
    [
        ("Alm, Ada and Berg, Bo", "Alm, Ada; Berg, Bo"),
        ("Ada Alm and Bo Berg", "Ada Alm; Bo Berg"),
        ("Ada Alm|Bo Berg", "Ada Alm; Bo Berg"),
        ("Alm, Ada || Berg, Bo", "Alm, Ada; Berg, Bo"),
        ("Health and Safety Executive",) * 2,
        (["Alm, A.", "Alm, A."], "Alm, A.; Alm, A."),
    ],
)
def test_people(given: object, people: str) -> None:
    assert made(authors=given).metadata["authors"] == people


def test_numbers_of_serials_and_books() -> None:
    one = made(issn=["12345678", "ISSN 1234-567x (online)", "978-3-16-148410-0"])
    assert one.metadata["issn"] == "1234-5678; 1234-567X"
    assert one.metadata["isbn"] == "978-3-16-148410-0"


def test_pages_of_two_columns_are_a_range() -> None:
    assert made(**{"Start Page": "3", "End Page": "9"}).metadata["pages"] == "3-9"


def test_each_head_and_each_kind_has_one_meaning() -> None:
    heads = [head for field in FIELDS for head in field.heads]
    assert len(heads) == len(set(heads))
    assert all(field_of(head.upper()) == field.name for field in FIELDS for head in field.heads)
    for kind in KINDS:
        assert {kind_of(one) for one in (kind.name, kind.ris[0], *kind.bibtex[:1])} == {kind.name}


def test_tags_are_read_in_the_order_of_the_file_and_aliases_once() -> None:
    assert tagged_fields({"A1": ["Alm"], "AU": ["Berg"]}, "ris")["authors"] == ["Alm", "Berg"]
    assert tagged_fields({"AU": ["A A"], "AF": ["Alm, A"]}, "wos")["authors"] == ["Alm, A"]
    assert tagged_fields({"M3": ["Article"], "L3": ["doi:10.1234/a"]}, "ris")["doi"] == [
        "10.1234/a"
    ]


def test_what_is_long_is_kept_once_and_not_for_each_passage():
    text = "The duty on tea was raised. " * 2000
    one = made(text=text + "<i>Looms</i>", notes="n" * 20_000, authors="Ada Alm")
    first, *others = (passage.metadata for passage in one.passages)
    assert len(others) > 50
    assert first["abstract_as_given"].endswith("<i>Looms</i>") and len(first["notes"]) == 20_000
    assert all(other.keys() == {"authors", "position", "characters"} for other in others)


def test_a_title_that_is_a_text_is_shortened_and_its_words_are_kept():
    title = "The duty on tea was raised. " * 2000
    one = made(title=title)
    assert len(one.title) <= MOST_CARRIED and len(one.mended) == 1
    assert {passage.title for passage in one.passages} == {one.title}
    assert sum(len(passage.text) for passage in one.passages) >= len(title) - 2 * len(one.passages)


@pytest.mark.parametrize("field", ["id", "doi", "label", "path", "number"])
def test_what_all_passages_need_is_refused_where_it_is_a_text(field):
    item = document({"title": "On looms", field: "x" * (MOST_CARRIED + 1)}, "row 2", "c")
    assert isinstance(item, Refusal) and item.field == field


def test_a_long_record_is_exported_whole_with_what_its_first_passage_alone_has():
    text = "The duty on tea was raised. " * 900
    one = made(id="1", text=text + "<i>Looms</i>", notes="n" * 20_000)
    (whole,) = whole_records(one.passages)
    assert len(whole.text) > len(text) and len(whole.metadata["notes"]) == 20_000
