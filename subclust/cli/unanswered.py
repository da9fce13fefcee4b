"""What a terminal says first where a library does not seem to answer the question."""


def unanswered_in_words(answered: bool | None, library: str, question: str) -> list[str]:
    """Write that nothing seems to answer a question; no line where that cannot be said."""
    if answered is not False:
        return []
    return [
        f"Nothing in the library {library} seems to answer {question!r}; try other or fewer words, "
        "or another library. What follows are the passages nearest to it.\n"
    ]
