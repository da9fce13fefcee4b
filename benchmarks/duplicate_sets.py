"""How many duplicates of published sets are merged rightly: ``duplicates --sets FOLDER``.

The sets are those by which tools for systematic reviews and for record linkage are compared. They
are not part of Subclust: put their files, as published, into one folder. They are read as an import
reads them, and grouped as ``library duplicates`` groups them.

Of a group of n records, n - 1 are merged into the first. A set tells of each record which work it
is of, or whether another one is of the same work ("members"), or whether it is to be removed
("surplus").
"""

import argparse
import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from benchmarks.results import RESULTS_DIR, circumstances, output
from subclust.core.exceptions import InputError
from subclust.labelled.reading.instances import file_digest
from subclust.text.ingest import same_work
from subclust.text.ingest.duplicates import DuplicateGroup, groups_of
from subclust.text.ingest.work import Work
from subclust.text.sources.base import Document
from subclust.text.sources.opening import open_source

Flag = Literal["works", "members", "surplus"]

_RECORD = re.compile(r"<record>.*?</record>", re.DOTALL)
_CAPTION = re.compile(r"<caption>(?:<style[^>]*>)?\s*duplicate", re.IGNORECASE)


@dataclass(frozen=True)
class LabelledSet:
    """A published set of records with known duplicates.

    Parameters
    ----------
    files : mapping of str to str
        Names and SHA-256 of the files with records.
    pairs : mapping of str to str
        Of the file that lists two ids of one work in a row, if there is one.
    flag : {"works", "members", "surplus"}
        What is told: pairs of one work; or whether another record is of the same work; or of such
        records, all but one. EndNote XML says so in ``caption``, a table in its column ``source``.
    columns : mapping of str to str
        Our fields and the heads that have them, where they cannot be guessed.
    is_held_out : bool
        Whether no rule was changed after looking at it.
    """

    name: str
    source: str
    licence: str
    files: Mapping[str, str]
    pairs: Mapping[str, str] = field(default_factory=dict)
    flag: Flag = "members"
    columns: Mapping[str, str] = field(default_factory=dict)
    is_held_out: bool = False


_SWEEP = "IEBH/dedupe-sweep, test/data"
SETS = (
    LabelledSet(
        "copper",
        _SWEEP,
        "MIT",
        {"copper.xml": "2158c8df7b977fba376411a58094ee4205f36c031ebe76983202c84fad02519c"},
        is_held_out=True,
    ),
    LabelledSet(
        "tafenoquine",
        _SWEEP,
        "MIT",
        {"tafenoquine.xml": "3bad1d5e752bd8455c4baf8f71d8a7199a390c375aa1eb3e95c9a9d47ba440ab"},
    ),
    LabelledSet(
        "respiratory",
        f"{_SWEEP}/old; Rathbone et al. 2015, doi:10.1186/2046-4053-4-6",
        "MIT",
        {"respiratory.xml": "4215b20b611390758762fe2879a32a2d0d8431eb53f1747f3e108ebd8b32f5bc"},
    ),
    LabelledSet(
        "diabetes",
        "camaradesuk/ASySD, tests/testthat; Hair et al. 2023, doi:10.1186/s12915-023-01686-z",
        "GPL-3",
        {
            "labelled_test_set.csv": (
                "cc84d80163de15a412e6a2a1cff75f8c3369c85834476eeab0d6c2b49b52e45e"
            )
        },
        flag="surplus",
        columns={"issue": "number"},
    ),
    LabelledSet(
        "dblp-acm",
        "University of Leipzig; Köpcke, Thor and Rahm 2010, doi:10.14778/1920841.1920904",
        "CC BY 4.0",
        {
            "DBLP2.csv": "0acd567508a21be87b1e1db514733f74fd98323eb4d4bf3db11c23b0ded81e4d",
            "ACM.csv": "572f5ae4d40f64b6b58d290aaf7a06c21ddce7c0cfc2853a1579d95bf7c20c47",
        },
        flag="works",
        pairs={
            "DBLP-ACM_perfectMapping.csv": (
                "689d5cccce00f27f75ed65f9c383f980561aa29be46f7819d0666cd4acc4993b"
            )
        },
    ),
    LabelledSet(
        "cora",
        "AI-team-UoA/pyJedAI, data/der/cora; McCallum's citations",
        "Apache-2.0",
        {"cora.csv": "587c8ce5a1d4c2b4c6db1185f5eed7cda89ce0750edf217f2345c9ac6fb056a1"},
        flag="works",
        pairs={"cora_gt.csv": "a51bfcd6c2a7cc829177bc38e466516e195def5996c50b81b83b3e0080bbc453"},
    ),
)


@dataclass(frozen=True)
class Record:
    """A record of a set.

    Parameters
    ----------
    label : str
        The same for records of one work; of flagged records, "yes" or empty.
    """

    work: Work
    label: str


