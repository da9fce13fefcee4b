"""What a server writes of its work: a line a request or search, with the request's id.

No line holds what anybody asked or read, a name or a token.
"""

import json
import logging
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Literal, TextIO

from subclust.core.terminal import escaped

LogForm = Literal["quiet", "text", "json"]
"""``"quiet"`` writes warnings only; the others write lines of requests and searches as well."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Id of the request that is answered now; "" outside one."""

_FIELDS = "subclust_fields"
_SERVERS = ("uvicorn", "streamlit")
_WITH_QUESTIONS = "uvicorn.access"
"""Writes whole addresses, in which questions stand."""
_events = logging.getLogger("subclust.events")


class JsonLine(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {**_head(record), **getattr(record, _FIELDS, {})}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return escaped(json.dumps(line, ensure_ascii=False))


class TextLine(logging.Formatter):
    """Writes a record as one line of ``key=value``, and a traceback indented below it."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        head = _head(record)
        begin = f"{head.pop('time')} {head.pop('level')} {head.pop('event')}"
        fields = {**head, **getattr(record, _FIELDS, {})}
        line = " ".join((begin, *(f"{key}={value}" for key, value in fields.items())))
        lines = [line.replace("\r", "\\r").replace("\n", "\\n")]
        if record.exc_info:
            # Indented, since what an error quotes could be made to look like another line.
            told = self.formatException(record.exc_info)
            lines += [f"  {one}" for one in told.split("\n")]
        return "\n".join(map(escaped, lines))


def begin(form: LogForm, stream: TextIO | None = None) -> None:
    """Have this process write its log in a form, what its web server says included.

    Parameters
    ----------
    form : {"quiet", "text", "json"}
    stream : text file, optional
        By default standard error.
    """
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(JsonLine() if form == "json" else TextLine())
    logging.getLogger().handlers = [handler]
    _events.setLevel(logging.WARNING if form == "quiet" else logging.INFO)
    if form == "quiet":
        return
    # Handlers of their own would write every line twice. The dictionary also holds placeholders for
    # loggers that nobody has asked for yet.
    for name, other in list(logging.root.manager.loggerDict.items()):
        if name.partition(".")[0] in _SERVERS and isinstance(other, logging.Logger):
            other.handlers, other.propagate = [], name != _WITH_QUESTIONS


def note(event: str, fields: Mapping[str, object]) -> None:
    """Write a line of something that happened; nothing where the log is quiet.

    Parameters
    ----------
    event : str
        A word, such as ``"request"``.
    fields : mapping of str to value
        Numbers and words of the program itself.
    """
    _events.info(event, extra={_FIELDS: dict(fields)})


def _head(record: logging.LogRecord) -> dict[str, str]:
    time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    head = {"time": time, "level": record.levelname.lower(), "event": record.getMessage()}
    id_ = request_id.get()
    return {**head, "request": id_} if id_ else head
