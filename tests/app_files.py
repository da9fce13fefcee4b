"""Where the app's scripts are."""

from pathlib import Path

import subclust.ui

APP = Path(subclust.ui.__file__).parent / "app.py"
PAGES = APP.parent / "pages"
