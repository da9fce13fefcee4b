"""What browsers may do with a page of the app: run its scripts, ask this server, and no more."""

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files

_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def content_policy(embed_in: Sequence[str] = ()) -> str:
    """Return the Content-Security-Policy of the pages.

    Parameters
    ----------
    embed_in : sequence of str
        Addresses of sites whose pages may show the app in a frame.
    """
    # Streamlit runs components of ours as blobs and writes styles into the page; maps of thousands
    # of marks compile their WebGL programs with eval. Only a script that runs already can do so.
    directives = {
        "default-src": "'self'",
        "script-src": " ".join(("'self'", "blob:", "'unsafe-eval'", *_own_scripts())),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": " ".join(("'self'", *embed_in)),
    }
    return "; ".join(f"{name} {value}" for name, value in directives.items())


@cache
def _own_scripts() -> tuple[str, ...]:
    """Return the hashes of the scripts within Streamlit's page."""
    page = files("streamlit") / "static" / "index.html"
    found = _INLINE.findall(page.read_text(encoding="utf-8"))
    return tuple(f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in found)
