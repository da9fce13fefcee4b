"""The registry of clustering methods: a dict of cards, and how to load what a card names."""

from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from subclust.checkpoints import DEFAULT_METHOD, Checkpoint, CheckpointStore
from subclust.checkpoints.checkpoint import ENCODER_PREFIX
from subclust.core.exceptions import CheckpointError, InputError
from subclust.core.plugins import plugged
from subclust.core.records import MethodCard
from subclust.core.settings import Settings
from subclust.methods.aecl.card import CARDS as AECL
from subclust.methods.baselines.card import CARDS as BASELINES
from subclust.methods.cactus.card import CARDS as CACTUS
from subclust.methods.cob.card import CARDS as COB
from subclust.methods.qs3m.card import CARDS as QS3M
from subclust.methods.scl.card import CARDS as SCL
from subclust.text.encoders import Encoder, StackedEncoder, exact, shared_encoder, tuned

if TYPE_CHECKING:  # it would import scikit-learn, for which lists of methods must not wait
    from subclust.grouping.clustering.base import SubtopicClusterer
    from subclust.training.training_run import TrainingRun

UNTRAINED = "centred-cosine"
"""The method that stands for the default over an encoder that this was not trained with."""

METHODS: dict[str, MethodCard] = {
    card.name: card for card in (*QS3M, *COB, *CACTUS, *AECL, *SCL, *BASELINES)
} | {name: card for cards in plugged("methods") for name, card in cards.items()}
"""Every method by name, with those of the benchmarks if installed; listing it imports no torch."""


class Loader(Protocol):
    """What the `loader` of a card names: the function that makes its clusterer."""

    def __call__(
        self, name: str, checkpoint: Checkpoint | None, encoder: Encoder
    ) -> "SubtopicClusterer":
        """Make the clusterer of a method.

        Parameters
        ----------
        name : str
            Of the method.
        checkpoint : Checkpoint or None
            None where the method is not trained.
        encoder : Encoder
            The one that the checkpoint was trained over.

        Raises
        ------
        CheckpointError
            If a checkpoint is needed and there is none, or its weights and configuration do not fit
            each other.
        """
        ...


def find_method(name: str, store: CheckpointStore) -> MethodCard:
    """Look a method up; ``"default"`` is the one that is shipped or promoted as default.

    Raises
    ------
    InputError
        If there is no method of that name.
    CheckpointNotFoundError
        If it is ``"default"`` and none has been promoted.
    """
    resolved = store.default_method() if name == DEFAULT_METHOD else name
    if resolved not in METHODS:
        raise InputError(
            "There is no method {resolved!r}; choose one of default, {names}.",
            resolved=resolved,
            names=", ".join(METHODS),
        )
    return METHODS[resolved]


@dataclass(frozen=True)
class LoadedMethod:
    """A method that is ready to group passages.

    Parameters
    ----------
    clusterer : SubtopicClusterer
        Its ``n_clusters``, ``max_other`` and ``random_state`` may be set before `fit`.
    encoder : Encoder
        Makes the embeddings that the clusterer expects: the base encoder, or the method's own
        tuning of it.
    """

    card: MethodCard
    clusterer: "SubtopicClusterer"
    encoder: Encoder
    checkpoint: Checkpoint | None


def load_method(
    name: str = "default",
    store: CheckpointStore | None = None,
    encoder: Encoder | None = None,
    checkpoint: str | None = None,
    *,
    settings: Settings | None = None,
) -> LoadedMethod:
    """Load a method: its estimator, with its trained model where it needs one.

    Parameters
    ----------
    name : str
        Of the method, or ``"default"``; over an encoder that this was not trained with, `UNTRAINED`
        stands for it.
    store : CheckpointStore, optional
        By default that of the settings.
    encoder : Encoder, optional
        The base encoder; by default that of the settings.
    checkpoint : str, optional
        By default the method's promoted one.
    settings : Settings, optional
        By default those of the ``SUBCLUST_*`` environment variables.

    Raises
    ------
    InputError
        If there is no such method, or it takes no checkpoint.
    CheckpointError
        If the checkpoint is missing, damaged, or was trained over another base encoder.

    Examples
    --------
    >>> method = subclust.load_method("kmeans")
    >>> texts = ["Cats purr.", "Dogs bark.", "Kittens purr, too.", "A dog barks at night."]
    >>> grouping = subclust.group(texts, n_clusters=2, method=method)
    >>> grouping.subtopics.method
    'kmeans'
    """
    if store is None or encoder is None:
        settings = settings or Settings.from_environment()
        store = store or CheckpointStore.of(settings)
        encoder = encoder or shared_encoder(settings)
    card = find_method(name, store)
    if checkpoint is not None and not card.needs_checkpoint:
        raise InputError(
            "The method {card} is not trained, so it has no checkpoint {checkpoint!r}.",
            card=card.name,
            checkpoint=checkpoint,
        )
    if not card.needs_checkpoint:
        return LoadedMethod(card, resolve(card.loader)(card.name, None, encoder), encoder, None)
    loaded = store.load(card.name, checkpoint)
    # Only if nobody named the method; one asked for by name must fail where it does not fit.
    if name == DEFAULT_METHOD and checkpoint is None and not _made_for(loaded, encoder):
        return load_method(UNTRAINED, store, encoder)
    return load_trained(loaded, encoder)