def read_set(one: LabelledSet, folder: Path) -> list[Record]:
    """Read the records of a set, as an import does, and what is known of them.

    Raises
    ------
    InputError
        If a file is absent or is not the one that was measured.
    """
    for name, digest in {**one.files, **one.pairs}.items():
        if not (folder / name).is_file() or file_digest(folder / name) != digest:
            raise InputError(
                "{name} is not in {folder} as it was published.", name=name, folder=folder
            )
    works = _works(folder / name for name in one.pairs)
    records = []
    for name in one.files:
        told = _told(folder / name, one.flag)
        documents = list(open_source(folder / name, columns=one.columns or None))
        if len(told) != len(documents):
            raise InputError("{name} has other records than labels.", name=name)
        for number, (document, label) in enumerate(zip(documents, told, strict=True)):
            if isinstance(document, Document):
                first = document.passages[0]
                work = Work(f"{name}#{number}", first.title, first.metadata)
                records.append(Record(work, works.get(label, label)))
    return records


def measure_set(records: Sequence[Record], flag: Flag) -> dict[str, Any]:
    """Group records, and count how many are merged, and how many of these rightly.

    Returns
    -------
    dict
        ``n_records``; ``n_duplicates``, those that could be merged, or where the flag is
        "members", those that have another one; of what is told to be ``same``, and of
        ``same_or_probable``, ``n_merged``, ``precision`` and ``recall``; and ``wrong``, the titles
        of groups of the same in which something is merged wrongly.
    """
    groups = groups_of(lambda: (record.work for record in records))
    known = {record.work.id: record.label for record in records}
    if flag == "works":
        n_duplicates = len(records) - len(set(known.values()))
    else:
        n_duplicates = sum(map(bool, known.values()))
    result: dict[str, Any] = {"n_records": len(records), "n_duplicates": n_duplicates}
    same = [group.ids for group in groups if group.certainty == "same"]
    for name, told in (("same", same), ("same_or_probable", _whole(groups))):
        labels = [[known[id_] for id_ in ids] for ids in told]
        n_merged = sum(len(one) - 1 for one in labels)
        right = n_merged - sum(_n_wrong(one, flag) for one in labels)
        found = sum(map(bool, chain(*labels))) if flag == "members" else right
        result[name] = {
            "n_merged": n_merged,
            "precision": right / n_merged if n_merged else None,
            "recall": found / n_duplicates,
        }
    titles = {record.work.id: record.work.title for record in records}
    wrong = [ids for ids in same if _n_wrong([known[id_] for id_ in ids], flag)]
    return result | {"wrong": [[titles[id_] for id_ in ids] for ids in wrong]}


def measure_sets(folder: Path, name: str | None = None) -> dict[str, Any]:
    """Measure every set, or the one of a name."""
    chosen = [one for one in SETS if name in (None, one.name)]
    if not chosen:
        raise InputError("There is no set {name}.", name=name)
    return {
        one.name: {
            "source": one.source,
            "licence": one.licence,
            "files": {**one.files, **one.pairs},
            "held_out": one.is_held_out,
            **measure_set(read_set(one, folder), one.flag),
        }
        for one in chosen
    }


def thresholds() -> dict[str, int]:
    """Return what the rules were set by."""
    return {
        "points_same": same_work.POINTS_SAME,
        "points_probable": same_work.POINTS_PROBABLE,
        "most_different": same_work.MOST_DIFFERENT,
    }


def run_sets(arguments: argparse.Namespace) -> None:
    """Measure the published sets of a folder."""
    result = {
        "sets": measure_sets(arguments.sets, arguments.set),
        "thresholds": thresholds(),
        "story": circumstances("cpu"),
    }
    if output(arguments, RESULTS_DIR / "duplicates" / f"{arguments.set or 'sets'}.json", result):
        return
    for name, one in result["sets"].items():
        print(f"{name}: {one['n_records']} records, {one['n_duplicates']} duplicates")
        for told in ("same", "same_or_probable"):
            counts = "{n_merged} merged, precision {precision:.4f}, recall {recall:.4f}"
            print(f"  {told}: {counts.format(**one[told])}")


def _n_wrong(labels: Sequence[str], flag: Flag) -> int:
    """Return how many of a group are merged wrongly."""
    if flag == "works":
        return len(set(labels)) - 1
    n_others = sum(not label for label in labels)
    return min(n_others, len(labels) - 1) if flag == "members" else max(0, n_others - 1)


def _whole(groups: Sequence[DuplicateGroup]) -> list[set[str]]:
    """Join groups that share a record."""
    joined: list[set[str]] = []
    for group in groups:
        ids = set(group.ids)
        apart = [one for one in joined if not one & ids]
        joined = [*apart, ids.union(*(one for one in joined if one & ids))]
    return joined


def _works(files: Iterable[Path]) -> dict[str, str]:
    """Return, for each id in a pair, an id that all records of its work share."""
    parents: dict[str, str] = {}

    def root(one: str) -> str:
        while parents.setdefault(one, one) != one:
            one = parents[one]
        return one

    for file in files:
        for line in file.read_text("utf-8").split():
            first, second = re.split(r"[,|]", line)
            parents[root(second)] = root(first)
    return {one: root(one) for one in list(parents)}


def _told(file: Path, flag: Flag) -> list[str]:
    """Return, for each record of a file, its id or whether it is flagged."""
    text = file.read_text("utf-8", errors="replace")
    if file.suffix == ".xml":
        return ["yes" if _CAPTION.search(one) else "" for one in _RECORD.findall(text)]
    head = text.partition("\n")[0]
    rows = list(csv.DictReader(io.StringIO(text), delimiter="|" if "|" in head else ","))
    if flag == "works":
        return [next(iter(row.values())) for row in rows]
    return ["yes" if row["source"] == "duplicate" else "" for row in rows]
