"""A run as a TOML file: its arguments, the network, the objective, what a search tries."""

import json
import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Self, TypeVar, get_args, get_origin, get_type_hints

from subclust.core.exceptions import TrainingError
from subclust.core.messages import N_, Message
from subclust.training.space import TABLES, SearchSpace

_EXTENDS = "extends"
"""Key of the name of another recipe in the same folder, above all tables."""


T = TypeVar("T")


def _tables(path: Path, before: tuple[Path, ...] = ()) -> dict[str, Any]:
    """Read the tables of a recipe, over those of the recipe that it extends.

    So a file that differs from another in one value, as the recipe of an ablation does, says that
    value and nothing else.
    """
    by = f", which {before[-1].name} extends," if before else ""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise TrainingError(
            "There is no recipe {path}{place}; check its name.", path=path, place=by.rstrip(",")
        ) from error
    except (OSError, ValueError) as error:
        raise TrainingError(
            "The recipe {path}{by} cannot be read: {error}.",
            path=path,
            by=by,
            error=getattr(error, "strerror", None) or error,
        ) from error
    if _EXTENDS not in tables:
        return tables
    other = tables.pop(_EXTENDS)
    if not isinstance(other, str) or other != Path(other).name or not other.endswith(".toml"):
        raise TrainingError(
            "The recipe {file}: {extends} must be the name of another recipe in the same folder, "
            "but is {other!r}.",
            file=path.name,
            extends=_EXTENDS,
            other=other,
        )
    base = path.with_name(other)
    if base in (*before, path):
        raise TrainingError(
            "The recipe {file} extends {other}, which extends it in turn; name another one.",
            file=path.name,
            other=other,
        )
    return _over(_tables(base, (*before, path)), tables)


def _over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    joined = dict(below)
    for name, table in above.items():
        both = isinstance(table, dict) and isinstance(below.get(name), dict)
        joined[name] = {**below[name], **table} if both else table
    return joined


