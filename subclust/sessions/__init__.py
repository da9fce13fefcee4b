"""Answers kept under a name: what was found, how it was grouped and drawn, and by what."""

from subclust.sessions.records import Origin, Session, SessionHeader
from subclust.sessions.store import SessionStore
from subclust.sessions.stored import Change, changes, kept_groups, kept_hits, session_of

__all__ = [
    "Change",
    "Origin",
    "Session",
    "SessionHeader",
    "SessionStore",
    "changes",
    "kept_groups",
    "kept_hits",
    "session_of",
]
