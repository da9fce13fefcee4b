"""Signs that a terminal obeys or that end a line: shown or escaped, never written as they are."""

import re

_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """Return a text with a sign in place of each command: a title must not clear the screen."""
    return _COMMANDS.sub("\ufffd", text)


def escaped(text: str) -> str:
    r"""Return a text, JSON also, with each command as ``\uXXXX``, which JSON reads as the same."""
    return _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
