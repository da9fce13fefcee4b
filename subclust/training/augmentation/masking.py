"""Random masking: some words of a text hidden from the encoder."""

from dataclasses import dataclass

from subclust.training.augmentation.lots import generator_of

MASK = "[MASK]"
"""As BERT's word pieces have it."""


@dataclass(frozen=True)
class RandomMasker:
    """Hides words of a text, always the same ones for the same text, seed and number.

    Source: Shi and Sakai, IEEE Access 2023, section IV-B.

    Parameters
    ----------
    share : float
        Of the words, above 0 and below 1; of two words or more at least one is hidden and one left.
    seed : int
    number : int
        Of the wording, where there are several of a text.
    """

    share: float
    seed: int = 0
    number: int = 0

    @property
    def name(self) -> str:
        """For the cache: changes whenever the wordings would."""
        return f"masked-{self.share:g}-{self.seed}-{self.number}"

    def augment(self, text: str) -> str:
        """Hide some words; a text of fewer than two stays as it is."""
        words = text.split()
        if len(words) < 2:
            return text
        n_hidden = min(max(1, round(self.share * len(words))), len(words) - 1)
        generator = generator_of(self.seed, f"{self.number}\n{text}")
        for position in generator.permutation(len(words))[:n_hidden]:
            words[position] = MASK
        return " ".join(words)
