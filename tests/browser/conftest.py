import pytest
from local_requests import outside
from playwright.sync_api import sync_playwright

from subclust.ui.explore.unanswered import CLOSED

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",  # WebGL without a graphics card
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def _is_blocked(said):
    """Return whether a message says that the page's policy forbade something within it."""
    return "Content Security Policy" in said.text and "frame-ancestors" not in said.text


@pytest.fixture(scope="session")
def app_folder(tmp_path_factory, random_checkpoint):
    """Two small libraries and two models, one of which took over from the other."""
    import small_library
    import themed_library
    from served_app import add_models

    folder = tmp_path_factory.mktemp("data")
    small_library.build(folder, "demo")
    themed_library.build(folder, "themed")
    add_models(folder, random_checkpoint, "shipped", "ours")
    return folder


@pytest.fixture(scope="session")
def app_url(app_folder):
    """Serve the app over them."""
    from served_app import served

    with served(app_folder) as url:
        yield url


@pytest.fixture(scope="session")
def chromium():
    """Debian's Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium):
    """Open pages as different visitors; all requests of each are kept in `requests`.

    A visitor who `is_new` sees the first steps. In the end all requests are looked at: whatever
    a test walks, nothing is asked of another machine, and no page needs what its policy forbids;
    what the browser `blocked` is kept, too.
    """
    contexts, pages = [], []

    def open_page(*, is_new=False, **options):
        context = chromium.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        context.set_default_timeout(45_000)
        if not is_new:
            context.add_init_script(f"localStorage.setItem('{CLOSED}', 'closed')")
        contexts.append(context)
        page = context.new_page()
        page.requests, page.blocked = [], []
        page.on(
            "console", lambda said: page.blocked.append(said.text) if _is_blocked(said) else None
        )
        page.on("request", lambda request: page.requests.append(request.url))
        page.on("websocket", lambda socket: page.requests.append(socket.url))
        pages.append(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [text for page in pages for text in page.blocked] == []
    assert [url for page in pages for url in outside(page.requests)] == []
