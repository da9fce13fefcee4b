"""Groups as files for other programs and for readers.

Each writer takes a `Report` and returns bytes, the same for the same report. What comes from a
library or from a visitor is text in every format: it is never a formula, markup or a second record.
"""

from collections.abc import Collection
from importlib import import_module
from pathlib import Path

from subclust.core.exceptions import InputError
from subclust.core.messages import N_
from subclust.exports.records import FileFormat, Report, Writer

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_CSL_JSON = "application/vnd.citationstyles.csl+json"
_RIS = "application/x-research-info-systems"

FORMATS: dict[str, FileFormat] = {
    row[0]: FileFormat(*row)
    for row in (
        (".csv", "text/csv", "tables:write_csv", "CSV", N_("A table for any program.")),
        (".xlsx", _XLSX, "tables:write_xlsx", "Excel",
         N_("A workbook with the passages, the groups and how they came about.")),
        (".ris", _RIS, "references:write_ris", "RIS",
         N_("For Zotero, EndNote, Citavi and most reference managers.")),
        (".bib", "application/x-bibtex", "references:write_bibtex", "BibTeX",
         N_("For LaTeX and JabRef.")),
        (".csl.json", _CSL_JSON, "references:write_csl_json", "CSL JSON",
         N_("For Zotero, Pandoc and citation processors.")),
        (".json", "application/json", "records:write_json", "JSON",
         N_("For programs: everything, as one JSON object.")),
        (".html", "text/html", "html_report:write_html", N_("Report (HTML)"),
         N_("To read, print and send: all groups with the map, in one file.")),
        (".svg", "image/svg+xml", "map_picture:write_svg", N_("Map (SVG)"),
         N_("A drawing that stays sharp at any size.")),
        (".png", "image/png", "map_picture:write_png", N_("Map (PNG)"),
         N_("A picture for slides and papers.")),
    )
}  # fmt: skip
"""Every format by its suffix, in the order in which they are offered."""

OF_THEMES = tuple(
    one.suffix for one in FORMATS.values() if one.writer.startswith(("tables:", "references:"))
)
"""Suffixes of those that fit a whole library, which has no question and too many marks to draw."""


def format_of(name: str | Path, suffixes: Collection[str] = tuple(FORMATS)) -> FileFormat:
    """Return the format by the ending of a file's name.

    Parameters
    ----------
    name : str or Path
    suffixes : collection of str
        Of `FORMATS`, among which to choose.

    Raises
    ------
    InputError
        If no format has this ending.
    """
    lowered = Path(name).name.lower()
    # Longest first: ".csl.json" ends in ".json", too.
    for suffix in sorted(suffixes, key=len, reverse=True):
        if lowered.endswith(suffix) and lowered != suffix:
            return FORMATS[suffix]
    raise InputError(
        "The name of an export must end in one of {names}, but is {name!r}.",
        names=", ".join(suffixes),
        name=Path(name).name,
    )


def written(report: Report, kind: FileFormat) -> bytes:
    """Write a report in a format."""
    module, _, function = kind.writer.partition(":")
    writer: Writer = getattr(import_module(f"subclust.exports.{module}"), function)
    return writer(report)


def replace_file(path: Path, content: bytes) -> None:
    """Write a file beside its place and rename it there.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        raise InputError(
            "{path} could not be written ({reason}); choose another place.",
            path=path,
            reason=error.strerror,
        ) from None


__all__ = ["FORMATS", "OF_THEMES", "FileFormat", "Report", "format_of", "replace_file", "written"]
