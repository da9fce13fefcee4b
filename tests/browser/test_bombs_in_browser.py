"""While one visitor's file is looked into that would fill the memory, others are served."""

import gzip
import time

import small_library
from served_app import served

MB = 1 << 20
WIDE = (
    gzip.compress(b'<collection xmlns="http://www.loc.gov/MARC21/slim">')
    + gzip.compress(b"<record>" + b"<a/>" * 200_000 + b"</record>") * 90
)
"""Records that are each just allowed, but so many that a preview of them takes its whole time."""


def test_another_visitor_is_served_within_two_seconds_meanwhile(tmp_path, new_page):
    small_library.build(tmp_path, "old", 5)
    with served(tmp_path) as url:
        other = new_page()
        other.goto(f"{url}/library")
        other.get_by_text("old", exact=True).first.wait_for(timeout=120_000)  # a fresh server
        giver = new_page()
        giver.goto(f"{url}/library?show=import")
        files = giver.locator("[class*=st-key-library-files] input[type=file]")
        files.wait_for(state="attached", timeout=60_000)
        files.set_input_files(
            [{"name": "wide.xml.gz", "mimeType": "application/gzip", "buffer": WIDE}]
        )
        giver.get_by_text("Checking the file").wait_for()
        began = time.monotonic()
        other.goto(f"{url}/library")
        other.get_by_text("old", exact=True).first.wait_for()
        took = time.monotonic() - began
        assert took < 2
        giver.get_by_text("wide.xml.gz").first.wait_for()
