"""What the app asks of the server that it runs in."""

import tomllib

from subclust.core.settings import PROJECT_ROOT


def test_no_visitor_waits_for_what_only_developers_need():
    settings = tomllib.loads((PROJECT_ROOT / ".streamlit" / "config.toml").read_text())
    assert settings["server"]["fileWatcherType"] == "none"
    assert settings["runner"]["postScriptGC"] is False


def test_nothing_is_told_to_anybody():
    settings = tomllib.loads((PROJECT_ROOT / ".streamlit" / "config.toml").read_text())
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["client"]["showErrorDetails"] == "none"
    assert settings["client"]["showErrorLinks"] is False
