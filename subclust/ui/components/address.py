"""What a page shows, in its address: steps dug into groups, columns of a comparison."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from hashlib import blake2b
from typing import Any, Literal
from urllib.parse import quote, unquote, urlencode

import streamlit as st

from subclust.comparison import Column
from subclust.core.records import MAX_QUESTION, QUERY_CONTEXTS
from subclust.ui import state

MAX_GROUPS = 20
"""Most groups that can be asked for on the page."""

MAX_VALUES = 500
"""Values that one parameter is read to; the marked passages of an answer are at most so many."""

_MAX_LENGTH = 300
_LONGER = {
    # A step of the trail holds a question, and five characters for each of up to 500 passages.
    "dig": 2 * MAX_QUESTION + 4000,
    "marked": 40_000,
    **dict.fromkeys("abcd", 8 * MAX_QUESTION),
}
"""Most characters of a value where `_MAX_LENGTH` is too few; a longer value is not read."""

_QUESTIONS = ("q", "about", "hits", "hits-about")
"""What holds a question, which is cut and not dropped where it is too long."""

_FILLER = """
export default function ({ data }) {
  if (data.search && !location.search)
    history.replaceState(history.state, '', location.pathname + data.search + location.hash);
}
"""

_filler = st.components.v2.component("subclust_address", js=_FILLER)


def address_values() -> dict[str, list[str]]:
    """Return all parameters of the address, each within its bounds.

    Every page reads its address through this, so that no value of it, however long, gets further.
    """
    return _bounded({name: st.query_params.get_all(name) for name in st.query_params})


def _bounded(params: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return parameters without the values that are too long, and with questions cut."""
    kept: dict[str, list[str]] = {}
    for name, values in params.items():
        if name in _QUESTIONS:
            short = [value[:MAX_QUESTION] for value in values[:1]]
        else:
            longest = _LONGER.get(name, _MAX_LENGTH)
            short = [value for value in values[:MAX_VALUES] if len(value) <= longest]
        if short:
            kept[name] = short
    return kept


def asked(name: str) -> str:
    """Return one parameter of the address, empty where it is not there or too long."""
    return address_values().get(name, [""])[-1]


def whole_number(value: str, lowest: int, highest: int) -> int | None:
    """Return the number that a parameter holds; None where it is none, or out of bounds."""
    # `isdecimal` accepts the digits of every script, and `int` raises for thousands of digits.
    if not (value.isascii() and value.isdecimal() and len(value) <= len(str(highest))):
        return None
    return int(value) if lowest <= int(value) <= highest else None


def repair(view: Any, accepted: Mapping[str, Callable[[Any], bool]]) -> None:
    """Replace what a view cannot hold by defaults; for the ``__post_init__`` of a dataclass.

    A widget that was not drawn in the run before hands over None, so what comes from the session is
    checked like what comes from the address.
    """
    for one in fields(view):
        if not accepted[one.name](getattr(view, one.name)):
            made = one.default if one.default_factory is MISSING else one.default_factory()
            object.__setattr__(view, one.name, made)


def to_show(page: str, names: tuple[str, ...], now: Mapping[str, str] | None) -> dict[str, str]:
    """Return what a page shows: what its widgets say (`now`), or what the address asks for.

    The address decides at the first visit and whenever the visitor changes it (a link, the back
    button). An empty one, as after coming back from another page, brings back what was shown
    last. One that comes with a change made on the page decides nothing, since a quick visitor's
    browser may still send the address of before.
    """
    values = address_values()
    asked = {name: values.get(name, [""])[-1] for name in names}
    known: dict[str, str] | None = st.session_state.get(state.ADDRESS_OF + page)
    changed_here = st.session_state.pop(state.CHANGED_ON + page, False)
    if known is None:
        return asked if now is None or any(asked.values()) else dict(now)
    if changed_here or asked == known or not any(asked.values()):
        return dict(known if now is None else now)
    return asked


def fill_address(params: Mapping[str, str | Sequence[str]]) -> None:
    """Add parameters to an empty address without a new step in the browser's history.

    Streamlit can only add an entry to the browser's history, through which one would have to go
    back to the page one came from. To be called in every run, empty where there is nothing to fill,
    so that nothing after it is made anew.
    """
    search = f"?{urlencode(params, doseq=True)}" if params else ""
    with st.container(key="script-address"):
        _filler(key="address", data={"search": search})


def changed_on(page: str) -> None:
    """Note that what a page shows was changed on it; for callbacks."""
    st.session_state[state.CHANGED_ON + page] = True


