"""``python -m subclust encoders``."""

import argparse
import json

from subclust.core.settings import Settings
from subclust.text.encoders.backends import BACKENDS, choose_backend, ranked, this_processor


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``encoders``."""
    parser.add_argument("--json", action="store_true", help="print one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """List what can compute the embeddings here, what does, and why not the others."""
    processor = this_processor()
    device = settings.resolve_device()
    chosen = choose_backend(settings.encoder_backend, device)
    reasons = {name: backend.why_not(processor) for name, backend in BACKENDS.items()}
    measured = [backend.name for backend in ranked(processor)]
    if arguments.json:
        print(
            json.dumps(
                {
                    "encoder": settings.encoder,
                    "asked": settings.encoder_backend,
                    "in_use": chosen.name if chosen else None,
                    "device": device,
                    "processor": processor.kind,
                    "bfloat16": processor.bfloat16,
                    "measured": measured,
                    "not_usable": {name: why for name, why in reasons.items() if why},
                }
            )
        )
        return
    for name, backend in BACKENDS.items():
        state = "in use" if backend is chosen else "not here" if reasons[name] else "can be used"
        print(f"{name:14} {backend.label:24} {state:12} {reasons[name] or ''}".rstrip())
    told = chosen.label if chosen else f"PyTorch, as {device} computes best"
    print(f"{settings.encoder} is computed by {told} ({settings.encoder_backend} is set).")
    if not measured:
        print(
            f"Nothing was measured on such a processor ({processor.kind}): auto stays with "
            "PyTorch. 'python -m benchmarks encoders --save' measures it."
        )
