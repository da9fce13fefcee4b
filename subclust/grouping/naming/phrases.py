"""Phrases of one to three words in a set of passages, counted by passage.

Texts become one array of word numbers, so that a hundred thousand phrases are counted by NumPy
instead of by a loop; a phrase's text is looked up only once it has been chosen.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from functools import cached_property, lru_cache

import numpy as np

from subclust.core.records import IntArray
from subclust.grouping.naming.words import (
    WordForm,
    form_of_word,
    is_function_word,
    may_border,
    root,
    stem,
)

MAX_WORDS = 3

# Web addresses, tags, templates, file links, entities, and whatever holds a digit or a code sign.
NOISE = re.compile(
    r"https?://\S+|www\.\S+|<[^<>]*>|\{\{[^{}]*\}\}|\[\[(?:File|Image|Category):[^\]]*\]\]"
    r"|&#?\w+;|(?<![^\W\d_])[^\s\d_@/\\=|{}^~#]*+[\d_@/\\=|{}^~#]\S*",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*(?:['’](?=\s))?|\S")
_BREAK, _NONE = -1, -2
_KEPT_PASSAGES = 1000
_NEARLY_ALWAYS, _MOST_ADDED = 0.6, 4
_NO_WORD = WordForm("", "", False, False)

MOST_WORDS = 30_000
"""Words that are encoded beforehand: about 45 MB on disk at 384 dimensions."""

_HELD = 500_000


def words_of(text: str) -> list[str]:
    """Take a text apart into words and single signs, in order."""
    return _TOKEN.findall(NOISE.sub(" | ", text))


def asked_roots(asked: str) -> frozenset[str]:
    """Return the roots of the words of a question that say what is asked."""
    return frozenset(root(word) for word in words_of(asked) if not is_function_word(word))


def says_only(text: str, roots: Set[str]) -> bool:
    """Return whether a text has no words but those of `asked_roots`."""
    return all(root(word) in roots for word in words_of(text) if not is_function_word(word))


def _bare(word: str) -> str:
    """Take a possessive ending away."""
    return re.sub(r"['’]s?$", "", word)


class PhraseTable:
    """All phrases of the passages that may stand in a name.

    A phrase does not cross punctuation, does not begin or end with a stop word, holds no number,
    and has a word that the query has not. Phrases that differ in case or number ("colony",
    "Colonies") count as one.

    Parameters
    ----------
    passages : sequence of str
        Texts, n_passages of them.
    query_text : str
        A phrase of its words alone, or of words of the same root, is left out.

    Attributes
    ----------
    phrases : ndarray of shape (n_phrases, 3)
        Word numbers, -1 where the phrase is shorter.
    occurrences : ndarray of shape (n_occurrences, 2)
        Pairs (phrase, passage), each once, sorted.
    """

    def __init__(self, passages: Sequence[str], query_text: str = "") -> None:
        banned = {root(word) for word in _TOKEN.findall(query_text) if not is_function_word(word)}
        self._tokens: list[str] = []
        self._cased: dict[str, str] = {}
        self._spelt: dict[int, str] = {}
        starts: list[int] = []
        for text in passages:
            starts.append(len(self._tokens))
            self._tokens.extend(_tokens_of(text))
            self._tokens.append("|")
        self._number_words(banned)
        owner = np.zeros(len(self._tokens), dtype=np.int64)
        owner[starts[1:]] = 1
        self._owner = np.cumsum(owner)
        self._find_phrases(self._owner)

    def _number_words(self, banned: set[str]) -> None:
        """Return a word number for each distinct token, and where it may stand."""
        forms = {form: number for number, form in enumerate(dict.fromkeys(self._tokens))}
        form_of = np.fromiter(
            map(forms.__getitem__, self._tokens), dtype=np.int64, count=len(self._tokens)
        )
        stems: dict[str, int] = {}
        word, border, inside, asked = [], [], [], []
        full, capital, possessive, initial, dot = [], [], [], [], []
        for form in forms:
            found = form_of_word(form) or _NO_WORD
            asked.append(found.root in banned)
            word.append(stems.setdefault(found.stem, len(stems)) if found.stem else _BREAK)
            border.append(found.may_border)
            full.append(bool(found.stem) and not is_function_word(form))
            capital.append(form[:1].isupper())
            possessive.append(form[-1:] in "'’" or form[-2:] in ("'s", "’s"))
            inside.append(found.may_stand_inside)
            initial.append(len(form) == 1 and form.isupper())
            dot.append(form == ".")
        self.words: list[str] = list(stems)
        self._stems = stems
        self._word = np.array(word, dtype=np.int64)[form_of]
        self._border = np.array(border, dtype=bool)[form_of]
        self._inside = np.array(inside, dtype=bool)[form_of]
        self._full = np.array(full, dtype=bool)[form_of]
        self._capital = np.array(capital, dtype=bool)[form_of]
        self._possessive = np.array(possessive, dtype=bool)[form_of]
        self._asked = np.array(asked, dtype=bool)[form_of]
        self._after_initial = np.zeros(len(form_of), dtype=bool)
        dotted = (
            np.array(initial, dtype=bool)[form_of[:-2]] & np.array(dot, dtype=bool)[form_of[1:-1]]
        )
        self._after_initial[2:] = dotted

    def _find_phrases(self, owner: IntArray) -> None:
        """List the distinct phrases and the passages each occurs in."""
        n_words = len(self.words) + 1
        codes, starts = [], []
        for length in range(1, MAX_WORDS + 1):
            last = len(self._tokens) - length + 1
            fits = self._border[:last] & self._border[length - 1 :]
            for offset in range(1, length - 1):
                fits = fits & self._inside[offset : last + offset]
            new = np.zeros_like(fits)
            for offset in range(length):
                at = slice(offset, last + offset)
                new |= self._border[at] & ~self._asked[at]
            fits &= new
            start = np.flatnonzero(fits)
            code = np.zeros(len(start), dtype=np.int64)
            for offset in range(MAX_WORDS):
                step = self._word[start + offset] + 1 if offset < length else 0
                code = code * n_words + step
            codes.append(code)
            starts.append(start)
        code, self._start = np.concatenate(codes), np.concatenate(starts)
        distinct, self._phrase_at = np.unique(code, return_inverse=True)
        self._codes, self._base = distinct, n_words
        places = n_words ** np.arange(MAX_WORDS - 1, -1, -1)
        self.phrases = distinct[:, None] // places % n_words - 1
        # The occurrences of each phrase side by side, in the order of the texts.
        self._by_phrase = np.argsort(self._phrase_at, kind="stable")
        self._first_of = np.searchsorted(
            self._phrase_at[self._by_phrase], np.arange(len(distinct) + 1)
        )
        self._offset = np.arange(len(owner)) - np.searchsorted(owner, owner)
        n_passages = int(owner[-1]) + 1 if len(owner) else 1
        pairs = np.unique(self._phrase_at * n_passages + owner[self._start])
        self.occurrences = np.stack([pairs // n_passages, pairs % n_passages], axis=1)

    def key(self, phrase: int) -> str:
        """Return the form under which a phrase is counted; sorts the same in any passage order."""
        return " ".join(self.words[word] for word in self.phrases[phrase] if word >= 0)

    def find(self, words: Sequence[str]) -> int | None:
        """Find the phrase that consists of these words, as they are counted."""
        numbers = [self._stems.get(word, _BREAK) + 1 for word in words]
        if not all(numbers) or not 0 < len(numbers) <= MAX_WORDS:
            return None
        code = 0
        for number in (*numbers, *[0] * (MAX_WORDS - len(numbers))):
            code = code * self._base + number
        place = int(np.searchsorted(self._codes, code))
        return place if place < len(self._codes) and self._codes[place] == code else None

    def offsets(self, phrase: int) -> IntArray:
        """Return how many words and signs of its passage stand before each place of a phrase."""
        return np.asarray(self._offset[self._starts_of(phrase)])

    @cached_property
    def earliest(self) -> IntArray:
        """How many words and signs of its passage stand before the first place of each phrase."""
        if not len(self._codes):
            return np.zeros(0, dtype=np.int64)
        offsets = self._offset[self._start[self._by_phrase]]
        return np.asarray(np.minimum.reduceat(offsets, self._first_of[:-1]))

    def after_initial(self, phrase: int) -> float:
        """Return in which share of its places a phrase follows an initial, as in "P. putida"."""
        return float(self._after_initial[self._starts_of(phrase)].mean())

    def passages_with(self, phrase: int) -> list[int]:
        """List the passages that hold a phrase, each once."""
        first, end = self._occurring[phrase : phrase + 2]
        return list(self.occurrences[first:end, 1].tolist())

    @cached_property
    def _occurring(self) -> list[int]:
        """Where the occurrences of each phrase begin."""
        numbers = np.arange(len(self.phrases) + 1)
        return list(np.searchsorted(self.occurrences[:, 0], numbers).tolist())

    def going_on(self, phrase: int) -> tuple[float, float, float]:
        """Return in which share of its places a phrase is a piece of a longer one.

        Returns
        -------
        before, behind, of : float
            Where a word that may border a phrase stands before it and behind it, and where "of"
            does behind it.
        """
        starts = self._starts_of(phrase)
        ends = starts + int((self.phrases[phrase] >= 0).sum())
        before = self._border[np.maximum(starts - 1, 0)] & (starts > 0)
        of = self._word[ends] == self._stems.get("of", _NONE)
        return float(before.mean()), float(self._border[ends].mean()), float(of.mean())

    def passages_of(self, word: str) -> IntArray:
        """Return the passages that have a word, as it is counted; each once or more often."""
        number = self._stems.get(word)
        if number is None:
            return np.zeros(0, dtype=np.int64)
        places, first_of = self._by_word
        return np.asarray(self._owner[places[first_of[number] : first_of[number + 1]]])

    @cached_property
    def _by_word(self) -> tuple[IntArray, IntArray]:
        """The places of each word side by side, and where those of each begin."""
        places = np.argsort(self._word, kind="stable")
        numbers = np.arange(len(self.words) + 1)
        return places, np.searchsorted(self._word[places], numbers)

    def text(self, phrase: int) -> str:
        """Spell a phrase as it is most often found, a sentence's first capital not counted."""
        if phrase not in self._spelt:
            self._spelt[phrase] = self._spell(phrase)
        return self._spelt[phrase]

    def whole(self, phrase: int) -> str:
        """Spell the longer phrase of which this one is nearly always a piece, else itself.

        "Archives Initiative" is always found in "Open Archives Initiative", though a phrase may not
        begin with "open"; and "decline in amphibian" goes on, though a phrase has three words at
        most. Words are added one by one, at the end first, while most places have the same one
        there; those before it are of a name, with a capital, or of the question: "access journals"
        are "open access journals".
        """
        length = int((self.phrases[phrase] >= 0).sum())
        starts = self._starts_of(phrase)
        ends = starts + length
        least, text = _NEARLY_ALWAYS * len(starts), self.text(phrase)
        for step in ("end", "start") * _MOST_ADDED:
            is_start = step == "start"
            at, own = (starts - 1, starts) if is_start else (ends, ends - 1)
            with_name = self._capital[at] & self._capital[own]
            if is_start:
                may = with_name | self._asked[at]
            else:
                may = with_name | (self._border[at] & (length == MAX_WORDS))
            may &= (at >= 0) & self._full[at] & ~self._possessive[at if is_start else own]
            words = np.where(may, self._word[at], _BREAK)
            numbers, counts = np.unique(words[words != _BREAK], return_counts=True)
            if not len(numbers) or counts.max() < least:
                continue
            same = words == numbers[counts.argmax()]
            # The first word of a sentence has a capital anyway.
            place = int(at[same][0])
            is_name = self._inner_case(self._tokens[place])[:1].isupper()
            if is_start and not (is_name or self._asked[place]):
                continue
            starts, ends = starts[same], ends[same]
            starts, ends = (starts - 1, ends) if is_start else (starts, ends + 1)
            text = self._most_written(starts.tolist(), ends.tolist())
        return text

    def _most_written(self, starts: Sequence[int], ends: Sequence[int]) -> str:
        found = Counter(
            " ".join([*self._tokens[start : end - 1], _bare(self._tokens[end - 1])])
            for start, end in zip(starts, ends, strict=True)
        )
        return min(found, key=lambda form: (-found[form], form))

    def _spell(self, phrase: int) -> str:
        length = int((self.phrases[phrase] >= 0).sum())
        found: Counter[str] = Counter()
        for position in self._starts_of(phrase).tolist():
            words = self._tokens[position : position + length]
            if position == 0 or self._word[position - 1] == _BREAK:
                words = [self._inner_case(words[0]), *words[1:]]
            words[-1] = _bare(words[-1])
            found[" ".join(words)] += 1
        return min(found, key=lambda form: (-found[form], form.isupper(), form))

    def _starts_of(self, phrase: int) -> IntArray:
        """Return the places in the texts where a phrase begins."""
        first, end = self._first_of[phrase : phrase + 2]
        return np.asarray(self._start[self._by_phrase[first:end]])

    def _inner_case(self, word: str) -> str:
        """Return the case in which a word is most often found inside a sentence."""
        if not word.istitle():
            return word
        if word not in self._cased:
            self._cased[word] = self._most_often(word)
        return self._cased[word]

    def _most_often(self, word: str) -> str:
        lower, titled = word.lower(), 0
        lowered = 0
        for position in self._positions_of(word):
            if position and self._word[position - 1] != _BREAK:
                titled += self._tokens[position] == word
                lowered += self._tokens[position] == lower
        return lower if lowered > titled else word

    def _positions_of(self, word: str) -> list[int]:
        found: list[int] = np.flatnonzero(self._word == self._stems[stem(word)]).tolist()
        return found


