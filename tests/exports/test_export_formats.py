"""What all formats have in common."""

import pytest
from hostile_map import hostile_report
from raising import raises

from subclust.core.exceptions import InputError
from subclust.exports import FORMATS, format_of, written


@pytest.mark.parametrize("suffix", FORMATS)
def test_equal_reports_are_equal_files(suffix):
    first = written(hostile_report(), FORMATS[suffix])
    assert first == written(hostile_report(), FORMATS[suffix])
    assert len(first) > 500


@pytest.mark.parametrize("suffix", FORMATS)
def test_the_ending_of_a_name_decides(suffix):
    assert format_of(f"some.folder/Tea {suffix.upper()}{suffix}").suffix == suffix


@pytest.mark.parametrize("name", ["tea", "tea.pdf", ".csv", "csv"])
def test_another_ending_is_one_sentence(name):
    with raises(InputError):
        format_of(name)
