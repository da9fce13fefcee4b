"""What the READMEs of AECL and of SCL and FCL say was measured, against the results."""

import json
from pathlib import Path

import pytest

import subclust.benchmarks
from subclust.benchmarks.published import PUBLISHED_DIR, read_paper
from subclust.training.augmentation.wordnet import WITH_SYNONYMS

RESULTS = Path(subclust.benchmarks.__file__).parent / "results"
METHODS = Path(subclust.benchmarks.__file__).parents[1] / "methods"
AECL, SCL = (
    " ".join((METHODS / name / "README.md").read_text(encoding="utf-8").split())
    for name in ("aecl", "scl")
)
NEWS = "newsgroups20"
METHODS_OF_TABLE_8 = ("fcl", "few-shot-supervised")
COLLECTIONS = (
    "agnews", "searchsnippets", "stackoverflow", "googlenews_t", "googlenews_ts", "tweet",
)  # fmt: skip


def accuracy(method, task, metric="acc"):
    kept = json.loads((RESULTS / method / f"{task}.json").read_text(encoding="utf-8"))
    flat = next(iter(kept["granularities"].values()))
    return flat["true_k"][metric]["mean"]


def said(value):
    return f"{value:.3f}".removeprefix("0")


def printed(label, metric="acc"):
    table = next(t for t in read_paper(PUBLISHED_DIR / "aecl.toml").tables if t.name == "table-2")
    row = next(row for row in table.rows if row.label == label)
    return {
        column.dataset.task: cell.value
        for column, cell in zip(table.columns, row.cells, strict=True)
        if column.metric == metric
    }


def test_aecl_is_near_the_paper_on_four_collections_and_above_it_on_two():
    paper = printed("AECL")
    ours = {task: accuracy(f"aecl@{task}", task) for task in COLLECTIONS}
    assert sum(ours[task] > paper[task] - 0.02 for task in COLLECTIONS) >= 4
    assert sum(ours[task] > paper[task] for task in COLLECTIONS) >= 2
    lost = []
    for task in COLLECTIONS:
        near, alone = (accuracy(f"aecl@{task}-{kind}", task) for kind in ("near", "alone"))
        vectors = accuracy("kmeans", task)
        found = " | ".join(map(said, (ours[task], near, alone, paper[task], vectors)))
        assert f"| {task} | {found} |" in AECL
        ahead = task in ("googlenews_ts", "stackoverflow", "searchsnippets")
        assert (near > ours[task]) == ahead and ours[task] > vectors
        assert (alone > vectors + 0.001) == (task != "searchsnippets")
        lost.append(ours[task] - alone)
    assert "ahead on googlenews_ts, stackoverflow and searchsnippets, and behind" in AECL
    assert f"lose {said(min(lost))} to {said(max(lost))}, and searchsnippets is level" in AECL


def test_aecl_takes_the_time_that_is_told():
    taken = []
    for task in COLLECTIONS:
        file = RESULTS / f"aecl@{task}-alone" / f"{task}.json"
        told = json.loads(file.read_text(encoding="utf-8"))["granularities"]["flat"]["story"]
        taken.append(told["training"]["seconds"])
        assert told["training"]["wordings"] == WITH_SYNONYMS
    assert f"in {min(taken):.0f} to {max(taken):.0f} seconds each on one core" in AECL


