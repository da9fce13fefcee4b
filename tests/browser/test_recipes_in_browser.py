"""The recipes of docs/it/catalogues.md lead to the question that was asked, whatever is in it."""

import json
import re
import shutil
import subprocess
import urllib.request
from urllib.parse import quote_plus, urlsplit
from xml.etree import ElementTree

import live_server
import pytest
import served_app

from subclust.core.settings import PROJECT_ROOT
from subclust.serving.search_engine import MEDIA_TYPE

QUESTION = "Straßen & \"Äcker\" 100% + <b>'#1'</b>?"
PAGE = PROJECT_ROOT / "docs" / "it" / "catalogues.md"
NAMESPACE = "{http://a9.com/-/spec/opensearch/1.1/}"

PHP = """
class Page {
  public $params;
  function escapeHtmlAttr($text) { return htmlspecialchars($text, ENT_QUOTES); }
  function draw($file) { include $file; }
}
class Params { function getDisplayQuery() { return getenv("QUESTION"); } }
$page = new Page();
$page->params = new Params();
$page->draw($argv[1]);
"""

RUBY = """
require "erb"
require "cgi"
class Object; def present?; !to_s.empty?; end; end
class Hash
  def to_query
    map { |name, value| "#{name}=#{CGI.escape(value.to_s)}" }.sort.join("&")
  end
end
def link_to(text, address, options)
  "<a href='#{ERB::Util.html_escape(address)}'>#{text}</a>"
end
def params; { q: ENV["QUESTION"] }; end
puts ERB.new(File.read(ARGV[0])).result(binding)
"""


def recipes(language, needle):
    """Return the block of the page in a language that has some words in it."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    [found] = [block for block in blocks if needle in block]
    return found


def rendered(program, harness, template, tmp_path):
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    file = tmp_path / "recipe"
    file.write_text(template, "utf-8")
    run = "-r" if program == "php" else "-e"
    return subprocess.run(
        [program, run, harness, "--", str(file)],
        env={"QUESTION": QUESTION, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        capture_output=True,
        check=True,
        encoding="utf-8",
    ).stdout  # fmt: skip


def first_link(page, html):
    page.set_content(html)
    return page.locator("a").first.evaluate("link => link.href")


def of_browser(page, app_url, tmp_path):
    page.goto(app_url)
    link = page.locator("head link[rel=search]")
    assert link.get_attribute("type") == MEDIA_TYPE
    address = link.evaluate("link => link.href")
    assert urlsplit(address).netloc == urlsplit(app_url).netloc
    with urllib.request.urlopen(address) as answer:
        assert answer.headers.get_content_type() == MEDIA_TYPE
        described = ElementTree.fromstring(answer.read())
    assert described.tag == f"{NAMESPACE}OpenSearchDescription"
    assert len(described.findtext(f"{NAMESPACE}ShortName")) <= 16
    urls = {one.get("type"): one.get("template") for one in described.iter(f"{NAMESPACE}Url")}
    assert urls[MEDIA_TYPE] == address
    return urls["text/html"].replace("{searchTerms}", quote_plus(QUESTION))


def of_form(page, app_url, tmp_path):
    page.set_content(recipes("html", "<form"))
    page.locator("input[name=q]").fill(QUESTION)
    return page.evaluate(
        "() => { const form = document.forms[0];"
        " return form.action + '?' + new URLSearchParams(new FormData(form)) }"
    )


def of_vufind(page, app_url, tmp_path):
    return first_link(page, rendered("php", PHP, recipes("php", "getDisplayQuery"), tmp_path))


def of_blacklight(page, app_url, tmp_path):
    return first_link(page, rendered("ruby", RUBY, recipes("erb", "link_to"), tmp_path))


def of_koha(page, app_url, tmp_path):
    # As jQuery, what the recipe calls of it.
    page.goto(f"{app_url}/healthz?q={quote_plus(QUESTION)}")
    return page.evaluate(
        """code => {
          let found;
          const link = { text: () => link, attr: (name, value) => (found = value, link),
                         appendTo: () => link };
          const $ = () => ({ ready: run => run(), ...link });
          new Function('$', 'document', code)($, document);
          return found;
        }""",
        recipes("js", "numresults"),
    )


def of_koha_title(page, app_url, tmp_path):
    template = recipes("html", "{TITLE}").replace("{TITLE}", quote_plus(QUESTION))
    return first_link(page, template)


def of_primo(page, app_url, tmp_path):
    # As AngularJS, which makes a controller and asks it for what the template names.
    return page.evaluate(
        """([code, asked]) => {
          let made;
          new Function('app', code)({ component: (name, one) => { made = one } });
          const control = { parentCtrl: { mainSearchField: asked } };
          made.controller.call(control);
          return control.href();
        }""",
        [recipes("js", "prmSearchBarAfter"), QUESTION],
    )


@pytest.mark.parametrize(
    "recipe", [of_browser, of_form, of_vufind, of_blacklight, of_koha, of_koha_title, of_primo]
)
def test_a_recipe_leads_to_the_question_that_was_asked(recipe, new_page, app_url, tmp_path):
    page = new_page()
    address = recipe(page, app_url, tmp_path)
    if recipe is not of_browser:
        assert address.startswith("https://subclust.example/?") and "library=mine" in address
    query = urlsplit(address).query.replace("library=mine", "library=demo")
    page.goto(f"{app_url}/?{query}")
    box = page.get_by_label("What are you looking for?")
    box.wait_for()
    assert box.input_value() == QUESTION, json.dumps(address)


def test_a_page_without_a_script_shows_an_answer_within_it(new_page, app_folder):
    with live_server.served() as catalogue:
        allowed = f"import os; os.environ['SUBCLUST_EMBED_IN'] = '{catalogue.url}'"
        with served_app.served(app_folder, first=allowed) as url:
            frame = recipes("html", "<iframe").replace("https://subclust.example", url)
            page_of_theirs = frame.replace("library=mine", "library=demo").encode()
            policy = {"Content-Type": "text/html", "Content-Security-Policy": "script-src 'none'"}
            catalogue.service = lambda asked: live_server.Reply(page_of_theirs, headers=policy)
            page = new_page()
            page.goto(catalogue.url)
            box = page.frame_locator("iframe").get_by_label("What are you looking for?")
            box.wait_for()
            assert box.input_value() in frame.replace("+", " ").replace("%20", " ")
