"""A run: teachers on folds, hit sets, the student, each a file that is made once."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from benchmarks.distilling.measuring import centred_cosine, encode, measure, scores
from benchmarks.distilling.networks import Network, layers_of, load
from benchmarks.distilling.passages import Ints, Passages, PassageSet, Steps
from benchmarks.distilling.texts import FOLDS, Pool, opened
from benchmarks.distilling.training import Plan, train
from subclust.checkpoints.rounding import rounded
from subclust.core.storage.disk import write_whole
from subclust.text.encoders import SentenceEncoder

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Recipe:
    """How teachers and student are trained.

    Parameters
    ----------
    teacher_rates : dict of str to float
        Rates of some encoders, by the name of their folder, in place of that of `teacher`.
    teacher_passages, student_passages : int
        Of a step.
    labelled, searched : float
        Shares of a student's passages that are labelled, and that were found among the training
        passages; the rest was found among the other documents.
    n_found : int
        Hit sets of each source.
    """

    teacher: Plan = field(default_factory=lambda: Plan(epochs=4, measures=4))
    student: Plan = field(default_factory=lambda: Plan(epochs=8, label_weight=0.2, measures=8))
    teacher_rates: Mapping[str, float] = field(default_factory=lambda: {"all-mpnet-base-v2": 8e-5})
    teacher_passages: int = 1024
    student_passages: int = 1024
    labelled: float = 0.56
    searched: float = 0.24
    n_found: int = 6000


@dataclass
class Run:
    """A run in a folder; each part is a file, and one that is there is read instead of made."""

    pool: Pool
    recipe: Recipe
    folder: Path
    device: str = "cpu"
    tell: Tell = print

    def distil(
        self, student: SentenceEncoder, teachers: Sequence[SentenceEncoder]
    ) -> dict[str, Any]:
        """Train all, and write the layers of the student to ``student.safetensors``.

        Parameters
        ----------
        teachers : sequence of SentenceEncoder
            None for a student that learns from the labels alone.

        Returns
        -------
        dict
            ``teachers``, ``together`` (the adjusted Rand index of their mean similarities) and
            ``student``.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        told = [self._teacher(encoder, fold) for encoder in teachers for fold in range(FOLDS)]
        vectors = [(self._vectors(f"{_file(e)}-{fold}"), fold)
                   for e in teachers for fold in range(FOLDS)]  # fmt: skip
        result: dict[str, Any] = {"teachers": told}
        if vectors:
            result["together"] = float(np.mean(self._together([v for v, _ in vectors])))
        result["student"] = self._student(student, teachers, vectors)
        return result

    def _teacher(self, encoder: SentenceEncoder, fold: int) -> dict[str, Any]:
        name = f"{_file(encoder)}-{fold}"
        if not (self.folder / f"{name}.json").is_file():
            network, passages = opened(encoder, self.pool.texts, self.device)
            kinds = {
                task: [one for one in sets if one.fold != fold]
                for task, sets in self.pool.training.items()
            }
            rate = self.recipe.teacher_rates.get(Path(encoder.name).name, self.recipe.teacher.rate)
            steps = Steps(
                kinds,
                _by_size(kinds, 1.0),
                passages.lengths,
                n_passages=self.recipe.teacher_passages,
                seed=self.recipe.teacher.seed + fold,
            )
            found = self._train(
                name, network, passages, steps, replace(self.recipe.teacher, rate=rate)
            )
            self._keep_vectors(name, network, passages)
            save_file(layers_of(network), self.folder / f"{name}.safetensors")
            self._keep(name, {"encoder": encoder.revision, "fold": fold, **found})
        return self._kept(name)

    def _student(
        self,
        encoder: SentenceEncoder,
        teachers: Sequence[SentenceEncoder],
        vectors: Sequence[tuple[Tensor, int]],
    ) -> dict[str, Any]:
        if not (self.folder / "student.json").is_file():
            network, passages = opened(encoder, self.pool.texts, self.device)
            kinds: dict[str, list[PassageSet]] = dict(self.pool.training)
            shares = _by_size(kinds, 1.0)
            if vectors:
                found = self._found(network, passages)
                shares = _by_size(kinds, self.recipe.labelled) | self._shares(found)
                kinds |= {f"found {source}": sets for source, sets in found.items()}
            same = [e for e in teachers if e.revision == encoder.revision]
            if same:  # it begins in the middle of the teachers of its kind
                parts = [load_file(self.folder / f"{_file(e)}-{fold}.safetensors")
                         for e in same for fold in range(FOLDS)]  # fmt: skip
                middle = {n: torch.stack([p[n] for p in parts]).mean(0) for n in parts[0]}
                load(network, middle)
            steps = Steps(
                kinds,
                shares,
                passages.lengths,
                n_passages=self.recipe.student_passages,
                seed=self.recipe.student.seed,
            )
            placed = [(v.to(self.device), fold) for v, fold in vectors]
            found_ = self._train("student", network, passages, steps, self.recipe.student, placed)
            layers = {
                name: torch.from_numpy(rounded(w.numpy()) if w.ndim == 2 else w.half().numpy())
                for name, w in layers_of(network).items()
            }
            load(network, {name: w.float() for name, w in layers.items()})
            each = measure(network, passages, self.pool.validation, self.recipe.student.tokens)
            save_file(layers, self.folder / "student.safetensors")
            told = {"ari_rounded": float(np.mean(each)), "per_query_rounded": each}
            self._keep("student", {"encoder": encoder.revision, **found_, **told})
        return self._kept("student")

    def _train(
        self,
        name: str,
        network: Network,
        passages: Passages,
        steps: Steps,
        plan: Plan,
        teachers: Sequence[tuple[Tensor, int]] = (),
    ) -> dict[str, Any]:
        return train(
            network,
            passages,
            steps,
            self.pool.validation,
            plan,
            teachers=teachers,
            state=self.folder / f"{name}.state",
            tell=lambda line: self.tell(f"{name}: {line}"),
        )

    def _found(self, network: Network, passages: Passages) -> dict[str, list[PassageSet]]:
        all_rows = np.arange(len(passages))
        vectors = encode(network, passages, all_rows, self.recipe.student.tokens)
        return found_sets(
            vectors, self.pool.searched, self.recipe.n_found, self.recipe.student.seed
        )

    def _shares(self, found: Mapping[str, Sequence[PassageSet]]) -> dict[str, float]:
        first = next(iter(found))
        others = {f"found {source}": sets for source, sets in found.items() if source != first}
        rest = 1 - self.recipe.labelled
        near = self.recipe.searched if others else rest
        return {f"found {first}": near} | _by_size(others, rest - near)

    def _together(self, vectors: Sequence[Tensor]) -> list[float]:
        arrays = [one.float().numpy() for one in vectors]
        means = [
            np.asarray(sum(centred_cosine(one[s.rows]) for one in arrays) / len(arrays))
            for s in self.pool.validation
        ]
        return scores(self.pool.validation, means)

    def _keep_vectors(self, name: str, network: Network, passages: Passages) -> None:
        vectors = encode(network, passages, np.arange(len(passages)), self.recipe.teacher.tokens)
        save_file({"vectors": vectors.half().cpu()}, self.folder / f"{name}-vectors.safetensors")

    def _vectors(self, name: str) -> Tensor:
        return load_file(self.folder / f"{name}-vectors.safetensors")["vectors"]

    def _keep(self, name: str, told: Mapping[str, Any]) -> None:
        write_whole(self.folder / f"{name}.json", json.dumps(told))
        (self.folder / f"{name}.state").unlink(missing_ok=True)

    def _kept(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / f"{name}.json").read_text())
        return found


