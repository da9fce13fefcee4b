"""Groups as files for other programs and for readers.

Each writer takes a `Report` and returns bytes, the same for the same report. What comes from a
library or from a visitor is text in every format: it is never a formula, markup or a second record.
"""

from importlib import import_module
from pathlib import Path

from subclust.core.exceptions import InputError
from subclust.exports.records import FileFormat, Report, Writer

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

FORMATS: dict[str, FileFormat] = {
    one.suffix: one
    for one in (
        FileFormat(".csv", "text/csv", "tables:write_csv"),
        FileFormat(".xlsx", _XLSX, "tables:write_xlsx"),
        FileFormat(".ris", "application/x-research-info-systems", "references:write_ris"),
        FileFormat(".bib", "application/x-bibtex", "references:write_bibtex"),
        FileFormat(
            ".csl.json", "application/vnd.citationstyles.csl+json", "references:write_csl_json"
        ),
        FileFormat(".json", "application/json", "records:write_json"),
        FileFormat(".html", "text/html", "html_report:write_html"),
        FileFormat(".svg", "image/svg+xml", "map_picture:write_svg"),
        FileFormat(".png", "image/png", "map_picture:write_png"),
    )
}
"""Every format by its suffix, in the order in which they are offered."""


def format_of(name: str | Path) -> FileFormat:
    """Return the format by the ending of a file's name.

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
        "The name of an export must end in one of {names}, but is {name!r}.",
        names=", ".join(FORMATS),
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


__all__ = ["FORMATS", "FileFormat", "Report", "format_of", "replace_file", "written"]
