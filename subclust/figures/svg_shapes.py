"""Numbers and symbols as SVG writes them."""

import math

WIDTH = 960
FONT = "'Source Sans 3', 'Source Sans Pro', 'Helvetica Neue', Arial, sans-serif"


def plain(value: float | str) -> str:
    """Write a number with two decimals at most, so that processors agree on it."""
    if isinstance(value, str):
        return value
    # Adding 0.0 turns -0.0 into 0.0.
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def symbol_path(name: str, x: float, y: float, size: float) -> str:
    """Write the outline of one of the palette's symbols as a path."""
    if name in ("circle", "circle-open"):
        arc = f"A{plain(size)} {plain(size)} 0 1 1"
        return f"M{plain(x - size)} {plain(y)}{arc} {plain(x + size)} {plain(y)}" + (
            f"{arc} {plain(x - size)} {plain(y)}Z"
        )
    corners = _SYMBOLS[name]
    return "M" + "L".join(f"{plain(x + size * a)} {plain(y + size * b)}" for a, b in corners) + "Z"


def _star() -> list[tuple[float, float]]:
    turns = [(math.pi * at / 5, 1.35 if at % 2 == 0 else 0.55) for at in range(10)]
    return [(radius * math.sin(turn), -radius * math.cos(turn)) for turn, radius in turns]


_PLUS = [(-0.4, -1.1), (0.4, -1.1), (0.4, -0.4), (1.1, -0.4), (1.1, 0.4), (0.4, 0.4), (0.4, 1.1),
         (-0.4, 1.1), (-0.4, 0.4), (-1.1, 0.4), (-1.1, -0.4), (-0.4, -0.4)]  # fmt: skip
_SYMBOLS: dict[str, list[tuple[float, float]]] = {
    "square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    "triangle-up": [(0, -1.15), (1.1, 0.85), (-1.1, 0.85)],
    "triangle-down": [(0, 1.15), (1.1, -0.85), (-1.1, -0.85)],
    "diamond": [(0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)],
    "cross": _PLUS,
    "x": [((a - b) * 0.7071, (a + b) * 0.7071) for a, b in _PLUS],
    "star": _star(),
}
