"""When a checkpoint may become its method's default: at once, or with a reason in words."""

from subclust.checkpoints.card import judgement_of
from subclust.checkpoints.store import CheckpointStore
from subclust.core.exceptions import CheckpointError
from subclust.core.messages import Message

SHORTEST_REASON = 10
"""Characters that a reason must have."""


def why_reason_needed(store: CheckpointStore, method: str, name: str) -> str | None:
    """Return why a checkpoint may be promoted with a reason only, None where it needs none.

    None is needed where the judgement on held-out queries says ``"better"``. A checkpoint that came
    with the project, and has no judgement, counts as judged by the scores in its card, which were
    measured on held-out queries. What an imported archive says of itself was measured elsewhere
    and does not count.
    """
    this = f"{method}/{name}"
    card = store.card(method, name)
    judgement = judgement_of(card)
    verdict = judgement.get("verdict")
    if verdict == "better":
        return None
    if verdict is not None:
        told = judgement.get("sentence")
        return (
            told
            if isinstance(told, str) and told
            else Message("{model} was not shown to group better than the one before.", model=this)
        )
    if store.is_shipped(method, name) and card.get("scores"):
        return None
    return Message(
        "{model} has not been compared with another model on held-out questions here.", model=this
    )


def promote_checkpoint(
    store: CheckpointStore,
    method: str,
    name: str,
    *,
    as_default: bool = False,
    who: str | None = None,
    reason: str | None = None,
) -> None:
    """Make a checkpoint its method's default, if it was shown to be better or there is a reason.

    Parameters
    ----------
    as_default : bool
        Whether its method becomes the default method too.
    who, reason : str, optional
        Kept in the history.

    Raises
    ------
    CheckpointNotFoundError
        If it does not exist.
    CheckpointError
        If it is damaged, or a reason is needed and there is none of `SHORTEST_REASON` characters.
    """
    store.load(method, name)  # what is damaged is not put in use
    why = " ".join((reason or "").split())
    unchanged = not as_default and store.promoted(method) == name
    needed = None if unchanged else why_reason_needed(store, method, name)
    if needed and len(why) < SHORTEST_REASON:
        raise CheckpointError(
            "{reason} To use it anyway, give a reason of at least {count} characters (--reason "
            "on the command line).",
            reason=needed,
            count=SHORTEST_REASON,
        )
    store.promote(method, name, as_default=as_default, who=who or None, why=why or None)
