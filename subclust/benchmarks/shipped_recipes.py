"""The recipes that come with the program, by their file names."""

from pathlib import Path

from subclust.benchmarks.own_sets import OWN_RECIPES_DIR

RECIPES_DIR = Path(__file__).parent / "recipes"
"""A folder a paper, and `OWN_RECIPES_DIR`, whose recipes are named after methods."""


def find_recipe(given: str) -> Path:
    """Give the file that is meant by what was typed.

    Parameters
    ----------
    given : str
        A file, or the name alone of a recipe that comes with the program, such as ``qs3m.toml``.

    Returns
    -------
    Path
        The file as it was typed where there is such a one, or no recipe of that name.
    """
    path = Path(given)
    if path.exists() or path.name != given:
        return path
    shipped = shipped_recipes()
    return shipped.get(given, path)


def shipped_recipes() -> dict[str, Path]:
    """List the recipes of the papers' tables by file name, which no two share."""
    files = sorted(RECIPES_DIR.glob("*/*.toml"))
    return {path.name: path for path in files if path.parent != OWN_RECIPES_DIR}
