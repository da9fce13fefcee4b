"""Gold subtopics from a language model: what it is asked, what it answers, and what that costs."""

from subclust.training.llm_labels.answer import ParsedAnswer, parse_answer
from subclust.training.llm_labels.cost import LabellingCost, estimate_cost
from subclust.training.llm_labels.endpoint import ChatAnswer, ChatEndpoint
from subclust.training.llm_labels.labeller import Labelled, LLMLabeller, from_settings
from subclust.training.llm_labels.prompt import PROMPT, prompt_for
from subclust.training.llm_labels.run import LabelRun, label_file

__all__ = [
    "PROMPT",
    "ChatAnswer",
    "ChatEndpoint",
    "LLMLabeller",
    "LabelRun",
    "Labelled",
    "LabellingCost",
    "ParsedAnswer",
    "estimate_cost",
    "from_settings",
    "label_file",
    "parse_answer",
    "prompt_for",
]
