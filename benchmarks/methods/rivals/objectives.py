"""The objective parts of the rivals' recipes."""

from dataclasses import dataclass

from subclust.training.recipe import check_rules


@dataclass(frozen=True)
class _Tuned:
    """What the three share.

    Parameters
    ----------
    tuned_layers, tuned_embeddings, cached_states, head_rate
        As for AECL: last layers of the encoder that learn, whether its word embeddings do, whether
        the hidden states below them are kept, and the multiple of the learning rate at which
        everything over the encoder learns.
    """

    tuned_layers: int = 0
    tuned_embeddings: bool = False
    cached_states: bool = False
    head_rate: float = 1.0

    def _rules(self) -> list[tuple[str, bool, str]]:
        return []

    def __post_init__(self) -> None:
        """Refuse values that cannot work."""
        rules = [
            ("tuned_layers", self.tuned_layers >= 0, "at least 0"),
            ("head_rate", self.head_rate > 0, "above 0"),
            *self._rules(),
        ]
        check_rules(self, rules)


@dataclass(frozen=True)
class SelfTrainObjective(_Tuned):
    """Self-Train: an autoencoder first, then its own sharpened assignments.

    Parameters
    ----------
    tuned_layers, tuned_embeddings, cached_states, head_rate
        As for AECL.
    pretraining : int
        Epochs of the autoencoder, at least 1; the others train on the assignments.
    """

    pretraining: int = 15

    def _rules(self) -> list[tuple[str, bool, str]]:
        return [("pretraining", self.pretraining >= 1, "at least 1")]


@dataclass(frozen=True)
class ScclObjective(_Tuned):
    """SCCL: the two losses at once.

    Parameters
    ----------
    tuned_layers, tuned_embeddings, cached_states, head_rate
        As for AECL.
    instance_weight : float
        Eta, at least 0.
    temperature : float
        Tau, above 0.
    freedom : float
        Alpha of Student's t, above 0.
    augmented_share : float
        Of a text's words that each wording changes, above 0 to 1.
    """

    instance_weight: float = 10.0
    temperature: float = 0.5
    freedom: float = 1.0
    augmented_share: float = 0.2

    def _rules(self) -> list[tuple[str, bool, str]]:
        return [
            ("instance_weight", self.instance_weight >= 0, "at least 0"),
            ("temperature", self.temperature > 0, "above 0"),
            ("freedom", self.freedom > 0, "above 0"),
            ("augmented_share", 0 < self.augmented_share <= 1, "above 0 and at most 1"),
        ]


@dataclass(frozen=True)
class RstcObjective(_Tuned):
    """RSTC: contrast first, then pseudo-labels by optimal transport as well.

    Parameters
    ----------
    tuned_layers, tuned_embeddings, cached_states, head_rate
        As for AECL.
    first_stage : int
        Epochs of the instance-level loss alone, at least 0.
    kmeans_epochs : int
        Epochs, at least 1, in which the pseudo-labels are those of k-means, before they come of the
        classifier's own assignments by transport: it must have learnt something by then.
    instance_weight : float
        Of the instance-level loss, at least 0.
    temperature : float
        Tau, above 0.
    smoothing : float
        Epsilon 1 of the transport, above 0.
    penalty : float
        Epsilon 2, above 0: the greater, the more equal the classes. The authors' program multiplies
        the potentials by 10 or 100 and takes 1 or 0.1, so that what counts is 0.1 for balanced,
        0.01 for slightly and 0.001 for heavily imbalanced collections.
    augmented_share : float
        Of a text's words that each wording changes, above 0 to 1.
    """

    first_stage: int = 0
    kmeans_epochs: int = 1
    instance_weight: float = 10.0
    temperature: float = 1.0
    smoothing: float = 0.1
    penalty: float = 0.1
    augmented_share: float = 0.1

    def _rules(self) -> list[tuple[str, bool, str]]:
        return [
            ("first_stage", self.first_stage >= 0, "at least 0"),
            ("kmeans_epochs", self.kmeans_epochs >= 1, "at least 1"),
            ("instance_weight", self.instance_weight >= 0, "at least 0"),
            ("temperature", self.temperature > 0, "above 0"),
            ("smoothing", self.smoothing > 0, "above 0"),
            ("penalty", self.penalty > 0, "above 0"),
            ("augmented_share", 0 < self.augmented_share <= 1, "above 0 and at most 1"),
        ]
