"""What figures show, in plain sentences."""

from collections.abc import Mapping
from typing import Any

from subclust.figures.palette import in_words


def read_figure(figure: Mapping[str, Any]) -> list[str]:
    """Return what our answer to a figure shows, or that there is none yet."""
    ours = figure["ours"]
    label = figure["label"]
    first, second = (series["label"] for series in figure["series"])
    if ours is None:
        return [f"{label}: {first} against {second} was not run here yet."]
    if figure["kind"] == "helps-hurts":
        return [
            f"{label}. Here {first} is better than {second} on {ours['wins']} of "
            f"{ours['n_queries']} queries ({ours['share_won']:.0%}), equal on {ours['ties']}, "
            f"worse on {ours['losses']}."
        ]
    if figure["kind"] == "per-query":
        return [
            f"{label}. Here {first} is better than {second} on {ours['n_won']} of "
            f"{ours['n_queries']} subjects."
        ]
    if figure["kind"] == "growth":
        return [
            f"{label}, {panel['label']}. {sentence}"
            for panel in ours["panels"]
            for sentence in growth_sentences(panel)
        ]
    if figure["kind"] == "spaces":
        return [
            f"{label}. {space_sentence(panel, first, second)}"
            for panel in ours["panels"]
            if panel["n_compared"]
        ]
    return [
        f"{label}, {panel['label']}. {sentence}"
        for panel in ours["panels"]
        for sentence in speed_sentences(panel, figure["kind"])
    ]


def space_sentence(panel: Mapping[str, Any], first: str, second: str) -> str:
    """Return on how many of the queries shown the first method's groups are better."""
    return (
        f"On {panel['n_won']} of the {panel['n_compared']} queries of {panel['label']} shown, the "
        f"groups of {first} are nearer to the gold subtopics than those of {second}."
    )


def growth_sentences(panel: Mapping[str, Any]) -> list[str]:
    """Return how SIA stands to NIA in memory and to FIA in time, on subsets that are not small.

    Parameters
    ----------
    panel : mapping
        Of `growth_by_size`.
    """
    sentences = []
    memory = panel["compared"]["sia_to_nia_memory"]
    if memory["median"] is not None:
        sentences.append(
            f"SIA takes {memory['median']:,.2f} times the memory of NIA, and never more than "
            f"{memory['most']:,.2f} times."
        )
    time = panel["compared"]["saved_of_fia_time"]
    if time["median"] is not None:
        sentences.append(
            f"SIA saves {time['median']:.0%} of the time that FIA takes, from {time['least']:.0%} "
            f"to {time['most']:.0%}; the paper has {time['published']:.0%}."
        )
    return sentences


def whole_rule(rule: str) -> str:
    """Write the rule by which queries were chosen as a sentence."""
    return rule[:1].upper() + rule[1:].rstrip(".") + "."


def speed_sentences(panel: Mapping[str, Any], kind: str) -> list[str]:
    """Return how each method's training compares with the reference's.

    Parameters
    ----------
    panel : mapping
        Of `training_times`.
    kind : {"convergence", "epoch-time"}
        Whether the whole training is meant, or an epoch.
    """
    reference = next(run for run in panel["runs"] if run["label"] == panel["reference"])
    others = [run for run in panel["runs"] if run is not reference]
    say = _sooner if kind == "convergence" else _faster
    return [say(run, reference, panel) for run in others]


def _sooner(run: Mapping[str, Any], reference: Mapping[str, Any], panel: Mapping[str, Any]) -> str:
    name, other = run["label"], reference["label"]
    if run["reached_seconds"] is None:
        return (
            f"{name} never gets as good as {other} at its best: ARI {run['best']:.3f} against "
            f"{reference['best']:.3f} on the validation queries."
        )
    if run["reached_seconds"] == 0:
        return f"{name} is as good as {other} ever gets before it is trained at all."
    return (
        f"{name} is as good as {other} ever gets (ARI {panel['reference_best']:.3f} on the "
        f"validation queries) after {in_words(run['reached_seconds'])} of training, {other} itself "
        f"after {in_words(reference['reached_seconds'])}"
        f"{_times(run['speedup'], 'sooner', 'later')}."
    )


def _faster(run: Mapping[str, Any], reference: Mapping[str, Any], panel: Mapping[str, Any]) -> str:
    return (
        f"One epoch of {run['label']} takes {in_words(run['seconds_per_epoch'])}, one of "
        f"{reference['label']} {in_words(reference['seconds_per_epoch'])}"
        f"{_times(run['epoch_speedup'], 'faster', 'slower')}."
    )


def _times(ratio: float | None, more: str, less: str) -> str:
    """Return ": 5.2 times sooner", or nothing where the two are about equal."""
    if ratio is None or 0.95 < ratio < 1.05:
        return ""
    times, word = (ratio, more) if ratio > 1 else (1 / ratio if ratio else 0.0, less)
    return f": {times:,.{1 if times < 9.95 else 0}f} times {word}" if times else ""
