"""What went wrong with a file or a library, in the visitor's language."""

import re

import pytest
from sentences_in_code import given, raised, returned

from subclust.ingest.uploads import receive_file
from subclust.settings import PROJECT_ROOT
from subclust.sources import detect
from subclust.sources.live import oai_pmh
from subclust.sources.live.pace import in_words
from subclust.sources.opening import open_source
from subclust.ui import language
from subclust.ui.error_words import error_words, way_out_words
from subclust.ui.messages import CATALOGUES, read_catalogue

PACKAGE = PROJECT_ROOT / "subclust"
TRANSPORT = (PACKAGE / "sources" / "live" / "transport.py").read_text(encoding="utf-8")
ERRORS = (
    "FileFormatError", "InputError", "LibraryError", "LibraryNotFoundError", "LiveSourceError",
    "SettingsError", "Failure", "LabelledSetError", "LabelledSetNotFoundError", "InUseError",
    "BinError",
)  # fmt: skip
MODULES = [
    path
    for folder in ("sources", "ingest", "library", "jobs", "training/sets", "deleting")
    for path in sorted((PACKAGE / folder).glob("*.py"))
    # What imports on a cluster say, and jobs on one, is said to whoever set it up.
    # Sets are exported and their templates made by the page itself, which asks for what there is.
    if path.stem not in ("ray", "blocks", "ray_cluster", "ray_jobs", "worker", "words")
    and (path.parent.name, path.stem) not in {("sets", "left_out"), ("sets", "templates")}
]
MODULES.append(PACKAGE / "bin.py")
BELOW = [
    path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.relative_to(PACKAGE).parts[0] not in ("cli", "ui", "benchmarks")
]
OTHER_ERRORS = (
    "CheckpointError", "CheckpointNotFoundError", "SessionError", "SessionNotFoundError",
    "CorrectionsError", "CorrectionsNotFoundError", "TrainingError", "MethodError",
)  # fmt: skip
COMMAND = re.compile("python -m|command line|Befehlszeile|Kommandozeile", re.IGNORECASE)
NOT_ON_PAGES = ("The job 7 is not for this process", "There is no passage 7 among the hits")
"""How sentences begin that only a command is told."""

COMMAND_LINE = (
    "Batches must be of", "The batch size must be", "The demo articles come with",
    "7 is not the expected file", "SUBCLUST_JOBS names", "A page begins at", "The embedding",
    "Every passage must have an id", "A query vector", "The number of hits must", "7 passages need",
    "7 has no ending that a set", "7 must end in .csv",
)  # fmt: skip
"""How sentences begin that no page can cause."""

IN_PARTS = ("? ", "7 7.", "7 is 7.")
"""What is said by another function, which is looked at below."""


def written():
    found = [text for path in MODULES for text in raised(path, *ERRORS)]
    found = [text for text in found if not text.startswith(COMMAND_LINE + IN_PARTS[:1])]
    faults = returned(PACKAGE / "sources" / "workbook_safety.py", "_fault", "workbook_fault")
    found += [f"7 {fault}." for fault in faults if "but 7" not in fault]
    found += returned(PACKAGE / "library" / "folder.py", "not_found")
    for what in given(PACKAGE / "training" / "sets" / "store.py", "told_plainly", 0):
        advice = "look whether the folder is there and may be written to"
        found += [
            f"{what} (7); {one} and try again." for one in (advice, "free some space on the disk")
        ]
    return [
        text
        for text in dict.fromkeys(found)
        if text not in IN_PARTS and not text.startswith("7 (7); ") and "but 7;" not in text
    ]


def contents():
    path = PACKAGE / "sources" / "contents.py"
    found = [*given(path, "_Content", 0), *returned(path, "content_of", "_markup")]
    found += ["an Excel workbook or another ZIP archive", "packed with gzip"]
    found += [what for _, what in detect._OTHERS]
    return [*dict.fromkeys(found)]


def asked():
    folder = PACKAGE / "sources" / "live"
    names = (*ERRORS, "PlaceLostError", "RefusedError")
    found = [text for path in sorted(folder.glob("*.py")) for text in raised(path, *names)]
    tail = "asked 7 times; see whether this machine may reach 7, or try again later."
    for path in folder.glob("*.py"):
        found += [f"7 {reason}, {tail}" for reason in raised(path, "TryAgain") if reason[0] != "?"]
    found += filter(None, returned(folder / "access.py", "why_off"))
    rest = (
        "? ",
        "7 refuses (status 77); 7.",
        "7 7, asked",
        "7 refuses (7: 7); 7.",
        "7 wants to be",
    )
    return [text for text in dict.fromkeys(found) if not text.startswith(rest)]


@pytest.fixture
def german(monkeypatch):
    monkeypatch.setattr(language, "language", lambda: "de")


@pytest.mark.parametrize("text", [*written(), *asked()])
def test_whatever_is_raised_has_german_words(german, text):
    said = error_words(text)
    assert said != text and "{" not in said
    assert text.count("7") == said.count("7") or "python -m" in text


@pytest.mark.parametrize("what", contents())
def test_whatever_a_file_may_be_instead_has_german_words(german, what):
    said = error_words(f"a.csv is {what}.")
    assert said.startswith("a.csv ist ") and what not in said


@pytest.mark.parametrize("what", returned(PACKAGE / "sources" / "workbook_safety.py", "_other"))
def test_whatever_an_archive_may_be_has_german_words(german, what):
    said = error_words(f"a.xlsx is not an Excel workbook but {what}; save it as .xlsx or .csv.")
    assert said.startswith("a.xlsx ist keine Excel-Arbeitsmappe, sondern ein") and what not in said


