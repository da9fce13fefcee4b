"""A made file of very many records, faulty ones among them: what reading it takes and tells."""

import argparse
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks.results import RESULTS_DIR, add_output, story, write
from subclust.cli.options import at_least_one
from subclust.core.settings import Settings
from subclust.text.encoders import load_encoder
from subclust.text.ingest.reading import Reading
from subclust.text.sources.opening import open_source

SHARE = 0.01
"""Of the records that have each fault."""

_LOOKS = 200
_BATCH = 512
_WORDS = 60
_LEADER = "00000nab a2200000 i 4500"

REFUSED = frozenset({"nothing to read", "no record"})
MERGED = frozenset({"twice"})
FAULTS = {
    "ris": ("no end mark", "no beginning", "nothing to read", "twice", "id of another record",
            "Latin-1", "line without tag", "no date"),
    "marc": ("wrong lengths", "wrong directory", "nothing to read", "no record", "twice",
             "id of another record", "Latin-1", "no date"),
}  # fmt: skip
"""What is wrong with records; each of these is one record to the reader, whatever becomes of it."""

ENDINGS = {"ris": ".ris", "marc": ".mrc"}


def make_file(path: Path, format_: str, n_records: int, seed: int = 0) -> Counter[str]:
    """Write a file of records, a hundredth of them with each fault.

    Between two records stands an end mark, or the second one has a beginning.

    Parameters
    ----------
    format_ : {"ris", "marc"}

    Returns
    -------
    Counter
        How many records have which fault; ``""`` for those without.
    """
    rng = random.Random(seed)
    letters = "abcdefghiklmnoprstuvw"
    words = ["".join(rng.choices(letters, k=rng.randint(3, 10))) for _ in range(3000)]
    faults = FAULTS[format_]
    write_one = {"ris": _ris, "marc": _marc}[format_]
    counts: Counter[str] = Counter()
    before: dict[str, str] = {}
    last = ""
    with path.open("wb") as stream:
        for number in range(n_records):
            place = int(rng.random() / SHARE)
            fault = faults[place] if place < len(faults) and before else ""
            if (last, fault) == ("no end mark", "no beginning"):  # nothing would part the two
                fault = ""
            last = fault
            record = {
                "title": f"{' '.join(rng.choices(words, k=8)).capitalize()} {number}",
                "abstract": " ".join(rng.choices(words, k=_WORDS)),
                "author": f"{rng.choice(words).title()}, {rng.choice(words).title()}",
                "venue": f"Journal of {rng.choice(words)}",
                "year": str(1950 + number % 70),
                "doi": f"10.5555/{seed}.{number}",
            }
            if fault == "twice":
                record = before
            elif fault == "id of another record":
                record["doi"] = before["doi"]
            stream.write(write_one(record, fault))
            counts[fault] += 1
            if not fault:
                before = record
    return counts


def _ris(record: dict[str, str], fault: str) -> bytes:
    abstract = record["abstract"]
    if fault == "Latin-1":
        abstract = f"Über Täler. {abstract}"
    elif fault == "line without tag":
        abstract = abstract.replace(" ", "\r\n", 1)
    lines = [
        *(["TY  - JOUR"] if fault != "no beginning" else []),
        *([f"TI  - {record['title']}"] if fault != "nothing to read" else []),
        f"AU  - {record['author']}",
        f"PY  - {'n.d.' if fault == 'no date' else record['year']}",
        f"T2  - {record['venue']}",
        f"DO  - {record['doi']}",
        *([f"AB  - {abstract}"] if fault != "nothing to read" else []),
        *(["ER  - "] if fault != "no end mark" else []),
    ]
    text = "\r\n".join(lines) + "\r\n\r\n"
    return text.encode("latin-1" if fault == "Latin-1" else "utf-8")


def _marc(record: dict[str, str], fault: str) -> bytes:
    if fault == "no record":
        return b"what a broken disk left here\x1d"
    abstract = f"Über Täler. {record['abstract']}" if fault == "Latin-1" else record["abstract"]
    fields = [
        ("001", record["doi"].partition(".")[2]),
        ("024", f"7 \x1fa{record['doi']}\x1f2doi"),
        ("100", f"1 \x1fa{record['author']}"),
        *([("245", f"00\x1fa{record['title']}")] if fault != "nothing to read" else []),
        ("264", f" 1\x1fc{'[n.d.]' if fault == 'no date' else record['year']}"),
        *([("520", f"  \x1fa{abstract}")] if fault != "nothing to read" else []),
        ("773", f"0 \x1ft{record['venue']}"),
    ]
    directory, body = "", b""
    for tag, value in fields:
        data = value.encode("latin-1" if fault == "Latin-1" else "utf-8") + b"\x1e"
        at = 7 if fault == "wrong directory" else len(body)
        directory += f"{tag}{len(data):04d}{at:05d}"
        body += data
    base = len(_LEADER) + len(directory) + 1
    length = 11 if fault == "wrong lengths" else base + len(body) + 1
    leader = f"{length:05d}{_LEADER[5:12]}{base:05d}{_LEADER[17:]}"
    return f"{leader}{directory}\x1e".encode() + body + b"\x1d"


