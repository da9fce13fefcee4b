"""What a training on somebody's own labelled set starts from unless they choose otherwise."""

from collections.abc import Sequence
from pathlib import Path

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import SubclustError
from subclust.core.plugins import plugged
from subclust.core.records import MethodCard
from subclust.jobs.store import option
from subclust.methods import METHODS
from subclust.training.recipe import Recipe

OWN_RECIPES_DIR = Path(__file__).parent / "recipes"

_BEFORE = "subclust/benchmarks/recipes/"
"""Where jobs of an older version found theirs."""

_FROM_NOTHING = frozenset({"lda"})
"""Methods whose training takes no base."""


def trainable_methods() -> list[MethodCard]:
    """List the methods that learn and are there to be used, in the order of the registry."""
    return [card for card in METHODS.values() if card.trainer is not None and not card.comparison]


def own_recipe(method: str) -> tuple[Path | None, Recipe]:
    """Return the recipe for small sets of a method, and its file; plain defaults where it has none.

    Raises
    ------
    TrainingError
        If the file cannot be read.
    """
    path = OWN_RECIPES_DIR / f"{method}.toml"
    return (path, Recipe.read(path)) if path.is_file() else (None, Recipe())


def find_recipe(given: str) -> Path:
    """Return the file that is meant by what was typed, or by what a job of an older version kept.

    Parameters
    ----------
    given : str
        A file; or the name alone of a recipe of the benchmarks, such as ``qs3m.toml``.

    Returns
    -------
    Path
        The file as it was typed where there is such a one, or no recipe of that name.
    """
    path = Path(given)
    moved = _BEFORE in path.as_posix()
    if path.exists() or (path.name != given and not moved):
        return path
    if moved and path.parent.name == "own":
        return OWN_RECIPES_DIR / path.name
    shipped = (file for folder in plugged("recipes") for file in folder.glob(f"*/{path.name}"))
    return next(shipped, path)


def bases(method: str, store: CheckpointStore) -> list[str]:
    """List the checkpoints that a training of a method can start from, the one in use first."""
    if method in _FROM_NOTHING:
        return []
    try:
        in_use = store.promoted(method)
    except SubclustError:
        return []
    return [in_use, *(name for name in store.names(method) if name != in_use)]


def recipe_of(argv: Sequence[str]) -> Recipe:
    """Put together the recipe of a ``train`` command from its words.

    Raises
    ------
    TrainingError
        If its recipe cannot be read any more, or does not take its settings.
    """
    path = option(argv, "--recipe")
    recipe = Recipe.read(find_recipe(path)) if path else Recipe()
    return recipe.with_settings(_settings(argv))


def _settings(argv: Sequence[str]) -> list[str]:
    """Return the values of ``--set``, which may be given several times."""
    found = [word.partition("=")[2] for word in argv if word.startswith("--set=")]
    pairs = zip(argv, argv[1:], strict=False)
    return [value for word, value in pairs if word == "--set"] + found
