"""What the documentation says is so."""

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest

from subclust.cli import COMMANDS, main
from subclust.methods import METHODS
from subclust.settings import PROJECT_ROOT, Settings
from subclust.sources import SOURCES

DOCUMENTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "data/README.md"]
README = (PROJECT_ROOT / "README.md").read_text(encoding="utf-8")
RUN_TIME = {
    folder.name
    for folder in (
        Settings().library_dir,
        Settings().embeddings_dir,
        Settings().jobs_dir,
        Settings().sets_dir,
        Settings().corrections_dir,
        Settings().live_dir,
        Settings().harvests_dir,
        Settings().uploads_dir,
        Settings().bin_dir,
        Settings().models_dir,
    )
}
ENDINGS = ("py", "md", "toml", "txt", "json", "png", "yml", "lock", "cfg", "ini")

every_document = pytest.mark.parametrize("document", DOCUMENTS)


def read(document):
    return (PROJECT_ROOT / document).read_text(encoding="utf-8")


def prose(text):
    """Leave out fenced code."""
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def table(text, first_column):
    """Read the rows of the table whose header begins with a column."""
    lines = text[text.index(f"| {first_column} |") :].splitlines()
    rows = []
    for line in lines[2:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def test_the_table_of_methods_is_the_registry():
    expected = [
        [
            f"`{card.name}`",
            card.label,
            card.summary,
            "yes" if card.needs_checkpoint else "no",
            "yes" if card.query_specific else "no",
        ]
        for card in METHODS.values()
    ]
    lines = "\n".join(f"| {' | '.join(row)} |" for row in expected)
    assert table(README, "name") == expected, f"the table should be:\n{lines}"


@pytest.mark.parametrize("task", ["wiki2021_test", "trec_car_a"])
def test_the_figures_are_those_of_the_results(task):
    rows = table(README[README.index(f"`bench {task}`") :], "method")
    assert len(rows) == 5
    for method, *figures in rows:
        path = PROJECT_ROOT / f"subclust/benchmarks/results/{method.strip('`')}/{task}.json"
        flat = json.loads(path.read_text(encoding="utf-8"))["granularities"]["flat"]
        measured = [flat["true_k"]["ari"], flat["true_k"]["auc"], flat["auto_k"]["ari"]]
        assert figures == [f"{values['mean']:.3f}" for values in measured], method


def test_the_seconds_of_the_imports_are_those_of_the_result():
    path = PROJECT_ROOT / "subclust/benchmarks/results/imports/arxiv_cs_dl-cold.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    seconds = [row["seconds"] for row in found["formats"].values()]
    assert found["equal"] and set(found["formats"]) == {"csv", "ris", "bibtex", "marcxml"}
    told = f"between {min(seconds):.0f} and {max(seconds):.0f} seconds"
    assert told in " ".join(README.split())


def test_the_seconds_of_the_pages_are_those_of_the_results():
    folder = PROJECT_ROOT / "subclust/benchmarks/results/speed"
    pages, several, alone = (
        json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("interactions", "visitors", "demo")
    )
    took = pages["interactions"].values()
    longest = max(one["answered_s"]["max"] for one in took)
    assert pages["top_k"] == 500 and longest < pages["allowed_s"] == 1
    assert several["answered_s"]["p95"] < several["allowed_s"] == 3
    assert several["megabytes"] < several["allowed_megabytes"] == 3000
    assert (several["n_visitors"], several["n_active"]) == (20, 5)
    assert alone["regroup"]["p95_ms"] < 200
    for told in (
        f"each of the {len(took)} things",
        f"the longest took {longest:.2f} seconds",
        f"in {alone['regroup']['median_ms']:.0f} milliseconds "
        f"({alone['regroup']['p95_ms']:.0f} for 95 of 100)",
        f"95 of 100 answers come within {several['answered_s']['p95']:.2f} seconds",
        f"{several['megabytes'] / 1000:.1f} GB of memory",
    ):
        assert told in " ".join(README.split()), told


def test_the_figures_of_workers_are_those_of_the_result():
    path = PROJECT_ROOT / "subclust/benchmarks/results/ingest/arxiv_cs_dl-2000.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    alone, one, two = (
        f"{measured['passages_per_second']:.1f}"
        for measured in (found["local"], found["workers"]["1"], found["workers"]["2"])
    )
    told = f"imported {alone} a second, one worker {one}, and two workers {two}"
    assert told in " ".join(README.split())
    assert all(
        each["equal"] and not each["largest_difference"] for each in found["workers"].values()
    )


