"""What figures show, in plain sentences."""

from collections.abc import Mapping
from typing import Any

from subclust.benchmarks.report import sentences as words
from subclust.benchmarks.telling import ENGLISH, Telling


def read_figure(figure: Mapping[str, Any]) -> list[str]:
    """Say what our answer to a figure shows, or that there is none yet."""
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


def space_sentence(
    panel: Mapping[str, Any], first: str, second: str, tell: Telling = ENGLISH
) -> str:
    """Say on how many of the queries shown the first method's groups are better."""
    return tell.say(words.SPACES).format(
        won=panel["n_won"],
        compared=panel["n_compared"],
        data=tell.say(panel["label"]),
        first=tell.say(first),
        second=tell.say(second),
    )


def growth_sentences(panel: Mapping[str, Any], tell: Telling = ENGLISH) -> list[str]:
    """Say how SIA stands to NIA in memory and to FIA in time, on subsets that are not small.

    Parameters
    ----------
    panel : mapping
        Of `compare_growth`.
    tell : Telling
        The language.
    """
    sentences = []
    memory = panel["compared"]["sia_to_nia_memory"]
    if memory["median"] is not None:
        sentences.append(
            tell.say(words.MEMORY).format(
                median=tell.number(memory["median"], 2), most=tell.number(memory["most"], 2)
            )
        )
    time = panel["compared"]["saved_of_fia_time"]
    if time["median"] is not None:
        shares = {name: tell.share(time[name]) for name in ("median", "least", "most")}
        shares["paper"] = tell.share(time["published"])
        sentences.append(tell.say(words.TIME).format(**shares))
    return sentences


def whole_rule(rule: str, tell: Telling = ENGLISH) -> str:
    """Write the rule by which queries were chosen as a sentence."""
    sentence = rule[:1].upper() + rule[1:].rstrip(".") + "."
    return tell.retell(sentence, [words.RULE, words.BY_NAME])


def speed_sentences(panel: Mapping[str, Any], kind: str, tell: Telling = ENGLISH) -> list[str]:
    """Say how each method's training compares with the reference's.

    Parameters
    ----------
    panel : mapping
        Of `compare_convergence`.
    kind : {"convergence", "epoch-time"}
        Whether the whole training is meant, or an epoch.
    tell : Telling
        The language.
    """
    reference = next(run for run in panel["runs"] if run["label"] == panel["reference"])
    others = [run for run in panel["runs"] if run is not reference]
    say = _sooner if kind == "convergence" else _faster
    return [say(run, reference, panel, tell) for run in others]


def _sooner(
    run: Mapping[str, Any], reference: Mapping[str, Any], panel: Mapping[str, Any], tell: Telling
) -> str:
    names = {"name": tell.say(run["label"]), "other": tell.say(reference["label"])}
    if run["reached_seconds"] is None:
        best, other = tell.number(run["best"], 3), tell.number(reference["best"], 3)
        return tell.say(words.NEVER).format(best=best, reference=other, **names)
    if run["reached_seconds"] == 0:
        return tell.say(words.AT_ONCE).format(**names)
    return tell.say(words.REACHED).format(
        best=tell.number(panel["reference_best"], 3),
        took=tell.duration(run["reached_seconds"]),
        reference=tell.duration(reference["reached_seconds"]),
        times=_times(run["speedup"], "sooner", "later", tell),
        **names,
    )


def _faster(
    run: Mapping[str, Any], reference: Mapping[str, Any], panel: Mapping[str, Any], tell: Telling
) -> str:
    return tell.say(words.EPOCH).format(
        name=tell.say(run["label"]),
        other=tell.say(reference["label"]),
        took=tell.duration(run["seconds_per_epoch"]),
        reference=tell.duration(reference["seconds_per_epoch"]),
        times=_times(run["epoch_speedup"], "faster", "slower", tell),
    )


def _times(ratio: float | None, more: str, less: str, tell: Telling) -> str:
    """Say ": 5.2 times sooner"; nothing where the two are about equal."""
    if ratio is None or 0.95 < ratio < 1.05:
        return ""
    times, word = (ratio, more) if ratio > 1 else (1 / ratio if ratio else 0.0, less)
    if not times:
        return ""
    written = tell.number(times, 1 if times < 9.95 else 0)
    return tell.say(words.TIMES[word]).format(times=written)
