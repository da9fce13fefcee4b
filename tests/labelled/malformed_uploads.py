"""Files that are no labelled set, whatever their names say."""

import gzip
import io
import itertools
import pickle
import pickletools
import struct
import tarfile
import zipfile

from labelled_files import GOOD_LINES, GOOD_ROWS, csv_text, jsonl_text, xlsx_bytes

CSV = csv_text(GOOD_ROWS).encode()
JSONL = jsonl_text(GOOD_LINES).encode()
XLSX = xlsx_bytes(GOOD_ROWS)
ENDINGS = ("csv", "tsv", "xlsx", "jsonl", "jsonl.gz")


def rezipped(members=None, without=(), **options):
    """Pack the good workbook anew, with more in it or less."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(XLSX)) as source, zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            if name not in without and name not in (members or {}):
                archive.writestr(name, source.read(name))
        for name, content in (members or {}).items():
            archive.writestr(name, content, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def zipped(**members):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/"), content)
    return target.getvalue()


def declaring(content, size):
    """Have a ZIP archive declare that its last member unpacks to so many bytes."""
    changed = bytearray(content)
    at = changed.rindex(b"PK\x01\x02")
    changed[at + 24 : at + 28] = struct.pack("<I", size)
    return bytes(changed)


def with_flag(content, flag):
    """Set a flag of every member of a ZIP archive."""
    changed = bytearray(content)
    at = changed.find(b"PK\x01\x02")
    while at >= 0:
        changed[at + 8] |= flag
        at = changed.find(b"PK\x01\x02", at + 4)
    return bytes(changed)


def types_with_macros():
    with zipfile.ZipFile(io.BytesIO(XLSX)) as archive:
        types = archive.read("[Content_Types].xml").decode()
    return types.replace("spreadsheetml.sheet.main", "sheet.macroEnabled.main").encode()


def tar():
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        info = tarfile.TarInfo("set.csv")
        info.size = len(CSV)
        archive.addfile(info, io.BytesIO(CSV))
    return target.getvalue()


class Trap:
    """An object whose pickle would run a program."""

    def __reduce__(self):
        import os

        return os.system, ("echo trapped",)


PAD = bytes(range(256)) * 8

CONTENTS = {
    **{f"pickle {n}": pickle.dumps(GOOD_ROWS, protocol=n) for n in range(2, 6)},
    **{f"pickle 0 {kind.__name__}": pickle.dumps(kind(GOOD_ROWS[0]), 0) for kind in (list, tuple)},
    "pickle 0 dict": pickle.dumps({"a": 1}, 0),
    "trap 0": pickle.dumps(Trap(), 0),
    "trap 4": pickletools.optimize(pickle.dumps(Trap(), 4)),
    "elf": b"\x7fELF\x02\x01\x01" + PAD,
    "pe": b"MZ\x90\x00\x03\x00\x00\x00" + PAD,
    "mach-o": b"\xcf\xfa\xed\xfe\x07\x00\x00\x01" + PAD,
    "java": b"\xca\xfe\xba\xbe\x00\x00\x00\x34" + PAD,
    "wasm": b"\x00asm\x01\x00\x00\x00" + PAD,
    "script": b"#!/bin/sh\necho query,text,label\n",
    "png": b"\x89PNG\r\n\x1a\n" + PAD,
    "jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF" + PAD,
    "gif": b"GIF89a\x01\x00\x01\x00" + PAD,
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
    "rtf": b"{\\rtf1\\ansi query}",
    "html": b"<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>",
    "html after blanks": b"\xef\xbb\xbf\n  <HTML><head>",
    "html table": b"<table><tr><td>query</td></tr></table>",
    "html comment": b"<!-- error --><html>",
    "xml": b'<?xml version="1.0"?><rows/>',
    "old excel": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + PAD,
    "encrypted": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + PAD + "EncryptedPackage".encode("utf-16-le"),
    "sqlite": b"SQLite format 3\x00" + PAD,
    "parquet": b"PAR1\x15\x04\x15" + PAD,
    "arrow": b"ARROW1\x00\x00" + PAD,
    "hdf5": b"\x89HDF\r\n\x1a\n" + PAD,
    "numpy": b"\x93NUMPY\x01\x00v\x00{'descr': '<f4'}",
    "7z": b"7z\xbc\xaf\x27\x1c\x00\x04" + PAD,
    "rar": b"Rar!\x1a\x07\x01\x00" + PAD,
    "bzip2": b"BZh91AY&SY\x00\x01" + PAD,
    "xz": b"\xfd7zXZ\x00\x00\x04" + PAD,
    "zstd": b"\x28\xb5\x2f\xfd\x04\x00" + PAD,
    "tar": tar(),
    "zip": zipped(**{"set.csv": CSV}),
    "empty zip": b"PK\x05\x06" + bytes(18),
    "word": zipped(**{"[Content_Types].xml": "<Types/>", "word__document.xml": "<w/>"}),
    "opendocument": zipped(**{"content.xml": "<c/>", "META-INF__manifest.xml": "<m/>"}),
    "torch": zipped(archive__data_pkl="x", **{"archive__data.pkl": "x"}),
    "zeros": bytes(5000),
    "noise": bytes(itertools.islice(itertools.cycle(range(1, 256, 7)), 5000)),
    "a zero": CSV[:200] + b"\x00" + CSV[200:],
    "empty": b"",
    "blanks": b" \r\n\t\r\n" * 20,
    "a mark alone": b"\xef\xbb\xbf",
}
"""Refused under every ending, also when packed."""


def under_every_ending():
    """Yield name and content of each of `CONTENTS` under each ending; nested packing unpacked."""
    for (told, content), ending in itertools.product(CONTENTS.items(), ENDINGS):
        yield f"{told.replace(' ', '-')}.{ending}", content
        if ending == "jsonl.gz" and content:
            yield f"{told.replace(' ', '-')}-packed.{ending}", gzip.compress(content)


OTHERS = {
    "macros.xlsx": rezipped({"xl/vbaProject.bin": b"\xd0\xcf\x11\xe0"}),
    "macros-elsewhere.xlsx": rezipped({"xl/other/VBAPROJECT.bin": b"x"}),
    "macro-type.xlsx": rezipped({"[Content_Types].xml": types_with_macros()}),
    "macro-sheet.xlsx": rezipped({"xl/macrosheets/sheet1.xml": "<x/>"}),
    "active.xlsx": rezipped({"xl/activeX/activeX1.bin": b"x"}),
    "program-inside.xlsx": rezipped({"xl/media/run.exe": b"MZ"}),
    "pickle-inside.xlsx": rezipped({"xl/data.pkl": b"\x80\x04N."}),
    "something-inside.xlsx": rezipped({"secret/thing.txt": b"x"}),
    "path.xlsx": rezipped({"../../evil.xml": b"x"}),
    "root.xlsx": rezipped({"/etc/passwd": b"x"}),
    "drive.xlsx": rezipped({"C:/x.xml": b"x"}),
    "backslash.xlsx": rezipped({"xl\\..\\x.xml": b"x"}),
    "ratio.xlsx": rezipped({"xl/media/image1.png": bytes(70 << 20)}),
    "huge.xlsx": declaring(rezipped({"xl/media/image1.png": bytes(1000)}), 700 << 20),
    "many.xlsx": rezipped({f"xl/media/{n}": b"" for n in range(10_001)}),
    "locked.xlsx": with_flag(XLSX, 1),
    "no-types.xlsx": rezipped(without=["[Content_Types].xml"]),
    "no-book.xlsx": rezipped(without=["xl/workbook.xml"]),
    "cut.xlsx": XLSX[: len(XLSX) // 2],
    "head.xlsx": XLSX[:100],
    "cut.jsonl.gz": gzip.compress(JSONL)[:-20],
    "damaged.jsonl.gz": gzip.compress(JSONL)[:60] + b"\xff" * 50,
    "empty-inside.jsonl.gz": gzip.compress(b""),
    "plain.jsonl.gz": JSONL,
    "workbook.csv": XLSX,
    "packed.csv": gzip.compress(CSV),
    "packed.jsonl": gzip.compress(JSONL),
    "table.jsonl": CSV,
    "table-inside.jsonl.gz": gzip.compress(CSV),
    "lines.csv": JSONL,
    "list.tsv": b'[\n {"query": "a"}\n]',
    "object.csv": b'{\n "query": "a"}',
    "plain.xlsx": CSV,
    "late-zero.csv": CSV * 400 + b"apple,a\x00b,c\r\n",
    "late-zero.jsonl": JSONL * 400 + b"\x00\n",
}
"""Refused under this name."""

NAMES = [
    "", ".", "..", "../set.csv", "a/set.csv", "C:\\set.csv", "/etc/passwd", "set\n.csv",
    "set\x00.csv", "set\x1b[2J.csv", "\u202egpj.csv", "x" * 300 + ".csv", "set", "set.xls",
    "set.xlsm", "set.txt", "set.json", "set.pkl", "set.csv.gz", "set.zip", "set.csv.exe",
    "set.csv ", "set.parquet", "set.xlsb", "set.ods", "\ud800.csv", "set.csv\t", ".gz",
]  # fmt: skip
"""Refused whatever is in it."""
