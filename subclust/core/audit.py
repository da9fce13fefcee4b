"""Who changed what, and when: lines of JSON in the data folder, where people sign in.

No line says what anybody asked or read.
"""

import json
import logging
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

_MOST_BYTES, _EARLIER = 10_000_000, 9
_log = logging.getLogger(__name__)
_log.propagate = False


def begin(file: Path) -> None:
    """Note in a file from now on, for as long as this process lives.

    At 10 MB it is put aside as ``FILE.1``; nine such files are kept.

    Parameters
    ----------
    file : Path
        Made when something is noted; its folder is made now.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    handler = RotatingFileHandler(
        file, maxBytes=_MOST_BYTES, backupCount=_EARLIER, encoding="utf-8", delay=True
    )
    handler.setFormatter(logging.Formatter("%(message)s"))
    _log.handlers = [handler]
    _log.setLevel(logging.INFO)


def note(person: str, what: str, thing: str = "", name: str = "", to: str = "") -> None:
    """Note what somebody did; nothing where nobody asked for it.

    Parameters
    ----------
    person : str
    what : {"signed in", "change", "refused", "created", "revoked", "shared", "limited"}
    thing : str
        Kind of what was changed; see `subclust.core.access.Thing`.
    name : str
        Of what was changed, where it is known.
    to : str
        With whom it was shared, or for whom it is: ``"everybody"``, ``"nobody"`` or teams.
    """
    if _log.handlers:
        time = datetime.now(UTC).isoformat(timespec="seconds")
        line = {"time": time, "person": person, "did": what, "thing": thing, "name": name, "to": to}
        _log.info(json.dumps({key: value for key, value in line.items() if value}))
