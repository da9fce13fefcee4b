"""What databases, catalogues and statistics programs call their columns."""

import json

import pytest
from raising import raises

from subclust.core.exceptions import FileFormatError, InputError
from subclust.text.sources.base import Document
from subclust.text.sources.citations import take_apart
from subclust.text.sources.columns import columns_for, columns_of, remember_columns
from subclust.text.sources.heads import checked_columns
from subclust.text.sources.opening import open_source
from subclust.text.sources.values import values_of

USUAL = {"authors": "Alm, Ada; Berg, Bo", "year": "2019", "venue": "Weaving"}
ARTICLE = {"volume": "8", "issue": "1", "pages": "1-9", "doi": "10.1234/a"}
PEOPLE = '"Alm, Ada; Berg, Bo"'

TABLES = {
    "scopus.csv": (
        "Authors,Author full names,Title,Year,Source title,Volume,Issue,Page start,Page end,DOI,"
        "Author Keywords,Index Keywords,Abbreviated Source Title,Document Type,Source,EID\n"
        'Alm A.; Berg B.,"Alm, Ada (57200000001); Berg, Bo (57200000002)",Wool,2019,Weaving,8,1,1,'
        "9,10.1234/a,wool; flax,Looms,Weav.,Article,Scopus,2-s2.0-1\n",
        {**USUAL, **ARTICLE, "eid": "2-s2.0-1", "keywords": "wool; flax; Looms",
         "source": "Scopus"},
    ),
    "savedrecs.txt": (
        "PT\tAU\tAF\tTI\tSO\tDT\tDE\tID\tSN\tEI\tPY\tVL\tIS\tBP\tEP\tDI\tUT\n"
        "J\tAlm, A; Berg, B\tAlm, Ada; Berg, Bo\tWool\tWeaving\tReview\twool\tFLAX\t1234-5678\t"
        "8765-4321\t2019\t8\t1\t1\t9\t10.1234/a\tWOS:1\n",
        {**USUAL, **ARTICLE, "ut": "WOS:1", "keywords": "wool; FLAX",
         "issn": "1234-5678; 8765-4321", "type": "article-journal"},
    ),
    "tags.csv": (
        f"TY,ID,AU,PY,TI,T2,SP,EP,VL,IS,DO\nJOUR,7,{PEOPLE},2019,Wool,Weaving,1,9,8,1,10.1234/a\n",
        {**USUAL, **ARTICLE, "number": "7"},
    ),
    "embase.csv": (
        "TITLE,AUTHOR NAMES,SOURCE,EMTREE MEDICAL INDEX TERMS,PUI,DOI\n"
        f'Wool,{PEOPLE},Weaving (2019) 8:1 (1-9),"wool, flax",L2,10.1234/a\n',
        {**USUAL, **ARTICLE, "keywords": "wool; flax", "number": "L2", "source": None},
    ),
    "embase-by-rows.csv": (
        '"TITLE","Wool"\n"AUTHOR NAMES","Alm, Ada","Berg, Bo"\n'
        '"SOURCE","Weaving (2019) 8:1 (1-9)"\n"DOI","10.1234/a"\n',
        {**USUAL, **ARTICLE},
    ),
    "ebsco.csv": (
        "an,title,contributors,publicationDate,subjects,source,doi,volume,issue,pageStart,pageEnd,"
        f"longDBName,plink\n90,Wool,{PEOPLE},20190503,Flax,Weaving,10.1234/a,8,1,1,9,A Base,x\n",
        {**USUAL, **ARTICLE, "number": "90", "date": "2019-05-03", "url": "x"},
    ),
    "proquest.csv": (
        "Title,StoreId,Authors,pubdate,pubtitle,year,DocumentURL,identifierKeywords,subjectTerms,"
        f'subjects\nWool,90,{PEOPLE},May 2019,Weaving,2019,http://x,"wool, flax",Looms,Mills\n',
        {**USUAL, "number": "90", "url": "http://x", "keywords": "wool; flax; Looms; Mills"},
    ),
    "pubmed.csv": (
        "PMID,Title,Authors,Citation,First Author,Journal/Book,Publication Year,DOI\n"
        '12,Wool,"Alm A, Berg B.",Weaving. 2019 May 3;8(1):1-9. doi: 10.1234/a.,Alm A,Weaving,2019,'
        "10.1234/a\n",
        {**USUAL, **ARTICLE, "authors": "Alm A; Berg B.", "pmid": "12"},
    ),
    "dimensions.csv": (
        '"About the data: exported, on a day",,,,,,\nRank,Publication ID,DOI,Title,Source title,'
        f"PubYear,Authors\n1,pub.9,10.1234/a,Wool,Weaving,2019,{PEOPLE}\n",
        {**USUAL, "number": "pub.9"},
    ),
    "lens.csv": (
        "Lens ID,Title,Date Published,Source Title,Author/s,Volume,Issue Number,Start Page,"
        f"End Page,DOI,PMID\n9-1,Wool,2019-05-03,Weaving,{PEOPLE},8,1,1,9,10.1234/a,NA\n",
        {**USUAL, **ARTICLE, "number": "9-1", "date": "2019-05-03", "pmid": None},
    ),
    "openalex.csv": (
        "id,display_name,publication_year,authorships.author.display_name,biblio.volume,"
        "primary_location.source.display_name,topics.display_name\n"
        "https://openalex.org/W1,Wool,2019,Ada Alm|Bo Berg,8,Weaving,Wool|Flax\n",
        {**USUAL, "authors": "Ada Alm; Bo Berg", "openalex": "https://openalex.org/W1",
         "keywords": "Wool; Flax", "volume": "8"},
    ),
    "dspace.csv": (
        "id,dc.contributor.author[],dc.contributor.author[en_US],dc.date.accessioned,"
        "dc.date.issued[],dc.relation.ispartof,dc.subject[en],dc.subject[de],dc.title[en],"
        'dc.identifier.uri\nu1,"Alm, Ada","Berg, Bo",2021,2019,Weaving,wool||flax,Wolle,Wool,'
        "http://a||http://b\n",
        {**USUAL, "keywords": "wool; flax; Wolle", "url": "http://a"},
    ),
    "koha.csv": (
        "biblionumber;title;author;publicationyear;publishercode;subject\n"
        f"12;Wool;{PEOPLE};2019;Loom Press;Wool|Flax\n",
        {"number": "12", "year": "2019", "publisher": "Loom Press", "keywords": "Wool; Flax"},
    ),
    "alma.csv": (
        "MMS Id,Title,Author,Publication Date,Publication Place,Language Code,Material Type\n"
        f"99,Wool,{PEOPLE},c2019.,Milltown,eng,Book\n",
        {"number": "99", "year": "2019", "place": "Milltown", "language": "eng", "type": "book"},
    ),
    "citavi.csv": (
        "Autor, Herausgeber oder Organisation;Titel;Jahr ermittelt;Zeitschrift/Zeitung;Jahrgang;"
        "Heftnummer;Seiten von bis;Schlagwörter;DOI-Name;Sprache\n"
        f'{PEOPLE};Wool;2019;Weaving;8;1;1-9;"Wolle; Flachs";10.1234/a;Deutsch\n',
        {**USUAL, **ARTICLE, "keywords": "Wolle; Flachs", "language": "ger"},
    ),
    "french.csv": (
        'TITRE,AUTEUR(S),ANNEE,REVUE,MOTS-CLES\nWool,"Alm, Ada ; Berg, Bo",2019,Weaving,'
        '"laine, lin"\n',
        {**USUAL, "keywords": "laine; lin"},
    ),
    "spanish.csv": (
        f"Título;Autores;Año de publicación;Título de la revista\nWool;{PEOPLE};2019;Weaving\n",
        USUAL,
    ),
    "r.csv": (
        '"","title","author","year","journal","keywords","abstract"\n'
        '"1","Wool","Alm, Ada and Berg, Bo","2019","Weaving","wool and flax and looms",NA\n',
        {**USUAL, "keywords": "wool; flax; looms"},
    ),
    "pandas.csv": (
        "title,authors,year,journal\nWool,\"['Alm, Ada', 'Berg, Bo']\",2019.0,Weaving\n",
        USUAL,
    ),
    "scholar.csv": (
        'Authors,Title,Publication,Volume,Number,Pages,Year\n"Alm, Ada; Berg, Bo; ",Wool,Weaving,8,'
        "1,1-9,2019\n",
        {**USUAL, "volume": "8", "issue": "1"},
    ),
    "twice.csv": (
        'Title,Author,Author,Year,Year,Journal\nWool,"Alm, Ada","Berg, Bo",,2019,Weaving\n',
        USUAL,
    ),
    "report.csv": (
        f"Loans\n\nSeen;May\n\nTitle;Author;Year;Journal\nWool;{PEOPLE};2019;Weaving\n"
        "Title;Author;Year;Journal\n",
        USUAL,
    ),
    "marc.csv": (
        f"245$a,100$a,260$c,020$a\nWool,{PEOPLE},2019,9783161484100\n",
        {"year": "2019", "isbn": "9783161484100", "authors": "Alm, Ada; Berg, Bo"},
    ),
}  # fmt: skip


