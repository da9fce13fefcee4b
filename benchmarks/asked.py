"""``python -m benchmarks asked``: the names of the groups of some questions, as they come."""

import argparse
import json
from typing import Any

from benchmarks.results import RESULTS_DIR, story, write
from benchmarks.speed import NEW
from subclust.cli.options import add_method
from subclust.core.exceptions import InputError
from subclust.core.records import OTHER_PASSAGES, Query
from subclust.core.settings import Settings
from subclust.pipeline.load import load_pipeline
from subclust.pipeline.query import SubtopicPipeline

DIGITAL_LIBRARIES: tuple[str, ...] = (
    "digital preservation",
    "citation analysis",
    "open access to publications",
    "peer review",
    "authorship and collaboration",
    "metadata harvesting",
    "recommendation of papers",
    "author name disambiguation",
    "web archives",
    "research data sharing",
)
"""Questions to abstracts of arXiv's digital libraries (cs.DL)."""

DEMO: tuple[str, ...] = ("causes of the American Revolutionary War", *NEW, "abacus")


def add_asked(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``asked``."""
    parser.add_argument("--library", default="demo", metavar="NAME")
    parser.add_argument(
        "--question", action="append", default=[], help="by default those known for the library"
    )
    add_method(parser)
    parser.add_argument("--top-k", type=int, default=100, metavar="N")
    parser.add_argument("--save", action="store_true", help="keep the result with the others")


def run_asked(arguments: argparse.Namespace, settings: Settings) -> None:
    """Ask the questions and print the names with the number of passages of each."""
    pipeline = load_pipeline(
        settings,
        library=arguments.library,
        method=arguments.method,
        checkpoint=arguments.checkpoint,
    )
    questions = arguments.question or (DEMO if arguments.library == "demo" else DIGITAL_LIBRARIES)
    asked = {question: names_of(pipeline, question, arguments.top_k) for question in questions}
    for question, found in asked.items():
        groups = "; ".join(f"{one['name']} ({one['size']})" for one in found["groups"])
        print(f"{question} [{found['set_aside']} set aside]\n    {groups}")
    if arguments.save:
        told = story(pipeline.retriever.encoder, settings.resolve_device())
        result = {"library": arguments.library, "top_k": arguments.top_k, "asked": asked}
        write(RESULTS_DIR / "asked" / f"{arguments.library}.json", {**result, "story": told})
    print(json.dumps({"questions": len(asked)}))


def names_of(pipeline: SubtopicPipeline, question: str, top_k: int) -> dict[str, Any]:
    """Return the groups of a question in their order, and how many hits were set aside."""
    try:
        subtopics = pipeline.run(Query(question), top_k=top_k)
    except InputError:
        return {"groups": [], "other": 0, "set_aside": 0}
    return {
        "groups": [
            {"name": group.name, "size": group.size}
            for group in subtopics.subtopics
            if group.id != OTHER_PASSAGES
        ],
        "other": sum(one.size for one in subtopics.subtopics if one.id == OTHER_PASSAGES),
        "set_aside": len(subtopics.set_aside),
    }