def test_the_figures_of_large_libraries_are_those_of_the_results():
    path = PROJECT_ROOT / "subclust/benchmarks/results/scale/passages.json"
    measured = [
        [
            f"{one['n_passages']:,}",
            f"{one['fusion_ms']['p50']:.0f}, {one['fusion_ms']['p95']:.0f}",
            *(f"{one[mode]['p95']:,.0f}" for mode in ("text_ms", "vector_ms", "exact_ms")),
            f"{one['recall']:.1%}, {one['recall_lowest']:.0%}",
            f"{one['resident_mb'] / 1000:.1f} GB",
            f"{one['n_bytes'] / 1e9:.2f} GB",
            f"{one['filling_seconds'] + one['indexing_seconds']:.0f} s",
        ]
        for one in json.loads(path.read_text(encoding="utf-8"))["sizes"]
    ]
    assert table(README[README.index("## How large a library") :], "passages") == measured


@pytest.mark.parametrize(
    ("kind", "start"), [("avx512-bf16", "compute bfloat16 (AVX-512"), ("avx2", "AVX2 and without")]
)
def test_the_figures_of_encoders_are_those_of_the_results(kind, start):
    path = PROJECT_ROOT / f"subclust/benchmarks/results/encoders/{kind}.json"
    measured = [
        [
            f"`{name}`",
            f"{one['passages_per_second']:.1f}",
            f"{one['ratio']:.2f}",
            f"{one['cosine_mean']:.4f}, {one['cosine_min']:.4f}",
            f"{one['ari']:.4f}",
            "" if one["matrix_share"] is None else f"{one['matrix_share']:.0%}",
        ]
        for name, one in json.loads(path.read_text(encoding="utf-8"))["backends"].items()
    ]
    assert table(README[README.index(start) :], "back end") == measured


def mentioned_commands(text):
    return set(re.findall(r"python -m subclust ([a-z][a-z-]*)", text))


def test_every_command_is_in_the_readme_and_the_other_way_round():
    section = README[README.index("## Command line") : README.index("## Settings")]
    assert mentioned_commands(section) == set(COMMANDS)


@every_document
def test_no_document_names_a_command_that_is_not_there(document):
    assert mentioned_commands(read(document)) <= set(COMMANDS)


def test_every_command_of_the_readme_takes_the_options_it_is_shown_with(capsys):
    section = README[README.index("## Command line") : README.index("The exit status")]
    shown = re.sub(r"\n {10,}", " ", section)
    lines = re.findall(r"^python -m subclust ([a-z-]+) ?(.*)$", shown, flags=re.MULTILINE)
    assert len(lines) == len(COMMANDS)

    def told(*words):
        with pytest.raises(SystemExit) as left:
            main([*words, "--help"])
        assert left.value.code == 0
        return capsys.readouterr().out

    for command, rest in lines:
        text = told(command)
        choice = re.match(r"\[?([a-z]+(?:\|[a-z]+)+)", rest)
        actions = choice[1].split("|") if choice else []
        for action in actions:
            assert action in text, f"{command} has no {action}"
            text += told(command, action)
        for option in re.findall(r"--[a-z-]+", rest):
            assert option in text, f"{command} has no {option}"


def test_commands_and_modules_are_the_same():
    folder = PROJECT_ROOT / "subclust" / "cli"
    helpers = {
        "__init__",
        "ended",
        "labelled",
        "library_text",
        "live",
        "models_text",
        "options",
        "progress",
        "regrouped",
        "taking",
        "training",
        "unanswered",
        "worker",
    }
    modules = {path.stem for path in folder.glob("*.py")} - helpers
    names = {module.rstrip("_").replace("_", "-") for module in modules}
    assert names == set(COMMANDS)


def test_every_variable_is_in_the_readme_and_the_other_way_round():
    source = (PROJECT_ROOT / "subclust" / "settings.py").read_text(encoding="utf-8")
    known = set(re.findall(r"SUBCLUST_[A-Z_]+", source))
    rows = table(README, "variable")
    assert {row[0].strip("`") for row in rows} == known
    assert len(known) >= 7
    for document in [*DOCUMENTS, "Dockerfile", "Makefile"]:
        for name in re.findall(r"SUBCLUST_[A-Z_]+", read(document)):
            # One that ends in an underscore is followed by the name of a live source.
            begun = (one for one in known if one.endswith("_") and name.startswith(one))
            assert name in known or any(begun), f"{document} names {name}"