def read(tmp_path, name, text, **named):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    items = list(open_source(path, **named))
    assert all(isinstance(item, Document) for item in items)
    return items


def kept(document, wanted):
    return {name: document.metadata.get(name) for name in wanted}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_databases(tmp_path, name):
    text, wanted = TABLES[name]
    (document,) = read(tmp_path, name, text)
    assert document.title == "Wool" and kept(document, wanted) == wanted


@pytest.mark.parametrize(
    ("field", "head", "cell", "values"),
    [
        ("keywords", "Subjects", "a||b|c", ["a", "b", "c"]),
        ("keywords", "Subjects", "Water, hot", ["Water, hot"]),
        ("keywords", "Author Keywords", "wool, flax, raw silk", ["wool", "flax", "raw silk"]),
        ("keywords", "Tags", "R&amp;D; wool", ["R&D", "wool"]),
        ("keywords", "Keywords", "wool\nflax", ["wool", "flax"]),
        ("keywords", "Keywords", 'c("wool", "flax")', ["wool", "flax"]),
        ("authors", "Authors", "Alm, A., Berg, B. C.", ["Alm, A.", "Berg, B. C."]),
        ("authors", "Authors", "Alm, Ada, and Berg, Bo", ["Alm, Ada", "Berg, Bo"]),
        ("authors", "Authors", "Ada Alm, Bo Berg and Cy Dahl", ["Ada Alm", "Bo Berg", "Cy Dahl"]),
        ("authors", "Authors", "de la Alm, Ada Maria", ["de la Alm, Ada Maria"]),
        (
            "authors",
            "Authors",
            "Ada Alm, Bo Berg, Cy Dahl, Di Ek",
            ["Ada Alm", "Bo Berg", "Cy Dahl", "Di Ek"],
        ),
        (
            "authors",
            "Authors",
            "A. Alm, B. Berg, C. D. Dahl, and E. Ek",
            ["A. Alm", "B. Berg", "C. D. Dahl", "E. Ek"],
        ),
        ("authors", "Authors", "Ada K. Alm, Bo Berg", ["Ada K. Alm", "Bo Berg"]),
        ("authors", "Authors", "alm, a., berg, b.", ["alm, a.", "berg, b."]),
        ("issn", "ISSN", "12345678, 12345686", ["12345678", "12345686"]),
        ("title", "Title", "Wool; and flax", ["Wool; and flax"]),
        ("text", "Abstract", "Wool; flax | silk", ["Wool; flax | silk"]),
        ("keywords", "Keywords", None, []),
    ],
)
def test_cells_with_lists(field, head, cell, values):
    assert values_of(field, head, cell) == values


