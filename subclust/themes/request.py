"""What somebody asks: which texts, which method, how many themes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from subclust.exceptions import InputError
from subclust.records import Passage

KIND = "themes"
"""Of the jobs that find themes."""

FIELDS = ("collection", "title", "label", "id")
"""What a filter can look at beside a text's metadata (year, language, source and the like)."""

_RANGE = re.compile(r"(\d{3,4})?-(\d{3,4})?")


@dataclass(frozen=True)
class ThemesRequest:
    """The themes of a library, or of a part of it.

    Parameters
    ----------
    library : str
    method : str
        A key of `subclust.themes.offers.OFFERS`.
    n_themes : int or "auto"
    filters : tuple of str
        ``"field=value"`` each; a text must meet them all.
    pairs : str
        File of pairs that FCL learns from, as ``corrections pairs`` writes them; empty for none.
    projection : {"umap", "pca"}
        Of the map.
    seed : int
    """

    library: str
    method: str = "aecl"
    n_themes: int | Literal["auto"] = "auto"
    filters: tuple[str, ...] = ()
    pairs: str = ""
    projection: str = "umap"
    seed: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON values."""
        return {**asdict(self), "filters": list(self.filters)}

    def words(self) -> list[str]:
        """Write the words of the command that finds these themes."""
        words = ["themes", "--library", self.library, "--method", self.method]
        words += ["--n-themes", str(self.n_themes), "--projection", self.projection]
        words += ["--seed", str(self.seed)]
        for one in self.filters:
            words += ["--filter", one]
        return [*words, *(["--pairs", self.pairs] if self.pairs else [])]

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> "ThemesRequest":
        """Read what `to_dict` wrote."""
        return cls(**{**value, "filters": tuple(value["filters"])})


def matching(passages: Sequence[Passage], filters: Sequence[str]) -> list[int]:
    """Find the texts that meet all filters.

    ``collection=theses`` and ``language=en`` compare whole values, whatever the case;
    ``title~rivers`` looks for a part; ``year=1990-2005``, ``year=1990-`` and ``year=-2005`` are
    spans of numbers.

    Parameters
    ----------
    passages : sequence of Passage
    filters : sequence of str

    Returns
    -------
    list of int
        Places in `passages`.

    Raises
    ------
    InputError
        If a filter cannot be read, or no text has its field.
    """
    rows = list(range(len(passages)))
    for written in filters:
        field, sign, wanted = _parts(written)
        known = field in FIELDS or any(field in passage.metadata for passage in passages)
        if not known:
            there = sorted({*FIELDS, *(name for p in passages for name in p.metadata)})
            raise InputError(
                f"No text of the library has a field {field!r}; filter by one of "
                f"{', '.join(there)}."
            )
        rows = [row for row in rows if _meets(_value(passages[row], field), sign, wanted)]
    return rows


def _parts(written: str) -> tuple[str, str, str]:
    found = re.fullmatch(r"\s*([\w.-]+)\s*([=~])\s*(.+?)\s*", written)
    if found is None:
        raise InputError(
            f"The filter {written!r} cannot be read; write field=value, such as "
            "collection=theses, title~rivers or year=1990-2005."
        )
    return found[1], found[2], found[3].casefold()


def _value(passage: Passage, field: str) -> str:
    own = getattr(passage, field) if field in FIELDS else passage.metadata.get(field)
    return (own or "").casefold()


def _meets(value: str, sign: str, wanted: str) -> bool:
    if sign == "~":
        return wanted in value
    span = _RANGE.fullmatch(wanted)
    if span and value[:4].isdecimal():
        number = int(value[:4])
        return int(span[1] or 0) <= number <= int(span[2] or 9999)
    return value == wanted
