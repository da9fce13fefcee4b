"""Embed a library anew, go back, back up or restore, in a process that may be killed."""

import sys
import time
from pathlib import Path

from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest.reembed import reembed, roll_back
from subclust.text.library.backup import back_up, restore


class SlowEncoder(HashingEncoder):
    """Takes its time, so that a kill comes while it is at work."""

    def _encode(self, texts, query, progress):
        time.sleep(0.02)
        return super()._encode(texts, query, progress)


def encoder_of(dim):
    return HashingEncoder(dim)


if __name__ == "__main__":
    what, folder, given = sys.argv[1], Path(sys.argv[2]), sys.argv[3]

    def tell(done, total):
        print(done, flush=True)

    print("begins", flush=True)
    if what == "reembed":
        print(reembed(folder, "books", SlowEncoder(int(given)), progress=tell), flush=True)
    elif what == "rollback":
        print(roll_back(folder, "books", lambda _: SlowEncoder(int(given)), progress=tell))
    elif what == "backup":
        print(back_up(folder, "books", Path(given), progress=tell), flush=True)
    else:
        print(restore(folder, Path(given), progress=tell), flush=True)
