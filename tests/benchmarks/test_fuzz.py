"""A few hundred requests that schemathesis makes of the API's description: none breaks it."""

import pytest
from starlette.responses import PlainTextResponse

from benchmarks import fuzz as fuzzing

pytestmark = pytest.mark.app


def test_no_request_is_answered_by_a_failure_of_the_server():
    found = fuzzing.fuzz(400)
    assert found["failures"] == [] and found["n_traceback"] == 0
    assert found["n_requests"] == 400 and found["n_addresses"] > 30
    assert {"200", "404", "422"} <= set(found["statuses"])


def test_a_failure_is_told(monkeypatch):
    async def broken(scope, receive, send):
        told = PlainTextResponse("Traceback (most recent call last): x", 500)
        await told(scope, receive, send)

    whole = fuzzing._api

    @fuzzing.contextmanager
    def api(folder):
        with whole(folder) as (app, prefix, log):

            async def sometimes(scope, receive, send):
                is_description = scope["path"].endswith("openapi.json")
                await (app if is_description else broken)(scope, receive, send)

            yield sometimes, prefix, log

    monkeypatch.setattr(fuzzing, "_api", api)
    found = fuzzing.fuzz(3)
    assert len(found["failures"]) == found["n_traceback"] == 3
