"""``methods`` and ``encoders``: what there is to choose from."""

import argparse
from dataclasses import asdict

from subclust.checkpoints import CheckpointStore
from subclust.cli.printing import said, show
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.methods import METHODS
from subclust.text.encoders.backends import BACKENDS, choose_backend, ranked, this_processor


def add_methods(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``methods``."""
    parser.add_argument("--json", action="store_true", help="print one object")


def run_methods(arguments: argparse.Namespace, settings: Settings) -> None:
    """List the methods and their checkpoints."""
    store = CheckpointStore.of(settings)
    rows, lines = [], []
    for card in METHODS.values():
        names = store.names(card.name)
        rows.append({**asdict(card), "checkpoints": names})
        trained = ", ".join(names) or said(Message("not trained yet"))
        line = f"{card.name:16} {said(card.summary)}"
        lines.append(f"{line} [{trained}]" if card.needs_checkpoint else line)
    show(arguments, {"methods": rows}, *lines)


def add_encoders(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``encoders``."""
    parser.add_argument("--json", action="store_true", help="print one object")


def run_encoders(arguments: argparse.Namespace, settings: Settings) -> None:
    """List what can compute the embeddings here, what does, and why not the others."""
    processor = this_processor()
    device = settings.resolve_device()
    chosen = choose_backend(settings.encoder_backend, device)
    reasons = {name: backend.why_not(processor) for name, backend in BACKENDS.items()}
    measured = [backend.name for backend in ranked(processor)]
    value = {
        "encoder": settings.encoder,
        "asked": settings.encoder_backend,
        "in_use": chosen.name if chosen else None,
        "device": device,
        "processor": processor.kind,
        "bfloat16": processor.bfloat16,
        "measured": measured,
        "not_usable": {name: why for name, why in reasons.items() if why},
    }
    lines = []
    for name, backend in BACKENDS.items():
        state, why = Message("can be used"), reasons[name] or ""
        if backend is chosen or why:
            state = Message("in use" if backend is chosen else "not here")
        lines.append(f"{name:14} {backend.label:24} {said(state):12} {said(why)}".rstrip())
    lines.append(
        Message(
            "{encoder} is computed by {backend} ({setting} is set)."
            if chosen
            else "{encoder} is computed by PyTorch, as {device} computes best ({setting} is set).",
            encoder=settings.encoder,
            backend=chosen.label if chosen else "",
            device=device,
            setting=settings.encoder_backend,
        )
    )
    if not measured:
        lines.append(
            Message(
                "Nothing was measured on such a processor ({processor}): auto stays with PyTorch. "
                "'python -m benchmarks encoders --save' measures it.",
                processor=processor.kind,
            )
        )
    show(arguments, value, *lines)
