"""How time and memory of the set encoders grow with a subset: the paper's figure 4."""

import argparse
import multiprocessing
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.context_cell import SHAPES, empty_cell, send_cell
from benchmarks.results import RESULTS_DIR, add_output, circumstances, output
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import Settings
from subclust.methods.cactus.set_encoder import CONTEXTS as ALL_CONTEXTS

ENTITIES = (10, 25, 50, 100, 200)
TOKENS = (16, 32, 64, 128)
CONTEXTS = ("nia", "sia", "fia")

MEMORY_ALLOWED = 1.3
"""Times NIA's memory that SIA may take."""

TIME_SAVED = 0.56
"""Share of FIA's time that SIA saves in the paper."""

LARGE_ENOUGH = 1000
"""Tokens of a subset from which on what is fixed hardly counts; growth is fitted there."""

Row = Mapping[str, Any]
Cell = Callable[[str, int, int], Row]


def measure_contexts(
    cell: Cell,
    contexts: Sequence[str] = CONTEXTS,
    entities: Sequence[int] = ENTITIES,
    tokens: Sequence[int] = TOKENS,
    *,
    progress: Callable[[int, int | None], None] | None = None,
) -> dict[str, Any]:
    """Measure set encoders over numbers of entities and lengths.

    Parameters
    ----------
    cell : callable
        Takes context, number of entities and number of tokens, gives a row of `measure_cell`.
    entities : sequence of int
        In a subset.
    tokens : sequence of int
        In an entity.

    Returns
    -------
    dict
        ``rows``; ``growth``, for each context that of `fitted_growth`; ``compared``, that of
        `compared`.
    """
    wanted = [(c, n, t) for n in entities for t in tokens for c in contexts]
    rows: list[Row] = []
    for context, n_entities, n_tokens in wanted:
        rows.append(cell(context, n_entities, n_tokens))
        if progress is not None:
            progress(len(rows), len(wanted))
    growth = {c: fitted_growth([row for row in rows if row["context"] == c]) for c in contexts}
    return {"rows": rows, "growth": growth, "compared": compared(rows)}


def in_a_process_of_its_own(
    shape: str,
    *,
    device: str = "cpu",
    low_precision: bool = False,
    threads: int = 1,
    rounds: int = 3,
    limit_gb: float = 8.0,
) -> Cell:
    """Return a measurer that starts a process for each cell, so that none finds another's memory.

    Where the system can fork, what the processes import is imported once.

    Parameters
    ----------
    shape, device, low_precision
        As `encoder_of_shape` takes them.
    threads : int
        That torch may use.
    rounds, limit_gb
        As `measure_cell` takes them.

    Returns
    -------
    callable
        Where the system ends a process, its row says so; where it fails, `BenchmarkError`.
    """
    able = "forkserver" in multiprocessing.get_all_start_methods()
    processes: Any = multiprocessing.get_context("forkserver" if able else "spawn")
    if able:
        models = ("transformers.models.bert.modeling_bert", "transformers.models.t5.modeling_t5")
        processes.set_forkserver_preload(["benchmarks.context_cell", *models])

    def measure(context: str, n_entities: int, n_tokens: int) -> Row:
        receiver, sender = processes.Pipe(duplex=False)
        arguments = (shape, context, n_entities, n_tokens, device, low_precision)
        work = processes.Process(
            target=send_cell, args=(sender, *arguments, threads, rounds, limit_gb), daemon=True
        )
        work.start()
        sender.close()
        try:
            row: Row = receiver.recv()
        except EOFError:
            work.join()
            if work.exitcode is not None and work.exitcode >= 0:
                raise BenchmarkError(
                    "Measuring {context} on {n_entities} entities of {n_tokens} tokens failed; "
                    "what it said stands above.",
                    context=context,
                    n_entities=n_entities,
                    n_tokens=n_tokens,
                ) from None
            failed = "The system ended it, most likely for want of memory."
            return {**empty_cell(context, n_entities, n_tokens), "failed": failed}
        finally:
            receiver.close()
        work.join()
        return row

    return measure


def fitted_growth(rows: Iterable[Row]) -> dict[str, dict[str, float] | None]:
    r"""Fit :math:`c \cdot N^a L^b` to what was measured of one set encoder.

    Parameters
    ----------
    rows : iterable of row
        Those of subsets below `LARGE_ENOUGH` tokens are left out.

    Returns
    -------
    dict
        Of ``seconds``, ``cpu_seconds`` and ``peak_mb``: ``entities`` (a) and ``tokens`` (b), fitted
        by least squares of the logarithms, or None where there are not enough rows.
    """
    large = [row for row in rows if row["n_entities"] * row["n_tokens"] >= LARGE_ENOUGH]
    growth: dict[str, dict[str, float] | None] = {}
    for what in ("seconds", "cpu_seconds", "peak_mb"):
        known = [row for row in large if row[what]]
        sizes = np.array([[row["n_entities"], row["n_tokens"]] for row in known], dtype=float)
        growth[what] = None
        if len(known) >= 4:
            terms = np.column_stack([np.log(sizes), np.ones(len(known))])
            if np.linalg.matrix_rank(terms) == 3:
                values = np.log([row[what] for row in known])
                a, b, _ = np.linalg.lstsq(terms, values, rcond=None)[0]
                growth[what] = {"entities": round(float(a), 3), "tokens": round(float(b), 3)}
    return growth


def compared(rows: Iterable[Row]) -> dict[str, Any]:
    """Set SIA beside NIA in memory and beside FIA in processor time.

    Returns
    -------
    dict
        ``sia_to_nia_memory`` and ``saved_of_fia_time``, each with ``allowed`` or ``published``, and
        over the subsets of at least `LARGE_ENOUGH` tokens ``least``, ``median`` and ``most``, None
        where nothing can be compared.
    """
    by_cell = {(row["context"], row["n_entities"], row["n_tokens"]): row for row in rows}
    memory, saved = [], []
    for context, n_entities, n_tokens in by_cell:
        if context != "sia" or n_entities * n_tokens < LARGE_ENOUGH:
            continue
        sia, nia, fia = (by_cell.get((c, n_entities, n_tokens), {}) for c in ("sia", "nia", "fia"))
        if sia["peak_mb"] and nia.get("peak_mb"):
            memory.append(sia["peak_mb"] / nia["peak_mb"])
        if sia["cpu_seconds"] and fia.get("cpu_seconds"):
            saved.append(1 - sia["cpu_seconds"] / fia["cpu_seconds"])
    return {
        "sia_to_nia_memory": {"allowed": MEMORY_ALLOWED, **_spread(memory)},
        "saved_of_fia_time": {"published": TIME_SAVED, **_spread(saved)},
    }


def _spread(values: Sequence[float]) -> dict[str, float | None]:
    if not values:
        return {"least": None, "median": None, "most": None}
    numbers = (min(values), statistics.median(values), max(values))
    return dict(zip(("least", "median", "most"), (round(n, 3) for n in numbers), strict=True))


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
    add_output(parser)


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
    path = RESULTS_DIR / "context" / f"{arguments.shape}-{result['precision']}-{device}.json"
    if output(arguments, path, result, circumstances(device)):
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
