"""Make the tables of results in the documentation from the results of the laboratory.

``python docs/scripts/tables.py`` writes them into README.md and the pages below docs/, between the
marker of each and the line ``<!-- end -->``.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "benchmarks" / "results"
MEASURED = ROOT / "subclust" / "text" / "encoders" / "measured"

COMPARED = ("centred-qs3m", "qs3m", "centred-cosine", "qss", "sbert-cosine")
LABELS = {
    "wiki2014_validation": "Wikipedia 2014 (validation)",
    "wiki2021_test": "Wikipedia 2021",
    "trec_car_a": "TREC CAR",
    "demo": "demo library",
    "cisi": "CISI",
    "cranfield": "Cranfield",
}


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cell or ' ' for cell in line)} |" for line in lines)


def read(path: Path) -> dict[str, Any]:
    """Return one result."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def quality(task: str) -> str:
    """Return how well five methods group the hits of a task's queries."""
    rows = []
    for method in COMPARED:
        flat = read(RESULTS / method / f"{task}.json")["granularities"]["flat"]
        measured = [flat["true_k"]["ari"], flat["true_k"]["auc"], flat["auto_k"]["ari"]]
        rows.append([f"`{method}`", *(f"{one['mean']:.3f}" for one in measured)])
    return markdown_table(["method", "ARI", "AUC", "ARI, automatic number of groups"], rows)


def headline() -> str:
    """Return the one table of the README: the adjusted Rand index on two test sets."""
    rows = []
    for method in COMPARED:
        scores = []
        for task in ("wiki2021_test", "trec_car_a"):
            flat = read(RESULTS / method / f"{task}.json")["granularities"]["flat"]
            scores += [flat["true_k"]["ari"]["mean"], flat["auto_k"]["ari"]["mean"]]
        rows.append([f"`{method}`", *(f"{score:.3f}" for score in scores)])
    header = ["method", "Wikipedia 2021", "own number", "TREC CAR", "own number"]
    return markdown_table(header, rows)


def small_libraries() -> str:
    """Return how often libraries of abstracts are said to answer nothing, and what they group."""
    (path,) = (RESULTS / "small-libraries").glob("*.json")
    rows = [
        [
            str(row["n_records"]),
            *(
                f"{row[key]:.1%} ({row[f'{key}_by_models']:.1%})"
                for key in ("denied", "recognised")
            ),
            f"{row['grouped']:.0f} ({row['grouped_say']:.0%}, {row['say_grouped']:.0%})"
            if row["n_few"]
            else "",
        ]
        for row in read(path)["sizes"]
    ]
    heads = [
        "records",
        "wrongly denied (by the models alone)",
        "recognised (by the models alone)",
        "grouped where 3 to 30 say all words (that share says so, share of these)",
    ]
    return markdown_table(heads, rows)


def relevance() -> str:
    """Return how well hits about a question are told from the others."""
    (path,) = (RESULTS / "relevance").glob("all-MiniLM-L6-v2-*.json")
    found = read(path)
    rows = []
    for label, part in (("Wikipedia 2014 (validation)", "validation"), ("held out", "test")):
        own, records = found[part], found[part]["records"]
        recalls = [own[f"precision_at_recall{of}"]["0.85"] for of in ("_by_ranks", "")]
        recognised = f"{own['unanswered']['recognised']:.1%}"
        rows.append(_relevance_row(label, own, recalls, recognised))
        recalls = [records["precision_at_recall"]["0.85"]]
        rows.append(_relevance_row(f"{label}, as records", records, recalls, ""))
    header = ["questions of", "looser", "usual", "stricter", "at a recall of 85%"]
    header += ["wrongly denied", "recognised"]
    return markdown_table(header, rows)


