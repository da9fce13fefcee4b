"""Files of any size are streamed: what reading takes of the memory does not grow with them."""

import os
import subprocess
import sys

import pymarc
import pytest

pytestmark = pytest.mark.slow

SMALL, LARGE = 10, int(os.environ.get("LARGE_FILE_MB", "200"))
"""Megabytes; ``LARGE_FILE_MB=2048 pytest -m slow`` reads two gigabytes of each format."""

MOST_MORE = 30
"""Megabytes that the large file may take beyond the small one."""

ABSTRACT = "Maps persuade whoever reads them, and catalogues describe what nobody has read. " * 12
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
MARC_FIELDS = (
    '<record><leader>00000nam a2200000   4500</leader><controlfield tag="001">{0}</controlfield>'
    '<datafield tag="245" ind1="1" ind2="0"><subfield code="a">Maps {0}</subfield></datafield>'
    '<datafield tag="520" ind1=" " ind2=" "><subfield code="a">' + ABSTRACT + "</subfield>"
    "</datafield></record>\n"
)
RIS = "TY  - JOUR\nID  - {0}\nTI  - Maps {0}\nAB  - " + ABSTRACT + "\nER  - \n\n"
NBIB = "PMID- {0}\nTI  - Maps {0}\nAB  - " + ABSTRACT + "\n\n"
BIBTEX = "@article{{k{0},\n title = {{Maps {0}}},\n abstract = {{" + ABSTRACT + "}}\n}}\n"
COLLECTION = XML + '<collection xmlns="http://www.loc.gov/MARC21/slim">\n'
CSL = '{{"id": "{0}", "type": "book", "title": "Maps {0}", "abstract": "' + ABSTRACT + '"}},\n'
LAST = '{{"id": "last", "type": "book", "title": "Maps", "abstract": "Maps persuade."}}\n]\n'


def iso2709():
    """Give a record of binary MARC, with a place for a number of eight figures."""
    number, record = "98765432", pymarc.Record()
    for tag, content in (("245", f"Maps {number}"), ("520", ABSTRACT)):
        field = pymarc.Field(tag, subfields=[pymarc.Subfield("a", content)])
        record.add_field(field)
    record.add_ordered_field(pymarc.Field("001", data=number))
    return record.as_marc().decode("ascii").replace(number, "{0:08d}")


FORMATS = {
    "csv": ("id,title,abstract\r\n", '{0},Maps {0},"' + ABSTRACT + '"\r\n', ""),
    "jsonl": ("", '{{"id": "{0}", "title": "Maps {0}", "abstract": "' + ABSTRACT + '"}}\n', ""),
    "ris": ("", RIS, ""),
    "nbib": ("", NBIB, ""),
    "bib": ("", BIBTEX, ""),
    "mrc": ("", iso2709(), ""),
    "xml": (COLLECTION, MARC_FIELDS, "</collection>\n"),
    "json": ("[\n", CSL, LAST),
    "txt": ("", "Maps {0}. " + ABSTRACT + "\n\n", ""),
}
"""Beginning, record and end of a file by its ending; the number of the record is put in."""

READ = """
import sys
from pathlib import Path
from subclust.text.sources import Document
from subclust.text.sources.opening import open_source

read = refused = 0
for item in open_source(Path(sys.argv[1]), "auto", "mine"):
    if isinstance(item, Document):
        read += len(item.passages)
    else:
        refused += 1
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(read, refused, int(peak.split()[1]) // 1024)
"""


def write(path, format, megabytes):
    """Write a file of about so many megabytes, and give its number of records."""
    first, record, last = FORMATS[format]
    n_records = (megabytes << 20) // len(record.format(10**6))
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.write(first)
        for number in range(n_records):
            stream.write(record.format(number))
        stream.write(last.format())
    return n_records


@pytest.mark.skipif(sys.platform != "linux", reason="the memory is read from /proc")
@pytest.mark.parametrize("format", FORMATS)
def test_a_large_file_takes_no_more_memory_than_a_small_one(tmp_path, format):
    peaks = []
    for megabytes in (SMALL, LARGE):
        path = tmp_path / f"{megabytes}.{format}"
        n_records = write(path, format, megabytes)
        found = subprocess.run(
            [sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True
        )
        path.unlink()
        n_read, n_refused, peak = map(int, found.stdout.split())
        assert n_refused == 0
        assert n_read >= n_records
        peaks.append(peak)
    print(f"{format}: {peaks[0]} MB for {SMALL} MB, {peaks[1]} MB for {LARGE} MB")
    assert peaks[1] - peaks[0] <= MOST_MORE
