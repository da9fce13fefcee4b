"""Gold subtopics from a language model: what it is asked, what it answers, and what that costs."""

from subclust.labelled.llm.answer import ParsedAnswer, parse_answer
from subclust.labelled.llm.cost import LabellingCost, estimate_cost
from subclust.labelled.llm.endpoint import ChatAnswer, ChatEndpoint
from subclust.labelled.llm.labeller import Labelled, LLMLabeller, from_settings
from subclust.labelled.llm.prompt import PROMPT, prompt_for
from subclust.labelled.llm.run import LabelRun, label_file

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
