"""What the processor computes natively, as far as embeddings can use it."""

import platform
from dataclasses import dataclass

from subclust.core.messages import Message


@dataclass(frozen=True)
class Processor:
    """A processor's abilities.

    Parameters
    ----------
    kind : str
        The class of processors that a measurement stands for: ``"amx"``, ``"avx512-bf16"``,
        ``"avx512"``, ``"avx2"``, or the machine's architecture where it is none of these.
    bfloat16 : bool
        Whether it multiplies matrices of bfloat16 natively.
    """

    kind: str
    bfloat16: bool

    def why_no_bfloat16(self) -> str | None:
        """Return why bfloat16 is not for this processor; None where it is."""
        if self.bfloat16:
            return None
        return Message(
            "this processor ({kind}) does not compute bfloat16, which takes AMX or AVX-512 "
            "BF16, and imitating it is slower than float32",
            kind=self.kind,
        )


def this_processor() -> Processor:
    """Look at the processor of this machine."""
    import torch

    able = torch.cpu.get_capabilities()
    amx, avx512_bf16 = bool(able.get("amx_bf16")), bool(able.get("avx512_bf16"))
    if amx:
        kind = "amx"
    elif avx512_bf16:
        kind = "avx512-bf16"
    elif able.get("avx512_f"):
        kind = "avx512"
    elif able.get("avx2"):
        kind = "avx2"
    else:
        kind = platform.machine().lower() or "unknown"
    return Processor(kind, amx or avx512_bf16)
