"""``library limit``: for which teams a library is."""

import json

from subclust.core.limits import teams_of


def test_a_library_is_limited_and_opened_again(run, library, settings):
    for words, teams in ((("history", "law"), ["history", "law"]), (("everybody",), [])):
        to = [word for team in words for word in ("--to", team)]
        status, out, err = run("library", "limit", "small", *to, "--json")
        assert (status, err, json.loads(out)) == (0, "", {"library": "small", "teams": teams})
        assert list(teams_of(settings.library_dir, "small")) == teams
    assert run("library", "limit", "none", "--to", "law")[0] == 1
