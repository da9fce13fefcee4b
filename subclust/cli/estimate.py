"""``python -m subclust estimate``."""

import argparse
import json
import time
from pathlib import Path

import psutil

from subclust.cli.labelled import add_labelled, add_recipe, read_labelled
from subclust.settings import Settings
from subclust.training.arguments import Recipe
from subclust.training.estimate import LIMIT, TRIAL_FILE, RunEstimate, estimate_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``estimate``: those of ``train``, without a name."""
    parser.add_argument("method", help="see 'python -m subclust methods'")
    add_labelled(parser)
    add_recipe(parser)
    parser.add_argument(
        "--limit",
        type=float,
        default=LIMIT,
        metavar="SECONDS",
        help="after which the trial ends, with what it has measured so far",
    )
    parser.add_argument(
        "--folds", type=int, metavar="N", help="as for 'train': N trainings and one more"
    )
    parser.add_argument("--json", action="store_true", help="print the estimate as one object")
    parser.add_argument("--trial", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("--gently", action="store_true", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Try ten steps in a process of its own, and tell what the whole will take.

    Raises
    ------
    SubclustError
        If the training would be refused, or the trial did not end in time.
    """
    if arguments.trial is not None:
        _try(arguments, settings, arguments.trial)
        return
    estimate = estimate_run(arguments.words[1:], settings, limit=arguments.limit)
    if arguments.json:
        print(json.dumps(estimate.to_dict(), ensure_ascii=False))
    else:
        print(estimate.sentence)


def _try(arguments: argparse.Namespace, settings: Settings, folder: Path) -> None:
    """Make the ten steps in this process; only it needs torch."""
    from subclust.checkpoints import CheckpointStore
    from subclust.cli.training import MOST_JUDGED, trained_method
    from subclust.encoders import load_encoder
    from subclust.jobs.process import give_way
    from subclust.judging.seconds import judging_seconds
    from subclust.judging.story import write
    from subclust.methods import encoder_of, load_base, resolve
    from subclust.training.trial import TrialResult, run_trial

    if arguments.gently:
        give_way()
    store = CheckpointStore.of(settings)
    card = trained_method(arguments.method, store)
    assert card.trainer is not None
    recipe = Recipe.read(arguments.recipe) if arguments.recipe else Recipe()
    recipe = recipe.with_settings(arguments.set)
    base = load_base(card.name, arguments.base, store) if arguments.base else None
    whole = card.whole_collection
    sets = read_labelled(arguments, recipe, settings, folder / "run", whole=whole)
    encoder = load_encoder(settings)
    if base is not None:
        encoder = encoder_of(base, encoder)
    device = settings.resolve_device()
    before = time.time() - psutil.Process().create_time()
    judged = sets.test or sets.validation
    if arguments.folds:
        judged = [*sets.training, *sets.validation, *sets.test]
    ways = ("tuned_layers", "tuned_embeddings", "lora_rank")
    tuned = any(recipe.objective.get(way) for way in ways)
    judging = 0.0 if whole else judging_seconds(judged[:MOST_JUDGED], encoder, store, tuned=tuned)

    def note(found: TrialResult) -> None:
        estimate = RunEstimate.of(
            found,
            device=device,
            n_training=len(sets.training),
            n_validation=len(sets.validation),
            n_test=len(sets.test),
            seconds_before=before,
            judging_seconds=judging,
        )
        write(folder / TRIAL_FILE, estimate.to_dict())

    found = run_trial(
        resolve(card.trainer),
        card.name,
        recipe,
        sets.training,
        sets.validation,
        encoder,
        folder / "run",
        device=device,
        base=base,
        note=note,
    )
    note(found)
