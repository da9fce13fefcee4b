from subclust.core.records.names import counting_key


def test_numbers_count_and_capitals_do_not():
    names = ["a10", "A2", "a2#10", "a2#9", "10", "9", "a", "", "b1", "a02", "٣"]
    assert sorted(names, key=counting_key) == [
        "", "9", "10", "a", "A2", "a02", "a2#9", "a2#10", "a10", "b1", "٣",
    ]  # fmt: skip


def test_the_order_does_not_depend_on_the_order_before():
    names = ["a2", "A2", "a02", "a2 ", "x" * 10 + "9" * 5000]
    assert sorted(names, key=counting_key) == sorted(names[::-1], key=counting_key)
