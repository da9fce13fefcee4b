"""A search for the values of a recipe with which a method does best on validation queries."""

import json
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from subclust.core.exceptions import SubclustError, TrainingError, TrainingStopped
from subclust.jobs import STOP_FILE
from subclust.training.loop.run import Progress
from subclust.training.loop.state import remove_state
from subclust.training.loop.trainer import on_sigterm
from subclust.training.recipe import Recipe
from subclust.training.search.trials import (
    MOST_DEATHS,
    Notes,
    TrialResult,
    ended_trials,
    open_study,
    results,
)
from subclust.training.space import Choices, Range

if TYPE_CHECKING:
    from optuna import Study, Trial
    from optuna.distributions import BaseDistribution
    from optuna.trial import FrozenTrial


class Train(Protocol):
    """One training of the method at hand, on the data at hand."""

    def __call__(
        self, name: str, recipe: Recipe, folder: Path, *, resume: bool, brief: bool, tell: Progress
    ) -> Mapping[str, float]:
        """Train, and give the scores that the checkpoint has.

        Parameters
        ----------
        name : str
            Of the checkpoint, which is not kept.
        folder : Path
            Of the run.
        brief : bool
            Whether it is only to be seen that it trains: one validation query will do.
        tell : callable
            Is given each line of the run's progress, and may raise.
        """
        ...


class _Pruned(Exception):
    """A trial that is not worth going on with; no `SubclustError`, so that no method catches it."""


class _SeenEnough(Exception):
    """A rehearsal that has taken its first step."""


