"""How soon trained methods get where: their validations over time, and the comparison of them.

After "Learn the Big Picture" (Kashyapi and Dietz), section 4.4.3, figure 5 and appendix B.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from subclust.checkpoints import Checkpoint
from subclust.core.exceptions import BenchmarkError
from subclust.training.recipe import Recipe

METRIC = "ari"

_OUTCOMES = frozenset({"steps", "best_step", "stopped", "seconds"})
"""What a card's ``training`` holds beside the arguments and the objective."""


def curve_of(checkpoint: Checkpoint) -> list[dict[str, Any]]:
    """Return the validations of a training run, from its checkpoint's card.

    Returns
    -------
    list of dict
        ``step``, ``epoch`` (passes over the training queries so far), ``training_seconds`` (spent
        in steps so far) and ``ari``, mean over the validation queries, -1 to 1, higher is better;
        in order.

    Raises
    ------
    BenchmarkError
        If the method was not validated by the adjusted Rand index while it was trained.
    """
    curve = [
        {
            "step": line["step"],
            "epoch": line["epoch"],
            "training_seconds": round(line["training_seconds"], 4),
            "ari": round(line["metrics"][METRIC], 6),
        }
        for line in checkpoint.card.get("history", [])
        if METRIC in line.get("metrics", {}) and "training_seconds" in line
    ]
    if not curve or not curve[-1]["step"]:
        raise BenchmarkError(
            "The method {method} tells no adjusted Rand index while it is trained, so there is no "
            "curve to compare; leave it out.",
            method=checkpoint.method,
        )
    return curve


def run_facts(
    checkpoint: Checkpoint, recipe: Recipe, *, n_queries: int, n_passages: int
) -> dict[str, Any]:
    """Return how a training run went: one of ``runs`` of a convergence file.

    Parameters
    ----------
    checkpoint : Checkpoint
        Just trained.
    n_queries, n_passages : int
        That it was trained on.

    Returns
    -------
    dict
        JSON values. ``seconds_per_epoch`` is that of whole epochs, whether or not one was finished.

    Raises
    ------
    BenchmarkError
        As `curve_of`.
    """
    curve = curve_of(checkpoint)
    last = curve[-1]
    told = recipe.to_dict()
    training = checkpoint.card["training"]
    per_step = last["training_seconds"] / last["step"]
    per_epoch = max(1, round(last["step"] / last["epoch"]))
    return {
        "method": checkpoint.method,
        "checkpoint": checkpoint.name,
        "recipe": told,
        "seed": recipe.training.seed,
        "objective": {
            name: value
            for name, value in training.items()
            if name not in told["training"] and name not in _OUTCOMES
        },
        "n_training_queries": n_queries,
        "n_training_passages": n_passages,
        "steps_per_epoch": per_epoch,
        "steps": last["step"],
        "seconds_per_step": round(per_step, 6),
        "seconds_per_epoch": round(per_step * per_epoch, 6),
        "stopped": training["stopped"],
        "curve": curve,
    }


def best_of(curve: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the validation with the highest index, the first of equal ones."""
    return max(curve, key=lambda point: point["ari"])


def first_reached(curve: Sequence[Mapping[str, Any]], ari: float) -> Mapping[str, Any] | None:
    """Return the first validation whose index reaches a value; None if none does."""
    return next((point for point in curve if point["ari"] >= ari), None)


def compare_convergence(runs: Sequence[Mapping[str, Any]], reference: str) -> dict[str, Any]:
    """Compare how soon the other runs reach the best index of one.

    Parameters
    ----------
    runs : sequence of mappings
        Of `run_facts`.
    reference : str
        Method of one of them.

    Returns
    -------
    dict
        ``reference``, ``reference_best_ari``, ``reference_seconds`` (of training until it first
        reached that), and ``others``, each with ``method``, ``seconds`` (of training until it first
        reached the reference's best; None where it never did), ``speedup`` (how many times sooner;
        above 1 is sooner than the reference; None where it was never reached, or at once, before
        the first step) and ``epoch_speedup`` (how many times shorter an epoch is).

    Raises
    ------
    BenchmarkError
        If none of the runs is the reference's.
    """
    by_method = {run["method"]: run for run in runs}
    if reference not in by_method:
        raise BenchmarkError(
            "The reference {reference} is not among the runs; choose one of {names}.",
            reference=reference,
            names=", ".join(by_method),
        )
    chosen = by_method[reference]
    best = best_of(chosen["curve"])
    others = []
    for method, run in by_method.items():
        if method == reference:
            continue
        reached = first_reached(run["curve"], best["ari"])
        seconds = None if reached is None else reached["training_seconds"]
        others.append(
            {
                "method": method,
                "seconds": seconds,
                "speedup": round(best["training_seconds"] / seconds, 4) if seconds else None,
                "epoch_speedup": round(chosen["seconds_per_epoch"] / run["seconds_per_epoch"], 4),
            }
        )
    return {
        "reference": reference,
        "reference_best_ari": best["ari"],
        "reference_seconds": best["training_seconds"],
        "others": others,
    }
