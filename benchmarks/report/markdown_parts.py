"""What the parts of a Markdown report share: numbers, lists and tables; a dash for nothing."""

from collections.abc import Iterable, Sequence

NONE = "–"


def number(value: float | None, form: str) -> str:
    """Write a number in a format, with a true minus."""
    return NONE if value is None else format(value, form).replace("-", "−")


def as_text(value: object) -> str:
    """Write what is there."""
    return NONE if value is None else str(value)


def p_value(value: float | None) -> str:
    """Write a p value; small ones have no meaning digit by digit."""
    if value is None:
        return NONE
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def listed(sentences: Iterable[str]) -> str:
    """Write a list, a line each."""
    return "\n".join(f"- {sentence}" for sentence in sentences)


def grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
    )
