"""Languages that passages are in: recognised in their texts, and known to encoders or not."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from subclust.core.records.languages import language_codes

if TYPE_CHECKING:  # its model takes a second to load
    from py3langid.langid import LanguageIdentifier

UNRECOGNISED = ""
"""Stands for the language of a text that is too short, or in several."""

_LEAST_SURE = 0.5
"""Probability below which a language is not said."""

_MOST_READ = 2000
"""Characters of a text that its language is recognised by."""

_NO_LANGUAGE = frozenset(("mul", "mis"))
_FEW = 0.05
"""Share of passages up to which languages that an encoder does not know are not worth a word."""

_XLM_R = """
afr alb amh ara arm asm aze baq bel ben bos bre bul bur cat chi cze dan dut eng epo est fil fin fre
fry geo ger gla gle glg gre guj hau heb hin hrv hun ice ind ita jav jpn kan kaz khm kir kor kur lao
lat lav lit mac mal mar may mlg mon nep nno nob nor ori orm pan per pol por pus rum rus san sin slo
slv snd som spa srp sun swa swe tam tel tgl tha tur uig ukr urd uzb vie wel xho yid
"""
_KNOWN = {
    "all-MiniLM-L6-v2": frozenset(("eng",)),
    "all-mpnet-base-v2": frozenset(("eng",)),
    "e5-small": frozenset(_XLM_R.split()),
}
"""Languages that encoders were trained with, by the encoder's name."""

MULTILINGUAL = "e5-small"
"""The encoder for languages that another does not know."""


def language_of(text: str) -> str:
    """Recognise the language of a text, as an ISO 639-2 code of libraries; `UNRECOGNISED` if not.

    >>> language_of("Die Bibliothek hat viele Bücher über die Geschichte der Stadt.")
    'ger'
    """
    short, _ = _identifier().classify(text[:_MOST_READ])
    return (language_codes(short) or [UNRECOGNISED])[0]


def recognised(texts: Iterable[str], n_all: int) -> dict[str, int]:
    """Count the languages of texts, most first; of a sample, what that makes of all.

    Parameters
    ----------
    texts : iterable of str
        All texts, or some of them drawn by lot.
    n_all : int
        How many texts there are.

    Returns
    -------
    dict of str to int
        Sums to `n_all`, if there is a text.
    """
    found = Counter(map(language_of, texts))
    n_read = found.total()
    counts = {code: round(n * n_all / n_read) for code, n in found.most_common()}
    for code in list(counts)[:1]:  # what rounding left over
        counts[code] += n_all - sum(counts.values())
    return counts


def _known_languages(encoder: str) -> frozenset[str] | None:
    """Return the codes of languages that an encoder was trained with; None where nobody knows.

    Parameters
    ----------
    encoder : str
        Its name.
    """
    return _KNOWN.get(encoder.rpartition("/")[2])


def not_known(encoder: str, spoken: Mapping[str, int]) -> dict[str, int]:
    """Return the languages that an encoder does not know, where more than a few passages are.

    Parameters
    ----------
    encoder : str
        Its name.
    spoken : mapping of str to int
        Passages by language; what is no code of a language does not count.

    Returns
    -------
    dict of str to int
        Most first; empty where nobody knows what languages the encoder knows.
    """
    known = _known_languages(encoder)
    if known is None:
        return {}
    others = {
        code: n
        for code, n in spoken.items()
        if len(code) == 3 and code.islower() and code not in known | _NO_LANGUAGE
    }
    few = sum(others.values()) <= _FEW * sum(spoken.values())
    return {} if few else dict(sorted(others.items(), key=lambda one: (-one[1], one[0])))


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(
        MODEL_FILE, norm_probs=True, min_confidence=_LEAST_SURE
    )
