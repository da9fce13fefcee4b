import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subclust.core.storage.spilling import SpillingDict

CHANGES = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.one_of(st.none(), st.text(max_size=5)))
)


@given(changes=CHANGES, most=st.integers(1, 4))
def test_it_is_a_dictionary(changes, most):
    plain, spilling = {}, SpillingDict(most)
    for key, value in changes:
        if value is None:
            assert spilling.pop(key, None) == plain.pop(key, None)
        else:
            plain[key] = spilling[key] = value
        assert (len(spilling), bool(spilling)) == (len(plain), bool(plain))
    assert dict(spilling) == plain
    assert [key in spilling for key in "abcdefgh"] == [key in plain for key in "abcdefgh"]


def test_what_is_not_there():
    spilling = SpillingDict(2)
    spilling.add(["a", "b", "c"])
    assert (dict(spilling), spilling.get("d")) == (dict.fromkeys("abc", ""), None)
    with pytest.raises(KeyError):
        spilling["d"]
    with pytest.raises(KeyError):
        del spilling["d"]


def test_memory_holds_the_newest_only():
    spilling = SpillingDict(10)
    for number in range(95):
        spilling[f"id {number}"] = "x"
    assert len(spilling._newest) < 10 and len(spilling) == 95


def test_memory_is_flat():
    process, spilling = psutil.Process(), SpillingDict()
    sizes = []
    for number in range(240_000):
        spilling[f"id {number * 7919 % 1_000_003}"] = "x" * 150
        if number in (120_000, 239_999):
            sizes.append(process.memory_info().rss)
    assert sizes[1] - sizes[0] < 12 << 20  # 120,000 entries have 20 MB and more
