"""Entries of BibTeX as people and programs write them."""

import pytest

from subclust.text.sources import Document, Refusal
from subclust.text.sources.latex import from_latex
from subclust.text.sources.opening import open_source


def read(tmp_path, text):
    path = tmp_path / "a.bib"
    path.write_text(text)
    return list(open_source(path))


ONE = {
    # what of an entry: (its fields, what is read)
    "no comma": ("author={Falk, Ada} title={On tides}, year={2021}", {"year": "2021"}),
    "no comma behind a number": ('year = 2021 title = "On tides"', {"year": "2021"}),
    "two commas": ("title={On tides},, year={2021}", {"year": "2021"}),
    "an equals sign in a title": ("title={On tides: x = y}", {"title": "On tides: x = y"}),
    "a month": ("title={A}, year=2015, month=jan", {"date": "2015-01", "year": "2015"}),
    "a day": ('title={A}, year=2015, month="10~" # feb', {"date": "2015-02-10"}),
    "a month in words": ("title={A}, year={2015}, month={Mar.}", {"date": "2015-03"}),
    "a date": ("title={A}, date={2017-05-03}", {"date": "2017-05-03", "year": "2017"}),
    "an escaped DOI": (r"title={A}, doi={10.1234/a\_b{\_}c}", {"doi": "10.1234/a_b_c"}),
    "others": ("title={A}, author={Falk, Ada and others}", {"authors": "Falk, Ada"}),
    "a body": ("title={A}, author={{Tide and Sea Office}}", {"authors": "Tide and Sea Office"}),
    "editors": (
        "title={A}, author={Falk, Ada}, editor={Lind, C. and Okoro, B.}",
        {"authors": "Falk, Ada", "editors": "Lind, C.; Okoro, B."},
    ),
    "editors alone": (
        "title={A}, editor={Lind, C. and Okoro, B.}",
        {"editors": "Lind, C.; Okoro, B."},
    ),
    "pages": ("title={A}, pages={1 -- 9}", {"pages": "1-9"}),
    "an address": (r"title={A}, howpublished={\url{http://a.b/c_d}}", {"url": "http://a.b/c_d"}),
    "a subtitle": ("title={A}, subtitle={B}", {"title": "A: B"}),
    "marks and formulas": (
        r"title={{Tides {\&} Ports: $\alpha$-waves, CO$_2$ -- a ``first'' \textit{look}}}",
        {"title": "Tides & Ports: α-waves, CO2 – a “first” look"},
    ),
    "citations": (
        r"title={A}, abstract={Tides~\cite{x} rise \O ver 20\,$^{\circ}$C; $p < 0.05$.}",
        {"text": "Tides rise Øver 20 °C; p < 0.05."},
    ),
}


@pytest.mark.parametrize("name", ONE)
def test_an_entry(tmp_path, name):
    fields, wanted = ONE[name]
    (found,) = read(tmp_path, f"@article{{key, {fields}}}")
    held = {"title": found.title, "text": found.passages[0].text, **found.metadata}
    assert {key: held.get(key) for key in wanted} == wanted
    assert bool(found.mended) == name.startswith("no comma")


@pytest.mark.parametrize(
    "text",
    [
        "@article{a, title={A}} @book{b, title={B}}",
        "@comment{x}\n@article{a, title={A}}@book{b, title={B}}\n@preamble{y}",
        "@comment{\n@article{a, title={A}}\n}\n@book{b, title={B}}",
        "@article{a title={A}}\n@book{title={B}}",
        "% a note\n@article ( a, title = {A} )\n  @Book{b,\n title = {B}\n}",
        "@article{a, title={A}}\n@xdata{x, publisher={P}}\n@book{b, title={B}}",
        "@article{a, title={A}, title={C}}\n@book{b, title={B}}",
    ],
)
def test_each_entry_is_one(tmp_path, text):
    assert [one.title for one in read(tmp_path, text)] == ["A", "B"]


def test_a_broken_entry_takes_no_other_along(tmp_path):
    broken, whole = read(tmp_path, "@article{a, title={A, year={2}\n@book{b, title={B}}")
    assert isinstance(broken, Refusal) and isinstance(whole, Document)


def test_what_an_entry_takes_from_others(tmp_path):
    items = read(
        tmp_path,
        "@inproceedings{a, title={A}, author={Falk, Ada}, crossref={P}, xdata={x,y}}\n"
        "@incollection{c, title={C}, crossref={m}, year={1999}, booktitle={Own}}\n"
        "@proceedings{p, title={Talks}, subtitle={All}, doi={10.1234/p}, crossref={s},\n"
        " editor={Lind, Cora}, abstract={Whole.}}\n"
        "@xdata{x, publisher={Press}}\n@xdata{y, location={Quay}, xdata={x}}\n"
        "@collection{s, series={Row}, year={2016}}\n@book{m, title={M}, date={2000-01-02}}\n",
    )
    found = {one.metadata["number"]: one for one in items}
    talk = found["a"].metadata
    assert (talk["venue"], talk["year"], talk["publisher"]) == ("Talks: All", "2016", "Press")
    assert (talk["place"], talk["series"], talk["editors"]) == ("Quay", "Row", "Lind, Cora")
    assert "doi" not in talk and found["a"].passages[0].text == "A"
    part = found["c"].metadata
    assert (part["venue"], part["year"]) == ("Own", "1999") and "date" not in part
    assert set(found) == {"a", "c", "p", "m"}


def test_entries_that_point_to_each_other(tmp_path):
    one, two = read(
        tmp_path, "@book{a, title={A}, crossref={b}}\n@book{b, title={B}, crossref={a}}"
    )
    assert (one.title, two.title) == ("A", "B")


@pytest.mark.parametrize(
    ("tex", "letters"),
    [
        (r"M{\"u}ller, \'{\i} \v{Z} \c c {\L}", "Müller, í Ž ç Ł"),
        (r"{\em Salix} \enquote{alba} {\bf x}", "Salix alba x"),
        (r"\unknown{kept} \href{http://a}{there} \LaTeX{}", "kept there LaTeX"),
        (r"costs \$5 and $6", "costs $5 and $6"),
        (r"C++ -- a --- b", "C++ – a — b"),
        ("it's plain-text", "it's plain-text"),
    ],
)
def test_latex(tex, letters):
    assert from_latex(tex) == letters


def test_languages_are_read_as_latex_calls_them(tmp_path):
    (item,) = read(tmp_path, "@book{a, title={Wolle}, langid={ngerman}}")
    assert item.metadata["language"] == "ger"
