"""The figures of a report, and what a search found, as Markdown."""

from collections.abc import Mapping
from typing import Any

from benchmarks.report.markdown_parts import NONE, as_text, grid, listed, number
from benchmarks.report.pictures import picture_name
from benchmarks.report.reading_figures import growth_sentences, speed_sentences, whole_rule
from subclust.figures.palette import in_words


def figure_parts(figure: Mapping[str, Any], paper: str) -> list[str]:
    """Write a figure of a report: what the paper says of it, and ours."""
    parts = [f"## {figure['label']}", figure["caption"], "The paper:", listed(figure["says"])]
    first, second = (series["label"] for series in figure["series"])
    if figure["ours"] is None:
        return [*parts, f"Ours: {first} against {second} was not run."]
    return [*parts, *_PARTS[figure["kind"]](figure, paper)]


def search_parts(search: Mapping[str, Any]) -> list[str]:
    """Write the settings that the paper and we found best."""
    head = ["Data"]
    for column in search["columns"]:
        head += [f"{column}, published", f"{column}, ours"]
    head += ["Validation ARI, ours", "Trials, ours"]
    rows = []
    for row in search["rows"]:
        ours = row["ours"] or {}
        cells = [row["label"]]
        for at, value in enumerate(row["published"]):
            found = number(ours["values"][at], ".3g") if ours else "not run"
            cells += [number(value, ".1f"), found]
        rows.append([*cells, number(ours.get("ari"), ".3f"), as_text(ours.get("n_trials"))])
    return [f"## {search['label']}", search["caption"], grid(head, rows)]


def _helps_hurts(figure: Mapping[str, Any], paper: str) -> list[str]:
    ours = figure["ours"]
    first, second = (series["label"] for series in figure["series"])
    return [
        f"Ours: {first} is better than {second} on {ours['wins']} of {ours['n_queries']} "
        f"queries ({ours['share_won']:.1%}), equal on {ours['ties']}, worse on "
        f"{ours['losses']}; mean difference {number(ours['mean_difference'], '+.3f')}, 95% "
        f"from {number(ours['low'], '+.3f')} to {number(ours['high'], '+.3f')}.",
    ]


def _by_subject(figure: Mapping[str, Any], paper: str) -> list[str]:
    ours = figure["ours"]
    first, second = (series["label"] for series in figure["series"])
    rows = [
        [row["query"], *(f"{s['mean']:.3f} ± {s['stderr']:.3f}" for s in row["series"])]
        for row in ours["queries"]
    ]
    return [
        f"Ours: {first} is better on {ours['n_won']} of {ours['n_queries']} subjects.",
        grid(["Subject", first, second], rows),
    ]


def _convergence(figure: Mapping[str, Any], paper: str) -> list[str]:
    parts = [_picture(figure, paper)]
    write = _training if figure["kind"] == "convergence" else _epochs
    for panel in figure["ours"]["panels"]:
        parts += [
            f"### {figure['label']}, {panel['label']}",
            listed(speed_sentences(panel, figure["kind"])),
            write(panel),
            f"Trained on {', '.join(f'`{name}`' for name in panel['training'])}, scored on "
            f"`{panel['validation']}`; {_conditions(panel['story'])}. Times are those of training "
            "steps, without validation.",
        ]
    return parts


def _training(panel: Mapping[str, Any]) -> str:
    head = ["Method", "Checkpoint", "Seed", "Queries", "Passages", "Steps", "Epochs",
            "Trained for", "Best ARI", f"As good as {panel['reference']} after",
            "Times sooner"]  # fmt: skip
    rows = [
        [
            run["label"],
            f"`{run['checkpoint']}`" if run["checkpoint"] else NONE,
            as_text(run["seed"]),
            as_text(run["n_training_queries"]),
            as_text(run["n_training_passages"]),
            as_text(run["steps"]),
            number(run["steps"] / run["steps_per_epoch"], ".2f"),
            in_words(run["curve"][-1]["training_seconds"]) if run["curve"] else NONE,
            number(run["best"], ".3f"),
            NONE if run["reached_seconds"] is None else in_words(run["reached_seconds"]),
            number(run["speedup"], ".1f"),
        ]
        for run in panel["runs"]
    ]
    return grid(head, rows)


