"""The encodings that old files of libraries have, and the letters of the languages in them."""

import codecs
from dataclasses import dataclass
from typing import NamedTuple

from subclust.core.exceptions import InputError

UTF_8 = "utf-8"
MARC_8 = "marc-8"
WINDOWS = "cp1252"


class EncodingCard(NamedTuple):
    """An encoding that a file is tried in.

    Parameters
    ----------
    label : str
        For people.
    languages : tuple of str
        That are written in it, by their code in MARC; empty where none needs to be guessed.
    rarity : float
        How much less often it comes than the encodings of Windows, as a difference of logarithms.
    """

    label: str
    languages: tuple[str, ...] = ()
    rarity: float = 0.0


_WEST = tuple("fre ger spa por ita dut dan swe ice cat".split())
_CENTRE = tuple("cze slo pol hun rum hrv".split())
_CYRILLIC = tuple("rus ukr bel bul srp".split())

ENCODINGS: dict[str, EncodingCard] = {
    UTF_8: EncodingCard("UTF-8"),
    "utf-16": EncodingCard("UTF-16"),
    "utf-16-le": EncodingCard("UTF-16 LE"),
    "utf-16-be": EncodingCard("UTF-16 BE"),
    "utf-32": EncodingCard("UTF-32"),
    "utf-32-le": EncodingCard("UTF-32 LE"),
    "utf-32-be": EncodingCard("UTF-32 BE"),
    "cp1252": EncodingCard("Windows-1252", _WEST),
    "cp1250": EncodingCard("Windows-1250", _CENTRE),
    "cp1251": EncodingCard("Windows-1251", _CYRILLIC),
    "cp1253": EncodingCard("Windows-1253", ("gre",)),
    "cp1254": EncodingCard("Windows-1254", ("tur",)),
    "cp1255": EncodingCard("Windows-1255", ("heb",)),
    "cp1256": EncodingCard("Windows-1256", ("ara", "per")),
    "cp1257": EncodingCard("Windows-1257", ("lit", "lav", "est")),
    "iso8859-1": EncodingCard("ISO 8859-1 (Latin-1)"),
    "iso8859-2": EncodingCard("ISO 8859-2", _CENTRE, 1.0),
    "iso8859-5": EncodingCard("ISO 8859-5", _CYRILLIC, 1.0),
    "iso8859-6": EncodingCard("ISO 8859-6", ("ara",), 1.0),
    "iso8859-7": EncodingCard("ISO 8859-7", ("gre",), 1.0),
    "iso8859-15": EncodingCard("ISO 8859-15"),
    "koi8-r": EncodingCard("KOI8-R", ("rus", "bul"), 0.5),
    "koi8-u": EncodingCard("KOI8-U", ("ukr",), 0.5),
    "mac-roman": EncodingCard("Mac Roman", _WEST, 1.0),
    "mac-latin2": EncodingCard("Mac, Central European", _CENTRE, 2.0),
    "mac-cyrillic": EncodingCard("Mac, Cyrillic", _CYRILLIC, 2.5),
    "mac-greek": EncodingCard("Mac, Greek", ("gre",), 2.0),
    "mac-turkish": EncodingCard("Mac, Turkish", ("tur",), 2.0),
    "cp437": EncodingCard("DOS 437", _WEST, 1.6),
    "cp850": EncodingCard("DOS 850", _WEST, 1.5),
    "cp852": EncodingCard("DOS 852", _CENTRE, 2.0),
    "cp857": EncodingCard("DOS 857", ("tur",), 2.0),
    "cp866": EncodingCard("DOS 866", ("rus", "bel", "bul"), 1.0),
    "cp737": EncodingCard("DOS 737", ("gre",), 2.0),
    "cp874": EncodingCard("Windows-874", ("tha",), 1.0),
    "cp932": EncodingCard("Shift-JIS", ("jpn",)),
    "euc_jp": EncodingCard("EUC-JP", ("jpn",), 0.5),
    "gb18030": EncodingCard("GBK", ("chi",)),
    "big5hkscs": EncodingCard("Big5", ("chi",)),
    "cp949": EncodingCard("EUC-KR", ("kor",)),
    MARC_8: EncodingCard("MARC-8"),
}
"""By Python's name, or ``"marc-8"``; those with languages are tried where a file is not UTF-8."""

MULTI_BYTE = frozenset({"cp932", "euc_jp", "gb18030", "big5hkscs", "cp949"})

_ARABIC = "".join(map(chr, (*range(0x621, 0x63B), *range(0x641, 0x653), 0x60C, 0x61B, 0x61F)))
_CYRILLIC_LETTERS = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
ALPHABETS: dict[str, str] = {
    "fre": "éèàêçâîôûëïùœæü", "ger": "äöüß", "spa": "áéíñóúü¿¡", "por": "ãáçéõóíêâúôà",
    "ita": "àèéìòù", "dut": "ëéïèöü", "dan": "øæåéö", "swe": "äöåé", "ice": "áðéíóúýþæö",
    "cat": "àçèéíïòóúü·",
    "cze": "áčďéěíňóřšťúůýž", "slo": "áäčďéíĺľňóôŕšťúýž", "pol": "ąćęłńóśźż", "hun": "áéíóöőúüű",
    "rum": "ăâîșțşţ", "hrv": "čćđšž",
    "lit": "ąčęėįšųūž", "lav": "āčēģīķļņšūž", "est": "äõöüšž", "tur": "çğıöşüâîİ",
    "rus": f"{_CYRILLIC_LETTERS}ё",
    "bul": _CYRILLIC_LETTERS.translate({ord("ы"): "", ord("э"): ""}),
    "ukr": f"{_CYRILLIC_LETTERS}іїєґ".translate(dict.fromkeys(map(ord, "ъыэё"), "")),
    "bel": f"{_CYRILLIC_LETTERS}ёіў".translate(dict.fromkeys(map(ord, "ъщи"), "")),
    "srp": "абвгдђежзијклљмнњопрстћуфхцчџш",
    "gre": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
    "heb": "אבגדהוזחטיךכלםמןנסעףפץצקרשת", "ara": _ARABIC, "per": f"{_ARABIC}پچژگکی",
    "tha": "".join(map(chr, (*range(0xE01, 0xE3B), *range(0xE40, 0xE4F)))),
}  # fmt: skip
"""By the code of a language in MARC: its letters beyond a to z, in lower case."""

