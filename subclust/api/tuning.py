"""Searching for the values of a recipe with which a method does best."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from subclust.api.labelled import LabelledData, LabelledSets, Tell, read_labelled, silent, sizes
from subclust.api.planning import trained_method
from subclust.checkpoints import CheckpointStore
from subclust.core.messages import N_, Message, joined
from subclust.core.settings import Settings
from subclust.jobs import PROGRESS_FILE, Worker
from subclust.judging.story import story
from subclust.judging.tasks import provenance, tasks
from subclust.methods import encoder_of, load_base, train_method
from subclust.text.encoders import load_encoder
from subclust.training.loop.run import Progress
from subclust.training.recipe import Recipe, recipe_text, toml_value
from subclust.training.search.search import Search
from subclust.training.search.trials import TrialResult
from subclust.training.training_run import TrainingRun

_STATES = {"complete": N_("complete"), "pruned": N_("pruned"), "failed": N_("failed")}
"""Of a trial that has ended."""


class Tuning:
    """A search for the values of a recipe with which a method does best.

    Parameters
    ----------
    recipe : Recipe
        With a table ``[search]``.
    folder : Path
        Of the search, which goes on where it was.
    base : str, optional
        Checkpoint to start from.
    trials : int, optional
        How many values are tried; by default what the recipe says.
    record : callable, optional
        Returns the context of the job whose progress this is, entered when the search begins.
    tell : callable, optional
        Called with each sentence on how it goes.

    Raises
    ------
    SubclustError
        If the method is not trained, or the search cannot begin or go on.
    """

    def __init__(
        self,
        method: str,
        recipe: Recipe,
        given: LabelledData,
        settings: Settings,
        folder: Path,
        *,
        name: str,
        base: str | None = None,
        trials: int | None = None,
        record: Callable[[], AbstractContextManager[Worker]] | None = None,
        tell: Tell = silent,
    ) -> None:
        store = CheckpointStore.of(settings)
        self.card = trained_method(method, store, held_out=True)
        self.recipe, self.given, self.settings = recipe, given, settings
        self.folder, self.name = folder, name
        self.record, self.tell = record, tell
        self._open = ExitStack()
        self.base_name = base
        self.base = load_base(self.card.name, base, store) if base else None
        base_encoder = load_encoder(settings)
        self.encoder = encoder_of(self.base, base_encoder) if self.base else base_encoder
        self.device = settings.resolve_device()
        facts = {
            "method": self.card.name,
            "base checkpoint": base,
            "encoder": self.encoder.revision,
            "training data": [identity(provenance(one, settings)) for one in given.names],
            "validation data": identity(self._validation()),
        }
        self.search = Search(folder, recipe, facts, self._train)
        self.wanted = trials or self.search.space.trials

    @cached_property
    def sets(self) -> LabelledSets:
        """Read them when first wanted: when it is known that the search can go on."""
        return read_labelled(
            self.given, self.card, self.recipe, self.settings, self.folder, tell=self.tell
        )

    def run(self) -> dict[str, Any]:
        """Search, or go on, and give the result."""
        with self._open:
            trials = self.search.run(
                self.wanted,
                opened=self._opened,
                began=self._began,
                tell=self._trained,
                ended=self._ended,
            )
            return self._result(trials)

    def text(self, result: Mapping[str, Any]) -> str:
        """Return what was found, with a recipe that can be trained."""
        best = result["best"]
        states = Counter(trial["state"] for trial in result["trials"])
        trained = recipe_text(self.search.with_values(best["values"]))
        values = "".join(
            f"# {key} = {toml_value(value)}\n" for key, value in best["values"].items()
        )
        return Message(
            "# Best of {count} trials ({states}): trial {trial}, ARI {ari:.4f} on validation.\n"
            "{values}\n{recipe}",
            count=len(result["trials"]),
            states=", ".join(f"{n} {state}" for state, n in states.items()),
            trial=best["trial"],
            ari=best["ari"],
            values=values,
            recipe=trained,
        )

    def _validation(self) -> dict[str, Any]:
        if self.given.validation:
            return provenance(self.given.validation, self.settings)
        training = self.recipe.training
        return {"share": training.validation_share, "seed": training.seed}

    def _train(
        self, name: str, recipe: Recipe, folder: Path, *, resume: bool, brief: bool, tell: Progress
    ) -> Mapping[str, float]:
        run = TrainingRun(
            self.card.name,
            name,
            recipe,
            self.sets.training,
            # A brief run only shows whether the method accepts these values.
            self.sets.validation[:1] if brief else self.sets.validation,
            self.encoder,
            folder,
            base=self.base,
            device=self.device,
            resume=resume,
            progress=tell,
        )
        scores: Mapping[str, float] = train_method(run).card.get("scores", {})
        return scores

    def _opened(self) -> None:
        if self.record is None:
            return
        worker = self._open.enter_context(self.record())
        worker.tell_batch(self.recipe.training.batch_passages)
        worker.stage("training")

    def _began(self, number: int, values: Mapping[str, Any]) -> None:
        while self.sets.notices:
            self.tell(self.sets.notices.pop(0))
        told = ", ".join(f"{key} {_short(value)}" for key, value in values.items())
        self.tell(
            Message(
                "trial {number} ({place} of {wanted}): {values}",
                number=number,
                place=number + 1,
                wanted=self.wanted,
                values=told,
            )
        )

    def _trained(self, line: Mapping[str, Any]) -> None:
        if "metrics" in line:
            metrics = "".join(f"  {k} {v:.4f}" for k, v in line["metrics"].items())
            step = Message("  step {step}/{total}{scores}  {seconds:.0f} s", **line, scores=metrics)
            self.tell(step)

    def _ended(self, result: TrialResult) -> None:
        with (self.folder / PROGRESS_FILE).open("a", encoding="utf-8") as stream:
            line = {"step": result.number + 1, "total": self.wanted, "trial": result.to_dict()}
            stream.write(json.dumps(line) + "\n")
        parts = [Message("  {state}", state=Message(_STATES[result.state]))]
        if result.ari is not None:
            parts.append(Message("best ARI {ari:.4f}", ari=result.ari))
        parts.append(Message("{seconds:.0f} s", seconds=result.seconds))
        told = joined(parts)
        self.tell(Message("{told}: {why}", told=told, why=result.error) if result.error else told)

    def _result(self, trials: Sequence[TrialResult]) -> dict[str, Any]:
        best = self.search.best(trials)
        told = story(self.encoder, self.device, self.recipe.training.seed)
        told["versions"] = {**told["versions"], "optuna": version("optuna")}
        return {
            "method": self.card.name,
            "name": self.name,
            "story": told,
            "base": self.base_name,
            "training": self.sets.sources,
            "validation": {**self._validation(), **sizes(self.sets.validation)},
            "recipe": self.search.fixed(),
            "space": self.search.space.to_dict(),
            "best": {"values": dict(best.values), "ari": best.ari, "trial": best.number},
            "trials": [trial.to_dict() for trial in trials],
        }


def identity(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what tells data apart: content, and the task where one is named."""
    by_name = {"name"} if data.get("name") in tasks() else set()
    return {key: data[key] for key in {"sha256", "share", "seed", *by_name} & set(data)}


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else toml_value(value)
