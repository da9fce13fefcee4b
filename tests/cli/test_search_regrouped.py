"""``search`` with kept hits, dug groups, levels and stability."""

import json
from dataclasses import replace

from raising import numbers

PLAIN = ["search", "colony trade", "--library", "small", "--method", "centred-cosine", "--json"]


def asked(run, *words):
    status, out, err = run(*PLAIN, *words)
    assert status == 0, err
    return json.loads(out)


def ids_of(printed):
    return {group["id"]: {one["id"] for one in group["passages"]} for group in printed["subtopics"]}


def test_what_the_options_add_comes_after_the_object_without_them(run, library):
    plain = list(asked(run))
    everything = asked(run, "--hits-of", "fish", "--levels", "2", "--stability", "--dig", "0")
    assert list(everything)[: len(plain)] == plain


def test_hits_of_another_query_are_grouped_under_this_one(run, library):
    found = asked(run, "--hits-of", "herring salt", "--top-k", "9")
    hits = set.union(*ids_of(found).values())
    _, out, _ = run("search", "herring salt", *PLAIN[2:], "--top-k", "9")
    assert hits == set.union(*ids_of(json.loads(out)).values())
    assert (found["query"], found["hits_of"]) == ("colony trade", "herring salt")
    assert {one["id"] for one in found["query_effects"]} == hits
    groups = ids_of(found)
    for effect in found["query_effects"]:
        assert effect["id"] in groups[effect["after"]]
        assert effect["moved"] == 0  # the method does not look at the query
        assert effect["before"] == effect["after"]
    before = {one["id"] for group in found["before"] for one in group["passages"]}
    assert before == hits
    status, told, _ = run(*PLAIN[:-1], "--hits-of", "herring salt")
    assert status == 0 and ["0", "24"] in [numbers(line) for line in told.splitlines()]


def test_regrouped_hits_are_told_with_the_question_that_found_them(run, library):
    words = ("--divide-by", "herring salt", "--save", "Kept")
    for told in (run(*PLAIN[:-1], *words)[1], run("sessions", "show", "Kept")[1]):
        assert any("colony trade" in one and "herring salt" in one for one in told.splitlines())


def test_the_hits_are_divided_by_another_question(run, library):
    found = asked(run, "--divide-by", "herring salt", "--top-k", "9")
    other = json.loads(
        run("search", "herring salt", *PLAIN[2:], "--hits-of", "colony trade", "--top-k", "9")[1]
    )
    assert (found["query"], found["hits_of"]) == ("herring salt", "colony trade")
    for printed in (found, other):
        printed.pop("timings_ms")
    assert found == other
    status, _, _ = run(*PLAIN, "--divide-by", "salt", "--hits-of", "fish")
    assert status == 2


def test_the_ways_are_listed_and_chosen_by_their_keys(run, library):
    found = library.passages()
    library.discard([one.id for one in found.passages])
    library.add(
        [
            replace(one, metadata={"language": "de" if row % 3 else "en"})
            for row, one in enumerate(found.passages)
        ],
        found.embeddings,
    )
    ways = asked(run, "--ways")["ways"]
    for way in ways:
        assert set(way) == {"key", "text", "kind", "names", "sizes", "clarity"}
    assert "field:language" in {way["key"] for way in ways}
    found = asked(run, "--divide-by", "field:language")
    assert {group["name"] for group in found["subtopics"]} == {"German", "English"}
    assert found["way"] == "field:language" and found["hits_of"] == "colony trade"
    typed = asked(run, "--divide-by", "by language")
    assert ids_of(typed) == ids_of(found)
    run.refused(*PLAIN, "--divide-by", "field:journal", way="field:journal")


def test_an_expected_subtopic_takes_its_passages(run, library):
    found = asked(run, "--expect", "cod", "--expect", "dinosaurs")
    assert found["expected"] == ["cod", "dinosaurs"]
    cod = next(group for group in found["subtopics"] if group["name"] == "Cod")
    assert all("cod" in one["text"] for one in cod["passages"]) and cod["size"] == 8
    assert "'dinosaurs'" in run(*PLAIN[:-1], "--expect", "cod", "--expect", "dinosaurs")[1]


def test_a_group_is_grouped_alone(run, library):
    whole = ids_of(asked(run))
    inside = ids_of(asked(run, "--dig", "1", "--n-clusters", "2"))
    assert set.union(*inside.values()) == whole[1]
    assert len(inside) == 2
    run.refused(*PLAIN, "--dig", "99", group=99, known="0, 1, 2")


def test_levels_divide_the_groups(run, library):
    found = asked(run, "--levels", "2", "--n-clusters", "2", "--max-other", "0")
    assert found["levels"] == 2 and found["levels_from_tree"]
    groups = ids_of(found)
    assert found["parts"]
    for group, parts in found["parts"].items():
        assert set().union(*(part["passages"] for part in parts)) == groups[int(group)]
        assert [part["number"] for part in parts] == [
            f"{int(group) + 1}.{place}" for place in range(1, len(parts) + 1)
        ]
    lines = run(*PLAIN[:-1], "--levels", "2", "--n-clusters", "2")[1].splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("Parts of"))
    assert [line.split()[0] for line in lines[first + 1 : first + 3]] == ["1", "2"]


def test_the_stable_number_of_groups_is_told(run, library):
    curve = asked(run, "--stability")["stability"]
    tried = [point["n_clusters"] for point in curve["curve"]]
    assert tried == list(range(2, 2 + len(tried)))
    assert curve["suggested"] in tried
    told = run(*PLAIN[:-1], "--stability")[1]
    assert any(numbers(line)[-1:] == [str(curve["suggested"])] for line in told.splitlines())
