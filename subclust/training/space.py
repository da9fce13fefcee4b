"""What a search tries: the table ``[search]`` of a recipe."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from subclust.core.exceptions import TrainingError

TABLES = ("training", "model", "objective")
"""Of a recipe, whose values a search may try."""

_OF_THE_DATA = (
    "training.queries_per_file",
    "training.validation_share",
    "training.test_share",
)


@dataclass(frozen=True)
class Range:
    """Numbers between two ends, both included.

    Parameters
    ----------
    low, high : int or float
        Whole numbers are drawn where both are whole.
    log : bool
        Whether equal ratios are equally likely, instead of equal differences.
    """

    low: int | float
    high: int | float
    log: bool = False

    @property
    def ends(self) -> tuple[Any, ...]:
        """Values that show whether all in between can be used."""
        return (self.low, self.high)


@dataclass(frozen=True)
class Choices:
    """Values of a list.

    Parameters
    ----------
    choices : tuple
        Of text, numbers, or true and false; at least two, each once.
    """

    choices: tuple[Any, ...]

    @property
    def ends(self) -> tuple[Any, ...]:
        """All of them."""
        return self.choices


@dataclass(frozen=True)
class SearchSpace:
    """Which values are tried, and how often.

    Parameters
    ----------
    parameters : mapping of str to Range or Choices
        By their keys with the table, such as ``"objective.regularisation"``.
    trials : int
        At least 1.
    startup_trials : int
        Drawn at random, and trained to the end, before the search learns from what it has seen; at
        least 1.
    """

    parameters: Mapping[str, Range | Choices] = field(default_factory=dict)
    trials: int = 30
    startup_trials: int = 10

    def __post_init__(self) -> None:
        """Refuse values that cannot work."""
        for name in ("trials", "startup_trials"):
            if getattr(self, name) < 1:
                raise TrainingError(
                    "{name} must be at least 1, but is {value}.",
                    name=name,
                    value=getattr(self, name),
                )

    @classmethod
    def from_table(cls, table: Mapping[str, Any], where: str) -> Self:
        """Check and take the table.

        Parameters
        ----------
        table : mapping
            ``trials`` and ``startup_trials``; the rest are dotted keys, each with ``low``, ``high``
            and perhaps ``log``, or with ``choices``.
        where : str
            The beginning of the sentence that refuses it.

        Raises
        ------
        TrainingError
            That names the key, what is allowed and what came.
        """
        counts: dict[str, int] = {}
        parameters: dict[str, Range | Choices] = {}
        for key, value in _flat(table).items():
            if key in ("trials", "startup_trials"):
                if not _whole(value):
                    raise TrainingError(
                        "{where}: {key} of [search] must be a whole number, but is {value!r}.",
                        where=where,
                        key=key,
                        value=value,
                    )
                counts[key] = value
            else:
                parameters[key] = _parameter(key, value, where)
        if not parameters:
            raise TrainingError(
                "{where} has a table [search] that tries nothing; give it a line like "
                '"training.learning_rate" = {{low = 1e-4, high = 1e-2, log = true}}.',
                where=where,
            )
        return cls(parameters, **counts)

    def to_dict(self) -> dict[str, Any]:
        """Return it as it stands in a recipe, defaults included."""
        parameters = {
            key: {"choices": list(value.choices)} if isinstance(value, Choices) else asdict(value)
            for key, value in self.parameters.items()
        }
        return {"trials": self.trials, "startup_trials": self.startup_trials, **parameters}

    def ends(self) -> list[dict[str, Any]]:
        """Return values that together hold every end of every range and every choice.

        Returns
        -------
        list of dict
            As few as will do; each has a value for every key.
        """
        n = max(len(parameter.ends) for parameter in self.parameters.values())
        return [
            {key: value.ends[i % len(value.ends)] for key, value in self.parameters.items()}
            for i in range(n)
        ]


def _flat(table: Mapping[str, Any]) -> dict[str, Any]:
    """Take keys without quotation marks, which TOML reads as tables, like those with them."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if key in TABLES and isinstance(value, dict):
            flat |= {f"{key}.{name}": item for name, item in value.items()}
        else:
            flat[key] = value
    return flat


def _parameter(key: str, value: Any, where: str) -> Range | Choices:
    table, _, name = key.partition(".")
    if table not in TABLES or not name or "." in name:
        raise TrainingError(
            "{where}: [search] has an unknown key {key!r}; it may have trials, startup_trials, "
            "and keys that begin with training., model. or objective.",
            where=where,
            key=key,
        )
    if key in _OF_THE_DATA:
        raise TrainingError(
            "{where}: [search] cannot try {key}, since all trials share the same data.",
            where=where,
            key=key,
        )
    what = f"{where}: {key} of [search]"
    if not isinstance(value, dict) or set(value) not in (
        {"choices"},
        {"low", "high"},
        {"low", "high", "log"},
    ):
        raise TrainingError(
            "{what} must be {{low = ..., high = ...}}, perhaps with log = true, or {{choices = "
            "[...]}}, but is {value!r}.",
            what=what,
            value=value,
        )
    if "choices" in value:
        return _choices(value["choices"], what)
    low, high, log = value["low"], value["high"], value.get("log", False)
    if not isinstance(log, bool):
        raise TrainingError(
            "{what}: log must be true or false, but is {log!r}.", what=what, log=log
        )
    for end in (low, high):
        if not _whole(end) and not (isinstance(end, float) and math.isfinite(end)):
            raise TrainingError(
                "{what}: low and high must be numbers, but one is {end!r}.", what=what, end=end
            )
    if low >= high:
        raise TrainingError(
            "{what}: low must be below high, but {low} is not below {high}.",
            what=what,
            low=low,
            high=high,
        )
    if log and low <= 0:
        raise TrainingError(
            "{what}: low must be above 0 where log is true, but is {low}.", what=what, low=low
        )
    if not (_whole(low) and _whole(high)):
        low, high = float(low), float(high)
    return Range(low, high, log)


def _choices(values: Any, what: str) -> Choices:
    if not isinstance(values, list) or not all(
        isinstance(value, str | bool | int | float) and value == value for value in values
    ):
        raise TrainingError(
            "{what}: choices must be a list of texts, numbers, or true and false, but is "
            "{values!r}.",
            what=what,
            values=values,
        )
    if len(values) < 2 or any(value in values[:i] for i, value in enumerate(values)):
        raise TrainingError(
            "{what}: choices must be at least two, each once, but is {values!r}.",
            what=what,
            values=values,
        )
    return Choices(tuple(values))


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