def test_the_defaults_of_the_variables_are_those_of_the_settings():
    default = Settings()
    told = {row[0].strip("`"): row[1].strip("`") for row in table(README, "variable")}
    assert told == {
        "SUBCLUST_DATA_DIR": f"{default.data_dir.relative_to(PROJECT_ROOT)}/",
        "SUBCLUST_LIBRARIES": str(default.libraries).lower(),
        "SUBCLUST_MODELS_DIR": f"{default.models_dir.relative_to(PROJECT_ROOT)}/",
        "SUBCLUST_SHIPPED_MODELS_DIR": "models/",
        "SUBCLUST_ENCODER": default.encoder,
        "SUBCLUST_ENCODER_BACKEND": default.encoder_backend,
        "SUBCLUST_MAX_SEQ_LENGTH": str(default.max_seq_length),
        "SUBCLUST_DEVICE": default.device,
        "SUBCLUST_JOBS": default.jobs_backend,
        "SUBCLUST_LLM_URL": default.llm_url or "none",
        "SUBCLUST_LLM_MODEL": default.llm_model or "none",
        "SUBCLUST_LLM_KEY": default.llm_key or "none",
        "SUBCLUST_NAMES": default.names,
        "SUBCLUST_OFFLINE": str(int(default.offline)),
        "SUBCLUST_LIVE": " ".join(one.name for one in default.live) or "none",
        "SUBCLUST_CONTACT": "none",
        "SUBCLUST_CONTACT_": "none",
        "SUBCLUST_KEY_": "none",
        "SUBCLUST_URL_": "none",
        "SUBCLUST_HOSTS": " ".join(default.hosts) or "none",
        "SUBCLUST_READ_ONLY": str(int(default.read_only)),
        "SUBCLUST_EMBED_IN": " ".join(default.embed_in) or "none",
        "SUBCLUST_LIVE_CACHE_HOURS": f"{default.live_cache_hours:g}",
        "SUBCLUST_BENCHMARK_DATA_DIR": str(default.benchmark_data_dir).lower(),
    }


def test_every_format_is_in_the_readme():
    told = " ".join(row[0] for row in table(README, "format"))
    for card in SOURCES.values():
        assert any(f"`{ending}`" in told for ending in card.extensions), card.name
    endings = set(re.findall(r"`(\.\w+)`", told))
    assert endings <= {ending for card in SOURCES.values() for ending in card.extensions}


def test_every_promise_of_safety_is_held_by_a_test_that_is_there():
    promises = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in read("SECURITY.md").splitlines()
        if line.startswith("| ") and not line.startswith(("| promise", "| ---"))
    ]
    assert len(promises) > 25
    for promise, held_by in promises:
        named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", held_by)
        assert len(named) == held_by.count("`") / 2 >= 1, promise
        for file, test in named:
            tree = ast.parse((PROJECT_ROOT / file).read_text(encoding="utf-8"))
            there = {one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}
            assert test in there, f"{file}::{test}"


@every_document
def test_links_lead_somewhere(document):
    folder = (PROJECT_ROOT / document).parent
    headings = {
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", read(document), flags=re.MULTILINE)
    }
    for target in re.findall(r"\]\(\s*([^)\s]+)\s*\)", prose(read(document))):
        if target.startswith("#"):
            assert target[1:] in headings, target
        elif not target.startswith("https://"):
            assert (folder / target.partition("#")[0]).exists(), target


def paths_in(document):
    """List the words in backticks that look like paths of this project."""
    for word in re.findall(r"`([^`\s]+)`", prose(read(document))):
        is_path = "/" in word or word.rpartition(".")[2] in ENDINGS
        is_pattern = re.search(r"[A-Z]{3,}/|/[A-Z]{4,}|://|^[./]\w*$|\*|=", word)
        if is_path and not is_pattern:
            yield word


