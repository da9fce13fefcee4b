from collections import Counter

from app_files import APP

from subclust.figures.palette import DARK, LIGHT
from subclust.ui import state

UI = APP.parent


def test_no_two_keys_are_the_same():
    keys = Counter(value for name, value in vars(state).items() if name.isupper())
    assert [key for key, count in keys.items() if count > 1] == []


def test_the_style_sheet_has_the_colours_of_the_figures():
    sheet = (UI / "style.css").read_text()
    for name in ("text", "muted", "page"):
        pair = f"--sc-{name}: light-dark({getattr(LIGHT, name)}, {getattr(DARK, name)})"
        assert pair in sheet
