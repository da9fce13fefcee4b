"""How surely records of one work are told from records of two, on pairs made of real records.

Titles, authors, years and DOIs are those of arXiv's Digital Libraries section; venue, volume and
pages are drawn. Of two records of one work, the second is changed as the rules of deduplication
tools expect: capitals and punctuation, the subtitle dropped or cut off, initials, an abbreviated
journal, shortened pages, a DOI missing, a preprint's year. Pairs of two works are those that such
rules confuse: parts, editions, errata, replies, reviews of a book, yearbooks and editorials of
other years, an abstract of a conference and the paper.
"""

import argparse
import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.duplicate_sets import run_sets, thresholds
from benchmarks.results import RESULTS_DIR, add_output, circumstances, output
from subclust.core.exceptions import InputError
from subclust.core.settings import Settings
from subclust.text.ingest.same_work import compare
from subclust.text.ingest.work import Work

FILE = "documents/arxiv_cs_dl.jsonl.gz"
N_PAIRS = 1000
POSITIVE_SHARE = 0.5

_JOURNALS = {
    "Journal of the American Society for Information Science": "J Am Soc Inf Sci",
    "Journal of Documentation": "J Doc",
    "International Journal on Digital Libraries": "Int J Digit Libr",
    "Library and Information Science Research": "Libr Inf Sci Res",
    "Journal of Informetrics": "J Informetr",
    "Proceedings of the National Academy of Sciences": "PNAS",
    "Annals of Library and Information Studies": "Ann Libr Inf Stud",
    "Research Evaluation": "Res Eval",
}
_BORDER = re.compile(r"[:?] ")

Fields = dict[str, str]
Change = Callable[[Fields, random.Random], Fields]


@dataclass(frozen=True)
class Pair:
    """Two records, and whether they are of one work.

    Parameters
    ----------
    one, other : mapping of str to str
    kind : str
        What was changed.
    """

    one: Mapping[str, str]
    other: Mapping[str, str]
    is_one: bool
    kind: str


def read_records(path: Path, seed: int = 0) -> list[Fields]:
    """Read records, and draw what arXiv does not tell: venue, volume, issue and pages.

    Raises
    ------
    InputError
        If there is no such file.
    """
    if not path.is_file():
        raise InputError("There is no file {path} with records.", path=path)
    drawn = random.Random(seed)
    records = []
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for number, row in enumerate(map(json.loads, stream)):
            people = [_family_first(one) for one in row["authors"].split(", ") if one.strip()]
            first, year = drawn.randrange(1, 900), int(row["date"][:4])
            records.append(
                {
                    "title": row["title"],
                    "authors": "; ".join(people),
                    "year": str(year),
                    "venue": drawn.choice(list(_JOURNALS)),
                    "volume": str(year - 1949),
                    "issue": str(drawn.randrange(1, 13)),
                    "pages": f"{first}-{first + drawn.randrange(4, 30)}",
                    "doi": (row["doi"] or f"10.1000/{number}").split()[0],
                    "type": "article-journal",
                }
            )
    return records


def labelled_pairs(
    records: Sequence[Fields], n_pairs: int = N_PAIRS, seed: int = 0
) -> tuple[list[Pair], list[Pair]]:
    """Make pairs; of one record, all are in one half.

    Returns
    -------
    list of Pair
        To choose by.
    list of Pair
        To report.
    """
    drawn = random.Random(seed)
    chosen = drawn.sample(list(records), min(n_pairs, len(records)))
    halves: tuple[list[Pair], list[Pair]] = ([], [])
    for number, record in enumerate(chosen):
        is_one = drawn.random() < POSITIVE_SHARE
        names = list(_SAME if is_one else _OTHER)
        name = drawn.choice(names)
        pair = _pair(record, name, is_one, drawn)
        halves[number % 2].append(pair)
    return halves