@every_document
def test_every_file_that_is_named_is_there(document):
    folder = (PROJECT_ROOT / document).parent
    for word in (one.partition("::")[0] for one in paths_in(document)):
        if document == "data/README.md" and word.split("/")[0] in RUN_TIME | {"state"}:
            continue
        # `card.py` and the like stand for a file in any room or run.
        anywhere = "/" not in word.rstrip("/") and (
            any((PROJECT_ROOT / "subclust").rglob(word))
            or word in ("job.json", "log.txt", "progress.jsonl", "split.json", "set.json")
            or word in ("convergence.json", "import.json", "promoted.json")
        )
        made = word.removeprefix("data/").split("/")[0] in RUN_TIME and word.startswith("data/")
        there = made or (folder / word).exists() or (PROJECT_ROOT / word).exists()
        assert there or anywhere, f"{document} names {word}"


def test_the_search_for_files_finds_some():
    assert "CHANGELOG.md" in set(paths_in("README.md"))
    assert "subclust/benchmarks/results/" in set(paths_in("README.md"))
    assert "subclust/methods/qs3m/models.py" in set(paths_in("CONTRIBUTING.md"))


def test_the_house_that_is_drawn_is_the_house_there_is():
    drawn = read("CONTRIBUTING.md").split("```")[3]
    packages = {
        path.name
        for path in (PROJECT_ROOT / "subclust").iterdir()
        if path.is_dir() and (path / "__init__.py").exists()
    }
    assert {name for name in re.findall(r"(\w+)/", drawn)} & packages == packages
    layers = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"][0]["layers"]
    named = {name.strip() for layer in layers for name in layer.split("|")}
    assert packages <= named


def test_make_targets_that_are_named_are_there():
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), flags=re.MULTILINE))
    for document in DOCUMENTS:
        named = set(re.findall(r"(?:^|`)make ([a-z-]+)", read(document), flags=re.MULTILINE))
        assert named <= targets, document
    assert {"run", "test", "check"} <= targets


def test_every_row_of_a_table_has_all_its_cells():
    for document in DOCUMENTS:
        width = None
        for line in prose(read(document)).splitlines():
            if not line.startswith("|"):
                width = None
                continue
            cells = line.count("|") - line.count("\\|")
            assert width in (None, cells), f"{document}: {line}"
            width = cells


@every_document
def test_nothing_is_left_to_be_filled_in(document):
    assert not re.search(r"TODO|FIXME|TBD|XXX|lorem|METHOD_TABLE|coming soon", read(document))


def test_the_dockerfile_copies_what_is_there():
    for line in re.findall(r"^COPY (?:--\S+ )?(.*) \S+$", read("Dockerfile"), flags=re.MULTILINE):
        for source in line.split():
            assert (PROJECT_ROOT / source).exists(), source
    assert re.search(r"^USER (?!root)", read("Dockerfile"), flags=re.MULTILINE)
    assert "/_stcore/health" in read("Dockerfile")


def test_no_volume_of_the_container_hides_what_ships():
    text = read("Dockerfile")
    (volumes,) = re.findall(r"^VOLUME (.*)$", text, flags=re.MULTILINE)
    folders = dict(re.findall(r"(SUBCLUST_\w+_DIR)=(\S+)", text))
    assert folders["SUBCLUST_MODELS_DIR"] in json.loads(volumes)
    shipped = Path(folders["SUBCLUST_SHIPPED_MODELS_DIR"])
    assert not any(shipped.is_relative_to(volume) for volume in json.loads(volumes))
    assert f"COPY models {shipped.name}\n" in text


def test_the_licence_is_the_one_that_is_declared():
    project = tomllib.loads(read("pyproject.toml"))["project"]
    assert project["license"] == "Apache-2.0"
    text = read("LICENSE")
    assert "Apache License" in text and "END OF TERMS AND CONDITIONS" in text


def test_every_documented_version_of_python_is_allowed():
    bounds = tomllib.loads(read("pyproject.toml"))["project"]["requires-python"]
    assert bounds == ">=3.11,<3.14"
    assert "Python 3.11 (3.12 and 3.13 work too)" in README
    assert "(3, 11) <= sys.version_info < (3, 14)" in read("Makefile")
    assert "FROM python:3.11-slim" in read("Dockerfile")


def test_ci_does_what_a_laptop_does():
    script = Path(PROJECT_ROOT / ".ci" / "run")
    assert script.stat().st_mode & 0o111
    lines = script.read_text(encoding="utf-8").splitlines()
    assert "set -euo pipefail" in lines
    assert lines[-1] == "exec make check"
