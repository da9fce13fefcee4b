"""How records are cited on one line, and where they are found."""

import doctest

import pytest

from subclust.core.records.links import record_link
from subclust.ui.components import words
from subclust.ui.components.words import cited


def test_the_example_holds():
    found = doctest.testmod(words)
    assert (found.attempted, found.failed) == (1, 0)


@pytest.mark.parametrize(
    ("metadata", "line"),
    [
        ({}, ""),
        ({"authors": "Roe, A.; Doe, J."}, "Roe, A.; Doe, J."),
        ({"year": "2019-05-01"}, "2019"),
        ({"year": "c. 1450"}, "1450"),
        ({"year": "in press", "authors": "Roe, A."}, "Roe, A. (in press)"),
        ({"authors": "A; B; C; D", "year": "2020"}, "A; B; C et al. (2020)"),
        ({"authors": "Ann Roe, Jo Doe, Al Poe, Cy Moe"}, "Ann Roe; Jo Doe; Al Poe et al."),
        ({"authors": "Roe, Ann and Doe, Jo"}, "Roe, Ann; Doe, Jo"),
        ({"source": "Wikipedia"}, "Wikipedia"),
        ({"venue": "Nature", "source": "Scopus", "issue": "7"}, "Nature 7"),
        ({"venue": "Nature", "pages": "e12-e19", "volume": "3"}, "Nature 3, e12–e19"),
        ({"pages": "1-2", "volume": "3"}, ""),
    ],
)
def test_a_record_is_cited(metadata, line):
    assert cited(metadata) == line


@pytest.mark.parametrize(
    ("metadata", "address"),
    [
        ({}, ""),
        ({"url": "https://example.org/a", "doi": "10.1000/x"}, "https://example.org/a"),
        ({"url": "javascript:alert(1)", "doi": "10.1000/x"}, "https://doi.org/10.1000/x"),
        ({"url": "http://[broken"}, ""),
        ({"doi": "not one"}, ""),
        ({"url": "https://"}, ""),
        ({"url": "https://example.org/\u202egpj.exe"}, ""),
        ({"url": "https://example.org/a b"}, ""),
        (
            {"doi": "10.1000/a) [b](javascript:1)?#"},
            "https://doi.org/10.1000/a%29%20%5Bb%5D%28javascript:1%29%3F%23",
        ),
    ],
)
def test_a_record_is_found(metadata, address):
    assert record_link(metadata) == address