def _relevance_row(
    label: str, found: Mapping[str, Any], at_recall: Sequence[float], recognised: str
) -> list[str]:
    cuts = [found["cuts"][cut] for cut in ("looser", "usual", "stricter")]
    return [
        label,
        *(f"{cut['precision']:.1%} / {cut['recall']:.1%}" for cut in cuts),
        " / ".join(f"{precision:.1%}" for precision in at_recall),
        f"{found['denied']:.1%}",
        recognised,
    ]


def retrieval() -> str:
    """Return how well the right documents are ranked, before the neighbours count and after."""
    rows = []
    for task in ("cisi", "cranfield"):
        found = read(RESULTS / "retrieval" / f"{task}.json")
        means = {mode: one["ndcg_at_10"]["mean"] for mode, one in found["modes"].items()}
        gain = means["fusion"] / means["rank-fusion"] - 1
        cut = found["cuts"]["usual"]
        p = found["fusion_minus"]["rank-fusion"]["p_corrected"]
        rows.append(
            [
                LABELS[task],
                *(f"{means[mode]:.3f}" for mode in ("text", "vector", "rank-fusion", "fusion")),
                f"{gain:+.1%} (p {'< 0.001' if p < 0.001 else f'= {p:.3f}'})",
                f"{cut['precision']:.1%} / {cut['recall']:.1%}",
            ]
        )
    header = ["collection", "words", "meaning", "rank fusion", "fusion", "gain", "grouped"]
    return markdown_table(header, rows)


def tightness() -> str:
    """Return how many groups of each word hold mostly passages under one heading."""
    found = read(RESULTS / "quality" / "centred-qs3m.json")
    words = ("tight", "fairly tight", "loose")
    rows = []
    for task, one in (found["validation"] | found["test"]).items():
        shares = (one["words"][word] for word in words)
        told = (f"{each['share']:.1%} of {each['n_groups']:,}" for each in shares)
        rows.append([LABELS[task], *told])
    return markdown_table(["groups of", *words], rows)


def scale() -> str:
    """Return how fast libraries of several sizes are searched."""
    rows = [
        [
            f"{one['n_passages']:,}",
            f"{one['fusion_ms']['p50']:.0f} / {one['fusion_ms']['p95']:.0f} ms",
            f"{one['exact_ms']['p95']:,.0f} ms",
            f"{one['recall']:.1%}",
            f"{one['resident_mb'] / 1000:.1f} GB",
            f"{one['n_bytes'] / 1e9:.2f} GB",
        ]
        for one in read(RESULTS / "scale" / "passages.json")["sizes"]
    ]
    header = ["passages", "search (p50 / p95)", "without index (p95)", "recall", "memory", "disk"]
    return markdown_table(header, rows)


def speed() -> str:
    """Return how fast the pages answer."""
    pages, several, alone = (
        read(RESULTS / "speed" / f"{name}.json") for name in ("interactions", "visitors", "demo")
    )
    took = pages["interactions"].values()
    longest = max(one["answered_s"]["max"] for one in took)
    again = alone["regroup"]
    visitors = f"{several['n_visitors']} visitors, {several['n_active']} of them searching"
    rows = [
        [f"longest of {len(took)} interactions, {pages['top_k']} hits", f"{longest:.2f} s"],
        [
            f"hits about one question ({alone['n_hits']} to 200) under another, median",
            f"{again['median_ms']:.0f} ms",
        ],
        ["the same, 95th percentile", f"{again['p95_ms']:.0f} ms"],
        [f"{visitors}: 95th percentile", f"{several['answered_s']['p95']:.2f} s"],
        [f"{visitors}: memory", f"{several['megabytes'] / 1000:.1f} GB"],
    ]
    return markdown_table(["what", "measured"], rows)


def backends(kind: str) -> str:
    """Return how fast each back end of the encoder is on one kind of processor."""
    rows = [
        [
            f"`{name}`",
            f"{one['passages_per_second']:.1f}",
            f"{one['ratio']:.2f}",
            f"{one['cosine_mean']:.4f} / {one['cosine_min']:.4f}",
            f"{one['ari']:.4f}",
        ]
        for name, one in read(MEASURED / f"{kind}.json")["backends"].items()
    ]
    header = ["back end", "passages/s", "speed-up", "cosine to PyTorch (mean / lowest)", "ARI"]
    return markdown_table(header, rows)


