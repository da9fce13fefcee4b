"""Back translation: a text into another language and back, by what this machine has."""

import hashlib
import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import warnings
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from subclust.core.exceptions import TrainingError

_READ = 1_000_000
"""Bytes up to which a file is told by its content; a larger one by its size and time."""


LANGUAGES = ("es", "fr")
"""Over which texts go: Spanish and French (section IV-B of Shi and Sakai)."""

_APERTIUM = {"es": ("eng-spa", "spa-eng")}
_MODES = Path("share/apertium/modes")
_AT_ONCE = 16
_SECONDS = 600


def _version_of(paths: Iterable[Path], *more: str) -> str:
    """Return eight hexadecimal digits that are others where a file has changed.

    Parameters
    ----------
    paths : iterable of Path
        Files; one that is not there counts as missing.
    *more : str
        Whatever else tells versions apart.
    """
    digest = hashlib.sha256("\n".join(more).encode())
    for path in sorted(paths):
        digest.update(f"\n{path.name} {_told(path)}".encode())
    return digest.hexdigest()[:8]


def _told(path: Path) -> str:
    try:
        known = path.stat()
        if known.st_size > _READ:
            return f"{known.st_size} {known.st_mtime_ns}"
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "missing"


class BackTranslator(Protocol):
    """Translates English texts into another language and back.

    Attributes
    ----------
    name : str
        For the cache: changes whenever the wordings would.
    label : str
        For people, and for cards.
    """

    @property
    def name(self) -> str:
        """For the cache."""
        ...

    @property
    def label(self) -> str:
        """For people."""
        ...

    def translate(self, texts: Sequence[str]) -> list[str]:
        """Return each text as it comes back.

        Raises
        ------
        TrainingError
            If the translator does not work.
        """
        ...


class MarianBackTranslator:
    """Opus-MT's networks, out of the local cache of models.

    Parameters
    ----------
    there, back : Path
        Folders of the two models.
    """

    def __init__(self, there: Path, back: Path, language: str) -> None:
        self.folders = (there, back)
        self.language = language
        self._loaded: list[tuple[Any, Any]] = []

    @cached_property
    def version(self) -> str:
        """Of the models' files, and of what reads them."""
        files = (path for folder in self.folders for path in folder.iterdir() if path.is_file())
        return _version_of(files, *map(_installed, ("transformers", "sentencepiece", "sacremoses")))

    @property
    def name(self) -> str:
        """For the cache: changes whenever the wordings would."""
        return f"opus-mt-en-{self.language}-{self.version}"

    @property
    def label(self) -> str:
        """For people."""
        return f"Opus-MT {' and '.join(_ways(self.language))} ({self.version})"

    def translate(self, texts: Sequence[str]) -> list[str]:
        """Return each text as it comes back."""
        if not self._loaded:
            self._loaded = [_opened(folder) for folder in self.folders]
        result = list(texts)
        for tokenizer, model in self._loaded:
            result = [
                text
                for start in range(0, len(result), _AT_ONCE)
                for text in _generated(tokenizer, model, result[start : start + _AT_ONCE])
            ]
        return result


class ApertiumBackTranslator:
    """Apertium's rules and dictionaries, which need no model; they know Spanish only."""

    def __init__(self, language: str = "es") -> None:
        self.pairs = _APERTIUM[language]

    @cached_property
    def version(self) -> str:
        """Of Apertium and of all files that its two ways of translating name."""
        program = Path(shutil.which("apertium") or "apertium")
        modes = [program.resolve().parent.parent / _MODES / f"{pair}.mode" for pair in self.pairs]
        return _version_of([program, *modes, *(path for mode in modes for path in _named_in(mode))])

    @property
    def name(self) -> str:
        """For the cache: changes whenever the wordings would."""
        return f"apertium-{self.pairs[0]}-{self.version}"

    @property
    def label(self) -> str:
        """For people."""
        return f"Apertium {' and '.join(self.pairs)} ({self.version})"

    def translate(self, texts: Sequence[str]) -> list[str]:
        """Return each text as it comes back, a line each."""
        lines = [" ".join(text.split()) for text in texts]
        for pair in self.pairs:
            lines = self._through(lines, pair)
        return lines

    @staticmethod
    def _through(lines: Sequence[str], pair: str) -> list[str]:
        try:
            done = subprocess.run(
                # -u: do not mark unknown words.
                ["apertium", "-u", pair],
                input="\n".join(lines) + "\n",
                capture_output=True,
                text=True,
                check=True,
                timeout=_SECONDS,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise TrainingError(
                "Apertium's {pair} did not translate ({error}); try 'echo house | apertium "
                "{pair}', or set objective.augmentation to masking.",
                pair=pair,
                error=error,
            ) from error
        found = done.stdout.splitlines()
        if len(found) != len(lines):
            raise TrainingError(
                "Apertium's {pair} returned {count} lines for {other_count}; set "
                "objective.augmentation to masking.",
                pair=pair,
                count=len(found),
                other_count=len(lines),
            )
        return found


def find_back_translator(language: str) -> BackTranslator | None:
    """Find what translates over a language on this machine: Marian, else Apertium, else nothing."""
    there, back = (_cached(f"Helsinki-NLP/opus-mt-{way}") for way in _ways(language))
    if there is not None and back is not None and importlib.util.find_spec("sentencepiece"):
        return MarianBackTranslator(there, back, language)
    if language in _APERTIUM and _apertium_knows(_APERTIUM[language]):
        return ApertiumBackTranslator(language)
    return None


def _ways(language: str) -> tuple[str, str]:
    return f"en-{language}", f"{language}-en"


def _cached(model: str) -> Path | None:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return Path(snapshot_download(model, local_files_only=True))
    except (LocalEntryNotFoundError, OSError, ValueError):
        return None


def _apertium_knows(pairs: Sequence[str]) -> bool:
    if shutil.which("apertium") is None:
        return False
    try:
        done = subprocess.run(["apertium", "-l"], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return False
    return set(pairs) <= set(done.stdout.split())


def _named_in(mode: Path) -> list[Path]:
    """List the dictionaries and rules that a mode of Apertium hands to its programs."""
    try:
        return [Path(name) for name in re.findall(r"'([^']+)'", mode.read_text(encoding="utf-8"))]
    except (OSError, UnicodeDecodeError):
        return []


def _installed(package: str) -> str:
    try:
        return f"{package} {importlib.metadata.version(package)}"
    except importlib.metadata.PackageNotFoundError:
        return f"no {package}"


def _opened(folder: Path) -> tuple[Any, Any]:
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    # Its weight-by-weight progress bar is no use to anybody here.
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        with warnings.catch_warnings():
            # Without it punctuation is not made uniform before it is translated.
            warnings.filterwarnings("ignore", message="Recommended: pip install sacremoses")
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True)
    except Exception as error:  # the libraries below raise anything at all
        told = " ".join(str(error).split())[:200]
        raise TrainingError(
            "The translation model in {folder} cannot be loaded ({told}); fetch it again, or set "
            "objective.augmentation to masking.",
            folder=folder,
            told=told,
        ) from error
    return tokenizer, model.eval()


def _generated(tokenizer: Any, model: Any, texts: Sequence[str]) -> list[str]:
    import torch

    with torch.inference_mode():
        batch = tokenizer(list(texts), return_tensors="pt", padding=True, truncation=True)
        generated = model.generate(**batch, num_beams=1, do_sample=False, max_new_tokens=256)
    decoded: list[str] = tokenizer.batch_decode(generated, skip_special_tokens=True)
    return decoded
