"""Times on the pages: of this machine, with its zone, by one function."""

import re
import time

import pytest
from app_files import PAGES

from subclust.core.settings import PROJECT_ROOT
from subclust.ui.components.words import day, moment


@pytest.fixture(autouse=True)
def berlin(monkeypatch):
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("when", "whole", "alone"),
    [
        ("2001-02-03T23:05:00+00:00", "4 February 2001, 00:05 CET", "4 February 2001"),
        ("2001-07-03T12:05:00", "3 July 2001, 14:05 CEST", "3 July 2001"),
        (981_241_500, "4 February 2001, 00:05 CET", "4 February 2001"),
        (0.0, "1 January 1970, 01:00 CET", "1 January 1970"),
        ("2001-02-03", "3 February 2001", "3 February 2001"),
        ("soon", "soon", "soon"),
        ("", "", ""),
        (None, "", ""),
    ],
)
def test_a_time_is_told_with_its_zone(when, whole, alone):
    assert (moment(when), day(when)) == (whole, alone)


def test_nothing_else_on_the_pages_writes_times():
    own = re.compile(r"strftime|%H:%M|fromtimestamp|fromisoformat|localtime|ctime|\.saved\[")
    files = [
        *(PROJECT_ROOT / "subclust" / "ui").rglob("*.py"),
        *(PAGES).glob("*.py"),
    ]
    assert len(files) > 50
    assert [f.name for f in files if own.search(f.read_text("utf-8"))] == ["words.py"]
