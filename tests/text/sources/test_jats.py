"""The sections of an article, as headings above paragraphs."""

from xml.etree import ElementTree

import pytest

from subclust.text.sources.jats import _sections


@pytest.mark.parametrize("n_levels", [1, 3, 20])
def test_a_paragraph_has_the_headings_of_all_sections_around_it(n_levels):
    names = [f"Level {number}" for number in range(n_levels)]
    opened = "".join(f"<sec><title>{name}</title>" for name in names)
    body = ElementTree.fromstring(f"<body>{opened}<p>Tea.</p>{'</sec>' * n_levels}</body>")
    assert list(_sections(body, ())) == [(tuple(names), ["Tea."])]
