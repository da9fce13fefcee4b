"""The objective part of AECL's recipes, its three stages, and their losses (Algorithm 1)."""

from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from subclust.core.messages import N_
from subclust.training.recipe import check_rules

Imbalance = Literal["balanced", "slight", "heavy"]

BALANCE_WEIGHTS: dict[Imbalance, float] = {"balanced": 10.0, "slight": 0.18, "heavy": 0.09}
"""Lambda 4 by how unequal the groups are taken to be (section 4.9)."""

LARGE, MEDIUM = 15_000, 5_000
"""Texts from which a collection counts as large or medium; the paper names only its data sets,
of 20,000, of 8,000 to 12,340, and of 2,472 texts (section 4.10)."""

_MANY_CLUSTERS = 50
"""From which there are many categories; the paper's sets have at most 20, or at least 89."""

_BY_SIZE = -1
"""As a stage's number of epochs: what the paper takes for such a collection."""


@dataclass(frozen=True)
class AeclObjective:
    """AECL's losses, their weights and stages.

    Parameters
    ----------
    tuned_layers : int
        Last layers of the encoder that learn; 0 trains on cached embeddings.
    tuned_embeddings : bool
        Whether the word embeddings learn too; only where all layers do, as in the paper.
    cached_states : bool
        Whether the hidden states below them are kept on disk.
    head_rate : float
        Multiple of the learning rate at which the networks over the encoder learn, above 0; the
        paper's is 100, with a learning rate of 5e-6.
    first_stage, second_stage : int
        Epochs of the first two stages, E1 and E2; 0 leaves a stage out (table 4), -1 takes the
        paper's for the size of the collection and the number of groups.
    imbalance : {"balanced", "slight", "heavy"}
        How unequal the groups are taken to be.
    instance_weight, pseudo_label_weight, entropy_weight : float
        Lambda 1 to 3, at least 0. Without pseudo-labels (table 5, "No PG") the second of them is 0;
        without the entropy (table 5, "No RC") the third.
    balance_weight : float
        Lambda 4, at least 0; -1 for the paper's at this imbalance.
    instance_temperature, cluster_temperature : float
        Tau, above 0.
    threshold : float
        Above which a text's own prediction counts as its label, 0 to 1.
    guided : bool
        Whether texts of one predicted cluster are positives (equation 7); false is table 3,
        "No IC".
    itself : bool
        Whether a text is one of its own positives, as equation 7 has it.
    augmented_share : float
        Of a text's words that its augmentation changes, above 0 to 1; a fifth in Twin contrastive
        learning (Li et al., 2022), to whose settings section 3.3 refers.
    n_neighbors, n_steps : int
        Nearest neighbours with which a text's vector is averaged before k-means makes the
        pseudo-labels of the second stage, at least 1, and how often, at least 0; the paper's
        k-means where it is 0.
    """

    tuned_layers: int = 0
    tuned_embeddings: bool = False
    cached_states: bool = False
    head_rate: float = 1.0
    first_stage: int = _BY_SIZE
    second_stage: int = _BY_SIZE
    imbalance: Imbalance = "balanced"
    instance_weight: float = 10.0
    pseudo_label_weight: float = 5.0
    entropy_weight: float = 0.01
    balance_weight: float = -1.0
    instance_temperature: float = 1.0
    cluster_temperature: float = 0.5
    threshold: float = 0.95
    guided: bool = True
    itself: bool = True
    augmented_share: float = 0.2
    n_neighbors: int = 15
    n_steps: int = 4

    def __post_init__(self) -> None:
        """Reject values that cannot work."""
        rules = [
            ("tuned_layers", self.tuned_layers >= 0, N_("at least 0")),
            ("head_rate", self.head_rate > 0, N_("above 0")),
            ("first_stage", self.first_stage >= _BY_SIZE, N_("at least 0, or -1")),
            ("second_stage", self.second_stage >= _BY_SIZE, N_("at least 0, or -1")),
            ("instance_weight", self.instance_weight >= 0, N_("at least 0")),
            ("pseudo_label_weight", self.pseudo_label_weight >= 0, N_("at least 0")),
            ("entropy_weight", self.entropy_weight >= 0, N_("at least 0")),
            (
                "balance_weight",
                self.balance_weight >= 0 or self.balance_weight == -1,
                N_("at least 0"),
            ),
            ("instance_temperature", self.instance_temperature > 0, N_("above 0")),
            ("cluster_temperature", self.cluster_temperature > 0, N_("above 0")),
            ("threshold", 0 <= self.threshold <= 1, N_("between 0 and 1")),
            ("augmented_share", 0 < self.augmented_share <= 1, N_("above 0 and at most 1")),
            ("n_neighbors", self.n_neighbors >= 1, N_("at least 1")),
            ("n_steps", self.n_steps >= 0, N_("at least 0")),
        ]
        check_rules(self, rules)

    @property
    def lambda_4(self) -> float:
        """The weight of the balance between groups."""
        given = self.balance_weight
        return BALANCE_WEIGHTS[self.imbalance] if given < 0 else given


def first_epochs(objective: AeclObjective, n_texts: int) -> int:
    """Return E1: the fewer texts, the longer (section 4.10)."""
    if objective.first_stage != _BY_SIZE:
        return objective.first_stage
    return 2 if n_texts >= LARGE else 10 if n_texts >= MEDIUM else 20


def second_epochs(objective: AeclObjective, n_texts: int, n_clusters: int) -> int:
    """Return E2: longer for many groups, and for many groups of few texts (section 4.10)."""
    if objective.second_stage != _BY_SIZE:
        return objective.second_stage
    if n_clusters < _MANY_CLUSTERS:
        return 1
    return 6 if n_texts >= MEDIUM else 10


def stage_of(epoch: int, first: int, second: int) -> Literal[1, 2, 3]:
    """Return the stage of an epoch, counted from 0 (Algorithm 1)."""
    return 1 if epoch < first else 2 if epoch < first + second else 3


def second_stage_loss(instance: Tensor, pseudo_label: Tensor, objective: AeclObjective) -> Tensor:
    r"""Weigh the losses of the second stage (equation 14).

    .. math:: L = \lambda_1 L_I + \lambda_2 L_P
    """
    return objective.instance_weight * instance + objective.pseudo_label_weight * pseudo_label


def third_stage_loss(
    cluster: Tensor,
    instance: Tensor,
    pseudo_label: Tensor,
    assignment_entropy: Tensor,
    mean_entropy: Tensor,
    objective: AeclObjective,
) -> Tensor:
    r"""Weigh the losses of the third stage (equation 15).

    .. math:: L = L_C + \lambda_1 L_I + \lambda_2 L_P - \lambda_3 L_{E1} - \lambda_4 L_{E2}

    The paper prints both entropies with a plus. Lowering :math:`L_{E2}` would put all texts into
    one cluster and lowering :math:`L_{E1}` make rows one-hot, which are the two things that these
    terms are there to prevent, as the text says; the authors' program takes them away, as here.
    """
    return (
        cluster
        + objective.instance_weight * instance
        + objective.pseudo_label_weight * pseudo_label
        - objective.entropy_weight * assignment_entropy
        - objective.lambda_4 * mean_entropy
    )
