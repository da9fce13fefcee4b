import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from live_catalogues import oai_error, oai_pmh, sru
from live_machine import Sleeper, switched_on
from live_server import Reply, served
from live_shapes import crossref, records
from raising import numbers, raises

from subclust.core.exceptions import LiveSourceError
from subclust.text.ingest.harvest import HarvestState, harvest
from subclust.text.library import PassageLibrary
from subclust.text.sources.live.base import LiveRequest
from subclust.text.sources.live.opening import open_live
from subclust.text.sources.live.transport import RefusedError

pytestmark = pytest.mark.app  # waits for processes

FOUND = records(45)
N_DELETED = 2


@pytest.fixture
def server():
    with served(oai_pmh(FOUND)) as live:
        yield live


@pytest.fixture
def run(settings, encoder, server):
    def call(name="oai-pmh", query="", **options):
        on = switched_on(settings, server.url, name)
        state = HarvestState(name, LiveRequest(query), "found", "all of it")

        def opened(state):
            return open_live(
                on, state.source, state.request, state.collection, deep=True, sleep=Sleeper()
            )

        return harvest(
            settings.harvests_dir, state, opened, encoder, settings.library_dir, **options
        )

    return call


def there(settings):
    return PassageLibrary.open(settings.library_dir, "found").fingerprints()


def test_all_of_a_repository(run, settings, server):
    told = []
    state = run(progress=lambda done, total: told.append((done, total)))
    assert state.finished
    assert (state.n_read, state.n_imported, state.n_refused) == (45, 43, N_DELETED)
    assert (state.n_pages, state.total) == (5, 45)
    assert len(there(settings)) == 43
    assert told == [(10, 45), (20, 45), (30, 45), (40, 45), (45, 45)]
    assert all("deleted" in refusal.reason for refusal in state.refusals)
    assert numbers(str(state))[:4] == ["45", "43", "2", "5"]
    again = run(resume=True)
    assert again == state
    assert len(server.asked) == 5  # what had ended is not asked for again


def test_harvested_again_everything_is_there_already(run, settings):
    run()
    again = run()
    assert (again.n_imported, again.n_unchanged, again.n_refused) == (0, 43, N_DELETED)


def test_an_empty_set(run, settings, server):
    server.service = oai_pmh([])
    state = run()
    assert state.finished
    assert state.n_read == 0
    assert not PassageLibrary.names(settings.library_dir)


def test_it_stops_where_it_is_told_and_goes_on(run, settings, server):
    first = run(most_records=15)
    assert (first.n_read, first.finished, first.place) == (20, False, "page/20")
    state = run(resume=True)
    assert (state.n_read, state.n_imported, state.finished) == (45, 43, True)
    assert [query.get("resumptionToken") for query in server.queries] == [
        None, "page/10", "page/20", "page/30", "page/40",
    ]  # fmt: skip


def test_what_breaks_off_goes_on_from_its_last_page(run, settings, server):
    whole = server.service

    def broken(asked):
        return Reply(status=503) if "page/20" in asked.query.values() else whole(asked)

    server.service = broken
    with raises(LiveSourceError, n_retries=7, label="OAI-PMH repository"):
        run()
    assert len(there(settings)) == 19
    server.service = whole
    n_before = len(server.asked)
    state = run(resume=True)
    assert (state.n_read, state.n_imported, state.n_unchanged) == (45, 43, 0)
    assert len(server.asked) - n_before == 3


def test_an_expired_token_begins_again_without_doubling(run, settings, server):
    run(most_records=15)
    server.service = oai_pmh(FOUND, expired={"page/20"})

    def forgets_once(asked):
        if asked.query.get("resumptionToken") == "page/20" and not seen:
            seen.append(asked)
            return oai_error("badResumptionToken", "expired")
        return oai_pmh(FOUND)(asked)

    seen = []
    server.service = forgets_once
    state = run(resume=True)
    assert state.finished
    assert state.n_begun_again == 1
    assert (state.n_read, state.n_imported, state.n_unchanged) == (45, 24, 19)
    assert len(there(settings)) == 43


def test_a_token_that_always_expires_ends_in_a_sentence(run, server):
    server.service = oai_pmh(FOUND, expired={"page/20"})
    with raises(LiveSourceError):
        run()
    assert len([q for q in server.queries if "metadataPrefix" in q]) == 3


def test_a_place_that_a_catalogue_refuses_on_resuming_begins_again(run, settings, server):
    server.service = crossref(FOUND)
    server.service = sru(FOUND, most=10)
    run("sru", "passages", most_records=15)
    whole = server.service
    server.answers(Reply(b"cursor expired", 400))
    state = run("sru", "passages", resume=True)
    assert state.n_begun_again == 1
    assert (state.n_imported + state.n_unchanged, state.finished) == (45, True)
    server.service = lambda asked: (
        Reply(b"no", 400) if len(seen) else seen.append(1) or whole(asked)
    )
    seen = []
    with pytest.raises(RefusedError):
        run("sru", "passages")


