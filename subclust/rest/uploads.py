"""Files that come as the body of a request: to disk, piece by piece."""

from collections.abc import AsyncIterator
from typing import Annotated

from anyio import from_thread, move_on_after
from fastapi import Depends, Request

from subclust.core.exceptions import InputError

MOST_SILENCE = 60.0
"""Seconds without a byte, after which a file no longer keeps a thread waiting."""


class Body:
    """The body of a request, read by a thread while it comes in."""

    def __init__(self, request: Request) -> None:
        self._chunks: AsyncIterator[bytes] = request.stream()
        self._rest = b""
        size = request.headers.get("content-length", "")
        self.n_bytes = int(size) if size.isascii() and size.isdecimal() else None

    def read(self, size: int = 1 << 16, /) -> bytes:
        """Return the next bytes, at most so many; none are left when it returns nothing."""
        if not self._rest:
            # Stores read in a worker thread, but the stream of a request belongs to the event loop.
            self._rest = from_thread.run(self._next)
        part, self._rest = self._rest[:size], self._rest[size:]
        return part

    async def _next(self) -> bytes:
        with move_on_after(MOST_SILENCE):
            async for chunk in self._chunks:
                if chunk:
                    return chunk
            return b""
        # Reached only if `move_on_after` has cancelled the block.
        raise InputError("Nothing more of the file came; send it again.")


async def _body(request: Request) -> Body:
    return Body(request)


Upload = Annotated[Body, Depends(_body)]
"""Parameter of an address that takes a file as it is, as ``curl --data-binary`` sends it."""

TAKES_A_FILE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
"""What the OpenAPI document says of such an address."""
