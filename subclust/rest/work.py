"""``/jobs``, ``/trainings`` and ``/models``: work in the background, and what it trains."""

import re
from pathlib import Path
from typing import Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from subclust.api.planning import plan_training, refuse_taken, trained_method
from subclust.checkpoints import CheckpointStore
from subclust.checkpoints.promoting import promote_checkpoint
from subclust.checkpoints.summary import summarise
from subclust.core.access import acting
from subclust.core.exceptions import InputError
from subclust.core.settings import Settings
from subclust.deleting import models_needed
from subclust.deleting.removal import delete_model
from subclust.jobs import job_queue
from subclust.jobs.view import job_view, job_views
from subclust.judging.own_sets import find_recipe
from subclust.judging.tasks import provenance
from subclust.labelled.sets import SET_PREFIX
from subclust.methods import METHODS, find_method, load_method
from subclust.rest import schema
from subclust.rest.identity import takes
from subclust.rest.paging import Paged
from subclust.rest.submitting import submit
from subclust.text.encoders import shared_encoder
from subclust.training.recipe import Recipe


class Training(BaseModel):
    """A method to train, and the labelled sets to train it on."""

    model_config = ConfigDict(extra="forbid")

    method: str = Field(description="One that learns; see `GET /methods`.")
    name: str = Field(description="Of the model.")
    data: list[str] = Field(
        min_length=1, description="Labelled sets of `GET /sets`, as NAME or NAME@VERSION."
    )
    validation: str | None = Field(None, description="A labelled set whose queries are held out.")
    base: str | None = Field(None, description="A model to start from.")
    recipe: str | None = Field(None, description="One that ships, such as `qs3m.toml`.")
    set: list[str] = Field(default=[], description="Values of the recipe, such as `epochs=2`.")
    judge: bool = Field(True, description="Compare it with what it started from afterwards.")
    folds: int | None = Field(None, description="For few queries: judge by so many further models.")


class Promotion(BaseModel):
    """Why a model is put in use."""

    model_config = ConfigDict(extra="forbid")

    as_default: bool = Field(False, description="Make its method the default method, too.")
    reason: str | None = Field(
        None, description="Needed where held-out queries do not show that it is better."
    )


def routes(settings: Settings) -> APIRouter:
    """Return the addresses of jobs, trainings and models."""
    router = APIRouter()
    for part in (_jobs, _trainings, _models):
        router.include_router(part(settings))
    return router


def _jobs(settings: Settings) -> APIRouter:
    router = APIRouter(tags=["Jobs"])

    @router.get("/jobs", response_model=schema.Jobs)
    def jobs(page: Paged) -> Any:
        """List the jobs."""
        queue = job_queue(settings)
        queue.advance()
        views, following = page.cut(job_views(queue.store, queue.launcher))
        return {"jobs": [view.to_dict() for view in views], "next": following}

    def job_shown(id: str) -> dict[str, Any]:
        queue = job_queue(settings)
        queue.advance()
        return job_view(queue.store, id, queue.launcher).to_dict(curves=True)

    @router.get("/jobs/{id}", response_model=schema.Job)
    def job(id: str) -> Any:
        """Say how far a job is."""
        return job_shown(id)

    @router.get("/jobs/{id}/log")
    def log(id: str, lines: int = Query(40, ge=1, le=1000)) -> dict[str, Any]:
        """Return the last lines of what a job said."""
        queue = job_queue(settings)
        return {"id": id, "log": job_view(queue.store, id, queue.launcher).log_tail(lines)}

    @router.post("/jobs/{id}/{action}", response_model=schema.Job, dependencies=[takes("job")])
    def change(id: str, action: Literal["cancel", "pause", "resume"]) -> Any:
        """Have a job stop, stop for a while, or go on."""
        queue = job_queue(settings)
        if action == "resume":
            queue.resume(id)
        else:
            queue.cancel(id, pause=action == "pause")
        return job_shown(id)

    @router.delete("/jobs/{id}", status_code=204, dependencies=[takes("job")])
    def remove(id: str) -> None:
        """Forget a job that has ended, with its log."""
        job_queue(settings).remove(id)

    return router