# Languages with nearly the same letters share a code here: Norwegian is read like Danish.
_ISO = {
    "fr": "fre", "de": "ger", "es": "spa", "pt": "por", "it": "ita", "nl": "dut", "da": "dan",
    "no": "dan", "sv": "swe", "fi": "swe", "is": "ice", "ca": "cat", "cs": "cze", "sk": "slo",
    "pl": "pol", "hu": "hun", "ro": "rum", "hr": "hrv", "sl": "hrv", "lt": "lit", "lv": "lav",
    "et": "est", "tr": "tur", "ru": "rus", "bg": "bul", "uk": "ukr", "be": "bel", "sr": "srp",
    "el": "gre", "he": "heb", "ar": "ara", "fa": "per", "th": "tha", "ja": "jpn", "zh": "chi",
    "ko": "kor",
}  # fmt: skip
_OTHER = {
    "fra": "fre", "deu": "ger", "nld": "dut", "isl": "ice", "ces": "cze", "slk": "slo",
    "ron": "rum", "ell": "gre", "fas": "per", "zho": "chi", "slv": "hrv", "bos": "hrv",
    "nor": "dan", "nob": "dan", "fin": "swe", "scr": "hrv", "scc": "srp", "glg": "por",
}  # fmt: skip
_NAMES = {
    "french": "fre", "german": "ger", "spanish": "spa", "portuguese": "por", "italian": "ita",
    "dutch": "dut", "danish": "dan", "norwegian": "dan", "swedish": "swe", "finnish": "swe",
    "icelandic": "ice", "catalan": "cat", "czech": "cze", "slovak": "slo", "polish": "pol",
    "hungarian": "hun", "romanian": "rum", "croatian": "hrv", "slovenian": "hrv",
    "lithuanian": "lit", "latvian": "lav", "estonian": "est", "turkish": "tur", "russian": "rus",
    "bulgarian": "bul", "ukrainian": "ukr", "belarusian": "bel", "serbian": "srp", "greek": "gre",
    "hebrew": "heb", "arabic": "ara", "persian": "per", "thai": "tha", "japanese": "jpn",
    "chinese": "chi", "korean": "kor", "deutsch": "ger", "français": "fre",
}  # fmt: skip


def language_of(word: str) -> str | None:
    """Return a language's code in MARC of its code or name; None of those in any encoding."""
    plain = word.strip().lower()
    known = _ISO.get(plain) or _OTHER.get(plain) or _NAMES.get(plain) or plain
    return known if known in ALPHABETS or known in ("jpn", "chi", "kor") else None


def label_of(encoding: str) -> str:
    """Return an encoding's name for people."""
    card = ENCODINGS.get(encoding)
    return card.label if card else encoding


def settled(name: str) -> str:
    """Return the name that Python has for an encoding that somebody names.

    Raises
    ------
    InputError
        If there is no such encoding of texts.
    """
    asked = name.strip()
    labels = {card.label.lower(): key for key, card in ENCODINGS.items()}
    labels |= {"marc8": MARC_8, MARC_8: MARC_8, "gbk": "gb18030", "euc-kr": "cp949"}
    if key := labels.get(asked.lower()):
        return key
    plain = (
        asked.lower()
        .replace("windows-", "cp")
        .replace("dos-", "cp")
        .replace("macroman", "mac-roman")
    )
    try:
        info = codecs.lookup(plain)
    except (LookupError, ValueError):
        info = None
    # Codecs such as base64 and zlib turn bytes into bytes.
    if info is None or not getattr(info, "_is_text_encoding", True):
        raise InputError(
            "There is no encoding named {name!r}; name one such as {examples}.",
            name=name,
            examples="UTF-8, Windows-1250, KOI8-R, Shift-JIS",
        )
    found = next((key for key in ENCODINGS if key != MARC_8 and codecs.lookup(key) == info), None)
    return found or info.name


_ODD_BYTES = "subclust-odd-bytes"
"""Name of what decodes the bytes that an encoding has no letter for."""


def odd_bytes(encoding: str) -> str:
    """Return the name of the handler for bytes that are in no letter of an encoding."""
    name = f"{_ODD_BYTES}-{encoding}"
    try:
        codecs.lookup_error(name)
    except LookupError:
        codecs.register_error(name, _OddBytes(encoding))
    return name


@dataclass(frozen=True)
class _OddBytes:
    """Decodes what cannot be decoded byte by byte, in the old encoding or as Windows does."""

    encoding: str

    def __call__(self, error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeDecodeError):
            raise error
        wrong = error.object[error.start : error.end]
        if self.encoding in MULTI_BYTE or self.encoding.startswith(("utf-16", "utf-32")):
            return "\ufffd", error.end
        return "".join(map(self._letter, wrong)), error.end

    def _letter(self, byte: int) -> str:
        one = bytes([byte])
        old = self.encoding if self.encoding != UTF_8 else "cp1252"
        return one.decode(old, "ignore") or one.decode("cp1252", "ignore") or chr(byte)
