"""Every test in a browser looks through the requests of its pages; here, that this can fail."""

import pytest
from local_requests import outside


@pytest.mark.main_way
def test_a_request_to_another_machine_is_found(new_page, app_url):
    page = new_page(bypass_csp=True)
    page.goto(f"{app_url}/models")
    page.locator(".st-key-model-card").first.wait_for()
    assert len(page.requests) > 10 and any(url.startswith("ws:") for url in page.requests)
    assert outside(page.requests) == []
    away = "http://192.0.2.1/pixel.png"  # of the addresses that belong to nobody
    with page.expect_request(away):
        page.evaluate("address => void fetch(address).catch(() => null)", away)
    assert outside(page.requests) == [away]
    page.requests.remove(away)
