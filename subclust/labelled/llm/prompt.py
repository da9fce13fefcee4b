"""What the language model is asked."""

from collections.abc import Sequence

PROMPT = (
    "Cluster these {things}:\n"
    "{texts}\n"
    "For each cluster, the answer should contain a meaningful cluster title and the {things} in "
    "that cluster. Do not provide any explanation."
)
"""Source: CACTUS (Context-Aware Clustering using Large Language Models), appendix A, whose things
are products."""


def on_one_line(text: str) -> str:
    """Write a text as the prompt has it: an entity is a line."""
    return " ".join(text.split())


def prompt_for(texts: Sequence[str], things: str = "products") -> str:
    """Ask for the clusters of one subset.

    Parameters
    ----------
    texts : sequence of str
        One a line.
    things : str
        What they are, in the plural.
    """
    return PROMPT.format(things=things, texts="\n".join(map(on_one_line, texts)))
