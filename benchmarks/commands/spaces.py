"""``python -m benchmarks spaces``."""

import argparse
import json
from collections.abc import Mapping
from typing import Any

from benchmarks.results import RESULTS_DIR, story, write
from benchmarks.spaces import picture_spaces
from subclust.checkpoints import CheckpointStore
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.settings import Settings
from subclust.judging.tasks import load_task
from subclust.text.encoders import load_encoder


def add_spaces(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``spaces``."""
    parser.add_argument("task", metavar="TASK_OR_FILE", help="see 'python -m subclust tasks'")
    parser.add_argument(
        "--method",
        action="append",
        required=True,
        metavar="NAME",
        help="may be given several times; NAME@CHECKPOINT names a checkpoint",
    )
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument(
        "--queries",
        type=at_least_one,
        default=4,
        metavar="N",
        help="how many are taken, evenly from where the first method gains most over the last to "
        "where it loses most",
    )
    chosen.add_argument(
        "--query",
        action="append",
        default=[],
        metavar="TEXT",
        help="take this one instead; may be given several times",
    )
    parser.add_argument("--granularity", choices=["flat", "hierarchical"], default="flat")
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_spaces(arguments: argparse.Namespace, settings: Settings) -> None:
    """Place the passages of some queries where each method compares them."""
    encoder = load_encoder(settings)
    task, instances = load_task(arguments.task, settings)
    found = picture_spaces(
        task,
        instances,
        arguments.method,
        encoder,
        CheckpointStore.of(settings),
        n_queries=arguments.queries,
        texts=arguments.query,
        granularity=arguments.granularity,
        progress=lambda method, done, total: progress_bar(f"Encoding for {method}")(done, total),
    )
    told = {
        **story(encoder, settings.resolve_device()),
        "granularity": arguments.granularity,
        "checkpoints": found["checkpoints"],
    }
    result = {
        "task": task,
        "story": told,
        "rule": found["rule"],
        "queries": found["queries"],
    }
    if arguments.save:
        write(RESULTS_DIR / "spaces" / f"{task}.json", result)
    print(json.dumps(result, ensure_ascii=False) if arguments.json else _told(result))


def _told(result: Mapping[str, Any]) -> str:
    lines = [result["rule"]]
    for query in result["queries"]:
        lines.append(
            f"\n{query['query']} ({len(query['gold'])} passages, {query['n_clusters']} subtopics)"
        )
        width = max(len(method["method"]) for method in query["methods"])
        for method in query["methods"]:
            shares = ", ".join(f"{share:.0%}" for share in method["explained"])
            lines.append(
                f"  {method['method']:{width}}  ARI {method['ari']:6.3f}, three components tell "
                f"{shares}"
            )
    return "\n".join(lines)