class Search:
    """A search that can be killed at any moment, and goes on when it is made and run again.

    The values of a trial follow from the recipe's seed and from the trials that ended before it,
    and a trial that was broken off goes on from its state: so a search that was killed and resumed
    tries the same and finds the same as an undisturbed one (on the CPU).

    Tree-structured Parzen estimators propose the values; a trial whose best validation so far is
    below the median of what completed trials had at the same validation is pruned (Akiba, Sano,
    Yanase, Ohta and Koyama, "Optuna", KDD 2019).

    Parameters
    ----------
    folder : Path
        Of the search: its journal, a folder for each trial, and the ``stop`` file that ends it.
    recipe : Recipe
        With a search space; its other values are what all trials share.
    facts : mapping
        JSON values that must be the same where a search is resumed, by what they are called.
    """

    def __init__(
        self, folder: Path, recipe: Recipe, facts: Mapping[str, Any], train: Train
    ) -> None:
        if recipe.search is None:
            raise TrainingError(
                "The recipe has no table [search], so there is nothing to try; add one, such as "
                'one with "training.learning_rate" = {low = 1e-4, high = 1e-2, log = true}.'
            )
        self.folder = folder
        self.recipe = recipe
        self.space = recipe.search
        space = self.space.to_dict()
        del space["trials"]  # a search may be given more
        self.facts = {**facts, "recipe": self.fixed(), "search space": space}
        self.train = train
        self._stop = threading.Event()

    def run(
        self,
        trials: int | None = None,
        *,
        opened: Callable[[], None] | None = None,
        began: Callable[[int, Mapping[str, Any]], None] | None = None,
        tell: Progress | None = None,
        ended: Callable[[TrialResult], None] | None = None,
    ) -> list[TrialResult]:
        """Try values until there are as many trials as asked for, those of before included.

        Parameters
        ----------
        trials : int, optional
            By default as many as the recipe says.
        opened : callable, optional
            Called when the search is this process's alone, and may go on.
        began : callable, optional
            Called with the number and the values of each trial.
        tell : callable, optional
            Called with each line of a trial's progress.
        ended : callable, optional
            Called with each trial that has ended.

        Raises
        ------
        TrainingError
            If the recipe does not fit the method, the search was begun with another one or on
            other data, it is running already, or its journal is damaged.
        TrainingStopped
            If somebody stopped it; everything is kept.
        """
        wanted = trials or self.space.trials
        for values in self.space.ends():
            self.with_values(values)  # refuses what no trial could be begun with
        with (
            on_sigterm(self._stop.set, pass_on=False),
            open_study(self.folder, self.folder.name) as study,
        ):
            (self.folder / STOP_FILE).unlink(missing_ok=True)
            self._same(study)
            if opened is not None:
                opened()
            self._take_up(study)
            if not ended_trials(study):
                self._rehearse()
            while len(ended_trials(study)) < wanted:
                if self._asked_to_stop():
                    raise self._stopped(study, wanted)
                trial = self._ask(study)
                if began is not None:
                    began(len(ended_trials(study)), trial.params)
                try:
                    self._one(study, trial, tell)
                except (SubclustError, KeyboardInterrupt) as error:
                    trial.set_user_attr("stopped", True)
                    self._set_aside(study, study.get_trials(deepcopy=False)[trial.number])
                    if isinstance(error, TrainingStopped):
                        raise self._stopped(study, wanted) from error
                    raise
                if ended is not None:
                    ended(results(study)[-1])
            return results(study)

    def best(self, trials: Sequence[TrialResult]) -> TrialResult:
        """Return the best trial among those that were completed; the first of equal ones.

        Raises
        ------
        TrainingError
            If none was.
        """
        complete = [trial for trial in trials if trial.state == "complete"]
        if not complete:
            reason = next((trial.error for trial in reversed(trials) if trial.error), "")
            raise TrainingError("No trial finished; the last one failed: {reason}", reason=reason)
        return max(complete, key=lambda trial: (trial.ari or 0.0, -trial.number))

    def with_values(self, values: Mapping[str, Any]) -> Recipe:
        """Return the recipe with the values of a trial."""
        return self.recipe.with_values(values, where="The recipe's [search]")

    def fixed(self) -> dict[str, Any]:
        """Return the values of the recipe that all trials share."""
        tables = self.recipe.to_dict()
        for key in self.space.parameters:
            table, _, name = key.partition(".")
            tables[table].pop(name, None)
        return tables

    def _same(self, study: "Study") -> None:
        """Refuse to go on with another recipe or other data."""
        now = json.loads(json.dumps(self.facts))
        before = study.user_attrs.get("facts")
        if before is None or not study.get_trials(deepcopy=False):
            study.set_user_attr("facts", now)
            return
        for name, value in now.items():
            if before.get(name) != value:
                raise TrainingError(
                    "The {name} of the search {folder} differs from the one it was started "
                    "with; give the same again, or choose another name.",
                    name=name,
                    folder=self.folder.name,
                )

    def _rehearse(self) -> None:
        """Take one step at the ends of all ranges, so that what cannot work is refused at once."""

        def enough(line: Mapping[str, Any]) -> None:
            raise _SeenEnough

        folder = self.folder / "rehearsal"
        for values in self.space.ends():
            if self._asked_to_stop():
                return
            try:
                self.train(
                    "rehearsal",
                    self.with_values(values),
                    folder,
                    resume=False,
                    brief=True,
                    tell=enough,
                )
            except _SeenEnough:
                pass
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def _take_up(self, study: "Study") -> None:
        """Deal with what was running when the process died."""
        from optuna.trial import TrialState

        for trial in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
            self._set_aside(study, trial)
        # A process that was killed after telling the study has left the state of the run.
        for number in range(len(ended_trials(study))):
            remove_state(self._folder(number))

    def _set_aside(self, study: "Study", trial: "FrozenTrial") -> None:
        """Mark a trial as failed, and have the same one go on when the search does."""
        from optuna.trial import TrialState

        stopped = trial.user_attrs.get("stopped", False)
        deaths = 0 if stopped else trial.user_attrs.get("deaths", 0) + 1
        begun = set(trial.params) == set(self.space.parameters)  # else the same is drawn again
        # The process may have been killed between queueing the same trial again and marking this
        # one.
        already = any(
            other.user_attrs.get("again") == trial.number
            for other in study.get_trials(deepcopy=False)
        )
        done = "error" in trial.user_attrs or deaths > MOST_DEATHS
        if begun and not already and not done:
            kept = {
                "again": trial.number,
                "deaths": deaths,
                "validations": trial.user_attrs.get("validations", []),
            }
            study.enqueue_trial(trial.params, user_attrs=kept)
        study.tell(trial.number, state=TrialState.FAIL)

    def _ask(self, study: "Study") -> "Trial":
        import optuna

        n_ended = len(ended_trials(study))
        startup = self.space.startup_trials
        # Seeded anew for each trial: a killed process takes the state of its generator with it.
        seed = np.random.SeedSequence([self.recipe.training.seed, n_ended]).generate_state(1)
        study.sampler = optuna.samplers.TPESampler(n_startup_trials=startup, seed=int(seed[0]))
        study.pruner = optuna.pruners.MedianPruner(n_startup_trials=startup)
        return study.ask(
            {key: _distribution(value) for key, value in self.space.parameters.items()}
        )

    def _one(self, study: "Study", trial: "Trial", tell: Progress | None) -> None:
        """Train a trial to whatever end, and tell the study."""
        from optuna.trial import TrialState

        number = len(ended_trials(study))
        folder = self._folder(number)
        notes = Notes(trial)

        def follow(line: Mapping[str, Any]) -> None:
            worth_it = notes.take(line)
            if tell is not None:
                tell(line)
            # After its last step a trial is complete, whatever its score.
            if not worth_it and line["step"] < line["total"]:
                raise _Pruned
            if self._asked_to_stop():
                (folder / STOP_FILE).touch()

        resume = "again" in trial.user_attrs
        try:
            scores = self.train(
                f"trial-{number}",
                self.with_values(trial.params),
                folder,
                resume=resume,
                brief=False,
                tell=follow,
            )
        except _Pruned:
            notes.close()
            study.tell(trial, state=TrialState.PRUNED)
        except TrainingStopped:
            raise
        except TrainingError as error:
            notes.close()
            trial.set_user_attr("error", str(error))
            study.tell(trial, state=TrialState.FAIL)
        else:
            notes.close()
            study.tell(trial, notes.best(scores))
        remove_state(folder)

    def _folder(self, number: int) -> Path:
        return self.folder / f"trial-{number}"

    def _asked_to_stop(self) -> bool:
        return self._stop.is_set() or (self.folder / STOP_FILE).exists()

    def _stopped(self, study: "Study", wanted: int) -> TrainingStopped:
        return TrainingStopped(
            "The search was stopped after {count} of {wanted} trials; the same command resumes it.",
            count=len(ended_trials(study)),
            wanted=wanted,
        )


def _distribution(parameter: Range | Choices) -> "BaseDistribution":
    from optuna.distributions import (
        CategoricalDistribution,
        FloatDistribution,
        IntDistribution,
    )

    if isinstance(parameter, Choices):
        return CategoricalDistribution(parameter.choices)
    if isinstance(parameter.low, int) and isinstance(parameter.high, int):
        return IntDistribution(parameter.low, parameter.high, log=parameter.log)
    return FloatDistribution(parameter.low, parameter.high, log=parameter.log)