def phrase_table(passages: Sequence[str], query_text: str = "") -> PhraseTable:
    """Return the table of these passages, made once while a page groups its hits again.

    A whole collection's is made each time: nobody waits for it, and it takes much memory.

    Parameters
    ----------
    passages, query_text
        As for `PhraseTable`.
    """
    if len(passages) > _KEPT_PASSAGES:
        return PhraseTable(passages, query_text)
    return _table_of(tuple(passages), query_text)


@lru_cache(maxsize=8)
def _table_of(passages: tuple[str, ...], query_text: str) -> PhraseTable:
    return PhraseTable(passages, query_text)


@lru_cache(maxsize=2000)
def _tokens_of(text: str) -> tuple[str, ...]:
    """Split a passage into words and signs, once as long as hits like these are grouped again."""
    return tuple(words_of(text))


def vocabulary(texts: Iterable[str], most: int = MOST_WORDS) -> list[str]:
    """List the words, as they are spelt, that may be a name of passages from these texts.

    Many phrases that `subclust.grouping.naming.HeadingNamer` compares are single words, and
    encoding phrases is most of what naming costs; so words are encoded once, when a library is
    made.

    Parameters
    ----------
    texts : iterable of str
        Read once, one after the other.
    most : int
        At most so many words, those in the most texts.

    Returns
    -------
    list of str
        Words of at least two texts; each spelling is one of its own.
    """
    found: Counter[str] = Counter()
    for text in texts:
        found.update({_bare(word) for word in words_of(text)})
        if len(found) > _HELD:  # of a very large library the rarest go
            found = Counter({word: n for word, n in found.items() if n > 1})
    words = (word for word, n in found.items() if n > 1 and word[:1].isalpha() and may_border(word))
    return sorted(words, key=lambda word: (-found[word], word))[:most]
