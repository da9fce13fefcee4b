"""The map as a picture: SVG, and from that PNG."""

from importlib.resources import as_file, files

from subclust.core.translation import spoken
from subclust.exports.records import UNANSWERED, Report, lead
from subclust.figures.map_svg import WIDTH, map_svg

_SCALE = 2
"""Pixels of the PNG for one of the SVG: 1920 across, which prints 16 cm wide at 300 dpi."""

_FONTS = ("Lato-Regular.ttf", "Lato-Bold.ttf")


def write_svg(report: Report) -> bytes:
    """Write the map with the groups' names."""
    return _drawn(report).encode()


def write_png(report: Report) -> bytes:
    """Draw the same without a browser; names in other letters than Latin need a font for them."""
    import resvg_py

    # A packaged font, since system fonts would give another picture on every machine.
    folder = files("font_lato") / "files"
    with as_file(folder / _FONTS[0]) as regular, as_file(folder / _FONTS[1]) as bold:
        return resvg_py.svg_to_bytes(
            svg_string=_drawn(report),
            width=WIDTH * _SCALE,
            font_files=[str(regular), str(bold)],
            font_family="Lato",
            sans_serif_family="Lato",
        )


def _drawn(report: Report) -> str:
    """Draw the map with what a reader must know who sees nothing else."""
    _, _n = spoken(report.language)
    notes = [lead(report)]
    if report.subtopics.answered is False:
        notes.insert(0, _(UNANSWERED))
    if report.day:
        notes.append(_("Made with Subclust on {day}.").format(day=report.day))
    return map_svg(report.subtopics, language=report.language, notes=[" ".join(notes)])
