"""The networks of this room, made from a checkpoint's configuration or from an encoder."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import torch
from torch import nn

from subclust.checkpoints import Checkpoint
from subclust.checkpoints.network import build_network, load_weights
from subclust.core.exceptions import CheckpointError, EncoderError
from subclust.methods.cactus.bodies import Body, find_body
from subclust.methods.cactus.set_encoder import CONTEXTS, SetEncoder
from subclust.methods.cactus.token_set import KeptStates, TokenSet
from subclust.methods.cactus.variants import VARIANTS
from subclust.methods.cactus.vector_set import VectorSet
from subclust.methods.cactus.word_embeddings import WordEmbeddings
from subclust.text.encoders import CachedEncoder, Encoder, SentenceEncoder

TOKENS = "tokens"
"""What ``model.reads`` says in the configuration of a network over word pieces."""
Network = VectorSet | TokenSet


def reads_tokens(config: Mapping[str, Any]) -> bool:
    """Return whether a checkpoint's network reads word pieces, and not the encoder's vectors."""
    return bool(dict(config.get("model", {})).get("reads") == TOKENS)


def open_network(
    method: str, config: Mapping[str, Any], encoder: Encoder, *, cached_states: bool = False
) -> Network:
    """Build a method's network, over the encoder where it reads word pieces.

    Parameters
    ----------
    method : str
    config : mapping
        Of a checkpoint.
    encoder : Encoder
    cached_states : bool
        Whether the hidden states of the layers that do not learn are kept on disk.

    Raises
    ------
    CheckpointError
        If the configuration does not fit.
    EncoderError
        If the encoder does not.
    """
    if not reads_tokens(config):
        return build_vectors(method, config)
    variant, model = VARIANTS[method], config["model"]
    if variant.words_only:
        words = WordEmbeddings(encoder, variant.context)
        return TokenSet(words, uses_query=variant.uses_query)
    whole = bool(model.get("tuned_embeddings"))
    set_encoder = load_set_encoder(
        encoder,
        context=variant.context,
        tuned_layers="all" if whole else int(model["tuned_layers"]),
        context_layers=int(model.get("context_layers", 0)) or None,
    )
    if whole and model["tuned_layers"] != set_encoder.n_layers:
        raise EncoderError(
            "The word embeddings of the encoder {encoder} learn only with all its {n_layers} "
            "layers; set tuned_layers to {n_layers}, or tuned_embeddings to false.",
            encoder=encoder.name,
            n_layers=set_encoder.n_layers,
        )
    kept = KeptStates(encoder, set_encoder) if cached_states else None
    return TokenSet(set_encoder, uses_query=variant.uses_query, kept=kept)


def build_vectors(method: str, config: Mapping[str, Any]) -> VectorSet:
    """Build a method's network over vectors.

    Raises
    ------
    CheckpointError
        If the configuration does not fit.
    """
    variant = VARIANTS[method]
    kind: Any = partial(VectorSet, sees=variant.sees, uses_query=variant.uses_query)
    network = build_network(method, kind, config)
    assert isinstance(network, VectorSet)
    return network


def load_network(network: Network, checkpoint: Checkpoint) -> None:
    """Put a checkpoint's weights into a network.

    Raises
    ------
    CheckpointError
        If they do not fit.
    """
    if isinstance(network, VectorSet):
        load_weights(network, checkpoint)
        return
    try:
        network.load(checkpoint.head_weights)
    except EncoderError as error:
        raise CheckpointError(
            "The weights of the checkpoint {method}/{checkpoint} do not fit its configuration "
            "({error}) Restore its folder from a copy, or train it again.",
            method=checkpoint.method,
            checkpoint=checkpoint.name,
            error=error,
        ) from error


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
    body, tokenizer, max_length, as_encoder = _body_of(encoder)
    if low_precision is None:
        low_precision = as_encoder
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
        low_precision=low_precision,
        tokenizer=tokenizer,
        max_length=max_length,
    )
    return made.to(next(body.parameters()).device).train(False)


def _body_of(encoder: Encoder | nn.Module) -> tuple[Body, Any, int, bool]:
    """Return body, tokenizer, word pieces of a text, and whether it computes in bfloat16."""
    inner = encoder.encoder if isinstance(encoder, CachedEncoder) else encoder
    if isinstance(inner, SentenceEncoder):
        sentence = inner.fresh_model()
        transformer: Any = sentence[0]
        body = find_body(transformer.auto_model, inner.name)
        return body, sentence.tokenizer, inner.max_seq_length, inner.precision == "bfloat16"
    if isinstance(inner, nn.Module):
        return find_body(inner, type(inner).__name__), None, 128, False
    raise EncoderError(
        "The encoder {inner} has no layers in which entities could meet; choose a sentence "
        "encoder.",
        inner=inner.name,
    )


def _choose_what_learns(body: Body, n_tuned: int, *, whole: bool) -> None:
    body.requires_grad_(whole)
    for layer in list(body.layers)[len(body.layers) - n_tuned :]:
        layer.requires_grad_(True)
    if n_tuned:
        for parameter in body.last_parameters():
            parameter.requires_grad_(True)
