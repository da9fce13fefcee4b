"""Small maps of groups to correct, and how hypothesis corrects them."""

from dataclasses import replace

from hypothesis import strategies as st

from subclust.core.exceptions import InputError
from subclust.core.records import (
    OTHER_PASSAGES,
    OTHER_PASSAGES_NAME,
    MappedPassage,
    Passage,
    Query,
    Subtopic,
    SubtopicMap,
)
from subclust.labelled import corrections as curation

NAMES = ("Stamp Act", "French fleet", "Winter quarters", "Peace treaty", "Taxes", "Snow")


def make_map(groups, query="the American war"):
    """Make a map of groups, given as {id: passage ids}."""
    rank = iter(range(1, 1000))
    return SubtopicMap(
        query=Query(query),
        library="demo",
        method="centred-cosine",
        checkpoint=None,
        seed=0,
        n_clusters=len(set(groups) - {OTHER_PASSAGES}),
        n_clusters_source="user",
        subtopics=tuple(
            Subtopic(
                id=id,
                name=OTHER_PASSAGES_NAME if id == OTHER_PASSAGES else NAMES[id],
                quality=0.5,
                passages=tuple(
                    MappedPassage(
                        Passage(one, f"Words of {one}.", title=f"Title {one}"),
                        rank=next(rank),
                        strength=0.5,
                        x=0.0,
                        y=0.0,
                    )
                    for one in ids
                ),
            )
            for id, ids in groups.items()
            if ids
        ),
    )


def groups_of(subtopics):
    """Give {id: set of passage ids}."""
    return {
        group.id: {member.passage.id for member in group.passages} for group in subtopics.subtopics
    }


def names_of(subtopics):
    return {group.id: group.name for group in subtopics.subtopics}


def shuffled(subtopics, draw):
    """Put passages and groups into any other order."""
    groups = [
        replace(group, passages=tuple(draw(st.permutations(group.passages))))
        for group in subtopics.subtopics
    ]
    return replace(subtopics, subtopics=tuple(draw(st.permutations(groups))))


@st.composite
def maps(draw, n_passages=8, n_groups=4):
    """Draw a map of the passages a, b, c, … in any groups, other passages among them."""
    labels = draw(st.lists(st.integers(-1, n_groups - 1), min_size=n_passages, max_size=n_passages))
    groups = {}
    for number, label in enumerate(labels):
        groups.setdefault(label, []).append(chr(ord("a") + number))
    return make_map(dict(sorted(groups.items(), key=lambda one: (one[0] == -1, one[0]))))


def draw_edit(draw, subtopics):
    """Draw one edit that can be done on a map, as somebody at the page would make it."""
    passages = sorted(one for ids in groups_of(subtopics).values() for one in ids)
    groups = sorted(groups_of(subtopics))
    chosen = draw(st.lists(st.sampled_from(passages), min_size=1, max_size=4, unique=True))
    group = draw(st.sampled_from([*groups, OTHER_PASSAGES]))
    name = draw(st.sampled_from(["Trade", "Ships", "stamp  act", "Snow", "New"]))
    kind = draw(st.sampled_from(["move", "separate", "merge", "split", "rename", "judge"]))
    try:
        match kind:
            case "move":
                return curation.move(subtopics, chosen, group)
            case "separate":
                return curation.separate(subtopics, chosen, name)
            case "merge":
                other = draw(st.sampled_from(groups))
                return curation.merge(subtopics, [group, other], other)
            case "split":
                members = sorted(groups_of(subtopics).get(group, ()))
                cut = draw(st.integers(0, len(members)))
                parts = [(name, members[:cut]), ("Rest", members[cut:])]
                return curation.split(subtopics, group, parts)
            case "rename":
                return curation.rename(subtopics, group, name)
        mark = draw(st.sampled_from(["accepted", "unsure", "none"]))
        return curation.judge(subtopics, chosen, mark)
    except InputError:
        return None


@st.composite
def corrected_maps(draw, most=6):
    """Draw a map and edits, each made on what the ones before it had left."""
    subtopics = draw(maps())
    edits, now = [], subtopics
    for _ in range(draw(st.integers(0, most))):
        edit = draw_edit(draw, now)
        if edit is not None:
            edits.append(edit)
            now = curation.replay(subtopics, edits).subtopics
    return subtopics, tuple(edits)
