"""What passages of one set are to be to each other, by their labels and by teachers."""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional


def centred(vectors: Tensor, sets: Tensor, n_sets: int) -> Tensor:
    """Return unit vectors from the middle of the passages of each set.

    Parameters
    ----------
    vectors : Tensor of shape (n_passages, embedding_dim)
    sets : Tensor of shape (n_passages,)
        Number of the set of each passage.
    """
    total = vectors.new_zeros(n_sets, vectors.shape[1]).index_add_(0, sets, vectors)
    count = vectors.new_zeros(n_sets).index_add_(0, sets, vectors.new_ones(len(sets)))
    return functional.normalize(vectors - (total / count.clamp(min=1)[:, None])[sets], dim=1)


def contrast(
    similarity: Tensor,
    sets: Tensor,
    labels: Tensor,
    taught: Tensor | None = None,
    *,
    temperature: float = 0.1,
    label_weight: float = 0.3,
    level: float = 2.0,
) -> Tensor:
    """Compute the cross entropy from what each passage should be near to what it is near.

    Each passage chooses among the others of its set, by the softmax of the similarities. It should
    choose alike those of its label (supervised contrastive loss: Khosla et al. 2020, equation 2)
    and as the teachers do (Hinton et al. 2015).

    Parameters
    ----------
    similarity : Tensor of shape (n_passages, n_passages)
    sets, labels : Tensor of shape (n_passages,)
        Labels are -1 where nobody gave one.
    taught : Tensor of shape (n_passages, n_passages), optional
        Similarities by the teachers; with none the labels alone count.
    temperature : float
        Above 0, of student and teachers.
    label_weight : float
        From 0 to 1, of the labels where there are teachers.
    level : float
        Weight of the squared difference from the teachers' similarities: the softmax does not see
        how near all of them are.

    Returns
    -------
    Tensor
        The mean of the passages to which labels or teachers say anything; never waited for.
    """
    same = sets[:, None] == sets[None]
    same = same & ~torch.eye(len(sets), dtype=torch.bool, device=sets.device)
    positive = same & (labels[:, None] == labels[None]) & (labels >= 0)[:, None]
    # A passage whose set has one label, or that is alone with its own, learns nothing from it.
    says = positive.any(1) & (same & ~positive).any(1)
    wanted = positive.float() / positive.sum(1, keepdim=True).clamp(min=1)
    anchors = says
    if taught is not None:
        soft = torch.softmax((taught / temperature).masked_fill(~same, -1e4), 1)
        weight = torch.where(says, label_weight, 0.0)[:, None]
        wanted = weight * wanted + (1 - weight) * soft
        anchors = same.any(1)
    chosen = torch.log_softmax((similarity / temperature).masked_fill(~same, -1e4), 1)
    entropy = -(wanted * chosen).masked_fill(~same, 0).sum(1)
    loss = (entropy * anchors).sum() / anchors.sum().clamp(min=1)
    if taught is not None and level:
        squares = ((similarity - taught) ** 2).masked_fill(~same, 0).sum(1)
        loss = loss + level * (squares / same.sum(1).clamp(min=1)).mean()
    return loss


def taught_similarity(
    teachers: Sequence[tuple[Tensor, int]],
    rows: Tensor,
    sets: Tensor,
    folds: Tensor,
) -> Tensor:
    """Return the mean of the centred similarities by the teachers that have not seen a set.

    Parameters
    ----------
    teachers : sequence of (Tensor of shape (n_texts, embedding_dim), int)
        Unit vectors of all texts, and the fold that the teacher was not trained on; -1 for one
        that counts everywhere.
    rows, sets : Tensor of shape (n_passages,)
    folds : Tensor of shape (n_sets,)
        Of each set, -1 where no teacher has seen it: then all count.
    """
    total = torch.zeros(len(rows), len(rows), device=rows.device)
    weight = torch.zeros(len(folds), device=rows.device)
    for vectors, fold in teachers:
        counts = ((folds == fold) | (folds == -1) | (fold == -1)).float()
        unit = centred(vectors[rows].float(), sets, len(folds))
        total += (unit @ unit.T) * counts[sets][:, None]
        weight += counts
    return total / weight.clamp(min=1)[sets][:, None]
