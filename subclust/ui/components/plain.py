"""Texts of others in labels that are read as Markdown."""


def plain(text: str) -> str:
    """Escape what Streamlit would read as Markdown in a label."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]()#+-.!|<>~$:" else sign for sign in text)