def test_other_pseudo_labels_and_layers_that_learn_on_the_two_collections_of_least_gain():
    tasks = ("stackoverflow", "searchsnippets")

    def two(method, metric="acc"):
        each = (method.format(task) for task in tasks)
        return [accuracy(one, task, metric) for one, task in zip(each, tasks, strict=True)]

    found = [
        two(method, metric)
        for method in ("aecl@{}-near", "kmeans")
        for metric in ("nmi_geometric", "ari")
    ]
    told = "have NMI {} and {}, ARI {} and {}, where k-means has NMI {} and {}, ARI {} and {}."
    assert told.format(*(said(value) for pair in found for value in pair)) in AECL
    assert all(a > b + 0.08 for a, b in zip(found[1], found[3], strict=True))
    assert all(a > b + 0.03 for a, b in zip(two("aecl@{}-near"), two("kmeans"), strict=True))
    best, task = "aecl@searchsnippets-2-near", "searchsnippets"
    assert (
        f"searchsnippets has ACC {said(accuracy(best, task))} and NMI "
        f"{said(accuracy(best, task, 'nmi_geometric'))}, beside "
        f"{said(printed('AECL', 'nmi_geometric')[task])} in the paper (`-2-near`);"
    ) in AECL
    longer = [accuracy("aecl@searchsnippets-near-128", task, m) for m in ("acc", "nmi_geometric")]
    assert "as k-means does, {} and {} (`-near-128`).".format(*map(said, longer)) in AECL
    assert longer[0] > accuracy("kmeans", task) + 0.03
    layers = [*two("aecl@{}-2"), *two("aecl@{}-2", "nmi_geometric")]
    told = "had {} on stackoverflow and {} on searchsnippets, NMI {} and {} (`-2`)"
    assert told.format(*map(said, layers)) in AECL


def test_more_layers_and_many_groups_gain_nothing_by_learning():
    four, task = accuracy("aecl@searchsnippets-4", "searchsnippets"), "searchsnippets"
    assert four < accuracy(f"aecl@{task}-2", task)
    assert f"the last four {said(four)} on searchsnippets (`-4`)." in AECL
    tweet = accuracy("aecl@tweet-2", "tweet")
    assert tweet < accuracy("aecl@tweet", "tweet")
    assert f"On tweet two layers take away: {said(tweet)}." in AECL


def test_how_the_rivals_of_aecl_do():
    for task in COLLECTIONS:
        rivals = [accuracy(f"{m}@{task}", task) for m in ("self-train", "sccl", "rstc")]
        assert f"{', '.join(map(said, rivals))} on {task}" in AECL
        assert max(rivals) == rivals[2]
        assert accuracy(f"aecl@{task}", task) > max(rivals)


def test_what_each_part_of_aecl_is_worth():
    parts = ("", "-no-ic", "-no-stage-1", "-no-stage-2", "-no-pg", "-no-rc")
    snippets = [accuracy(f"aecl@searchsnippets{p}", "searchsnippets") for p in parts]
    assert (
        "{} as it is, {} without equation 7, {} without the first stage, {} without the second, "
        "{} without pseudo-labels, and {} without".format(*map(said, snippets))
    ) in AECL
    assert max(snippets[1:]) < snippets[0]
    titles = [accuracy(f"aecl@stackoverflow{p}", "stackoverflow") for p in parts]
    assert "{} as it is, {}, {}, {}, {} and {}.".format(*map(said, titles)) in AECL

    def of_three(task, part):
        seeds = ("", "-seed-1", "-seed-2")
        return sum(accuracy(f"aecl@{task}{part}{seed}", task) for seed in seeds) / 3

    both = [of_three("searchsnippets", part) for part in ("", "-no-rc")]
    told = "searchsnippets has {} and without the constraint {}, and stackoverflow"
    assert told.format(*map(said, both)) in AECL and abs(both[1] - both[0]) < 0.005
    means = [of_three("stackoverflow", part) for part in parts]
    assert (
        "{} as it is, {} without equation 7, {} without the first stage, {} without the second, "
        "{} without pseudo-labels and {} without the constraint.".format(*map(said, means))
    ) in AECL
    assert [one < means[0] for one in means] == [False, True, True, False, True, True]
    assert min(means) == means[4] < means[0] - 0.02
    vectors, printed_ones = accuracy("kmeans", "stackoverflow"), printed("SBERT")["stackoverflow"]
    assert (
        f"k-means over them has {said(vectors)}, over the paper's encoder {said(printed_ones)}."
        in AECL
    )
    whole, no_first, no_second = (
        accuracy(f"aecl@stackoverflow-chance{part}", "stackoverflow")
        for part in ("", "-no-stage-1", "-no-stage-2")
    )
    assert whole < min(no_first, no_second)
    told = "it is {} as it is, {} without the first stage and {} without the second."
    assert told.format(*map(said, (whole, no_first, no_second))) in AECL
    near = accuracy("aecl@stackoverflow-near", "stackoverflow")
    assert f"(`-near`) it takes nothing away, {said(near)}." in AECL and near > titles[3]