def commands():
    """List the sentences of errors anywhere below the interface that name a command."""
    found = [text for path in BELOW for text in raised(path, *ERRORS, *OTHER_ERRORS)]
    found += returned(PACKAGE / "library" / "folder.py", "not_found")
    found = [text for text in dict.fromkeys(found) if COMMAND.search(text)]
    return [text for text in found if not text.startswith(NOT_ON_PAGES)]


def test_no_error_sends_whoever_reads_it_on_a_page_to_a_command():
    found = commands()
    assert found
    assert [text for text in found if COMMAND.search(error_words(text))] == []


def test_no_sentence_of_the_pages_names_a_command():
    catalogue = read_catalogue(CATALOGUES / "de" / "LC_MESSAGES" / "subclust.po", "de")
    forms = [form for one in catalogue for text in (one.id, one.string) for form in _forms(text)]
    assert len(forms) > 3000
    assert [form for form in forms if COMMAND.search(form)] == []


def _forms(text):
    return [text] if isinstance(text, str) else list(text)


def test_there_is_something_to_say():
    assert len(written()) > 90 and len(asked()) > 25 and len(contents()) > 25
    assert len(commands()) > 8


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", b"id,text\n", "a.csv hat eine Kopfzeile und darunter keine Zeilen; wählen Sie "
         "eine andere Datei."),
        ("b.csv", b"id,what\n1,ants\n", "b.csv braucht eine erste Zeile, in der eine Spalte "
         "„text“, „abstract“ oder „title“ heißt, die erste Zeile lautet aber: id, what."),
        ("c.csv", b"text,text\nants,bees\n", "c.csv hat zwei Spalten mit dem Namen „text“; "
         "benennen Sie eine davon um."),
        ("d.csv", b'text,"id\n1,2\n', "Die Kopfzeile von d.csv ist nicht lesbar: Ein "
         "Anführungszeichen, das dort öffnet, wird nie geschlossen; danach kann nichts gelesen "
         "werden. Schließen Sie es, und importieren Sie die Datei erneut."),
        ("e.foo", b"<html><body>No</body></html>", "e.foo ist eine Webseite."),
        ("f.xlsx", b"PK\x03\x04", "f.xlsx ist eine beschädigte Arbeitsmappe; öffnen Sie sie in "
         "Excel, speichern Sie sie neu, und versuchen Sie es erneut."),
        ("g.ris", b"nothing of that\n", "g.ris enthält keinen Datensatz dieses Formats (RIS); "
         "wählen Sie ein anderes Format oder eine andere Datei."),
    ],
)  # fmt: skip
def test_files_that_cannot_be_read_are_told_of_in_german(german, tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(Exception) as caught:  # noqa: PT011 - what it says is what counts
        list(open_source(tmp_path / name))
    assert error_words(caught.value) == said


def test_an_upload_that_is_too_large_is_refused_in_german(german, tmp_path):
    with pytest.raises(Exception) as caught:  # noqa: PT011 - what it says is what counts
        receive_file(tmp_path, None, "all.ris", n_bytes=10 << 30)
    assert error_words(caught.value).startswith("all.ris ist größer als 200 MB; teilen Sie")


@pytest.mark.parametrize(
    "advice",
    [
        *oai_pmh._ADVICE.values(),
        *re.findall(r'^            \d+: "(.*)",$', TRANSPORT, re.MULTILINE),
        "see whether its address and the query are right",
        "see whether its address is right",
    ],
)
def test_whatever_a_service_refuses_with_has_german_words(german, advice):
    said = error_words(f"OpenAlex refuses (status 403: no); {advice}.")
    assert said.startswith("OpenAlex lehnt ab (Status 403: no); ") and advice not in said


@pytest.mark.parametrize("seconds", [1, 40, 180, 7200])
def test_times_have_german_words(german, seconds):
    said = error_words(f"arXiv wants to be left alone for {in_words(seconds)}; try again then.")
    assert said.startswith("arXiv möchte ") and said.endswith("es dann erneut.")


def test_numbers_are_written_as_the_visitor_does(german):
    text = "all.xml holds 12,345 pages, but none is an article with sections; choose another dump."
    assert "enthält 12.345 Seiten" in error_words(text)


def test_what_nobody_knows_stays(german):
    assert error_words("Something that no source says.") == "Something that no source says."
    assert error_words("") == ""
    odd = "The service is down, which is a pity."
    assert error_words(odd) == odd


def test_in_english_it_is_as_it_was_written():
    text = "a.csv has two columns named 'text'; rename one of them."
    assert error_words(text) == text


def test_advice_that_the_reason_has_is_not_said_twice(german):
    reason = "a.csv is empty; choose another file."
    assert way_out_words(reason, "Choose another file.") == ""
    assert way_out_words("No.", None) == ""
    told = way_out_words("The job's process is gone.", "See the log for the reason.")
    assert told == "Den Grund nennt das Protokoll."


@pytest.mark.parametrize(
    "way_out",
    [
        *(text for text in given(PACKAGE / "jobs" / "failure.py", "Failure", 1) if text),
        "Resume the job; it goes on from its last saved state.",
        "Delete what is no longer needed and resume the job; it goes on from its last saved state.",
        "Clone the job with other settings, or see its log for more.",
    ],
)
def test_every_way_out_has_german_words(german, way_out):
    assert way_out_words("", way_out) != way_out