def measure(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Compare each pair, and count how often it is told rightly.

    Returns
    -------
    dict
        ``precision`` and ``recall`` of what is told to be ``same``, and of ``same_or_probable``;
        ``by_kind``, for each kind of pair what was told how often.
    """
    told: dict[str, Counter[str]] = defaultdict(Counter)
    answers = []
    for pair in pairs:
        one, other = (Work(id_, f["title"], f) for id_, f in (("a", pair.one), ("b", pair.other)))
        found = compare(one, other)
        answer = found.certainty if found else "two works"
        answers.append((answer, pair.is_one))
        told[pair.kind][answer] += 1
    n_one = sum(is_one for _, is_one in answers)
    result: dict[str, Any] = {"n_pairs": len(pairs), "n_of_one_work": n_one}
    for name, counted in (("same", ("same",)), ("same_or_probable", ("same", "probable"))):
        right = sum(is_one for answer, is_one in answers if answer in counted)
        n_told = sum(answer in counted for answer, _ in answers)
        result[name] = {
            "n": n_told,
            "precision": right / n_told if n_told else None,
            "recall": right / n_one if n_one else None,
        }
    return result | {"by_kind": {kind: dict(told[kind]) for kind in sorted(told)}}


def _family_first(name: str) -> str:
    given, _, family = name.strip().rpartition(" ")
    return f"{family}, {given}" if given else family


def _pair(record: Fields, name: str, is_one: bool, drawn: random.Random) -> Pair:
    one = dict(record)
    if is_one:
        other = _SAME[name](dict(record), drawn)
        other["doi"] = other["doi"] if name == "preprint" else drawn.choice(["", "", record["doi"]])
        if drawn.random() < 0.5 and name != "preprint":  # two changes at once
            again = drawn.choice(["capitals", "initials", "abbreviated journal", "short pages"])
            other = _SAME[again](other, drawn)
        if drawn.random() < 0.3:
            one, other = other, one
    else:
        one, other = _OTHER[name](one, drawn)
        if drawn.random() < 0.5:
            one["doi"] = ""
        if drawn.random() < 0.8 or other["doi"] == record["doi"]:
            other["doi"] = ""
    kept = [{key: value for key, value in fields.items() if value} for fields in (one, other)]
    return Pair(kept[0], kept[1], is_one, name)


def _with(**values: str) -> Change:
    return lambda fields, drawn: fields | values


def _capitals(fields: Fields, drawn: random.Random) -> Fields:
    title = fields["title"]
    plain = re.sub(r"[-:,.'?]", " ", title).lower()
    return fields | {"title": drawn.choice([title.upper(), title.title(), plain, title + "."])}


def _no_subtitle(fields: Fields, drawn: random.Random) -> Fields:
    border = _BORDER.search(fields["title"])
    return fields | {"title": fields["title"][: border.start()] if border else fields["title"]}


def _cut_off(fields: Fields, drawn: random.Random) -> Fields:
    title = fields["title"]
    return fields | {"title": title[: max(40, int(len(title) * 0.7))]}


def _typed(fields: Fields, drawn: random.Random) -> Fields:
    title = fields["title"]
    at = drawn.randrange(len(title) // 2, len(title) - 1)
    return fields | {"title": title[:at] + title[at + 1] + title[at] + title[at + 2 :]}


def _initials(fields: Fields, drawn: random.Random) -> Fields:
    people = []
    for one in fields["authors"].split("; "):
        family, _, given = one.partition(", ")
        letters = [part[0] for part in given.split() if part]
        people.append(f"{family}, {'. '.join(letters)}." if letters else family)
    return fields | {"authors": "; ".join(people)}


def _first_authors(fields: Fields, drawn: random.Random) -> Fields:
    return fields | {"authors": "; ".join(fields["authors"].split("; ")[:3])}


def _abbreviated(fields: Fields, drawn: random.Random) -> Fields:
    return fields | {"venue": _JOURNALS.get(fields["venue"], fields["venue"])}


def _short_pages(fields: Fields, drawn: random.Random) -> Fields:
    first, _, last = fields["pages"].partition("-")
    if drawn.random() < 0.5 or len(first) != len(last):
        return fields | {"pages": first}
    same = next((n for n, (a, b) in enumerate(zip(first, last, strict=True)) if a != b), 0)
    return fields | {"pages": f"{first}-{last[same:]}"}


def _bare(fields: Fields, drawn: random.Random) -> Fields:
    return fields | dict.fromkeys(("venue", "volume", "issue", "pages", "type"), "")


def _preprint(fields: Fields, drawn: random.Random) -> Fields:
    number = f"{drawn.randrange(1000, 9999)}.{drawn.randrange(10000, 99999)}"
    doi = drawn.choice(["", f"10.48550/arxiv.{number}"])
    year = str(int(fields["year"]) - drawn.randrange(2))
    bare = _bare(fields, drawn)
    return bare | {"venue": "arXiv", "year": year, "doi": doi, "type": "manuscript"}


def _online_first(fields: Fields, drawn: random.Random) -> Fields:
    return fields | {"year": str(int(fields["year"]) - 1)}


_SAME: dict[str, Change] = {
    "capitals": _capitals,
    "subtitle dropped": _no_subtitle,
    "title cut off": _cut_off,
    "typing error": _typed,
    "initials": _initials,
    "first authors": _first_authors,
    "abbreviated journal": _abbreviated,
    "short pages": _short_pages,
    "few fields": _bare,
    "preprint": _preprint,
    "online first": _online_first,
}

Two = Callable[[Fields, random.Random], tuple[Fields, Fields]]


def _elsewhere(fields: Fields, drawn: random.Random, years: int = 0) -> Fields:
    first = drawn.randrange(1, 900)
    year = int(fields["year"]) + years
    return fields | {
        "year": str(year),
        "volume": str(year - 1949),
        "issue": str(drawn.randrange(1, 13)),
        "pages": f"{first}-{first + drawn.randrange(1, 20)}",
        "doi": fields["doi"] + "x",
    }


def _thinned(two: Two) -> Two:
    """Leave out, of half of the pairs, the fields by which they are easily told apart."""

    def thin(fields: Fields, drawn: random.Random) -> tuple[Fields, Fields]:
        one, other = two(fields, drawn)
        return (one, _bare(other, drawn)) if drawn.random() < 0.5 else (one, other)

    return thin


def _parts(fields: Fields, drawn: random.Random) -> tuple[Fields, Fields]:
    form = drawn.choice([": Part {}", ". {}", ", part {}", " - Teil {}", " ({})"])
    first, second = drawn.choice([("I", "II"), ("1", "2"), ("II", "III"), ("A", "B"), ("", "2")])
    other = _elsewhere(fields, drawn, drawn.randrange(2))
    title = fields["title"]
    first_title = title + (form.format(first) if first else "")
    return fields | {"title": first_title}, other | {"title": title + form.format(second)}


def _editions(fields: Fields, drawn: random.Random) -> tuple[Fields, Fields]:
    book = _bare(fields, drawn) | {"type": "book", "publisher": "Quay Press", "doi": ""}
    year = str(int(fields["year"]) + drawn.choice([0, 1, 4, 9]))
    second = {"edition": drawn.choice(["2nd ed.", "2., überarb. Aufl.", "Second edition"])}
    first = drawn.choice([{}, {"edition": "1st ed."}])
    if not first and year == book["year"]:
        year = str(int(year) + 2)
    return book | first, book | second | {"year": year}


def _erratum(fields: Fields, drawn: random.Random) -> tuple[Fields, Fields]:
    form = drawn.choice(["Erratum: {}", "{} (Erratum)", "Correction to: {}", "{}: corrigendum"])
    return fields, _elsewhere(fields, drawn) | {"title": form.format(fields["title"])}


def _reply(fields: Fields, drawn: random.Random) -> tuple[Fields, Fields]:
    form = drawn.choice(
        ["{}: a reply", "Comment on {}", "{}: Reply", "Reply to: {}", "{}: comment"]
    )
    answer = _elsewhere(fields, drawn) | {"title": form.format(fields["title"])}
    return fields, answer | ({"authors": "Vance, Odd"} if drawn.random() < 0.5 else {})


def _review(fields: Fields, drawn: random.Random) -> tuple[Fields, Fields]:
    book = _bare(fields, drawn) | {"type": "book", "publisher": "Quay Press", "doi": ""}
    review = _elsewhere(fields, drawn, drawn.randrange(2))
    return book, review | ({"authors": "Vance, Odd"} if drawn.random() < 0.8 else {})


def _other_year(fields: Fields, drawn: random.Random) -> tuple[Fields, Fields]:
    return fields, _elsewhere(fields, drawn, drawn.randrange(1, 6))


def _conference(fields: Fields, drawn: random.Random) -> tuple[Fields, Fields]:
    abstract = _elsewhere(fields, drawn, -drawn.randrange(2))
    venue = "Joint Conference on Digital Libraries"
    return fields, abstract | {"venue": venue, "volume": "", "type": "paper-conference"}


def _yearbook(fields: Fields, drawn: random.Random) -> tuple[Fields, Fields]:
    title = drawn.choice(["Annual report", "Yearbook of the society", "Annual review of research"])
    return fields | {"title": title}, _elsewhere(fields, drawn, 1) | {"title": title}


def _generic(fields: Fields, drawn: random.Random) -> tuple[Fields, Fields]:
    title = {"title": drawn.choice(["Editorial", "Book reviews", "Introduction", "Letters"])}
    other = _elsewhere(fields, drawn, drawn.randrange(2))
    return fields | title, other | title


def _namesake(fields: Fields, drawn: random.Random) -> tuple[Fields, Fields]:
    other = _elsewhere(fields, drawn, drawn.randrange(2))
    return fields, other | {"authors": "Vance, Odd; Strand, Liv"}


_OTHER: dict[str, Two] = {
    "parts": _thinned(_parts),
    "editions": _editions,
    "erratum": _thinned(_erratum),
    "reply": _thinned(_reply),
    "review of a book": _review,
    "other year": _thinned(_other_year),
    "conference abstract": _conference,
    "yearbook": _thinned(_yearbook),
    "generic title": _thinned(_generic),
    "namesake": _thinned(_namesake),
}


def add_duplicates(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``duplicates``."""
    parser.add_argument(
        "--sets", type=Path, metavar="FOLDER", help="measure the published sets in a folder"
    )
    parser.add_argument("--set", metavar="NAME", help="of these, one only")
    parser.add_argument("--validation", action="store_true", help="measure the half to choose by")
    add_output(parser)


def run_duplicates(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure how surely pairs of records are told apart."""
    if arguments.sets is not None:
        run_sets(arguments)
        return
    if settings.benchmark_data_dir is None:
        raise InputError("Set SUBCLUST_BENCHMARK_DATA_DIR to the folder that holds the data.")
    records = read_records(settings.benchmark_data_dir / FILE)
    validation, test = labelled_pairs(records)
    half, pairs = ("validation", validation) if arguments.validation else ("test", test)
    result = {
        "half": half,
        **measure(pairs),
        "thresholds": thresholds(),
        "story": {"seed": 0, **circumstances("cpu")},
    }
    if output(arguments, RESULTS_DIR / "duplicates" / f"{half}.json", result):
        return
    print(f"{half}: {result['n_pairs']} pairs, {result['n_of_one_work']} of one work")
    for name in ("same", "same_or_probable"):
        print(
            "{0}: {n}, precision {precision:.3f}, recall {recall:.3f}".format(name, **result[name])
        )
    for kind, counts in result["by_kind"].items():
        print(f"  {kind:20} {counts}")
