"""``python -m benchmarks names``."""

import argparse
import json
from collections.abc import Mapping
from typing import Any

from benchmarks.names import measure_names, namers, varied
from benchmarks.results import RESULTS_DIR, story, write
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.exceptions import InputError
from subclust.core.settings import Settings
from subclust.judging.tasks import load_task, provenance
from subclust.labelled.llm.labeller import endpoint_of
from subclust.text.encoders import load_encoder


def add_names(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``names``."""
    parser.add_argument("task", metavar="TASK_OR_FILE", help="see 'python -m subclust tasks'")
    parser.add_argument(
        "--namer",
        action="append",
        default=[],
        metavar="NAME",
        help="only this one and the plain one; may be given several times; language-model asks "
        "the one of SUBCLUST_LLM_URL, and only when it is named here",
    )
    parser.add_argument(
        "--setting",
        action="append",
        default=[],
        metavar="KEY=VALUE[,...]",
        help="the shipped namer with other settings too, such as max_phrases=4,max_characters=60; "
        "may be given several times; choose on a validation task",
    )
    parser.add_argument(
        "--queries",
        type=at_least_one,
        metavar="N",
        help="only the first N; kept as TASK-N beside the result of all",
    )
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_names(arguments: argparse.Namespace, settings: Settings) -> None:
    """Name the sections of each query and count the names that mean their own heading."""
    encoder = load_encoder(settings)
    ask = None
    if "language-model" in arguments.namer:
        endpoint = endpoint_of(settings)
        ask = lambda prompt: endpoint.ask(prompt).text  # noqa: E731
    made = namers(encoder, ask)
    if unknown := sorted(set(arguments.namer) - set(made)):
        raise InputError(
            "There is no namer {unknown!r}; choose among {names}.",
            unknown=unknown[0],
            names=", ".join(made),
        )
    chosen = {
        name: namer
        for name, namer in made.items()
        if not arguments.namer or name in {*arguments.namer, "plain-tfidf"}
    }
    chosen |= varied(encoder, arguments.setting)
    task, instances = load_task(arguments.task, settings)
    if arguments.queries:
        task, instances = f"{task}-{arguments.queries}", instances[: arguments.queries]
    found = measure_names(instances, chosen, encoder, progress=progress_bar("Naming"))
    told = {
        **story(encoder, settings.resolve_device()),
        "data": provenance(arguments.task, settings),
        "language_model": settings.llm_model if ask else None,
    }
    result = {"task": task, **found, "story": told}
    if arguments.save:
        write(RESULTS_DIR / "names" / f"{task}.json", result)
    print(json.dumps(result, ensure_ascii=False) if arguments.json else in_words(result))


def in_words(result: Mapping[str, Any]) -> str:
    """Write the shares as a table."""
    lines = [
        f"{result['task']}: {result['n_sections']} sections of {result['n_queries']} queries; "
        "share whose own heading is the nearest to the name"
    ]
    width = max(len(name) for name in result["namers"])
    for name, told in result["namers"].items():
        line = f"  {name:{width}}  {told['share']:6.1%}  (two passages or more "
        line += f"{told['share_of_larger']:6.1%})  {told['ms_per_query']:7.1f} ms a query"
        if gain := told.get("gain"):
            low, high = gain["interval"]
            line += f"  {gain['mean']:+.1%} [{low:+.1%}, {high:+.1%}] over plain-tfidf"
        lines.append(line)
    return "\n".join(lines)
