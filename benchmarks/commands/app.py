"""``python -m benchmarks app``."""

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from benchmarks.app.interactions import HITS, time_interactions
from benchmarks.app.visitors import time_visitors
from benchmarks.ended import exit_on_sigterm
from benchmarks.results import RESULTS_DIR, add_output, output, story
from subclust.core.settings import Settings
from subclust.text.encoders import load_encoder


def add_app(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``app``."""
    parser.add_argument(
        "what",
        choices=["interactions", "visitors"],
        help="all that one visitor can do with an answer, or many visitors at once",
    )
    parser.add_argument("--library", default="demo", metavar="NAME")
    parser.add_argument(
        "--method", default="default", metavar="NAME", help="see 'python -m subclust methods'"
    )
    parser.add_argument(
        "--top-k", type=int, choices=HITS, default=HITS[-1], help="hits of each interaction"
    )
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="of the interactions")
    parser.add_argument("--visitors", type=int, default=20, metavar="N", help="at the same time")
    parser.add_argument("--active", type=int, default=5, metavar="N", help="of them, who search")
    parser.add_argument("--searches", type=int, default=50, metavar="N", help="in all")
    add_output(parser)


def run_app(arguments: argparse.Namespace, settings: Settings) -> None:
    """Serve the app, visit it in Chromium, and time it."""
    with exit_on_sigterm():  # the server and the browser
        if arguments.what == "interactions":
            result = time_interactions(
                settings,
                library=arguments.library,
                method=arguments.method,
                top_k=arguments.top_k,
                rounds=arguments.rounds,
                progress=lambda name: print(name, file=sys.stderr, flush=True),
            )
        else:
            result = time_visitors(
                settings,
                library=arguments.library,
                method=arguments.method,
                n_visitors=arguments.visitors,
                n_active=arguments.active,
                n_searches=arguments.searches,
            )
    told = story(load_encoder(settings), settings.resolve_device())
    if not output(arguments, RESULTS_DIR / "speed" / f"{arguments.what}.json", result, told):
        print(in_words(result))


def in_words(result: Mapping[str, Any]) -> str:
    """Write what `time_interactions` or `time_visitors` measured as lines."""
    lines = _of_interactions(result) if "interactions" in result else _of_visitors(result)
    return "\n".join(lines)


def _of_interactions(result: Mapping[str, Any]) -> list[str]:
    lines = [
        f"{result['top_k']} hits; seconds until the page shows what was asked for, and until "
        "nothing more comes: median and longest"
    ]
    allowed, slow = result["allowed_s"], []
    for name, told in result["interactions"].items():
        answered, settled = told["answered_s"], told["settled_s"]
        lines.append(
            f"  {name:38} answered {answered['median']:5.2f} {answered['max']:5.2f}   "
            f"settled {settled['median']:5.2f} {settled['max']:5.2f}"
        )
        if answered["max"] >= allowed:
            slow.append(name)
    number = len(result["interactions"])
    if slow:
        lines.append(
            f"{number - len(slow)} of {number} were always answered in under {allowed:g} s; not: "
            f"{', '.join(slow)}."
        )
    else:
        lines.append(f"All {number} were always answered in under {allowed:g} s.")
    return lines


def _of_visitors(result: Mapping[str, Any]) -> list[str]:
    lines = [
        f"{result['n_visitors']} visitors, {result['n_active']} of them searching: "
        f"{result['n_searches']} searches"
    ]
    for what in ("answered_s", "settled_s"):
        told = result[what]
        lines.append(
            f"  {what[:-2]:9} median {told['median']:.2f} s, 95% below {told['p95']:.2f} s, "
            f"longest {told['max']:.2f} s"
        )
    lines.append(
        f"  memory    {result['megabytes_idle']:,} MB before the first visitor, "
        f"{result['megabytes_open']:,} MB with all, {result['megabytes']:,} MB at the most"
    )
    lines.append(
        f"Allowed are {result['allowed_s']:g} s for 95% of the answers, and "
        f"{result['allowed_megabytes']:,.0f} MB."
    )
    return lines
