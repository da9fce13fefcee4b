"""Judge a trained model on held-out queries, beside what it started from and what learns nothing.

Which queries are judged matters: those of a run's test part took no part in training; its
validation queries decided when training stopped and where groups are cut, which favours the new
model a little. `Judgement.part` and its sentence say which they were.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.core.exceptions import InputError
from subclust.core.messages import N_, Message
from subclust.core.records import ClusteringInstance
from subclust.core.settings import Settings
from subclust.evaluation.clustering_evaluator import ClusteringEvaluator
from subclust.grouping.clustering.base import MAX_PAIRWISE
from subclust.judging.bench import Granularity, Progress, embed, embed_queries, trained_context
from subclust.judging.record import (
    MEASURES,
    Comparison,
    JudgedMethod,
    JudgedQuery,
    Judgement,
    Part,
    Role,
)
from subclust.judging.rivals import BASELINE, find_rivals, name_of, notes_on
from subclust.judging.verdict import (
    FEWEST_QUERIES,
    compare_queries,
    queries_needed,
    say_verdict,
    signed,
)
from subclust.methods import LoadedMethod, load_trained, standalone
from subclust.text.encoders import Encoder, load_encoder

__all__ = [
    "BASELINE",
    "FEWEST_QUERIES",
    "JUDGEMENT_FILE",
    "MEASURES",
    "Comparison",
    "JudgedMethod",
    "JudgedQuery",
    "Judgement",
    "judge_checkpoint",
    "judge_parts",
]

JUDGEMENT_FILE = "judgement.json"
"""In the folder of the run."""

_BESIDE_DEFAULT = {
    "better": N_(
        "The model in use is {default}; {own} groups better than that one, too ({difference})."
    ),
    "worse": N_("The model in use is {default}; {own} groups worse than that one ({difference})."),
    "unclear": N_(
        "The model in use is {default}; {own} is not clearly different from it ({difference})."
    ),
}


def judge_checkpoint(
    checkpoint: Checkpoint | str,
    instances: Sequence[ClusteringInstance],
    *,
    settings: Settings,
    base: str | None = None,
    part: Part = "given",
    data: Sequence[Mapping[str, Any]] = (),
    granularity: Granularity | None = None,
    store: CheckpointStore | None = None,
    encoder: Encoder | None = None,
    progress: Progress | None = None,
) -> Judgement:
    """Compare a trained model with its base and with centred cosine.

    Parameters
    ----------
    checkpoint : Checkpoint or str
        One that need not have been saved yet, or the ``METHOD/NAME`` of one that was.
    instances : sequence of ClusteringInstance
        Labelled queries on which it was not trained; at least one.
    base : str, optional
        ``METHOD/NAME``, the name of another checkpoint of the method, or a method without one. By
        default what the checkpoint started from; else what its method uses now; else the default
        method; else centred cosine.
    part : {"test", "validation", "folds", "given"}
        What the queries were in training.
    data : sequence of mappings
        ``name`` and ``sha256`` of the files that they come from.
    granularity : {"flat", "hierarchical"}, optional
        Of the gold subtopics; by default the one it was trained for.
    store : CheckpointStore, optional
        Where the others are read from; by default that of the settings.
    encoder : Encoder, optional
        The base encoder; by default that of the settings.
    progress : callable, optional
        Called as ``progress(name, n_done, n_total)`` while a method groups the queries.

    Raises
    ------
    InputError
        If there are no queries, one has a passage without a subtopic, or the base is the
        checkpoint itself.
    CheckpointError
        If a checkpoint is missing, damaged, or was trained over another encoder.
    """
    store = store or CheckpointStore.of(settings)
    saved = isinstance(checkpoint, str)
    if isinstance(checkpoint, str):
        method, _, name = checkpoint.partition("/")
        checkpoint = store.load(method, name or None)
    return judge_parts(
        checkpoint,
        [(checkpoint, instances)],
        store=store,
        encoder=encoder or load_encoder(settings),
        base=base,
        part=part,
        data=data,
        granularity=granularity,
        saved=saved,
        progress=progress,
    )


_NO_NUMBERS = N_(
    "Some question has more than {count:,} passages, so no method chose its own number of groups."
)


def judge_parts(
    checkpoint: Checkpoint,
    parts: Sequence[tuple[Checkpoint, Sequence[ClusteringInstance]]],
    *,
    store: CheckpointStore,
    encoder: Encoder,
    base: str | None = None,
    part: Part = "folds",
    data: Sequence[Mapping[str, Any]] = (),
    granularity: Granularity | None = None,
    saved: bool = False,
    progress: Progress | None = None,
) -> Judgement:
    """Judge a model by several, each on queries of its own, as cross-validation does.

    Parameters
    ----------
    checkpoint : Checkpoint
        That the judgement is about.
    parts : sequence of (Checkpoint, sequence of ClusteringInstance)
        Models trained as it was, and the queries on which each was not trained; their scores are
        pooled.
    encoder : Encoder
        The base encoder.
    base, part, data, granularity, progress
        As for `judge_checkpoint`.
    saved : bool
        Whether the store's checkpoint of that name is this one, and not one that it replaces.

    Raises
    ------
    InputError, CheckpointError
        As `judge_checkpoint` does.
    """
    started = time.perf_counter()
    instances = [instance for _, members in parts for instance in members]
    if not instances:
        raise InputError("There are no labelled questions to judge on; give some with --data.")
    level = granularity or _trained_granularity(checkpoint)
    rivals = find_rivals(checkpoint, base, store, encoder, saved=saved)
    automatic = max(len(instance.passages) for instance in instances) <= MAX_PAIRWISE
    own = name_of(checkpoint)

    def measure(model: LoadedMethod, members: Sequence[ClusteringInstance], name: str) -> _Measured:
        tell = None if progress is None else lambda n, total: progress(name, n, total)
        return _Measured.of(model, members, name, level, automatic=automatic, progress=tell)

    scored = [
        measure(load_trained(standalone(model, store), encoder), members, own)
        for model, members in parts
        if members
    ]
    measured = _beside_rivals(measure, _pooled(scored), rivals, instances)
    comparisons = _compare(measured)
    first = comparisons[0]
    needed = _queries_needed(measured) if first.verdict == "unclear" else None
    other = measured["base"].name
    notes = notes_on(checkpoint, rivals["base"], part, data)
    notes += _notes_on_measuring(comparisons, measured, automatic=automatic)
    return Judgement(
        checkpoint=own,
        base=other,
        part=part,
        granularity=level,
        verdict=first.verdict,
        sentence=say_verdict(
            first, new=own, other=other, part=part, n_queries=len(instances), needed=needed
        ),
        notes=tuple(notes),
        queries_needed=needed,
        methods=tuple(
            JudgedMethod(role, found.name, found.means()) for role, found in measured.items()
        ),
        comparisons=comparisons,
        queries=_judged_queries(instances, level, measured),
        data=tuple(
            {key: str(file[key]) for key in ("name", "sha256") if key in file} for file in data
        ),
        seconds=round(time.perf_counter() - started, 2),
    )


def _beside_rivals(
    measure: Callable[[LoadedMethod, Sequence[ClusteringInstance], str], "_Measured"],
    own: "_Measured",
    rivals: Mapping[Role, LoadedMethod],
    instances: Sequence[ClusteringInstance],
) -> dict[Role, "_Measured"]:
    """Measure each rival once on all queries, beside what was measured of the model."""
    measured: dict[Role, _Measured] = {"new": own}
    for role, rival in rivals.items():
        before = next((r for r in measured if r in rivals and rivals[r] is rival), None)
        measured[role] = (
            measure(rival, instances, name_of(rival)) if before is None else measured[before]
        )
    return measured


def _notes_on_measuring(
    comparisons: tuple[Comparison, ...], measured: Mapping[Role, "_Measured"], *, automatic: bool
) -> list[Message]:
    notes = []
    if "default" in measured:
        own, default = measured["new"].name, measured["default"].name
        notes.append(_beside_default(comparisons, own, default))
    if not automatic:
        notes.append(Message(_NO_NUMBERS, count=MAX_PAIRWISE))
    return notes


def _queries_needed(measured: Mapping[Role, "_Measured"]) -> int | None:
    pairs = zip(measured["new"].column("ari"), measured["base"].column("ari"), strict=True)
    return queries_needed([mine - theirs for mine, theirs in pairs])


def _judged_queries(
    instances: Sequence[ClusteringInstance],
    level: Granularity,
    measured: Mapping[Role, "_Measured"],
) -> tuple[JudgedQuery, ...]:
    return tuple(
        JudgedQuery(
            instance.query.text,
            len(instance.passages),
            len(set(instance.gold(level))),
            {role: found.scores[place] for role, found in measured.items()},
            {role: found.chosen[place] for role, found in measured.items()},
        )
        for place, instance in enumerate(instances)
    )


@dataclass(frozen=True)
class _Measured:
    """What one method scored, query by query."""

    name: str
    scores: tuple[Mapping[str, float | None], ...]
    chosen: tuple[int | None, ...]

    @classmethod
    def of(
        cls,
        method: LoadedMethod,
        instances: Sequence[ClusteringInstance],
        name: str,
        granularity: Granularity,
        *,
        automatic: bool,
        progress: Callable[[int, int], None] | None,
    ) -> Self:
        embeddings = embed(instances, method.encoder)
        method.clusterer.max_other = 0.0
        result = ClusteringEvaluator(granularity, metrics=("ari", "ami")).evaluate(
            method.clusterer,
            instances,
            queries=embed_queries(instances, embeddings, method, trained_context(method)),
            embeddings=embeddings,
            automatic=automatic,
            progress=progress,
        )
        rows: list[dict[str, float | None]] = [dict.fromkeys(MEASURES) for _ in instances]
        parts = [("", result.true_k), ("auto_", result.auto_k)]
        for prefix, scores in parts:
            for metric in ("ari", "ami") if scores is not None else ():
                assert scores is not None
                for row, value in zip(rows, scores.metrics[metric].per_instance, strict=True):
                    row[prefix + metric] = round(value, 6)
        found = result.auto_k.n_clusters if result.auto_k is not None else None
        return cls(name, tuple(rows), found or (None,) * len(instances))

    def column(self, measure: str) -> list[float]:
        """Return one measure, query by query; empty where it was not taken."""
        return [value for row in self.scores if (value := row[measure]) is not None]

    def means(self) -> dict[str, float | None]:
        """Average each measure over the queries."""
        columns = {measure: self.column(measure) for measure in MEASURES}
        return {
            measure: round(sum(values) / len(values), 6) if values else None
            for measure, values in columns.items()
        }


def _pooled(parts: Sequence[_Measured]) -> _Measured:
    return _Measured(
        parts[0].name,
        tuple(row for part in parts for row in part.scores),
        tuple(number for part in parts for number in part.chosen),
    )


def _compare(measured: Mapping[Role, _Measured]) -> tuple[Comparison, ...]:
    new = measured["new"]
    return tuple(
        compare_queries(new.column(name), other.column(name), against=role, measure=name)
        for role, other in measured.items()
        if role != "new"
        for name in MEASURES
        if new.column(name)
    )


def _beside_default(comparisons: Sequence[Comparison], own: str, default: str) -> Message:
    row = next(row for row in comparisons if row.against == "default")
    return Message(
        _BESIDE_DEFAULT[row.verdict],
        default=default,
        own=own,
        difference=signed(row.mean_difference),
    )


def _trained_granularity(checkpoint: Checkpoint) -> Granularity:
    given = checkpoint.card.get("training", {}).get("granularity")
    return "hierarchical" if given == "hierarchical" else "flat"
