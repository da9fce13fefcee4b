"""Files from elsewhere: whole and true, or refused with a sentence."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

from subclust.core.exceptions import FileFormatError, SubclustError
from subclust.sessions import SessionStore
from subclust.sessions import records as file_module
from subclust.sessions import records as records_module


@pytest.fixture
def exported(sessions, session):
    return sessions.export(sessions.save(session, "Tea").id)


@pytest.fixture
def elsewhere(tmp_path):
    return SessionStore(tmp_path / "elsewhere")


def rewritten(content, *, sign=True, header=None, **changes):
    """Change the second line, and the sum in the first one with it."""
    first, second, _ = content.split(b"\n")
    body = json.loads(second) | changes
    if callable(header):
        header = header(body)
    second = json.dumps(body).encode()
    first = json.loads(first) | (header or {})
    if sign:
        first["sha256"] = hashlib.sha256(second).hexdigest()
    return json.dumps(first).encode() + b"\n" + second + b"\n"


def test_a_file_comes_back_byte_for_byte(sessions, elsewhere, exported):
    header = elsewhere.take(exported)
    assert elsewhere.export(header.id) == exported
    assert elsewhere.load(header.id) == sessions.load(header.id)


def test_taking_a_session_again_changes_nothing(sessions, exported):
    header = sessions.take(exported)
    sessions.rename(header.id, "Mine")
    assert sessions.take(exported).name == "Mine"
    assert len(sessions.headers()) == 1


def test_another_session_of_the_same_id_gets_its_own(sessions, session, exported):
    other = rewritten(exported, seed=99)
    header = sessions.take(other)
    assert len(sessions.headers()) == 2
    assert sessions.load(header.id)[1].seed == 99
    assert header.id != json.loads(exported.split(b"\n")[0])["id"]


def test_a_signed_file_is_taken(exported, elsewhere):
    assert elsewhere.take(rewritten(exported)).name == "Tea"


def first_passage(**changes):
    return lambda body: body["groups"][0]["passages"][0].update(**changes) or {}


def deep(body):
    value = []
    for _ in range(500):
        value = [value]
    body["corrections"] = value
    return {}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"sign": False, "seed": 4}, "checksum"),
        ({"header": {"question": "another"}}, "describes another one"),
        ({"header": {"n_passages": 5}}, "describes another one"),
        ({"header": {"subclust_session": 2}}, "subclust_session"),
        ({"header": {"id": "../../../etc/"}}, "id"),
        ({"header": {"extra": 1}}, "extra"),
        ({"seed": "4"}, "seed"),
        ({"groups": []}, "groups"),
        ({"groups": "all"}, "groups"),
        ({"address": {"q": 5}}, "address.q"),
        ({"context": "nonsense"}, "context"),
        ({"unknown": True}, "unknown"),
        ({"other_maps": {"umap": {"a": [0, 1]}}}, "other passages than"),
        ({"other_maps": {"umap": {"a": [0, float("nan")]}}}, "other_maps"),
        ({"timings_ms": {"total": float("inf")}}, "timings_ms"),
        ({"header": first_passage(x=float("nan"))}, "x"),
        ({"header": first_passage(strength=2)}, "strength"),
        ({"header": lambda body: body["groups"][0].update(passages=[]) or {}}, "passages"),
        ({"header": lambda body: body["groups"].append(body["groups"][0]) or {}}, "two passages"),
        ({"header": lambda body: body["groups"][1].update(id=0) or {}}, "two groups"),
        ({"header": deep}, "recursion|corrections"),
    ],
)  # fmt: skip
def test_what_is_not_whole_is_refused_in_a_sentence(elsewhere, exported, changes, told):
    with pytest.raises(FileFormatError, match=told) as caught:
        elsewhere.take(rewritten(exported, **changes))
    assert "\n" not in str(caught.value)
    assert elsewhere.headers() == []


def leaves(value, path=()):
    """Yield the place of each value within another."""
    yield path
    for key, one in (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    ):
        yield from leaves(one, (*path, key))


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


ODD = st.sampled_from(
    [None, True, -1, 2**70, 1e308, "", "../../x", "a\0b", "\ud800", "x" * 5000, [], {}]
    + [[None] * 3000, {"": 1}, nested(90), "<script>", "=1", {"a" * 500: nested(5)}]
) | st.text(max_size=8) | st.integers() | st.floats()  # fmt: skip


# A file with a right sum, of which any value is another: a session as it says, or one sentence.
@given(data=st.data())
def test_a_signed_file_with_an_odd_value_is_taken_whole_or_refused(
    exported, tmp_path_factory, data
):
    first, second, _ = exported.split(b"\n")
    body, header = json.loads(second), json.loads(first)
    changed = data.draw(st.sampled_from([body, header]))
    *way, last = data.draw(st.sampled_from([path for path in leaves(changed) if path]))
    inner = changed
    for key in way:
        inner = inner[key]
    inner[last] = data.draw(ODD)
    second = json.dumps(body).encode()
    first = json.dumps(header | {"sha256": hashlib.sha256(second).hexdigest()}).encode()
    folder = tmp_path_factory.mktemp("mangled")
    store = SessionStore(folder / "sessions")
    try:
        taken = store.take(first + b"\n" + second + b"\n")
    except SubclustError as error:
        assert "\n" not in str(error) and store.headers() == []
    else:
        assert store.load(taken.id)[0] == taken and [taken] == store.headers()
    written = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]
    assert all(path.parent == folder / "sessions" for path in written)


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"\n\n", b"{}", b"{}\n{}\n", b"\x80\x04\x95pickle\n.\n", b"PK\x03\x04\n\n", 
     b"[]\n[]\n", b"null\nnull\n", b"\xff\xfe\n\x00\n"],
)  # fmt: skip
def test_another_file_is_refused_in_a_sentence(elsewhere, content):
    with pytest.raises(FileFormatError):
        elsewhere.take(content)


@pytest.mark.parametrize("at", range(0, 100, 7))
def test_a_file_that_was_cut_or_changed_is_refused(elsewhere, exported, at):
    place = len(exported) * at // 100
    with pytest.raises(FileFormatError):
        elsewhere.take(exported[:place])
    other = bytearray(exported)
    other[max(place, len(exported) // 8)] ^= 1
    with pytest.raises(FileFormatError):
        elsewhere.take(bytes(other))


def test_a_file_that_is_too_large_is_refused_unread(elsewhere, exported, monkeypatch):
    monkeypatch.setattr(file_module, "MAX_BYTES", len(exported) - 1)
    with raises(FileFormatError, max_bytes=0):
        elsewhere.take(exported)


def test_a_damaged_session_is_told_and_can_be_deleted(sessions, session):
    header = sessions.save(session, "Tea")
    path = sessions.folder / f"{header.id}.subclust"
    path.write_bytes(path.read_bytes().replace(b"Plain words", b"Other words"))
    with raises(FileFormatError, header="Tea"):
        sessions.load(header.id)
    sessions.delete(header.id)
    assert sessions.headers() == []


def test_as_many_passages_as_are_allowed_are_taken_and_not_one_more(session, monkeypatch):
    told = session.model_dump(mode="json")
    n_passages = sum(len(group.passages) for group in session.groups)
    monkeypatch.setattr(records_module, "MAX_PASSAGES", n_passages)
    assert type(session).model_validate(told) == session
    monkeypatch.setattr(records_module, "MAX_PASSAGES", n_passages - 1)
    with pytest.raises(ValueError, match=f"{n_passages} passages"):
        type(session).model_validate(told)