def measure(path: Path, made: Counter[str]) -> dict[str, Any]:
    """Read a file of `make_file` twice: by its source alone, and as an import does, unencoded.

    Returns
    -------
    dict
        ``source`` and ``reading``, each with seconds, records a second, the highest memory above
        that at the beginning in megabytes of 10**6 bytes, and the bytes by which memory grows with
        each record; ``told`` and ``made`` (records imported, merged and refused), ``equal``, and
        how often something was put right.
    """
    n_records = made.total()
    source = open_source(path, "auto", "records")
    n_read, alone = _watched(n_records, lambda look: _through(iter(source), look))
    reading = Reading(open_source(path, "auto", "records"))
    _, account = _watched(n_records, lambda look: _batches(reading, look))
    report = reading.report("records", 0)
    told = {
        "imported": report.n_imported, "merged": report.n_merged, "refused": report.n_refused,
    }  # fmt: skip
    merged = sum(made[one] for one in MERGED)
    refused = sum(made[one] for one in REFUSED)
    expected = {
        "imported": n_records - merged - refused, "merged": merged, "refused": refused,
    }  # fmt: skip
    return {
        "format": source.label,
        "n_records": n_records,
        "n_bytes": path.stat().st_size,
        "faults": {name: count for name, count in sorted(made.items()) if name},
        "source": {"n_read": n_read, **alone},
        "reading": account,
        "told": told,
        "made": expected,
        "equal": told == expected and sum(told.values()) == n_records,
        "n_mended": report.n_mended,
        "reasons": dict(report.reasons),
    }


def _watched(
    n_records: int, work: Callable[[Callable[[], None]], int]
) -> tuple[int, dict[str, float]]:
    process = psutil.Process()
    before = process.memory_info().rss
    every = max(1, n_records // _LOOKS)
    seen, memory = [0], list[tuple[int, int]]()

    def look() -> None:
        seen[0] += 1
        if seen[0] % every == 0:
            memory.append((seen[0], process.memory_info().rss - before))

    began = time.perf_counter()
    count = work(look)
    seconds = time.perf_counter() - began
    later = np.array(memory[len(memory) // 5 :], float)  # what is loaded at first is no growth
    slope = float(np.polyfit(later[:, 0], later[:, 1], 1)[0]) if len(later) > 1 else 0.0
    return count, {
        "seconds": round(seconds, 1),
        "records_a_second": round(n_records / seconds),
        "highest_mb": round(max((one for _, one in memory), default=0) / 1e6, 1),
        "bytes_a_record": round(slope, 1),
    }


def _through(items: Iterator[object], look: Callable[[], None]) -> int:
    count = 0
    for _ in items:
        look()
        count += 1
    return count


def _batches(reading: Reading, look: Callable[[], None]) -> int:
    return sum(len(batch) for batch in reading.batches(_BATCH, look))


def add_records(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``records``."""
    parser.add_argument(
        "--format", action="append", choices=list(FAULTS), help="by default each of them"
    )
    parser.add_argument("--records", type=at_least_one, default=1_000_000, metavar="N")
    parser.add_argument("--folder", type=Path, help="write the files here, and leave them")
    add_output(parser)


def run_records(arguments: argparse.Namespace, settings: Settings) -> None:
    """Make a file of each format, read it, and compare what is told with what was made."""
    results = []
    folder = arguments.folder
    with nullcontext(folder) if folder else tempfile.TemporaryDirectory() as chosen:
        for format_ in arguments.format or list(FAULTS):
            path = Path(chosen) / f"records{ENDINGS[format_]}"
            made = make_file(path, format_, arguments.records)
            result = measure(path, made)
            if not folder:
                path.unlink()
            results.append(result)
            if arguments.save:
                told = {"story": story(load_encoder(settings), "cpu"), **result}
                write(RESULTS_DIR / "imports" / f"records-{format_}.json", told)
            if not arguments.json:
                print(_line(result))
    if arguments.json:
        print(json.dumps({"formats": results}))


def _line(result: dict[str, Any]) -> str:
    parts = [
        f"{result['format']}: {result['n_records']:,} records, {result['n_bytes'] / 1e6:,.0f} MB"
    ]
    for name in ("source", "reading"):
        one = result[name]
        parts.append(
            f"{name} {one['records_a_second']:,} a second, {one['highest_mb']:,} MB, "
            f"{one['bytes_a_record']:,} bytes more with each"
        )
    told = ", ".join(f"{count:,} {name}" for name, count in result["told"].items())
    same = "as made" if result["equal"] else f"NOT as made: {result['made']}"
    return "; ".join([*parts, f"{told} ({same}), {result['n_mended']:,} mended"])
