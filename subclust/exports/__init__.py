"""Groups as files for other programs and for readers: one module a format.

Each writer takes a `Report` and gives bytes, the same for the same report. What comes from a
library or from a visitor is text in every format: it is never a formula, markup or a second record.
"""

from importlib import import_module
from pathlib import Path

from subclust.exceptions import InputError
from subclust.exports.records import FileFormat, Report, Writer

_PACKAGE = "subclust.exports"

FORMATS: dict[str, FileFormat] = {
    one.suffix: one
    for one in (
        FileFormat(
            ".csv",
            "CSV",
            "a table for any program",
            "text/csv",
            f"{_PACKAGE}.csv_table:write_csv",
        ),
        FileFormat(
            ".xlsx",
            "Excel",
            "a workbook with passages, groups and how they came about",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            f"{_PACKAGE}.xlsx_workbook:write_xlsx",
        ),
        FileFormat(
            ".ris",
            "RIS",
            "for Zotero, EndNote, Citavi and most reference managers",
            "application/x-research-info-systems",
            f"{_PACKAGE}.ris:write_ris",
        ),
        FileFormat(
            ".bib",
            "BibTeX",
            "for LaTeX and JabRef",
            "application/x-bibtex",
            f"{_PACKAGE}.bibtex:write_bibtex",
        ),
        FileFormat(
            ".csl.json",
            "CSL-JSON",
            "for Zotero, Pandoc and citation processors",
            "application/vnd.citationstyles.csl+json",
            f"{_PACKAGE}.csl_json:write_csl_json",
        ),
        FileFormat(
            ".json",
            "JSON",
            "for programs; the object that the command line prints",
            "application/json",
            f"{_PACKAGE}.search_json:write_json",
        ),
        FileFormat(
            ".html",
            "HTML report",
            "to read, print and send: all groups with the map, in one file",
            "text/html",
            f"{_PACKAGE}.html_report:write_html",
        ),
        FileFormat(
            ".svg",
            "Map as SVG",
            "a drawing that stays sharp at any size",
            "image/svg+xml",
            f"{_PACKAGE}.map_picture:write_svg",
        ),
        FileFormat(
            ".png",
            "Map as PNG",
            "a picture for slides and papers",
            "image/png",
            f"{_PACKAGE}.map_picture:write_png",
        ),
    )
}
"""Every format by its suffix, in the order in which they are offered."""


def format_of(name: str | Path) -> FileFormat:
    """Tell the format from the ending of a file's name.

    Raises
    ------
    InputError
        If no format has this ending.
    """
    lowered = Path(name).name.lower()
    for suffix in sorted(FORMATS, key=len, reverse=True):
        if lowered.endswith(suffix) and lowered != suffix:
            return FORMATS[suffix]
    raise InputError(
        f"The name of an export must end in one of {', '.join(FORMATS)}, but is "
        f"{Path(name).name!r}."
    )


def written(report: Report, kind: FileFormat) -> bytes:
    """Write a report in a format."""
    module, _, function = kind.writer.partition(":")
    writer: Writer = getattr(import_module(module), function)
    return writer(report)


__all__ = ["FORMATS", "FileFormat", "Report", "format_of", "written"]