def _epochs(panel: Mapping[str, Any]) -> str:
    head = ["Method", "Steps an epoch", "One step", "One epoch", "Times faster"]
    rows = [
        [
            run["label"],
            as_text(run["steps_per_epoch"]),
            in_words(run["seconds_per_step"]),
            in_words(run["seconds_per_epoch"]),
            number(run["epoch_speedup"], ".1f"),
        ]
        for run in panel["runs"]
    ]
    return (
        f"{grid(head, rows)}\n\nThe time of an epoch is that of a step times the steps of an "
        "epoch, whether or not one was finished."
    )


def _spaces(figure: Mapping[str, Any], paper: str) -> list[str]:
    parts = [_picture(figure, paper)]
    for panel in figure["ours"]["panels"]:
        labels = list(dict.fromkeys(m["label"] for one in panel["queries"] for m in one["methods"]))
        rows = []
        for one in panel["queries"]:
            found = {m["label"]: f"{number(m['ari'], '.3f')} ({sum(m['explained']):.0%})"
                     for m in one["methods"]}  # fmt: skip
            rows.append(
                [
                    one["query"],
                    str(len(one["gold"])),
                    str(len(one["subtopics"])),
                    *(found.get(label, "not run") for label in labels),
                ]
            )
        parts += [
            f"Ours, on {panel['label']}. {whole_rule(panel['rule'])} In each cell the ARI of the "
            "method's groups, and in brackets how much of the variance the three components show; "
            f"{_conditions(panel['story'])}.",
            grid(["Query", "Passages", "Subtopics", *labels], rows),
        ]
    return parts


def _growth(figure: Mapping[str, Any], paper: str) -> list[str]:
    parts = [_picture(figure, paper)]
    for panel in figure["ours"]["panels"]:
        contexts = [context.upper() for context in panel["contexts"]]
        head = ["Entities", "Word pieces each"]
        head += [f"{name}, MB" for name in contexts] + [f"{name}, s" for name in contexts]
        rows = [
            [
                str(size["n_entities"]),
                str(size["n_tokens"]),
                *(number(size["memory"].get(one), ".1f") for one in panel["contexts"]),
                *(number(size["time"].get(one), ".3f") for one in panel["contexts"]),
            ]
            for size in panel["sizes"]
        ]
        growth = [
            [context.upper(), *(_powers(fitted[what]) for what in ("memory", "time"))]
            for context, fitted in panel["growth"].items()
        ]
        parts += [
            f"### {figure['label']}, {panel['label']}",
            listed(growth_sentences(panel)),
            f"Memory above the model's and time of the processor; {_conditions(panel['story'])}.",
            grid(head, rows),
            "Growth as fitted, with N entities of L word pieces:",
            grid(["", "Memory", "Time"], growth),
        ]
    return parts


def _powers(fitted: Mapping[str, float] | None) -> str:
    if fitted is None:
        return NONE
    return f"N^{number(fitted['entities'], '.2f')} L^{number(fitted['tokens'], '.2f')}"


_PARTS = {
    "growth": _growth,
    "helps-hurts": _helps_hurts,
    "per-query": _by_subject,
    "convergence": _convergence,
    "epoch-time": _convergence,
    "spaces": _spaces,
}


def _picture(figure: Mapping[str, Any], paper: str) -> str:
    return f"![{figure['caption']}]({picture_name(paper, figure)})"


def _conditions(story: Mapping[str, Any]) -> str:
    """Return on what machine a measurement was made."""
    told = [
        f"{name.replace('_', ' ')} {story[name]}"
        for name in ("shape", "device", "processor", "precision", "threads", "seed")
        if story.get(name) is not None
    ]
    if story.get("commit"):
        told.append(f"commit `{story['commit'][:10]}`")
    return ", ".join(told) or "conditions not told"
