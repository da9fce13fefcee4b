"""How a model groups questions that it was not trained for, beside the one that is in use."""

from subclust.checkpoints import CheckpointStore
from subclust.core.settings import Settings
from subclust.judging.judgement import judge_checkpoint
from subclust.judging.record import Judgement
from subclust.judging.tasks import load_task
from subclust.text.encoders import Encoder

N_QUESTIONS = 24
"""The shortest articles of the demo, which take seconds."""


def judge_on_other_questions(
    checkpoint: str, base: str, settings: Settings, store: CheckpointStore, encoder: Encoder
) -> Judgement:
    """Compare two models on labelled questions that are installed with Subclust.

    They are Wikipedia's articles of the demo, which no shipped model was trained on: a title asks,
    and its sections are the subtopics.

    Parameters
    ----------
    checkpoint, base : str
        ``METHOD/NAME`` of each.
    encoder : Encoder
        The base encoder.

    Raises
    ------
    SubclustError
        If a model cannot be used here, or the articles are not installed.
    """
    _, articles = load_task("demo", settings)
    shortest = sorted(articles, key=lambda one: len(one.passages))[:N_QUESTIONS]
    return judge_checkpoint(
        checkpoint, shortest, settings=settings, base=base, store=store, encoder=encoder
    )
