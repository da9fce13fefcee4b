import numpy as np
import pytest
import torch

from subclust.methods.cactus.vector_set import VectorSet

KINDS = [("none", False), ("mean", False), ("mean", True), ("all", False), ("all", True)]


def made(sees, uses_query, dtype=torch.float64, seed=0):
    network = VectorSet(8, sees=sees, uses_query=uses_query, hidden_dim=6, n_heads=2).to(dtype)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_(0, 0.5, generator=generator)
    return network


def vectors(n_passages, dtype=torch.float64, seed=1):
    drawn = torch.as_tensor(np.random.default_rng(seed).normal(size=(n_passages, 8)), dtype=dtype)
    return torch.nn.functional.normalize(drawn, dim=-1)


def slow_space(network, query, passages):
    """Go through the entities one by one."""
    entities = [*passages, query] if network.needs_query else list(passages)
    moved = []
    for passage in passages:
        parts = [passage]
        if network.sees == "mean":
            parts.append(sum(entities) / len(entities))
        if network.sees == "all":
            heads = []
            for head in range(network.n_heads):
                q, k, v = (
                    part[head * 4 : (head + 1) * 4]
                    for part in network.queries_keys_values.weight.split(8)
                )
                # Every vector is made as long as such weights expect, by the root of 8.
                odds = [(q @ passage * 8**0.5) @ (k @ e * 8**0.5) / 4**0.5 for e in entities]
                total = sum(odd.exp() for odd in odds)
                heads.append(
                    sum(o.exp() / total * (v @ e) for o, e in zip(odds, entities, strict=True))
                )
            parts.append(torch.cat(heads))
        hidden = torch.tanh(network.a.weight @ torch.cat(parts) + network.a.bias)
        vector = passage + network.b.weight @ hidden + network.b.bias
        moved.append(vector / vector.norm())
    return torch.stack(moved)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("sees", "uses_query"), KINDS)
def test_the_space_is_that_of_a_slow_loop(dtype, sees, uses_query):
    network, passages = made(sees, uses_query, dtype), vectors(5, dtype)
    query = vectors(1, dtype, seed=9)[0]
    slow = slow_space(network, query, passages)
    tolerance = 1e-5 if dtype == torch.float32 else 1e-12
    torch.testing.assert_close(network.space(query, passages), slow, atol=tolerance, rtol=tolerance)
    assert (slow - passages).abs().max() > 0.1
    scores = network(query, passages)
    torch.testing.assert_close(scores, slow @ slow.T, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize(("sees", "uses_query"), KINDS)
def test_who_is_seen_changes_a_passage(sees, uses_query):
    network, passages = made(sees, uses_query), vectors(5)
    one, other = vectors(2, seed=9)
    whole, fewer = network.space(one, passages), network.space(one, passages[:4])
    assert ((whole[:4] - fewer).abs().max() > 1e-3) == (sees != "none")
    assert ((whole - network.space(other, passages)).abs().max() > 1e-3) == uses_query
    order = torch.tensor([3, 0, 4, 1, 2])
    torch.testing.assert_close(network.space(one, passages[order]), whole[order])


def test_training_starts_from_the_cosine():
    network = VectorSet(8, sees="all", n_heads=2)
    passages = vectors(5, torch.float32)
    torch.testing.assert_close(network(None, passages), passages @ passages.T)


def test_heads_that_do_not_divide_the_dimension_are_refused():
    with pytest.raises(ValueError, match="3 heads .* 8"):
        VectorSet(8, sees="all", n_heads=3)
