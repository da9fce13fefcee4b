"""Renames one session for ever, until somebody kills it."""

import itertools
import sys
from pathlib import Path

from subclust.sessions import SessionStore

if __name__ == "__main__":
    store = SessionStore(Path(sys.argv[1]))
    for number in itertools.count():
        store.rename(sys.argv[2], f"Name {number}")
        print(number, flush=True)
