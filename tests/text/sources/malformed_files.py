"""Files spoilt as disks, mail programs, editors and people spoil them, the same for a seed."""

import random

from export_fixtures import every_format

_TOKENS = [
    b"{", b"}", b'"', b"<", b">", b"&", b"&foo;", b"]]>", b"<!--", b"<![CDATA[", b"@article{",
    b"ER  - \n", b"TY  - \n", b"\x00", b"\x1d", b"\x1e", b"\x1f", b"\xff\xfe", b"\xef\xbb\xbf",
    b"\r", b"\n\n", b"\t", b",", b"\\", b"%", b"$", b"\xe9", b"\xc3", b"\xed\xa0\x80", b"null",
    b"[[[[", b"]}", b'{"a":', b"1e999", b"<1>\n", b"PMID- \n", b"PT J\n", b"%0 \n", b"stream",
    b"endobj", b"<record>", b"</record>", b'<!ENTITY a "b">', b"99999",
]  # fmt: skip


def spoilt(seed: int) -> tuple[str, bytes]:
    """Give the name and the bytes of a file that was spoilt in one to four ways."""
    chance = random.Random(seed)
    files = every_format()
    name = chance.choice(sorted(files))
    data = files[name]
    for _ in range(chance.randint(1, 4)):
        data = chance.choice(_WAYS)(data, chance)
    if chance.random() < 0.1:  # and named as something else
        name = "other" + "." + chance.choice(sorted(files)).rsplit(".", 1)[1]
    return name, data


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _flip(data: bytes, chance: random.Random) -> bytes:
    spoilt_data = bytearray(data)
    for _ in range(chance.choice([1, 3, 30])):
        if spoilt_data:
            spoilt_data[chance.randrange(len(spoilt_data))] = chance.randrange(256)
    return bytes(spoilt_data)


def _drop(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    return data[:start] + data[start + chance.choice([1, 10, 200]) :]


def _double(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    return data[:start] + data[start : start + 300] * chance.choice([2, 20]) + data[start:]


def _insert(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice([1, 5])):
        at = chance.randrange(len(data) + 1)
        data = data[:at] + chance.choice(_TOKENS) * chance.choice([1, 1, 50]) + data[at:]
    return data


def _encode(data: bytes, chance: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(chance.choice(["latin-1", "cp1252", "utf-16", "utf-16-be"]), "replace")


def _ends(data: bytes, chance: random.Random) -> bytes:
    return data.replace(b"\n", chance.choice([b"\r", b"\r\n", b"", b"\n\n", b" "]))


def _splice(data: bytes, chance: random.Random) -> bytes:
    other = chance.choice(sorted(every_format().values()))
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other)) :]


def _shuffle(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


_WAYS = [_cut, _flip, _drop, _double, _insert, _encode, _ends, _splice, _shuffle]