def asked(library: str) -> str:
    """Return the names of the groups of some questions."""
    rows = []
    for question, found in read(RESULTS / "asked" / f"{library}.json")["asked"].items():
        named = "; ".join(f"{one['name']} ({one['size']})" for one in found["groups"])
        rows.append([question, named, str(found["set_aside"])])
    return markdown_table(["question", "groups (passages)", "set aside"], rows)


def example() -> str:
    """Return the groups of one question to abstracts."""
    found = read(RESULTS / "asked" / "digital-libraries.json")["asked"][
        "open access to publications"
    ]
    rows = [[one["name"], str(one["size"])] for one in found["groups"]]
    rows.append(["*Other passages*", str(found["other"])])
    rows.append(["*further hits, probably about something else*", str(found["set_aside"])])
    return markdown_table(["group", "passages"], rows)


def asked_faults() -> str:
    """Return how many names of groups have faults that a rule can tell."""
    found = [read(file) for file in sorted((RESULTS / "asked").glob("*.json"))]
    rows = [
        [one["library"], str(one["n_names"]), *map(str, one["faults"].values())] for one in found
    ]
    return markdown_table(["library", "names", *found[0]["faults"]], rows)


def themes() -> str:
    """Return how long the first themes of a collection take, beside BERTopic."""
    found = read(RESULTS / "themes" / "beside-bertopic.json")
    ours, theirs = found["subclust"], found["bertopic"]
    rows = [
        ["vectors of all texts", f"{ours['searchable']:.0f} s", f"{theirs['encoded']:.0f} s"],
        ["themes with their names", f"{ours['named']:.0f} s", f"{theirs['named']:.0f} s"],
        ["their map", f"{ours['mapped']:.0f} s", ""],
        [
            "until they have names, of the processor",
            f"{ours['processor']:.0f} s",
            f"{theirs['processor']:.0f} s",
        ],
        ["themes", str(ours["n_themes"]), str(theirs["n_themes"])],
        ["texts in none", "0", f"{theirs['n_left_out']:,}"],
    ]
    return markdown_table(["there after", "Subclust", "BERTopic"], rows)


def kills() -> str:
    """Return what was killed how often, and what was lost."""
    found = read(RESULTS / "kills" / "kills.json")["kinds"]
    rows = [
        [kind, str(one["kills"]), f"{one['acknowledged']:,}", str(len(one["wrong"]))]
        for kind, one in found.items()
    ]
    return markdown_table(["killed during", "times", "acknowledged", "lost or damaged"], rows)


TABLES: dict[str, Callable[[], str]] = {
    "headline": headline,
    "wiki2021_test": lambda: quality("wiki2021_test"),
    "trec_car_a": lambda: quality("trec_car_a"),
    "relevance": relevance,
    "small_libraries": small_libraries,
    "retrieval": retrieval,
    "tightness": tightness,
    "scale": scale,
    "speed": speed,
    "asked demo": lambda: asked("demo"),
    "asked digital-libraries": lambda: asked("digital-libraries"),
    "asked medical": lambda: asked("medical"),
    "asked faults": asked_faults,
    "example": example,
    "themes": themes,
    "kills": kills,
    "encoders avx512-bf16": lambda: backends("avx512-bf16"),
    "encoders avx2": lambda: backends("avx2"),
}
"""Every table, by the name in its marker."""


def filled(text: str) -> str:
    """Return a page with the table of each marker in place of the one that stands there."""
    return re.sub(
        r"(<!-- table: ([\w -]+?) -->\n).*?(<!-- end -->)",
        lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n\n{found[3]}",
        text,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