def _trainings(settings: Settings) -> APIRouter:
    router = APIRouter(tags=["Training"])

    @router.post(
        "/trainings",
        status_code=202,
        dependencies=[takes("job")],
        response_model=schema.Submitted,
    )
    def train(asked: Training, response: Response) -> Any:
        """Train a method in the background."""
        store = CheckpointStore.of(settings)
        trained_method(asked.method, store)
        data = [_pinned(one, settings) for one in asked.data]
        validation = _pinned(asked.validation, settings) if asked.validation else None
        recipe = Recipe.read(_shipped_recipe(asked.recipe)) if asked.recipe else Recipe()
        planned = plan_training(
            asked.method,
            asked.name,
            recipe.with_settings(asked.set),
            store,
            base=asked.base,
            validation=validation,
            folds=asked.folds,
            judge=asked.judge,
        )
        refuse_taken(planned, store)
        # With "=", a value that begins with "-" is not taken for another option.
        words = ["train", planned.card.name, f"--name={planned.name}"]
        words += [f"--data={one}" for one in data]
        words += [f"--validation={validation}"] if validation else []
        words += [f"--base={asked.base}"] if asked.base else []
        words += [f"--recipe={asked.recipe}"] if asked.recipe else []
        words += [f"--set={one}" for one in asked.set]
        words += ["--judge"] if asked.judge else []
        words += [f"--folds={asked.folds}"] if asked.folds else []
        first = provenance(data[0], settings)
        return submit(
            settings,
            response,
            words,
            kind="train",
            title=f"{planned.card.name}/{planned.name}",
            data={"set": first["set"], "version": first["version"]},
        )

    return router


def _models(settings: Settings) -> APIRouter:
    router = APIRouter(tags=["Models"])

    @router.get("/models", response_model=schema.Models)
    def models(page: Paged) -> Any:
        """List the trained models."""
        store = CheckpointStore.of(settings)
        names = [(method, name) for method in METHODS for name in store.names(method)]
        shown, following = page.cut(names)
        rows = [summarise(store, *one).to_dict() for one in shown]
        return {"models": rows, "next": following}

    @router.get("/models/{method}/{name}")
    def model(method: str, name: str) -> dict[str, Any]:
        """Say what a model was trained on and how it scores, as `models show --json` does."""
        store = CheckpointStore.of(settings)
        checkpoint = store.load(find_method(method, store).name, name)
        summary = summarise(store, checkpoint.method, checkpoint.name)
        needed = models_needed(settings)
        return {
            "config": checkpoint.config,
            "card": checkpoint.card,
            "summary": summary.to_dict(),
            "protected": store.protected(checkpoint.method, checkpoint.name, needed),
        }

    @router.post("/models/{method}/{name}/promote", dependencies=[takes("model")])
    def promote(method: str, name: str, why: Promotion) -> dict[str, Any]:
        """Put a model in use."""
        store = CheckpointStore.of(settings)
        card = find_method(method, store)
        # A model that cannot be loaded here must not be put in use.
        load_method(card.name, store, shared_encoder(settings), name)
        promote_checkpoint(
            store,
            card.name,
            name,
            as_default=why.as_default,
            who=acting().name or None,
            reason=why.reason,
        )
        return {"method": card.name, "promoted": name}

    @router.delete("/models/{method}/{name}", status_code=204, dependencies=[takes("model")])
    def delete(method: str, name: str) -> None:
        """Move a model to the bin."""
        store = CheckpointStore.of(settings)
        delete_model(settings, find_method(method, store).name, name)

    return router


def _pinned(name: str, settings: Settings) -> str:
    """Return the reference of a labelled set in the version of now; files are none."""
    fact = provenance(f"{SET_PREFIX}{name.removeprefix(SET_PREFIX)}", settings)
    return f"{SET_PREFIX}{fact['set']}@{fact['version']}"


def _shipped_recipe(name: str) -> Path:
    # A path would let whoever may train read other files of the server.
    if not re.fullmatch(r"[\w-]+\.toml", name):
        raise InputError("{name!r} is no recipe that ships; give its name.", name=name)
    return find_recipe(name)
