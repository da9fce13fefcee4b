"""``python -m subclust tune``."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from subclust.checkpoints import Checkpoint, CheckpointStore, checked
from subclust.cli.labelled import LabelledSets, add_labelled, add_recipe, read_labelled, sizes
from subclust.cli.options import at_least_one
from subclust.encoders import load_encoder
from subclust.exceptions import TrainingError
from subclust.jobs import PROGRESS_FILE, JobStore, at_work
from subclust.judging.story import story, write
from subclust.judging.tasks import provenance, tasks
from subclust.methods import encoder_of, find_method, load_base, resolve
from subclust.records import MethodCard
from subclust.settings import Settings
from subclust.training.arguments import Recipe
from subclust.training.recipe_text import recipe_text, toml_value
from subclust.training.search import Search
from subclust.training.trainer import Progress
from subclust.training.trials import TrialResult


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``tune``."""
    parser.add_argument("method", help="see 'python -m subclust methods'")
    add_labelled(parser)
    parser.add_argument("--name", required=True, help="of the search")
    add_recipe(parser, required=True)
    parser.add_argument(
        "--trials",
        type=at_least_one,
        metavar="N",
        help="how many values are tried, those of before included; by default what the recipe says",
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the result there")
    parser.add_argument("--json", action="store_true", help="print the result as one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Search for the values with which a method does best, or go on with a search.

    Raises
    ------
    TrainingError
        If the method is not trained, or the search cannot begin or go on.
    """
    if settings.n_workers > 1:
        raise TrainingError("A search runs in one process; start 'tune' without torchrun.")
    store = CheckpointStore.of(settings)
    card = find_method(arguments.method, store)
    if card.trainer is None:
        raise TrainingError(
            "The method {card} needs no training, so there is nothing to try.", card=card.name
        )
    if card.whole_collection:
        raise TrainingError(
            "{card} learns a whole collection and holds nothing out to compare settings on; use "
            "'train' with one recipe.",
            card=card.name,
        )
    recipe = Recipe.read(arguments.recipe).with_settings(arguments.set)
    tuning = _Tuning(card, recipe, arguments, settings, store)
    result = tuning.run()
    if arguments.save:
        print(f"Saved {write(arguments.save, result)}.", file=sys.stderr)
    print(json.dumps(result) if arguments.json else tuning.text(result))


class _Tuning:
    """One call of the command."""

    def __init__(
        self,
        card: MethodCard,
        recipe: Recipe,
        arguments: argparse.Namespace,
        settings: Settings,
        store: CheckpointStore,
    ) -> None:
        self.card = card
        self.recipe = recipe
        self.arguments = arguments
        self.settings = settings
        self.jobs = JobStore(settings.jobs_dir)
        self.id = arguments.job or f"tune-{card.name}-{checked(arguments.name)}"
        self.record = ExitStack()
        self.base = load_base(card.name, arguments.base, store) if arguments.base else None
        base_encoder = load_encoder(settings)
        self.encoder = encoder_of(self.base, base_encoder) if self.base else base_encoder
        self.device = settings.resolve_device()
        facts = {
            "method": card.name,
            "base checkpoint": arguments.base,
            "encoder": self.encoder.revision,
            "training data": [_identity(provenance(name, settings)) for name in arguments.data],
            "validation data": _identity(self._validation()),
        }
        self.search = Search(self.folder, recipe, facts, self._train)
        self.wanted = arguments.trials or self.search.space.trials

    @property
    def folder(self) -> Path:
        return self.jobs.path(self.id)

    @cached_property
    def sets(self) -> LabelledSets:
        """Read them when first wanted: when it is known that the search can go on."""
        return read_labelled(self.arguments, self.recipe, self.settings, self.folder)

    def run(self) -> dict[str, Any]:
        """Search, or go on, and give the result."""
        with self.record:
            trials = self.search.run(
                self.wanted,
                opened=self._opened,
                began=self._began,
                tell=self._tell,
                ended=self._ended,
            )
            return self._result(trials)

    def text(self, result: Mapping[str, Any]) -> str:
        """Say what was found, with a recipe that can be trained."""
        best = result["best"]
        states = Counter(trial["state"] for trial in result["trials"])
        trained = recipe_text(self.search.with_values(best["values"]))
        return (
            f"# Best of {len(result['trials'])} trials ("
            + ", ".join(f"{n} {state}" for state, n in states.items())
            + f"): trial {best['trial']}, ARI {best['ari']:.4f} on validation.\n"
            + "".join(f"# {key} = {toml_value(value)}\n" for key, value in best["values"].items())
            + f"\n{trained}"
        )

    def _validation(self) -> dict[str, Any]:
        if self.arguments.validation:
            return provenance(self.arguments.validation, self.settings)
        training = self.recipe.training
        return {"share": training.validation_share, "seed": training.seed}

    def _train(
        self, name: str, recipe: Recipe, folder: Path, *, resume: bool, brief: bool, tell: Progress
    ) -> Mapping[str, float]:
        assert self.card.trainer is not None
        checkpoint: Checkpoint = resolve(self.card.trainer)(
            self.card.name,
            name,
            recipe,
            self.sets.training,
            self.sets.validation[:1] if brief else self.sets.validation,
            self.encoder,
            folder,
            base=self.base,
            device=self.device,
            resume=resume,
            progress=tell,
        )
        scores: Mapping[str, float] = checkpoint.card.get("scores", {})
        return scores

    def _opened(self) -> None:
        words = tuple(self.arguments.words)
        worker = self.record.enter_context(at_work(self.jobs, self.id, words, device=self.device))
        worker.tell_batch(self.recipe.training.batch_passages)
        worker.stage("training")

    def _began(self, number: int, values: Mapping[str, Any]) -> None:
        while self.sets.notices:
            _say(self.sets.notices.pop(0))
        told = ", ".join(f"{key} {_short(value)}" for key, value in values.items())
        _say(f"trial {number} ({number + 1} of {self.wanted}): {told}")

    def _tell(self, line: Mapping[str, Any]) -> None:
        if "metrics" in line:
            metrics = "".join(f"  {k} {v:.4f}" for k, v in line["metrics"].items())
            _say(f"  step {line['step']}/{line['total']}{metrics}  {line['seconds']:.0f} s")

    def _ended(self, result: TrialResult) -> None:
        with (self.folder / PROGRESS_FILE).open("a", encoding="utf-8") as stream:
            line = {"step": result.number + 1, "total": self.wanted, "trial": result.to_dict()}
            stream.write(json.dumps(line) + "\n")
        ari = "" if result.ari is None else f", best ARI {result.ari:.4f}"
        why = f": {result.error}" if result.error else ""
        _say(f"  {result.state}{ari}, {result.seconds:.0f} s{why}")

    def _result(self, trials: Sequence[TrialResult]) -> dict[str, Any]:
        best = self.search.best(trials)
        told = story(self.encoder, self.device, self.recipe.training.seed)
        told["versions"] = {**told["versions"], "optuna": version("optuna")}
        return {
            "method": self.card.name,
            "name": self.arguments.name,
            "story": told,
            "base": self.arguments.base,
            "training": self.sets.sources,
            "validation": {**self._validation(), **sizes(self.sets.validation)},
            "recipe": self.search.fixed(),
            "space": self.search.space.to_dict(),
            "best": {"values": dict(best.values), "ari": best.ari, "trial": best.number},
            "trials": [trial.to_dict() for trial in trials],
        }


def _identity(data: Mapping[str, Any]) -> dict[str, Any]:
    """Tell data apart: a file by what is in it, and a task, as others may be made of the same."""
    by_name = {"name"} if data.get("name") in tasks() else set()
    return {key: data[key] for key in {"sha256", "share", "seed", *by_name} & set(data)}


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else toml_value(value)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