@pytest.mark.parametrize(
    ("other", "people"),
    [
        ("Ada Alm, Bo Berg, Cy Dahl", "Ada Maria Alm; Bo Berg"),
        ("Ada Alm", "Ada Maria Alm, Bo Berg"),  # may be Bo of the family Ada Maria Alm
    ],
)
def test_other_rows_tell_how_two_names_are_written(tmp_path, other, people):
    text = f'title,authors\nWool,"Ada Maria Alm, Bo Berg"\nFlax,"{other}"\n'
    first, _ = read(tmp_path, "mine.csv", text)
    assert first.metadata["authors"] == people


@pytest.mark.parametrize(
    ("citation", "parts"),
    [
        ("Weaving (2019) 8:1 (1-9). Date of Publication: 1 May 2019", "Weaving 2019 8 1 1-9"),
        ("Weaving. 2019 May 3;8(1):1-9.", "Weaving 2019 8 1 1-9"),
        ("Weaving, vol. 8, no. 1, pp. 1-9, 2019", "Weaving 2019 8 1 1-9"),
        ("Weaving, Jg. 8 (2019), H. 1, S. 1-9", "Weaving 2019 8 1 1-9"),
        ("Weaving 8 (2019) 1, S. 1-9", "Weaving 2019 8 1 1-9"),
        ("Weaving. May2019, Vol. 8 Issue 1, p1-9. 9p.", "Weaving 2019 8 1 1-9"),
        ("Weaving 8(1), 1-9 (2019)", "Weaving 2019 8 1 1-9"),
        ("Weaving in 1848", ""),
        ("Scopus", ""),
    ],
)
def test_citations_are_taken_apart(citation, parts):
    found = take_apart(citation)
    names = ("venue", "year", "volume", "issue", "pages")
    assert " ".join(found[name] for name in names if name in found) == parts


