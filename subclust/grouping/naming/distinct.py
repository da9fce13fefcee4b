"""From phrases to a readable name that no other group of the map has."""

from collections.abc import Sequence, Set
from itertools import count

from subclust.core.records import OTHER_PASSAGES_NAME

RESERVED: frozenset[str] = frozenset({OTHER_PASSAGES_NAME.casefold()})
"""Names, case-folded, that no group may have."""


def join_phrases(phrases: Sequence[str]) -> str:
    """Write phrases as one name with a capital first: "Stamp Act, taxation" as found in the text.

    A first word with a capital further inside, such as "pH", is left alone.
    """
    name = ", ".join(phrases)
    first = name.split(" ", 1)[0]
    return name[:1].upper() + name[1:] if first == first.lower() else name


def distinct_name(phrases: Sequence[str], n_wanted: int, taken: Set[str]) -> str:
    """Build a name from the best phrases that is not taken.

    Parameters
    ----------
    phrases : sequence of str
        Candidates, best first, at least one.
    n_wanted : int
        How many of them make the name that is wanted most.
    taken : set of str
        Case-folded names that are in use.

    Returns
    -------
    str
        The first free one of: the wanted phrases, the same with more, other runs of the
        candidates; where all are taken, the wanted name with a number.
    """
    wanted = join_phrases(phrases[:n_wanted])
    runs = [phrases[:n_wanted], phrases[: n_wanted + 1]]
    runs += [phrases[start : start + n_wanted] for start in range(1, len(phrases))]
    for run in runs:
        name = join_phrases(run)
        if name.casefold() not in taken:
            return name
    numbered = (f"{wanted} ({number})" for number in count(2))
    return next(name for name in numbered if name.casefold() not in taken)
