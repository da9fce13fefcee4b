"""What is padded where subsets of very different sizes go through the layers together."""

import random

import pytest
import torch

from subclust.methods.cactus.blocks import entity_blocks

MIXED = {
    "48 subsets of 3 to 10": [3 + number % 8 for number in range(48)],
    "200 amid threes": [3] * 50 + [200] + [3] * 50,
    "10 to 200": list(range(10, 201, 10)),
}


def batch(sizes, longest):
    """Give the mask and the subsets of entities with 4 to ``longest`` tokens."""
    draw = random.Random(0)
    lengths = torch.tensor([draw.randint(4, longest) for _ in range(sum(sizes))])
    mask = torch.arange(longest)[None, :] < lengths[:, None]
    return mask, torch.repeat_interleave(torch.arange(len(sizes)), torch.tensor(sizes))


def waste(masks):
    """Give the share that is padding."""
    return 1 - sum(int(mask.sum()) for mask in masks) / sum(mask.numel() for mask in masks)


@pytest.mark.parametrize("longest", [30, 100])
@pytest.mark.parametrize("sizes", MIXED.values(), ids=MIXED)
def test_little_is_padded_in_mixed_batches(sizes, longest):
    made = entity_blocks(*batch(sizes, longest), context=True)
    assert waste([block.others_mask for block in made if block.others is not None]) < 0.18
    assert waste([block.mask for block in made]) < 0.18


def test_even_small_batches_are_not_mostly_padding():
    made = entity_blocks(*batch([3] * 10 + [20], 30), context=True)
    assert waste([block.others_mask for block in made]) < 0.3


@pytest.mark.parametrize("size", [5, 45])
def test_subsets_of_one_size_go_by_length_alone(size):
    mask, subset = batch([size] * (360 // size), 30)
    made = entity_blocks(mask, subset, context=True)
    assert all(bool(block.others_mask.all()) for block in made)
    lengths = mask.sum(dim=1)[torch.cat([block.rows for block in made])]
    assert lengths.tolist() == sorted(lengths.tolist(), reverse=True)
    assert len(made) <= 8


@pytest.mark.parametrize("sizes", [*MIXED.values(), [1, 3, 1, 1, 40, 2], [1, 1], [1], [2]])
def test_each_entity_has_all_others_of_its_subset_and_nothing_else(sizes):
    mask, subset = batch(sizes, 12)
    made = entity_blocks(mask, subset, context=True)
    rows = torch.cat([block.rows for block in made]).tolist()
    assert sorted(rows) == list(range(len(mask)))
    members = [torch.nonzero(subset == number).flatten().tolist() for number in range(len(sizes))]
    for block in made:
        for at, row in enumerate(block.rows.tolist()):
            wanted = [other for other in members[subset[row]] if other != row]
            found = [] if block.others is None else block.others[at][block.others_mask[at]].tolist()
            assert found == wanted
            assert int(block.mask[at].sum()) == int(mask[row].sum())