WORK = {
    "id": "https://openalex.org/W1", "display_name": "Wool", "publication_year": 2019,
    "authorships": [{"author": {"display_name": "Ada Alm"}}],
    "primary_location": {"source": {"display_name": "Weaving"}},
    "abstract_inverted_index": {"Looms": [0], "stand.": [1]},
    "biblio": {"volume": "8", "first_page": "1", "last_page": "9"},
    "keywords": [{"display_name": "wool"}],
}  # fmt: skip
CROSSREF = {
    "DOI": "10.1234/a", "title": ["Wool"], "author": [{"given": "Ada", "family": "Alm"}],
    "published-print": {"date-parts": [[2019, 5]]}, "container-title": ["Weaving"],
    "abstract": "<jats:p>Looms stand.</jats:p>", "reference": [{"DOI": "10.1234/z"}],
}  # fmt: skip
OTHER = {
    "paperId": "p1", "title": "Wool", "abstract": "Looms stand.", "year": 2019,
    "externalIds": {"DOI": "10.1234/a"}, "authors": [{"name": "Ada Alm"}],
    "journal": {"name": "Weaving", "volume": "8"},
}  # fmt: skip


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    "answer",
    [
        {"meta": {"count": 1}, "results": [WORK]},
        [WORK],
        WORK,
        {"status": "ok", "message": {"total-results": 1, "items": [CROSSREF]}},
        {"status": "ok", "message": CROSSREF},
        {"items": [CROSSREF]},
        {"total": 1, "data": [OTHER]},
        {"hits": {"total": 1, "hits": [{"_id": "1", "_source": OTHER}]}},
        {"response": {"numFound": 1, "docs": [OTHER]}},
    ],
)
def test_answers_of_services(tmp_path, answer, indent):
    (document,) = read(tmp_path, "answer.json", json.dumps(answer, indent=indent))
    assert document.title == "Wool" and document.passages[0].text == "Looms stand."
    assert kept(document, ("year", "venue")) == {"year": "2019", "venue": "Weaving"}
    assert document.metadata["authors"] in ("Ada Alm", "Alm, Ada")


@pytest.mark.parametrize("work", [WORK, CROSSREF, OTHER])
def test_services_records_a_line(tmp_path, work):
    other = {**work, "title": "Flax", "DOI": "10.1234/b", "id": "https://openalex.org/W2"}
    first, second = read(
        tmp_path, "works.jsonl", json.dumps(work) + "\n" + json.dumps(other) + "\n"
    )
    assert (first.title, second.title) == ("Wool", "Flax")
    assert first.metadata["venue"] == "Weaving"


def test_columns_that_their_owner_names_are_remembered_for_their_head(tmp_path):
    given = checked_columns(["title=Benennung", "author=Wer", "year=Wann"])
    assert given == {"title": "Benennung", "authors": "Wer", "year": "Wann"}
    text = "Benennung;Wer;Wann\nWool;Alm, Ada;2019\n"
    (document,) = read(tmp_path, "a.csv", text, columns=given)
    assert kept(document, ("authors", "year")) == {"authors": "Alm, Ada", "year": "2019"}
    remember_columns(tmp_path / "data", tmp_path / "a.csv", given)
    for name, same in (("b.csv", text), ("c.csv", "Other;Wer;Wann\nWool;Alm;2019\n")):
        (tmp_path / name).write_text(same)
        known = columns_for(tmp_path / "data", tmp_path / name, {})
        assert known == (given if same == text else {})
    remember_columns(tmp_path / "data", tmp_path / "a.csv", {"title": "no such"})
    assert columns_for(tmp_path / "data", tmp_path / "a.csv", {}) == given
    remember_columns(tmp_path / "data", tmp_path / "a.csv", {})
    assert columns_for(tmp_path / "data", tmp_path / "a.csv", {}) == {}


def test_columns_are_shown_with_what_is_in_them(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("Title;Shelf;Jahr\nWool;A1;2019\nFlax;;2020\nSilk;A2;2021\nHemp;;2022\n")
    columns = columns_of(path)
    assert [(one.name, one.field) for one in columns] == [
        ("Title", "title"), ("Shelf", None), ("Jahr", "year"),
    ]  # fmt: skip
    assert columns[1].samples == ("A1", "A2")
    assert columns_of(path, {"keywords": "Shelf"})[1].field == "keywords"


def test_a_table_without_heads_is_read_by_numbers(tmp_path):
    text = 'Wool,"Alm, Ada",2019\nFlax,"Berg, Bo",2020\n'
    named = checked_columns(["title=1", "authors=2", "year=3"])
    first, second = read(tmp_path, "a.csv", text, columns=named)
    assert (first.title, second.metadata["year"]) == ("Wool", "2020")


@pytest.mark.parametrize("given", ["title", "title=", "no such=Head"])
def test_what_is_no_column_is_refused(given):
    with pytest.raises(InputError):
        checked_columns([given])


@pytest.mark.parametrize("columns", [None, {"title": "no such"}])
def test_unknown_heads_are_refused_with_the_way_out(tmp_path, columns):
    with raises(FileFormatError, file="a.csv"):
        read(tmp_path, "a.csv", "Benennung;Wer\nWool;Alm\n", columns=columns)