@pytest.mark.parametrize("task", ["stackoverflow", "searchsnippets", "reuters_r8", "newsgroups20"])
def test_fcl_and_its_rival_stand_as_the_readme_says(task):
    cells = [
        f"{said(accuracy(f'fcl@{task}-{n}', task))} and "
        f"{said(accuracy(f'few-shot-supervised@{task}-{n}', task))}"
        for n in (10, 1)
    ]
    assert f"| {task} | {cells[0]} | {cells[1]} |" in SCL


def test_fcl_reaches_the_paper_on_short_texts_and_leads_its_rival_in_most_cells():
    assert accuracy("fcl@stackoverflow-10", "stackoverflow") >= 0.86
    assert accuracy("fcl@searchsnippets-10", "searchsnippets") >= 0.896
    tasks = ("stackoverflow", "searchsnippets", "reuters_r8", "newsgroups20")
    ahead = sum(
        accuracy(f"fcl@{task}-{n}", task) > accuracy(f"few-shot-supervised@{task}-{n}", task)
        for task in tasks
        for n in (10, 1)
    )
    words = {4: "four", 5: "five", 6: "six", 7: "seven", 8: "all"}
    assert f"ahead in {words[ahead]} of the eight" in SCL
    cells = [
        [accuracy(f"{method}@{task}{reader}-10", task, metric) for method in METHODS_OF_TABLE_8]
        for task in tasks
        for reader in ("", "-lstm")
        for metric in ("acc", "ami", "ari")
    ]
    above, level = sum(one > other for one, other in cells), sum(a == b for a, b in cells)
    assert above >= len(cells) / 2 == 12
    assert f"it is ahead in {above} and level in {level}." in SCL


def test_uda_adds_a_little_to_fcl_on_short_texts():
    def told(task, reader=""):
        pairs = [(f"fcl@{task}{reader}-{n}-uda", f"fcl@{task}{reader}-{n}") for n in (10, 1)]
        found = [[accuracy(method, task) for method in pair] for pair in pairs]
        if task != "reuters_r8" and (task, reader) != (NEWS, "-lstm"):
            assert all(plain < uda < plain + 0.03 for uda, plain in found)
        return f"{said(found[0][0])} and {said(found[1][0])}"

    first, second = "searchsnippets", "stackoverflow"
    assert f"as in the paper: {told(first)} on {first}, {told(second)} on {second}," in SCL
    lstm, long = "-lstm", "reuters_r8"
    assert f"LSTM {told(first, lstm)} on {first}, {told(second, lstm)} on {second}." in SCL
    assert f"On {long} it has {told(long)}, on {NEWS} {told(NEWS)}, " in SCL
    assert f"with an LSTM {told(long, lstm)}, and {told(NEWS, lstm)}, less than FCL alone." in SCL
    for n in (10, 1):
        name = f"fcl@{NEWS}-lstm-{n}"
        assert accuracy(f"{name}-uda", NEWS) < accuracy(name, NEWS)
    uda, alone = (
        [accuracy(f"scl@{task}{behind}", task) for task in (first, second)]
        for behind in ("-uda", "")
    )
    assert all(one < other + 0.01 for one, other in zip(uda, alone, strict=True))
    assert (
        "To SCL it adds little, or takes away: {} on searchsnippets, {} on stackoverflow, where "
        "SCL alone has {} and {}."
    ).format(*map(said, [*uda, *alone])) in SCL