@dataclass(frozen=True)
class TrainingArguments:
    """Everything that decides how a run goes, apart from the method's own parameters.

    Parameters
    ----------
    epochs : float
        Passes over the training queries; 0 keeps the weights and learns only what is chosen on the
        validation queries.
    learning_rate : float
        Highest one, above 0.
    weight_decay : float
        Of AdamW, at least 0.
    warmup : float
        Share of the steps, 0 to 1, over which the learning rate rises from 0.
    schedule : {"linear", "cosine", "constant"}
        How it then falls to 0, if it does.
    batch_passages : int
        Passages of a step, padding not counted; whole queries, at least one.
    max_passages : int
        Passages of one query seen at a time; more are sampled anew each epoch.
    gradient_clip : float
        Largest norm of the gradient; 0 for no bound.
    accumulate : int
        Batches to a step.
    precision : {"auto", "float32", "bfloat16"}
        Of autocast; ``"auto"`` takes bfloat16 where the device computes it.
    evaluate_every : int
        Steps between validations; 0 for once an epoch.
    patience : int
        Validations without a better one before the run stops; 0 for never.
    save_every : int
        Steps between resumable states; one is saved each minute in any case.
    queries_per_file : int
        First queries of each training file that are used; 0 for all.
    validation_share : float
        Of the queries, held out where no validation file is given.
    test_share : float
        Of the queries, kept apart for judging the trained model: nothing is learnt or chosen on
        them. 0 for none.
    """

    epochs: float = 3.0
    learning_rate: float = 1e-3
    weight_decay: float = 0.01
    warmup: float = 0.06
    schedule: Literal["linear", "cosine", "constant"] = "cosine"
    batch_passages: int = 128
    max_passages: int = 80
    gradient_clip: float = 1.0
    accumulate: int = 1
    precision: Literal["auto", "float32", "bfloat16"] = "float32"
    evaluate_every: int = 0
    patience: int = 0
    save_every: int = 200
    queries_per_file: int = 0
    validation_share: float = 0.2
    # Not shown in the repr, by which a resumed run is compared, so that older runs can go on.
    test_share: float = field(default=0.0, repr=False)
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse values that cannot work."""
        rules = [
            ("epochs", 0 <= self.epochs < math.inf, N_("at least 0")),
            ("learning_rate", 0 < self.learning_rate < math.inf, N_("above 0")),
            ("weight_decay", self.weight_decay >= 0, N_("at least 0")),
            ("warmup", 0 <= self.warmup <= 1, N_("between 0 and 1")),
            ("batch_passages", self.batch_passages >= 2, N_("at least 2")),
            ("max_passages", self.max_passages >= 3, N_("at least 3")),
            ("gradient_clip", self.gradient_clip >= 0, N_("at least 0")),
            ("accumulate", self.accumulate >= 1, N_("at least 1")),
            ("evaluate_every", self.evaluate_every >= 0, N_("at least 0")),
            ("patience", self.patience >= 0, N_("at least 0")),
            ("save_every", self.save_every >= 1, N_("at least 1")),
            ("queries_per_file", self.queries_per_file >= 0, N_("at least 0")),
            ("validation_share", 0 < self.validation_share < 1, N_("between 0 and 1")),
            (
                "test_share",
                0 <= self.test_share < 1 - self.validation_share,
                N_("at least 0 and, with validation_share, below 1"),
            ),
            ("seed", self.seed >= 0, N_("at least 0")),
        ]
        check_rules(self, rules)


@dataclass(frozen=True)
class Recipe:
    """A run: its arguments, the method's constructor arguments, and its objective.

    Parameters
    ----------
    model : mapping
        Constructor arguments of the method's network; checked by the method.
    objective : mapping
        Loss, pairs, query context and the like; checked by the method.
    search : SearchSpace, optional
        What `tune` tries; a single run has no use for it.
    """

    training: TrainingArguments = field(default_factory=TrainingArguments)
    model: Mapping[str, Any] = field(default_factory=dict)
    objective: Mapping[str, Any] = field(default_factory=dict)
    search: SearchSpace | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return all values of a run, defaults included, for cards."""
        return {
            "training": asdict(self.training),
            "model": dict(self.model),
            "objective": dict(self.objective),
        }

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a TOML file with ``[training]``, ``[model]``, ``[objective]`` and ``[search]``.

        Above them may stand ``extends = "another.toml"``, a recipe in the same folder whose values
        hold where the file names no others; see `subclust.training.recipe`.

        Raises
        ------
        TrainingError
            If it cannot be read, or has an unknown key or a value of the wrong type.
        """
        return cls.from_tables(_tables(path), where=f"The recipe {path.name}")

    @classmethod
    def from_tables(cls, tables: Mapping[str, Any], where: str) -> Self:
        """Check and take the tables of a recipe."""
        for name, table in tables.items():
            if name not in (*TABLES, "search") or not isinstance(table, dict):
                raise TrainingError(
                    "{where} has an unknown part {name!r}; it may have the tables [training], "
                    "[model], [objective] and [search], and above them extends.",
                    where=where,
                    name=name,
                )
        search = SearchSpace.from_table(tables["search"], where) if "search" in tables else None
        return cls(
            training=checked(TrainingArguments, tables.get("training", {}), where),
            model=dict(tables.get("model", {})),
            objective=dict(tables.get("objective", {})),
            search=search,
        )

    def with_settings(self, settings: Sequence[str]) -> Self:
        """Replace single values, given as ``key=value`` or ``table.key=value``.

        A key without a table belongs to ``[training]``. Values are TOML; bare words are taken as
        text.

        Raises
        ------
        TrainingError
            If one cannot be used.
        """
        values: dict[str, Any] = {}
        for setting in settings:
            key, equals, text = setting.partition("=")
            if not equals:
                raise TrainingError("--set needs key=value, but got {setting!r}.", setting=setting)
            table, dot, name = key.strip().rpartition(".")
            if dot and table not in TABLES:
                raise TrainingError(
                    "--set {setting}: there is no table [{table}].", setting=setting, table=table
                )
            try:
                value = tomllib.loads(f"value = {text}")["value"]
            except tomllib.TOMLDecodeError:
                value = text
            values[f"{table or 'training'}.{name}"] = value
        return self.with_values(values, where="--set")

    def with_values(self, values: Mapping[str, Any], where: str) -> Self:
        """Replace single values, given by ``table.key``.

        Raises
        ------
        TrainingError
            If one cannot be used.
        """
        tables = self.to_dict()
        for key, value in values.items():
            table, _, name = key.partition(".")
            tables[table][name] = value
        return replace(self.from_tables(tables, where), search=self.search)


def check_rules(values: object, rules: Iterable[tuple[str, bool, str]]) -> None:
    """Refuse values that cannot work.

    Parameters
    ----------
    values : object
        With the fields that the rules name.
    rules : iterable of (str, bool, str)
        Name of a field, whether its value can work, and what is allowed, in words.

    Raises
    ------
    TrainingError
        For the first that cannot.
    """
    for name, holds, allowed in rules:
        if not holds:
            raise TrainingError(
                "{name} must be {allowed}, but is {value!r}.",
                name=name,
                allowed=Message(allowed),
                value=getattr(values, name),
            )


def checked(kind: type[T], values: Mapping[str, Any], where: str) -> T:
    """Make a dataclass from a table, refusing unknown keys and wrong types.

    Raises
    ------
    TrainingError
        That names the key, what is allowed and what came.
    """
    hints = get_type_hints(kind)
    for key, value in values.items():
        if key not in hints:
            raise TrainingError(
                "{where} has an unknown key {key!r}; known are {names}.",
                where=where,
                key=key,
                names=", ".join(sorted(hints)),
            )
        if not _fits(value, hints[key]):
            raise TrainingError(
                "{where}: {key} must be {words}, but is {value!r}.",
                where=where,
                key=key,
                words=_words(hints[key]),
                value=value,
            )
    return kind(**{k: float(v) if hints[k] is float else v for k, v in values.items()})


def check_least(values: object, **least: float) -> None:
    """See that values of a table are not too small.

    Raises
    ------
    TrainingError
        If an attribute is less than what is given under its name.
    """
    for name, lowest in least.items():
        told = {"name": name, "least": lowest, "value": getattr(values, name)}
        if told["value"] < lowest:
            raise TrainingError("{name} must be at least {least}, but is {value}.", **told)


def _fits(value: object, hint: Any) -> bool:
    from pydantic import TypeAdapter, ValidationError

    try:
        TypeAdapter(hint).validate_python(value, strict=True)
    except ValidationError:
        return False
    return True


def _words(hint: Any) -> Message:
    if get_origin(hint) is Literal:
        return Message("one of {names}", names=", ".join(repr(one) for one in get_args(hint)))
    names = {int: N_("a whole number"), float: N_("a number"), bool: N_("true or false")}
    return Message(names.get(hint, N_("text") if hint is str else str(hint)))


def recipe_text(recipe: Recipe) -> str:
    """Write a recipe so that `Recipe.read` gives the same run again.

    Arguments that have their default, and the search space, are left out.

    Parameters
    ----------
    recipe : Recipe
        Of text, numbers, true and false, and lists and tables of these.

    Returns
    -------
    str
        TOML.
    """
    default = asdict(TrainingArguments())
    tables = recipe.to_dict()
    tables["training"] = {k: v for k, v in tables["training"].items() if v != default[k]}
    return "\n".join(
        f"[{name}]\n" + "".join(f"{_key(k)} = {toml_value(v)}\n" for k, v in table.items())
        for name, table in tables.items()
        if table
    )


def toml_value(value: Any) -> str:
    """Write one value of a recipe."""
    match value:
        case bool():
            return str(value).lower()
        case float() if not math.isfinite(value):
            return str(value)
        case str():
            return _text(value)
        case int() | float():
            return repr(value)
        case list() | tuple():
            return f"[{', '.join(map(toml_value, value))}]"
        case Mapping():
            return f"{{{', '.join(f'{_key(k)} = {toml_value(v)}' for k, v in value.items())}}}"
    raise TypeError(f"{value!r} cannot stand in a recipe")


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else _text(key)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
