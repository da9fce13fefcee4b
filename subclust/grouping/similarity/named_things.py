"""The things that a question lists, such as those that it wants compared."""

import re
from collections.abc import Sequence

MOST = 12
"""Things that are read of one question."""

# The look-behinds start a run at its first character only; without them, time is quadratic.
_CLAUSES = re.compile(r"(?<![:;?!])[:;?!]+(?:\s|$)")
_JOINED = re.compile(r"(?<!\s)\s+(?:and|or|versus|vs\.?)\s+", re.IGNORECASE)
_AND = re.compile(r"^\s*(?:and|or)\s+", re.IGNORECASE)
_OTHERS = re.compile(r"(?<!\s)\s+and\s+(?:the\s+)?(?:others?|rest)\b", re.IGNORECASE)
_BEFORE = re.compile(
    r"^.*\b(?:between|about|such as|compare|contrast|separate|distinguish|differences? in)\s+",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?<!\s)\s+(?:across|apart|separately|from (?:each other|one another)|one by one|"
    r"(?:in|of|for) (?:each|all|every|them|the)|by (?:itself|themselves|country|topic))\b.*$",
    re.IGNORECASE,
)
_EMPTY = frozenset(
    "a an the of in on at by for from to with into among each every all both other others rest "
    "more ones one it its they them their this that these those is are was were be do does did "
    "have has what which who whom whose how why when where i we you me us please tell show list "
    "and or keep group sort split divide by want would like know everything anything separately "
    "apart respectively together differ differently at large in general".split()
)
"""Words that no listed thing begins or ends with, or consists of."""


def named_things(question: str) -> tuple[str, ...]:
    """Read the list in a question, in English.

    Parameters
    ----------
    question : str

    Returns
    -------
    tuple of str
        At least two things, each once and in order; none where the question lists nothing.

    Examples
    --------
    >>> named_things("differences between pens, ink and toner, and paper")
    ('pens', 'ink and toner', 'paper')
    >>> named_things("which method is it about?")
    ()
    """
    found = [_listed(clause) for clause in _CLAUSES.split(question)]
    longest = max(found, key=len)
    return tuple(longest[:MOST]) if len(longest) > 1 else ()


def _listed(clause: str) -> list[str]:
    told = [part for part in _OTHERS.sub("", clause).split(",") if _trimmed(part)]
    *parts, last = told or [""]
    if parts:
        # "pens, pencils and paper" ends in two things, "ink and toner, and paper" in one.
        alone = _AND.sub("", last)
        parts += [alone] if alone != last else _JOINED.split(last, maxsplit=1)
    else:
        joints = list(_JOINED.finditer(last))
        if not joints:
            return []
        middle = joints[(len(joints) - 1) // 2]
        parts = [last[: middle.start()], last[middle.end() :]]
    parts[0], parts[-1] = _BEFORE.sub("", parts[0]), _AFTER.sub("", parts[-1])
    return list(dict.fromkeys(thing for part in parts if (thing := _trimmed(part))))


def _trimmed(part: str) -> str:
    words: Sequence[str] = part.strip(" .\"'").split()
    while words and words[0].lower() in _EMPTY:
        words = words[1:]
    while words and words[-1].lower() in _EMPTY:
        words = words[:-1]
    return " ".join(words)
