"""Times as the pages write them: of this machine, with its zone, the same everywhere."""

from datetime import UTC, date, datetime

from subclust.ui.i18n.language import date_in_words


def moment(when: float | str | None) -> str:
    """Write a time as "3 May 2026, 14:05 CEST".

    Parameters
    ----------
    when : float, str or None
        Seconds since 1970, or ISO 8601, of UTC where it names no zone.

    Returns
    -------
    str
        The day alone where that is all there is, empty where there is none; what is no time is
        returned as it is.
    """
    found = _local(when)
    if isinstance(found, str):
        return found
    if not isinstance(found, datetime):
        return date_in_words(found)
    return f"{date_in_words(found)}, {found:%H:%M %Z}"


def day(when: float | str | None) -> str:
    """Write the day of a time as "3 May 2026"; see `moment`."""
    found = _local(when)
    return found if isinstance(found, str) else date_in_words(found)


def _local(when: float | str | None) -> date | str:
    if when is None or when == "":
        return ""
    if isinstance(when, str):
        try:
            if len(when) == len("2026-05-03"):
                return date.fromisoformat(when)
            found = datetime.fromisoformat(when)
        except ValueError:
            return when
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone()
    return datetime.fromtimestamp(when).astimezone()
