"""What an import is called among the background jobs, and the words that start it."""

from collections.abc import Sequence
from pathlib import Path

KIND = "import"


def job_title(library: str, files: Sequence[Path]) -> str:
    """Return an import's title: two of the same title are not done at once.

    Parameters
    ----------
    library : str
    files : sequence of Path
        At least one.
    """
    others = f" +{len(files) - 1}" if len(files) > 1 else ""
    return f"{library}/{files[0].name}{others}"


def import_words(
    files: Sequence[Path], library: str, collection: str | None = None, format: str = "auto"
) -> tuple[str, ...]:
    """Return the words of the command that imports files, as a job is submitted with.

    Parameters
    ----------
    files : sequence of Path
    library : str
    collection : str, optional
        By default the files' names.
    format : str
    """
    words = ["import", *(str(path.absolute()) for path in files), "--library", library]
    if collection:
        words.append(f"--collection={collection}")
    if format != "auto":
        words += ["--format", format]
    return tuple(words)
