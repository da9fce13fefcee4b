"""Shapes as SVG, on a white card as wide as a page."""

from collections.abc import Mapping
from html import escape

from subclust.figures.palette import LIGHT, blend, group_style
from subclust.figures.svg_shapes import FONT, WIDTH, plain, symbol_path

DASHES = ("", "9 6", "2 5", "9 5 2 5")
GRID = blend(LIGHT.muted, LIGHT.page, 0.8)


class Canvas:
    """Shapes, written one after the other; all places are in pixels from the top left."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.parts: list[str] = []

    def add(self, name: str, **attributes: float | str) -> None:
        """Write a shape."""
        self._write(name, "", attributes)

    def text(self, x: float, y: float, text: str, *, size: int = 15, **more: float | str) -> None:
        """Write words."""
        given: dict[str, float | str] = {"x": x, "y": y, "font_size": size, "fill": LIGHT.text}
        self._write("text", escape(text), given | more)

    def line(self, x1: float, y1: float, x2: float, y2: float, **more: float | str) -> None:
        """Write a straight line, by default one of the grid's."""
        given: dict[str, float | str] = {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke": GRID}
        self._write("line", "", given | more)

    def _write(self, name: str, text: str, attributes: Mapping[str, float | str]) -> None:
        said = "".join(
            f' {key.replace("_", "-")}="{plain(value)}"' for key, value in attributes.items()
        )
        self.parts.append(f"<{name}{said}>{text}</{name}>" if text else f"<{name}{said}/>")

    def mark(self, x: float, y: float, group: int, size: float) -> None:
        """Write the symbol of a group around a place."""
        style = group_style(group)
        self.add("path", d=symbol_path(style.symbol, x, y, size), fill=style.colour,
                 stroke=style.outline, stroke_linejoin="round")  # fmt: skip

    def finish(self, height: float) -> str:
        """Return the whole picture, so many pixels high."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{plain(height)}" '
            f'viewBox="0 0 {WIDTH} {plain(height)}" role="img" font-family="{FONT}">\n'
            f"<title>{escape(self.title)}</title>\n"
            f'<rect width="100%" height="100%" rx="10" fill="{LIGHT.page}"/>\n'
            + "\n".join(self.parts)
            + "\n</svg>\n"
        )
