"""An encoder that remembers what it was asked for."""

from subclust.text.encoders.base import HashingEncoder


class Counting(HashingEncoder):
    """Keeps the texts of each call in `calls`, and all of them in `seen`."""

    def __init__(self, embedding_dim=16):
        super().__init__(embedding_dim)
        self.calls, self.seen = [], []

    def _encode(self, texts, query, progress):
        self.calls.append(list(texts))
        self.seen += texts
        return super()._encode(texts, query, progress)