def test_a_cursor_that_stays_the_same_is_no_circle(run, settings, server):
    server.service = crossref(records(250))
    state = run("crossref", "retrieval")
    assert (state.n_read, state.n_pages) == (250, 3)


def test_a_service_that_turns_in_circles_is_left(run, server):
    whole = sru(records(500), most=10)

    def circle(asked):
        first = {**asked.query, "startRecord": "1"}
        reply = whole(replace(asked, query=first))
        number = asked.query["startRecord"]
        return Reply(reply.content.replace(b">11<", f">{int(number) + 10}<".encode()))

    server.service = circle
    with raises(LiveSourceError, source="SRU catalogue"):
        run("sru", "passages")


def test_two_at_once_are_one_too_many(run, settings):
    from filelock import FileLock

    settings.harvests_dir.mkdir(parents=True)
    state = HarvestState("oai-pmh", LiveRequest(""), "found", "all of it")
    with FileLock(settings.harvests_dir / f"{state.name}.lock"):
        with raises(LiveSourceError, name="found"):
            run()


def test_of_a_damaged_state_a_harvest_begins_anew(run, settings):
    state = run(most_records=5)
    file = settings.harvests_dir / f"{state.name}.json"
    for content in (file.read_text()[:-9], json.dumps({"version": 99})):
        file.write_text(content)
        with raises(LiveSourceError, name="found-oai-pmh-502570e2a70d"):
            HarvestState.load(settings.harvests_dir, state.name)
        assert HarvestState.all(settings.harvests_dir) == []
        assert [one.name for one in HarvestState.damaged(settings.harvests_dir)] == [state.name]
        again = run(resume=True, most_records=5)
        assert again.n_records == state.n_records and again.n_imported == 0
        assert HarvestState.all(settings.harvests_dir) == [again]


def test_states_are_listed_and_read_as_written(run, settings):
    state = run()
    assert HarvestState.all(settings.harvests_dir) == [state]
    assert not list(settings.harvests_dir.glob("*.partial"))


@pytest.mark.parametrize(
    ("seconds", "most_kills"),
    [
        (0.5, 2),
        pytest.param(0.15, 4, marks=pytest.mark.slow),
        pytest.param(0.4, 4, marks=pytest.mark.slow),
        pytest.param(0.7, 4, marks=pytest.mark.slow),
    ],
)
def test_killed_at_any_moment_it_goes_on_and_doubles_nothing(settings, server, seconds, most_kills):
    """Kill the command, again and again at other moments, until a resumed one comes to its end."""
    found = records(120)

    def slow(asked):
        time.sleep(0.05)
        return oai_pmh(found)(asked)

    server.service = slow
    environment = {
        **settings.to_environment(),
        "SUBCLUST_LIVE": "oai-pmh",
        "SUBCLUST_OFFLINE": "0",
        "SUBCLUST_CONTACT": "librarian@example.org",
        "SUBCLUST_URL_OAI_PMH": server.url,
    }
    words = ["-m", "subclust", "harvest", "oai-pmh", "--library", "found", "--resume", "--json"]
    n_killed = 0
    for attempt in range(12):
        harvesting = subprocess.Popen(
            [sys.executable, *words],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        n_before = len(server.asked)
        while len(server.asked) == n_before and harvesting.poll() is None:
            time.sleep(0.02)  # the first request: from here on it writes
        try:
            said, _ = harvesting.communicate(timeout=seconds + 0.3 * attempt)
        except subprocess.TimeoutExpired:
            if attempt < most_kills:
                os.killpg(harvesting.pid, signal.SIGKILL)
                n_killed += 1
                harvesting.communicate()
                continue
            said, _ = harvesting.communicate(timeout=120)
        break
    assert n_killed >= 1
    report = json.loads(said)
    assert report["finished"]
    assert report["n_read"] == 120
    assert report["n_imported"] + report["n_unchanged"] == 114
    assert report["n_unchanged"] <= 10 * n_killed  # of each kill one page at most
    assert len(there(settings)) == 114
    firsts = [query for query in server.queries if "metadataPrefix" in query]
    assert len(firsts) <= 1 + n_killed


def test_the_words_of_its_command_name_what_was_asked_for():
    request = LiveRequest("old maps", since="2020-01-01", language="de")
    words = HarvestState("wikipedia", request, "found", "all of it").words(20)
    assert words[:3] == ["harvest", "wikipedia", "old maps"]
    assert set(words[3:]) == {
        "--library=found", "--max=20", "--from=2020-01-01", "--language=de",
    }  # fmt: skip
