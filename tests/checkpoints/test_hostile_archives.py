"""Archives from outside that are wrong on purpose: one sentence each, and nothing is stored."""

import hashlib
import json
import struct
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.checkpoints.archive import export_checkpoint, import_checkpoint
from subclust.checkpoints.archive_members import check_tensor_file
from subclust.core.exceptions import CheckpointError

FOLDER = "qs3m/one/"
WEIGHTS = f"{FOLDER}weights.safetensors"


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exported")
    store = CheckpointStore(folder / "models")
    card = {"summary": "Groups.", "created": "2001-02-03", "judgement": {"verdict": "better"}}
    weights = {"head.x": np.arange(600, dtype=np.float32), "n": np.array(3)}
    store.save(Checkpoint("qs3m", "one", {"model": {}}, weights, card))
    return export_checkpoint(store, "qs3m", "one", folder / "one.zip").read_bytes()


@pytest.fixture
def other(tmp_path):
    return CheckpointStore(tmp_path / "other")


@pytest.fixture
def archive(exported, tmp_path):
    path = tmp_path / "one.zip"
    path.write_bytes(exported)
    return path


def members_of(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path, members, *, summed=True):
    """Write an archive again, with sums that fit its files."""
    if summed:
        sums = "".join(
            f"{hashlib.sha256(content).hexdigest()}  {name.rpartition('/')[2]}\n"
            for name, content in members.items()
            if not name.endswith("SHA256SUMS")
        )
        members = {**members, f"{FOLDER}SHA256SUMS": sums.encode()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def refused(store, path, match):
    with pytest.raises(CheckpointError, match=match) as caught:
        import_checkpoint(store, path, {"qs3m"})
    assert "\n" not in str(caught.value)
    assert not store.folder.exists() or store.methods() == []


def test_the_sums_fit_what_sha256sum_checks(archive):
    members = members_of(archive)
    lines = members[f"{FOLDER}SHA256SUMS"].decode().splitlines()
    assert len(lines) == 4
    for line in lines:
        digest, _, name = line.partition("  ")
        assert hashlib.sha256(members[FOLDER + name]).hexdigest() == digest


def test_the_same_checkpoint_gives_the_same_bytes(exported, archive, other):
    import_checkpoint(other, archive, {"qs3m"})
    other.note("qs3m", "one", {})
    first = export_checkpoint(other, "qs3m", "one", archive.with_name("1.zip")).read_bytes()
    again = export_checkpoint(other, "qs3m", "one", archive.with_name("2.zip")).read_bytes()
    assert first == again


def test_an_older_archive_without_sums_is_taken(archive, other):
    members = members_of(archive)
    members.pop(f"{FOLDER}SHA256SUMS")
    write(archive, members, summed=False)
    assert import_checkpoint(other, archive, {"qs3m"}).name == "one"


def test_what_it_says_of_its_judgement_was_measured_elsewhere(archive, other):
    card = import_checkpoint(other, archive, {"qs3m"}).card
    assert "judgement" not in card and card["judgement_elsewhere"] == {"verdict": "better"}
    assert other.card("qs3m", "one") == card and card["created"] == "2001-02-03"


def test_it_may_take_another_name(archive, other):
    import_checkpoint(other, archive, {"qs3m"})
    assert import_checkpoint(other, archive, {"qs3m"}, name="two").name == "two"
    assert other.names("qs3m") == ["one", "two"]
    with raises(CheckpointError, name="../two"):
        import_checkpoint(other, archive, {"qs3m"}, name="../two")


@pytest.mark.parametrize("file", ["config.json", "weights.safetensors", "card.json", "README.md"])
def test_a_file_that_is_not_the_one_that_was_summed_is_named(archive, other, file):
    members = members_of(archive)
    members[FOLDER + file] += b" "
    write(archive, members, summed=False)
    refused(other, archive, f"^{file} in one.zip is not the file that was exported")


@pytest.mark.parametrize(
    "sums", [b"", b"\xff", b"x", b"ab  config.json\n" * 4, b"ab  ../x\n" * 4, b"\n" * 4]
)
def test_sums_that_do_not_list_each_file_are_refused(archive, other, sums):
    write(archive, {**members_of(archive), f"{FOLDER}SHA256SUMS": sums}, summed=False)
    refused(other, archive, "does not list a checksum|not an exported checkpoint")


def test_a_link_is_refused(archive, other):
    members = members_of(archive)
    with zipfile.ZipFile(archive, "w") as changed:
        for name, content in members.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = (0o120777 if name == WEIGHTS else 0o100644) << 16
            changed.writestr(member, b"/etc/passwd" if name == WEIGHTS else content)
    refused(other, archive, "weights.safetensors in one.zip is not a plain file")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_is_there_twice_is_refused(archive, other):
    members = members_of(archive)
    with zipfile.ZipFile(archive, "a") as changed:
        changed.writestr(f"{FOLDER}card.json", members[f"{FOLDER}card.json"])
    refused(other, archive, "must hold exactly")


def test_a_folder_or_a_name_with_a_zero_byte_is_refused(archive, other):
    members = members_of(archive)
    write(archive, {**members, FOLDER: b""}, summed=False)
    refused(other, archive, "must hold exactly")
    write(archive, members)
    content = archive.read_bytes().replace(b"one/card.json", b"one/card.jso\0")
    archive.write_bytes(content)
    refused(other, archive, "exactly|name that no file can have|not an exported checkpoint")


@pytest.mark.parametrize("way", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_packing_is_refused(archive, other, way):
    members = members_of(archive)
    with zipfile.ZipFile(archive, "w", way) as changed:
        for name, content in members.items():
            changed.writestr(name, content)
    refused(other, archive, "packed in an unusual way")


def test_a_bomb_is_refused_before_it_is_unpacked(archive, other, monkeypatch):
    members = members_of(archive)
    write(archive, {**members, f"{FOLDER}card.json": b" " * (17 * 1024**2)})
    assert archive.stat().st_size < 100_000
    monkeypatch.setattr("subclust.checkpoints.archive.unpack", pytest.fail)
    refused(other, archive, "card.json in one.zip would unpack to over 16 MB")
    write(archive, {**members, **{f"{FOLDER}{i}": b"" for i in range(5000)}}, summed=False)
    refused(other, archive, "must hold exactly")


def test_a_bomb_that_lies_about_its_size_unpacks_no_further(archive, other):
    members = members_of(archive)
    write(archive, {**members, f"{FOLDER}README.md": b"a" * (30 * 1024**2)}, summed=False)
    # The size it says it has, in its own header and in the directory.
    lie = archive.read_bytes().replace(struct.pack("<I", 30 * 1024**2), struct.pack("<I", 10))
    archive.write_bytes(lie)
    refused(other, archive, "not an exported checkpoint")


@pytest.mark.parametrize(
    "card",
    [
        b"[" * 200_000,
        b"3",
        b"{",
        b'{"summary": 3}',
        b'{"summary": {"a": []}}',
        b'{"scores": []}',
        b'{"training_data": 3}',
        b'{"training_data": [3]}',
        b'{"stages": ["x"]}',
        b'{"stages": {"a": 1}}',
        b'{"judgement": "better"}',
        b'{"summary": "\\ud800"}',
        b'{"training": {"\\udfff": 1}}',
        b'{"created": 20010203}',
        b"\xff\xfe{}",
    ],
)
@pytest.mark.parametrize("file", ["card.json", "config.json"])
def test_a_card_of_wrong_kinds_is_refused(archive, other, file, card):
    if file == "config.json" and card not in (b"[" * 200_000, b"3", b"{", b"\xff\xfe{}"):
        card = b'{"model": %s}' % json.dumps(card.decode()).encode()
    write(archive, {**members_of(archive), FOLDER + file: card})
    refused(other, archive, "cannot be read|damaged|not an exported")


def test_one_that_rests_on_another_is_refused(archive, other):
    config = {"layers_of": "qs3m/one", "layers_digest": "x"}
    write(archive, {**members_of(archive), f"{FOLDER}config.json": json.dumps(config).encode()})
    refused(other, archive, "is based on")


def test_nothing_in_a_card_is_a_tag_or_a_picture_in_the_readme(archive, other):
    card = {"summary": "<script>x</script> ![x](http://a.b/c.png)", "limits": "<img src=x>"}
    write(archive, {**members_of(archive), f"{FOLDER}card.json": json.dumps(card).encode()})
    import_checkpoint(other, archive, {"qs3m"})
    readme = (other.folder / "qs3m" / "one" / "README.md").read_text()
    assert "<script" not in readme and "<img" not in readme and "![" not in readme


def tensor_file(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def one(dtype="F32", shape=(2,), offsets=(0, 8)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


BAD_TENSORS = {
    "pickle": b"\x80\x04\x95" + bytes(60),
    "empty": b"",
    "header longer than the file": struct.pack("<Q", 2**63) + b"{}",
    "no object": tensor_file(b"[1, 2]"),
    "deep": tensor_file(b'{"a":' * 50_000),
    "unknown kind": tensor_file({"a": one("F8_E4M3", (8,))}, bytes(8)),
    "kind is no text": tensor_file({"a": one(["F32"])}, bytes(8)),
    "shape too long": tensor_file({"a": one(shape=(2**40,))}, bytes(8)),
    "negative": tensor_file({"a": one(shape=(-1, -2))}, bytes(8)),
    "true is no length": tensor_file({"a": one(shape=(True, 2))}, bytes(8)),
    "outside": tensor_file({"a": one(offsets=(8, 16))}, bytes(8)),
    "overlap": tensor_file({"a": one(), "b": one(offsets=(4, 12))}, bytes(12)),
    "rest": tensor_file({"a": one()}, bytes(8) + b"MZ"),
    "a gap": tensor_file({"a": one(), "b": one(offsets=(12, 20))}, bytes(20)),
    "twice": tensor_file(b'{"a": %b, "a": %b}' % ((json.dumps(one()).encode(),) * 2), bytes(8)),
    "no offsets": tensor_file({"a": {"dtype": "F32", "shape": [2]}}, bytes(8)),
    "no number": tensor_file({"a": one()}, np.array([1, np.nan], dtype="<f4").tobytes()),
    "infinite": tensor_file({"a": one()}, np.array([1, np.inf], dtype="<f4").tobytes()),
}


@pytest.mark.parametrize("how", BAD_TENSORS)
def test_weights_that_are_no_sound_tensors_are_refused(archive, other, how):
    write(archive, {**members_of(archive), WEIGHTS: BAD_TENSORS[how]})
    refused(other, archive, "not a safetensors file|contains something that is not a number")


def test_too_many_tensors_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("subclust.checkpoints.archive_members.MOST_TENSORS", 1)
    path = tmp_path / "x.safetensors"
    path.write_bytes(tensor_file({"a": one(), "b": one(offsets=(8, 16))}, bytes(16)))
    with raises(CheckpointError, most_tensors=1):
        check_tensor_file(path)


def test_what_the_library_writes_is_sound(tmp_path):
    from safetensors.numpy import save_file

    path = tmp_path / "x.safetensors"
    shapes = [(), (0, 3), (2, 3), (1,)]
    kinds = ["float16", "float32", "float64", "int64", "int8", "uint8", "bool"]
    tensors = {f"{k} {s}": np.ones(s, dtype=k) for k in kinds for s in shapes}
    save_file(tensors, path, metadata={"format": "np"})
    check_tensor_file(path)


# A store takes a mangled archive whole or not at all: whatever the bytes, there is one sentence.
@given(data=st.data())
def test_mangled_archives_are_taken_whole_or_refused(exported, tmp_path, data):
    content = bytearray(exported)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(content) - 1))
        match data.draw(st.sampled_from(["byte", "cut", "insert", "swap"])):
            case "byte":
                content[at] = data.draw(st.integers(0, 255))
            case "cut":
                del content[at : at + data.draw(st.integers(1, 60))]
            case "insert":
                content[at:at] = data.draw(st.binary(max_size=40))
            case "swap":
                content[at : at + 8] = content[:8]
        if len(content) < 2:
            content = bytearray(b"PK")
    path = tmp_path / "mangled.zip"
    path.write_bytes(content)
    store = CheckpointStore(Path(tempfile.mkdtemp(dir=tmp_path)) / "models")
    try:
        checkpoint = import_checkpoint(store, path, {"qs3m"})
    except CheckpointError as error:
        assert "\n" not in str(error) and str(error).endswith(".")
        assert not store.folder.exists() or store.methods() == []
    else:
        np.testing.assert_array_equal(
            store.load("qs3m", checkpoint.name).tensors["head.x"], np.arange(600)
        )
