"""Durations in words."""


def in_words(seconds: float) -> str:
    """Write a duration in the largest unit of which it has at least one, such as "3.5 min"."""
    if not seconds:
        return "0 s"
    for size, unit in ((3600.0, "h"), (60.0, "min"), (1.0, "s"), (0.001, "ms")):
        if seconds >= size or unit == "ms":
            value = seconds / size
            digits = 0 if value >= 9.95 or value == round(value) else 1
            return f"{value:.{digits}f} {unit}"
    raise AssertionError