def write_address(page: str, shown: Mapping[str, str]) -> None:
    """Have the address of a page say what it shows; what is empty is left out."""
    # Only what differs is assigned: every assignment adds a step to the browser's history.
    for name, value in shown.items():
        if value and st.query_params.get(name) != value:
            st.query_params[name] = value
        elif not value and name in st.query_params:
            del st.query_params[name]
    st.session_state[state.ADDRESS_OF + page] = dict(shown)


MARK_LENGTH = 5
"""Characters that stand for a passage's id in an address; 30 bits, so that two of 500 hits share
theirs once in ten thousand times."""

MAX_STEPS = 6
"""Steps that an address is read to; further ones are dropped."""

_SEPARATOR = "|"
_MARKS = re.compile(rf"(?:[A-Za-z0-9_-]{{{MARK_LENGTH}}})*")


@dataclass(frozen=True)
class Step:
    """One step into a group, with what leads back.

    Parameters
    ----------
    name : str
        Of the group that was taken up.
    query : str
        Asked before.
    n_clusters : int or "auto"
        Asked for before.
    marks : tuple of str
        Of the group's passages (see `mark_of`), where it was grouped alone; empty where its name
        was added to the question.
    """

    name: str
    query: str
    n_clusters: int | Literal["auto"] = "auto"
    marks: tuple[str, ...] = ()

    def to_text(self) -> str:
        """Write the step as one value of an address."""
        parts = (str(self.n_clusters), _guarded(self.query), _guarded(self.name))
        return _SEPARATOR.join((*parts, "".join(self.marks)))


def read_trail(values: Iterable[str], max_groups: int) -> tuple[Step, ...]:
    """Read the steps of an address, up to the first that cannot be read."""
    steps: list[Step] = []
    for value in values:
        parts = value.split(_SEPARATOR)
        if len(parts) != 4 or len(steps) == MAX_STEPS or not _MARKS.fullmatch(parts[3]):
            break
        groups, query, name, joined = parts
        n_clusters: int | Literal["auto"] = whole_number(groups, 2, max_groups) or "auto"
        marks = [joined[at : at + MARK_LENGTH] for at in range(0, len(joined), MARK_LENGTH)]
        query = _plain(query)[:MAX_QUESTION]
        steps.append(Step(_plain(name), query, n_clusters, tuple(marks)))
    return tuple(steps)


def mark_of(passage_id: str) -> str:
    """Shorten a passage's id for an address; the same id always gives the same mark."""
    digest = blake2b(passage_id.encode(), digest_size=6).digest()
    return urlsafe_b64encode(digest).decode()[:MARK_LENGTH]


def marks_of(passage_ids: Iterable[str]) -> tuple[str, ...]:
    """Shorten ids, in an order that is the same whatever order they come in."""
    return tuple(sorted(mark_of(one) for one in passage_ids))


def _guarded(text: str) -> str:
    return text.replace("%", "%25").replace(_SEPARATOR, "%7C")


def _plain(text: str) -> str:
    # In the reverse order of `_guarded`, or a "%7C" that somebody typed would become a separator.
    return text.replace("%7C", _SEPARATOR).replace("%25", "%")


def way_of(value: str) -> str:
    """Read the key of a way to divide; empty where it is none."""
    return value if re.fullmatch(r"[a-z-]{1,30}|field:[^\x00-\x1f]{1,60}", value) else ""


def write_column(column: Column) -> str:
    """Write a column as an address has it: ``method;groups:4;model:ours``."""
    parts = {
        "model": column.checkpoint or "",
        "groups": "" if column.n_clusters == "auto" else str(column.n_clusters),
        "context": "" if column.context == QUERY_CONTEXTS[0] else column.context,
        "q": column.query,
        "about": column.description,
        "by": column.way,
    }
    told = [f"{name}:{quote(value, safe='')}" for name, value in parts.items() if value]
    return ";".join([quote(column.method, safe=""), *told])


def read_column(text: str) -> Column:
    """Read what `write_column` wrote; what cannot be read keeps its default."""
    method, *told = text.split(";")
    parts = {name: unquote(value) for name, _sign, value in (one.partition(":") for one in told)}
    groups, context = parts.get("groups", ""), parts.get("context", "")
    known = {name: name for name in QUERY_CONTEXTS}
    changes: dict[str, Any] = {"context": known.get(context, QUERY_CONTEXTS[0])}
    if (n_clusters := whole_number(groups, 2, MAX_GROUPS)) is not None:
        changes["n_clusters"] = n_clusters
    return Column(
        method=unquote(method) or Column.method,
        checkpoint=parts.get("model") or None,
        query=parts.get("q", "")[:MAX_QUESTION],
        description=parts.get("about", "")[:MAX_QUESTION],
        way=way_of(parts.get("by", "")),
        **changes,
    )
