"""``python -m benchmarks context``."""

import argparse
import json
from typing import Any

from benchmarks.context import (
    CONTEXTS,
    ENTITIES,
    TOKENS,
    in_a_process_of_its_own,
    measure_contexts,
)
from benchmarks.context_cell import SHAPES
from benchmarks.results import RESULTS_DIR, circumstances, write
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.settings import Settings
from subclust.methods.cactus.set_encoder import CONTEXTS as ALL_CONTEXTS


def add_context(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``context``."""
    parser.add_argument(
        "--context", nargs="+", choices=ALL_CONTEXTS, default=CONTEXTS, help="how entities meet"
    )
    parser.add_argument(
        "--entities", nargs="+", type=at_least_one, default=ENTITIES, metavar="N", help="in a set"
    )
    parser.add_argument(
        "--tokens",
        nargs="+",
        type=at_least_one,
        default=TOKENS,
        metavar="N",
        help="in an entity, at most 512",
    )
    parser.add_argument(
        "--shape", choices=SHAPES, default=SHAPES[0], help="size of the encoder; weights are random"
    )
    parser.add_argument("--low-precision", action="store_true", help="compute in bfloat16")
    parser.add_argument("--rounds", type=at_least_one, default=3, metavar="N")
    parser.add_argument("--threads", type=at_least_one, default=1, metavar="N")
    parser.add_argument(
        "--limit", type=float, default=8.0, metavar="GB", help="memory that one may take"
    )
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_context(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure time and memory of the set encoders."""
    device = settings.resolve_device()
    measure = in_a_process_of_its_own(
        arguments.shape,
        device=device,
        low_precision=arguments.low_precision,
        threads=arguments.threads,
        rounds=arguments.rounds,
        limit_gb=arguments.limit,
    )
    result: dict[str, Any] = {
        "shape": arguments.shape,
        "precision": "bfloat16" if arguments.low_precision else "float32",
        "threads": arguments.threads,
        **measure_contexts(
            measure,
            arguments.context,
            arguments.entities,
            arguments.tokens,
            progress=None if arguments.json else progress_bar("Measuring"),
        ),
    }
    if arguments.save:
        path = RESULTS_DIR / "context" / f"{arguments.shape}-{result['precision']}-{device}.json"
        write(path, {**result, "story": circumstances(device)})
    if arguments.json:
        print(json.dumps(result))
        return
    _print(result)


def _print(result: dict[str, Any]) -> None:
    print(f"{'':12}{'entities':>9}{'tokens':>8}{'seconds':>10}{'memory, MB':>12}")
    for row in result["rows"]:
        sizes = f"{row['context']:12}{row['n_entities']:9}{row['n_tokens']:8}"
        if "failed" in row:
            print(f"{sizes}  {row['failed']}")
        else:
            print(f"{sizes}{row['cpu_seconds']:10.3f}{row['peak_mb']:12.1f}")
    for context, growth in result["growth"].items():
        for what, told in (("cpu_seconds", "time"), ("peak_mb", "memory")):
            if growth[what]:
                powers = growth[what]
                print(
                    f"{context}: {told} grows as entities to the power of "
                    f"{powers['entities']:.2f} and tokens to that of {powers['tokens']:.2f}."
                )
    memory, time = (result["compared"][k] for k in ("sia_to_nia_memory", "saved_of_fia_time"))
    if memory["median"] is not None:
        print(
            f"SIA takes {memory['median']:.2f} times NIA's memory (at most {memory['most']:.2f}; "
            f"{memory['allowed']:.2f} are allowed)."
        )
    if time["median"] is not None:
        print(
            f"SIA saves {time['median']:.0%} of FIA's time (at least {time['least']:.0%}; "
            f"{time['published']:.0%} in the paper)."
        )
