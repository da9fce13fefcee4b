"""What somebody asks: which texts, which method, how many themes."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from subclust.core.exceptions import InputError
from subclust.core.records import Passage

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
        """Return it as JSON values."""
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


@dataclass(frozen=True)
class TextFilter:
    """One condition that texts must meet.

    Parameters
    ----------
    field : str
        One of `FIELDS`, or of a text's metadata.
    sign : {"=", "~"}
        Whether the whole value is compared, whatever the case, or a part looked for.
    wanted : str
        In small letters.
    """

    field: str
    sign: str
    wanted: str

    @classmethod
    def read(cls, written: str) -> "TextFilter":
        """Read a filter.

        ``collection=theses`` and ``language=en`` compare whole values, whatever the case;
        ``title~rivers`` looks for a part; ``year=1990-2005``, ``year=1990-`` and ``year=-2005`` are
        spans of numbers.

        Raises
        ------
        InputError
            If it cannot be read.
        """
        found = re.fullmatch(r"\s*([\w.-]+)\s*([=~])\s*(.+?)\s*", written)
        if found is None:
            raise InputError(
                "The filter {text!r} cannot be read; write field=value, such as "
                "collection=theses, title~rivers or year=1990-2005.",
                text=written,
            )
        return cls(found[1], found[2], found[3].casefold())

    def meets(self, passage: Passage) -> bool:
        """Return whether a text meets it; its words are not looked at."""
        known = self.field in FIELDS
        own = getattr(passage, self.field) if known else passage.metadata.get(self.field)
        value = (own or "").casefold()
        if self.sign == "~":
            return self.wanted in value
        span = _RANGE.fullmatch(self.wanted)
        # A date such as 2019-05 counts by its year.
        if span and value[:4].isdecimal():
            return int(span[1] or 0) <= int(value[:4]) <= int(span[2] or 9999)
        return bool(value == self.wanted)
