"""Colours and symbols of groups, and the two themes a figure is drawn in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from subclust.core.records import OTHER_PASSAGES

FONT = '"Source Sans", system-ui, sans-serif'

# Okabe and Ito's colours, told apart with any common colour vision. Black is left out, since it
# vanishes on a dark page.
COLOURS: tuple[str, ...] = (
    "#0072B2",  # blue
    "#D55E00",  # vermillion
    "#009E73",  # bluish green
    "#CC79A7",  # reddish purple
    "#E69F00",  # orange
    "#56B4E9",  # sky blue
    "#F0E442",  # yellow
)

SYMBOLS: tuple[tuple[str, str], ...] = (
    ("circle", "●"),
    ("square", "■"),
    ("triangle-up", "▲"),
    ("diamond", "◆"),
    ("cross", "✚"),
    ("star", "★"),
    ("triangle-down", "▼"),
    ("x", "✖"),
)
"""Plotly's name of each symbol and the character that looks like it.

There is one more than there are colours, so that 56 groups pass before a pair repeats.
"""


@dataclass(frozen=True)
class FigureTheme:
    """What a figure must know of the page around it. Its own background is transparent.

    Parameters
    ----------
    page, text, muted : str
        Background and text of the page, and text of lesser weight, as ``#rrggbb``.
    say : callable
        From an English sentence to the same in the page's language.
    separators : str
        The signs before decimals and between thousands, as plotly takes them.
    """

    page: str
    text: str
    muted: str
    say: Callable[[str], str] = str
    separators: str = ".,"

    def number(self, value: float, decimals: int = 0) -> str:
        """Write a number as the page does, with a minus sign."""
        signs = str.maketrans({".": self.separators[0], ",": self.separators[1], "-": "−"})
        return f"{value:,.{decimals}f}".translate(signs)

    def duration(self, seconds: float) -> str:
        """Write a duration as the page does, such as "3.5 min"."""
        return in_words(seconds).replace(".", self.separators[0])

    def layout(self) -> dict[str, Any]:
        """Return what the layouts of all figures share: page colours, font, no legend."""
        font = {"family": FONT, "color": self.text, "size": 13}
        return {
            "showlegend": False,
            "separators": self.separators,
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": font,
            "hoverlabel": {
                "bgcolor": self.page,
                "bordercolor": self.muted,
                "align": "left",
                "font": font,
            },
            "hovermode": "closest",
        }


LIGHT = FigureTheme(page="#FFFFFF", text="#1B2430", muted="#5A6675")
DARK = FigureTheme(page="#12171E", text="#E8ECF1", muted="#A3AFBD")


@dataclass(frozen=True)
class GroupStyle:
    """How the passages of one group are drawn.

    Parameters
    ----------
    colour : str
        Fill, as ``#rrggbb``.
    outline : str
        Edge with a contrast of at least 3 to 1 against the page.
    symbol : str
        Plotly's name.
    glyph : str
        The same symbol as a character.
    """

    colour: str
    outline: str
    symbol: str
    glyph: str


def group_style(group: int, theme: FigureTheme = LIGHT) -> GroupStyle:
    """Return the colour and the symbol of a group; -1, "other passages", is a grey ring."""
    if group == OTHER_PASSAGES:
        return GroupStyle(theme.muted, theme.muted, "circle-open", "○")
    colour = COLOURS[group % len(COLOURS)]
    symbol, glyph = SYMBOLS[group % len(SYMBOLS)]
    return GroupStyle(colour, _edge(colour, theme), symbol, glyph)


def _contrast(one: str, other: str) -> float:
    """Measure the contrast of two ``#rrggbb`` colours, 1 (none) to 21 (WCAG 2.2, 1.4.3)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def blend(colour: str, towards: str, share: float) -> str:
    """Mix `share`, 0 to 1, of the second colour into the first."""
    mixed = (round(a + (b - a) * share) for a, b in zip(_rgb(colour), _rgb(towards), strict=True))
    return "#" + "".join(f"{part:02X}" for part in mixed)


def translucent(colour: str, opacity: float) -> str:
    """Write a ``#rrggbb`` colour with an opacity of 0 to 1, as plotly and CSS read it."""
    red, green, blue = _rgb(colour)
    return f"rgba({red},{green},{blue},{opacity:g})"


def _edge(colour: str, theme: FigureTheme) -> str:
    """Move a colour towards the page's text until it stands out from the page."""
    steps = (blend(colour, theme.text, share / 10) for share in range(2, 11))
    return next(step for step in steps if _contrast(step, theme.page) >= 3)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in _rgb(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def in_words(seconds: float) -> str:
    """Write a duration in the largest unit of which it has at least one, such as "3.5 min"."""
    if not seconds:
        return "0 s"
    units = ((3600.0, "h"), (60.0, "min"), (1.0, "s"))
    size, unit = next((one for one in units if seconds >= one[0]), (0.001, "ms"))
    value = seconds / size
    digits = 0 if value >= 9.95 or value == round(value) else 1
    return f"{value:.{digits}f} {unit}"
