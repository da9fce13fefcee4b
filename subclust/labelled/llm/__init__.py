"""Gold subtopics from a language model: what it is asked, what it answers, and what that costs."""

from subclust.labelled.llm.answer import parse_answer, prompt_for
from subclust.labelled.llm.endpoint import ChatAnswer, ChatEndpoint
from subclust.labelled.llm.labeller import (
    LabelRun,
    LLMLabeller,
    estimate_cost,
    from_settings,
    label_file,
)

__all__ = [
    "ChatAnswer",
    "ChatEndpoint",
    "LLMLabeller",
    "LabelRun",
    "estimate_cost",
    "from_settings",
    "label_file",
    "parse_answer",
    "prompt_for",
]