def test_the_rival_learns_all_labels_by_heart():
    tasks = ("searchsnippets", "stackoverflow", "reuters_r8", NEWS)
    for reader, told in (("", "the rival has {},"), ("-lstm", "with an LSTM {}.")):
        found = [accuracy(f"few-shot-supervised@{task}{reader}-100", task) for task in tasks]
        each = [f"{said(value)} on {task}" for task, value in zip(tasks, found, strict=True)]
        assert told.format(f"{', '.join(each[:3])} and {each[3]}") in SCL
        for task, value in zip(tasks, found, strict=True):
            assert value > accuracy(f"few-shot-supervised@{task}{reader}-10", task)


def test_what_an_lstm_does_is_what_the_readme_says():
    def both(task, n, sign):
        found = [accuracy(f"{m}@{task}-lstm-{n}", task) for m in ("fcl", "few-shot-supervised")]
        assert (found[0] > found[1]) - (found[0] < found[1]) == sign
        return f"{said(found[0])} beside {said(found[1])}"

    first, second, long = "searchsnippets", "stackoverflow", "reuters_r8"
    tasks = (first, second, long, NEWS)
    assert (
        f"with a hundredth of the labels on all four: {both(first, 1, 1)} on {first}, "
        f"{both(second, 1, 1)} on {second}, {both(long, 1, 1)} on {long}, {both(NEWS, 1, 1)} on "
        f"{NEWS}. With a tenth it is ahead on {second}, {both(second, 10, 1)}, level on {first}, "
        f"{both(first, 10, 0)}, and on {long}, {both(long, 10, 0)}, and behind on {NEWS}, "
        f"{both(NEWS, 10, -1)}."
    ) in SCL
    alone = [accuracy(f"scl@{task}-lstm", task) for task in tasks]
    assert alone[2] > accuracy(f"scl@{long}", long)
    told = (
        "SCL has {} and {} on the two short ones, {} on reuters_r8, more than with the encoder, "
        "and {} on newsgroups20."
    )
    assert told.format(*map(said, alone)) in SCL
    back = [accuracy(f"scl@{task}-lstm-bt", task) for task in tasks]
    assert back[0] < alone[0] and back[1] > alone[1]
    told = (
        "With back translation it has {} and {} on the short ones, behind masking on {} and ahead"
    )
    assert told.format(*map(said, back[:2]), first) in SCL
    assert f"as in the paper, {said(back[2])} on {long} and {said(back[3])} on {NEWS}." in SCL


def test_scl_and_k_means_stand_as_the_readme_says():
    for task, text in (
        ("searchsnippets", "{} with masking and {} with back translation against {} on {}"),
        ("stackoverflow", "{} and {} against {} on {}"),
    ):
        found = [accuracy(m, task) for m in (f"scl@{task}", f"scl@{task}-bt", "kmeans")]
        assert text.format(*map(said, found), task) in SCL
        assert max(found) == found[2]
    names = ("scl@reuters_r8", "scl@reuters_r8-bt", "kmeans")
    long = [accuracy(method, "reuters_r8") for method in names]
    assert (
        "{} with masking and {} with back translation against {}. On".format(*map(said, long))
        in SCL
    )
    ahead = [accuracy(method, "newsgroups20") for method in ("scl@newsgroups20", "kmeans")]
    assert ahead[0] > ahead[1]
    back = accuracy("scl@newsgroups20-bt", "newsgroups20")
    assert back < ahead[1]
    assert (
        "On newsgroups20 it is ahead with masking, {}, and behind with back translation, {}, "
        "against {}."
    ).format(*map(said, (ahead[0], back, ahead[1]))) in SCL


def test_sccl_is_above_scl_and_plain_vectors_on_long_texts():
    found = [accuracy(f"sccl@{task}", task) for task in (NEWS, "reuters_r8")]
    for task, value in zip((NEWS, "reuters_r8"), found, strict=True):
        assert value > max(accuracy(f"scl@{task}", task), accuracy("kmeans", task))
    told = "above both on the two long ones, {} on newsgroups20 and {} on reuters_r8."
    assert told.format(*map(said, found)) in SCL
