import json

from corrected_maps import corrected_maps, maps, shuffled
from hypothesis import given
from hypothesis import strategies as st

from subclust.core.records import OTHER_PASSAGES
from subclust.labelled.corrections import History, Judge, Merge, Move, Separate, replay
from subclust.labelled.corrections.edits import comparable, from_object, to_object


def passages_about(edit):
    """Give the passages that an edit names, itself or as those of a group."""
    match edit:
        case Move():
            return {*edit.passages, *edit.to.members}
        case Separate() | Judge():
            return set(edit.passages)
        case Merge():
            return {one for group in (*edit.groups, edit.into) for one in group.members}
    return set(edit.group.members)


def goes_to_other(edit):
    return isinstance(edit, Move) and edit.to.is_other


def passages_of(subtopics):
    return sorted(member.passage.id for group in subtopics.subtopics for member in group.passages)


@given(corrected_maps())
def test_every_passage_stays_in_exactly_one_group(made):
    subtopics, edits = made
    corrected = replay(subtopics, edits)
    assert passages_of(corrected.subtopics) == passages_of(subtopics)
    groups = corrected.subtopics.subtopics
    assert all(group.passages for group in groups)
    assert len({group.id for group in groups}) == len(groups)
    assert len({comparable(group.name) for group in groups}) == len(groups)
    assert corrected.subtopics.n_clusters == sum(group.id != OTHER_PASSAGES for group in groups)
    assert corrected.unmet == ()  # what was made on these groups can be done on them
    assert set(corrected.judgements) <= set(passages_of(subtopics))


@given(corrected_maps(), maps())
def test_every_passage_stays_in_exactly_one_group_of_fresh_hits(made, fresh):
    corrected = replay(fresh, made[1])
    assert passages_of(corrected.subtopics) == passages_of(fresh)
    names = [comparable(group.name) for group in corrected.subtopics.subtopics]
    assert len(set(names)) == len(names)


@given(corrected_maps(), st.data())
def test_the_order_of_hits_and_groups_does_not_matter(made, data):
    subtopics, edits = made
    if edits:
        assert replay(shuffled(subtopics, data.draw), edits) == replay(subtopics, edits)
    assert replay(subtopics, edits) == replay(subtopics, edits)


@given(corrected_maps())
def test_an_edit_leaves_the_groups_alone_that_it_is_not_about(made):
    subtopics, edits = made
    if not edits:
        return
    before = replay(subtopics, edits[:-1]).subtopics
    after = replay(subtopics, edits).subtopics
    about = passages_about(edits[-1])
    there = {group.id: group for group in after.subtopics}
    for group in before.subtopics:
        is_target = group.id == OTHER_PASSAGES and goes_to_other(edits[-1])
        if not is_target and not about & {member.passage.id for member in group.passages}:
            assert there[group.id] == group


@given(corrected_maps())
def test_undo_takes_back_what_was_done_and_redo_does_it_again(made):
    history = History()
    for edit in made[1]:
        done = history.do(edit)
        assert done.undo().done == history.done
        assert done.undo().redo() == done
        history = done
    for _ in made[1]:
        undone = history.undo()
        assert undone.redo() == history
        history = undone
    assert history.done == ()
    assert replay(made[0], history.done).subtopics is made[0]
    assert history.undo() == history
    for _ in made[1]:
        history = history.redo()
    assert history == History(made[1])
    assert history.redo() == history


@given(corrected_maps())
def test_edits_survive_being_written(made):
    for edit in made[1]:
        assert from_object(json.loads(json.dumps(to_object(edit)))) == edit