def _file(encoder: SentenceEncoder) -> str:
    return Path(encoder.name).name


def _by_size(kinds: Mapping[str, Sequence[PassageSet]], share: float) -> dict[str, float]:
    """Divide a share among kinds of sets by their passages."""
    sizes = {name: sum(len(one.rows) for one in sets) for name, sets in kinds.items()}
    total = sum(sizes.values())
    return {name: share * size / total for name, size in sizes.items()}


N_NEAR, N_DRAWN = 80, 24
"""Nearest passages among which those of a hit set are drawn, and how many."""


def found_sets(
    vectors: Tensor, searched: Mapping[str, Sequence[Ints]], n_sets: int, seed: int
) -> dict[str, list[PassageSet]]:
    """Find hit sets as a search would: some of the texts nearest to one that is drawn.

    Parameters
    ----------
    vectors : Tensor of shape (n_texts, embedding_dim)
        Unit vectors by an encoder that was not tuned.
    searched : mapping of str to sequence of ndarray of shape (n_rows,)
        By source, the rows that are searched together.
    n_sets : int
        For each source, about.
    """
    random = np.random.default_rng([seed, 5])
    found: dict[str, list[PassageSet]] = {}
    for source, pools in searched.items():
        sets = found.setdefault(source, [])
        each = max(1, round(n_sets / len(pools)))
        for pool in pools:
            unit = vectors[torch.from_numpy(pool).to(vectors.device)].float()
            seeds = random.permutation(len(pool))[:each]
            for start in range(0, len(seeds), 256):
                at = torch.from_numpy(seeds[start : start + 256]).to(vectors.device)
                near = (unit[at] @ unit.T).topk(min(N_NEAR, len(pool)), dim=1).indices
                for row in near.cpu().numpy():
                    drawn = random.permutation(row)[:N_DRAWN]
                    rows = pool[np.sort(drawn)]
                    sets.append(PassageSet(rows, np.full(len(rows), -1)))
    return found
