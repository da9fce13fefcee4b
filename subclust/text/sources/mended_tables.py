"""Tables of rejected records that come back with what was missing in them filled in."""

from collections.abc import Mapping, Sequence

TELLING = ("file", "what happened", "place", "field", "reason", "what to do", "excerpt")
"""What such a table tells of each record, before the record's own columns."""

_SPELT = (
    TELLING,
    ("Datei", "Was geschah", "Stelle", "Feld", "Warum", "Was zu tun ist", "Auszug"),
)


def telling_places(names: Sequence[str]) -> Mapping[str, int]:
    """Return where a table's heads have those of `TELLING`, in any language; empty without them.

    >>> telling_places(["file", "what happened", "what to do", "title"])
    {'file': 0, 'what happened': 1, 'what to do': 2}
    """
    for spelt in _SPELT:
        if spelt[1] in names and spelt[5] in names:
            pairs = zip(TELLING, spelt, strict=True)
            return {ours: names.index(head) for ours, head in pairs if head in names}
    return {}


def own_names(names: Sequence[str], taken: Sequence[str] = ()) -> list[str]:
    """Return a name for each column, none of them twice: a second "Author" is "Author (2)".

    Parameters
    ----------
    names : sequence of str
        Heads; one without a name is called by its number.
    taken : sequence of str
        Names that other columns have.
    """
    used = {one.casefold() for one in taken}
    made: list[str] = []
    for number, given in enumerate(names, start=1):
        name, again = given or f"column {number}", 1
        while name.casefold() in used:
            again += 1
            name = f"{given or f'column {number}'} ({again})"
        used.add(name.casefold())
        made.append(name)
    return made