def _made_for(checkpoint: Checkpoint, encoder: Encoder) -> bool:
    """Return whether a checkpoint was trained over an encoder, or over words alone."""
    expected = checkpoint.config.get("encoder_revision", "(not named)")
    return expected in (None, encoder.revision, exact(encoder).revision)


def load_trained(checkpoint: Checkpoint, encoder: Encoder) -> LoadedMethod:
    """Make the clusterer of a checkpoint that need not have been saved.

    Parameters
    ----------
    encoder : Encoder
        The base encoder.

    Raises
    ------
    InputError
        If there is no such method.
    CheckpointError
        If it is damaged, or was trained over another base encoder.
    """
    if checkpoint.method not in METHODS:
        raise InputError("There is no method {method!r}.", method=checkpoint.method)
    card, encoder = METHODS[checkpoint.method], encoder_of(checkpoint, encoder)
    clusterer = resolve(card.loader)(card.name, checkpoint, encoder)
    return LoadedMethod(card, clusterer, encoder, checkpoint)


def train_method(run: "TrainingRun") -> Checkpoint:
    """Train a method as its card says, where it can be trained.

    Returns
    -------
    Checkpoint
        Not saved yet; its card holds the scores on validation, or on the collection's labels.

    Raises
    ------
    TrainingError
        If recipe or data do not fit the method, or the run cannot go on.
    TrainingStopped
        If somebody stopped it; its state is saved.
    """
    trainer = METHODS[run.method].trainer
    assert trainer is not None
    checkpoint: Checkpoint = resolve(trainer)(run)
    return checkpoint


def standalone(checkpoint: Checkpoint, store: CheckpointStore) -> Checkpoint:
    """Return a checkpoint with the layers that it shares with another one, to use it unsaved.

    Parameters
    ----------
    store : CheckpointStore
        Where the other one is.

    Returns
    -------
    Checkpoint
        That rests on no other.

    Raises
    ------
    CheckpointError
        If the other one is missing or damaged.
    """
    source = checkpoint.config.get("layers_of")
    if source is None:
        return checkpoint
    layers = store.load(*str(source).split("/", 1)).encoder_layers
    shared = {f"{ENCODER_PREFIX}{name}": layer for name, layer in layers.items()}
    kept = {k: v for k, v in checkpoint.config.items() if k not in ("layers_of", "layers_digest")}
    return replace(checkpoint, config=kept, tensors={**shared, **checkpoint.tensors})


def load_base(method: str, given: str, store: CheckpointStore) -> Checkpoint:
    """Load the checkpoint that a training is to start from.

    Parameters
    ----------
    method : str
        That is to be trained.
    given : str
        Name of a checkpoint of it, or ``METHOD/NAME`` of another method with the same network.

    Raises
    ------
    CheckpointError
        If it is missing or damaged.
    """
    other, slash, name = given.partition("/")
    return store.load(other, name) if slash else store.load(method, given)


def encoder_of(checkpoint: Checkpoint, encoder: Encoder) -> Encoder:
    """Return the encoder that a checkpoint was trained over.

    Parameters
    ----------
    checkpoint : Checkpoint
        Its config names the base encoder's revision, or None where the method reads words and
        not vectors; tensors named ``encoder.*``, if any, replace layers of it; with ``with_base``
        the base encoder's vectors stand beside its own.
    encoder : Encoder
        The base encoder.

    Raises
    ------
    CheckpointError
        If it was trained over another base encoder.
    """
    expected = checkpoint.config.get("encoder_revision", "(not named)")
    if expected is None:
        return encoder
    if expected != encoder.revision:
        encoder = exact(encoder)  # a rounding encoder's own vectors are not what was learned from
    if expected != encoder.revision:
        raise CheckpointError(
            "The checkpoint {method}/{checkpoint} was trained over the encoder {expected}, but "
            "the encoder in use is {revision}; choose that encoder, or a method that needs no "
            "training.",
            method=checkpoint.method,
            checkpoint=checkpoint.name,
            expected=expected,
            revision=encoder.revision,
        )
    layers = checkpoint.encoder_layers
    own = tuned(encoder, layers) if layers else encoder
    return StackedEncoder([own, encoder]) if checkpoint.config.get("with_base") else own


def resolve(address: str) -> Any:
    """Import the function that ``"package.module:function"`` names."""
    module, _, function = address.partition(":")
    return getattr(import_module(module), function)
