"""``python -m benchmarks app``."""

import argparse
import json
import sys

from benchmarks.app.interactions import HITS, time_interactions
from benchmarks.app.sentences import in_words
from benchmarks.app.visitors import time_visitors
from benchmarks.ended import exit_on_sigterm
from benchmarks.results import RESULTS_DIR, story, write
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
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


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
    if arguments.save:
        told = story(load_encoder(settings), settings.resolve_device())
        write(RESULTS_DIR / "speed" / f"{arguments.what}.json", {**result, "story": told})
    print(json.dumps(result) if arguments.json else in_words(result))
