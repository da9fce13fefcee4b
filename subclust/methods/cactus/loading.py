"""A set encoder over a pretrained encoder."""

from typing import Any

import torch
from torch import nn

from subclust.core.exceptions import EncoderError
from subclust.methods.cactus.bodies import find_body
from subclust.methods.cactus.body import Body
from subclust.methods.cactus.set_encoder import CONTEXTS, SetEncoder
from subclust.text.encoders import CachedEncoder, Encoder, SentenceEncoder


def load_set_encoder(
    encoder: Encoder | nn.Module,
    *,
    context: str,
    tuned_layers: int | str = "all",
    context_layers: int | None = None,
    low_precision: bool | None = None,
) -> SetEncoder:
    """Make a set encoder over a pretrained one.

    Parameters
    ----------
    encoder : Encoder or nn.Module
        A `SentenceEncoder`, or the cache of one, whose weights are read afresh; or a model of
        transformers, which is taken over and not copied.
    context : str
        One of `CONTEXTS`.
    tuned_layers : int or "all"
        Last layers that learn; "all" for the whole encoder with its word embeddings, as the paper.
    context_layers : int, optional
        Last layers in which entities meet; by default all, as the paper. Nothing to "nia" and
        "nia-context", whose layers know one entity only.
    low_precision : bool, optional
        Whether to compute in bfloat16, what is frozen being kept in it too; by default as the
        `SentenceEncoder` does.

    Returns
    -------
    SetEncoder
        On the encoder's device.

    Raises
    ------
    EncoderError
        If the encoder's family is not known, or it has fewer layers.
    """
    if context not in CONTEXTS:
        raise EncoderError(
            "There is no set encoder {context!r}; choose one of {names}.",
            context=context,
            names=", ".join(CONTEXTS),
        )
    inner = encoder.encoder if isinstance(encoder, CachedEncoder) else encoder
    tokenizer: Any = None
    max_length = 128
    if isinstance(inner, SentenceEncoder):
        sentence = inner.fresh_model()
        transformer: Any = sentence[0]
        body = find_body(transformer.auto_model, inner.name)
        tokenizer, max_length = sentence.tokenizer, inner.max_seq_length
        if low_precision is None:
            low_precision = inner.precision == "bfloat16"
    elif isinstance(inner, nn.Module):
        body = find_body(inner, type(inner).__name__)
    else:
        raise EncoderError(
            "The encoder {inner} has no layers in which entities could meet; choose a sentence "
            "encoder.",
            inner=inner.name,
        )
    n_layers = len(body.layers)
    n_tuned = n_layers if tuned_layers == "all" else int(tuned_layers)
    n_context = n_layers if context_layers is None else context_layers
    if context in ("nia", "nia-context"):
        n_context = 0
    for what, number in (("tuned_layers", n_tuned), ("context_layers", n_context)):
        if not 0 <= number <= n_layers:
            raise EncoderError(
                "{what} is {number}, but the encoder has {n_layers} layers.",
                what=what,
                number=number,
                n_layers=n_layers,
            )
    _choose_what_learns(body, n_tuned, whole=tuned_layers == "all")
    if low_precision:
        for parameter in body.parameters():
            if not parameter.requires_grad:
                parameter.data = parameter.data.to(torch.bfloat16)
    made = SetEncoder(
        body,
        context,
        n_lower=n_layers - max(n_tuned, n_context),
        n_alone=n_layers - n_context,
        low_precision=bool(low_precision),
        tokenizer=tokenizer,
        max_length=max_length,
    )
    return made.to(next(body.parameters()).device).train(False)


def _choose_what_learns(body: Body, n_tuned: int, *, whole: bool) -> None:
    body.requires_grad_(whole)
    for layer in list(body.layers)[len(body.layers) - n_tuned :]:
        layer.requires_grad_(True)
    if n_tuned:
        for parameter in body.last_parameters():
            parameter.requires_grad_(True)
