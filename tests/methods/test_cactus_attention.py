"""Equations 1 to 4 against loops over every layer, entity, head and token."""

import math

import pytest
import torch
from small_transformers import small_transformer, some_tokens

from subclust.methods.cactus import attention
from subclust.methods.cactus.bodies import find_body
from subclust.methods.cactus.networks import load_set_encoder

LENGTHS = [[3, 6, 1], [2], [4, 4]]


def head(vector, number, n_heads):
    size = len(vector) // n_heads
    return vector[number * size : (number + 1) * size]


def representative(body, layer, states, how):
    """Key and value that stand for an entity before the others."""
    if how == "sia":
        return body.keys_values(layer, body.enter(layer, sum(states) / len(states)))
    if how == "sia-first":
        return body.keys_values(layer, body.enter(layer, states[0]))
    pairs = [body.keys_values(layer, body.enter(layer, state)) for state in states]
    return tuple(sum(part) / len(pairs) for part in zip(*pairs, strict=True))


def by_loops(body, entities, how):
    """Encode the entities of one subset; `entities` are their word pieces."""
    states = [list(body.embed(ids[None])[0]) for ids in entities]
    for layer in range(len(body.layers)):
        means = [representative(body, layer, entity, how) for entity in states]
        after = []
        for i, entity in enumerate(states):
            phi = body.position_bias(len(entity))
            entered = [body.enter(layer, state) for state in entity]
            own = [body.keys_values(layer, state) for state in entered]
            new = []
            for j, state in enumerate(entered):
                query = body.queries(layer, state)
                parts = []
                for h in range(body.n_heads):
                    terms = []
                    for k, (key, value) in enumerate(own):
                        score = body.scale * head(query, h, body.n_heads).dot(
                            head(key, h, body.n_heads)
                        )
                        if phi is not None:
                            score = score + phi[h, j, k]
                        terms.append((math.exp(score), head(value, h, body.n_heads)))
                    for m, (key, value) in enumerate(means):
                        if m != i:
                            score = body.scale * head(query, h, body.n_heads).dot(
                                head(key, h, body.n_heads)
                            )
                            terms.append((math.exp(score), head(value, h, body.n_heads)))
                    total = sum(weight for weight, _ in terms)
                    parts.append(sum(weight / total * value for weight, value in terms))
                new.append(body.leave(layer, entity[j][None, None], torch.cat(parts)[None, None]))
            after.append([state[0, 0] for state in new])
        states = after
    return torch.stack([body.finish(torch.stack(entity)).mean(0) for entity in states])


@pytest.mark.parametrize("dtype, near", [(torch.float32, 1e-4), (torch.float64, 1e-10)])
@pytest.mark.parametrize("how", ["sia", "sia-first", "sia-kv-mean"])
@pytest.mark.parametrize("family", ["bert", "roberta", "mpnet", "t5"])
@torch.no_grad()
def test_sia_is_what_its_equations_say(family, how, dtype, near):
    tokens = some_tokens(LENGTHS)
    made = load_set_encoder(small_transformer(family, dtype), context=how)
    found = made(tokens)
    assert found.dtype == dtype
    body = find_body(small_transformer(family, dtype), family)
    lengths = tokens.mask.sum(1)
    for number in range(len(LENGTHS)):
        rows = (tokens.subset == number).nonzero().flatten()
        entities = [tokens.ids[row, : lengths[row]] for row in rows]
        torch.testing.assert_close(found[rows], by_loops(body, entities, how), atol=near, rtol=near)
    # Not degenerate: the loops would tell the pooling, and the others, from none.
    alone = load_set_encoder(small_transformer(family, dtype), context="nia")(tokens)
    assert (found - alone).abs().amax(dim=1)[[0, 1, 2, 4, 5]].min() > 1e-2


@pytest.mark.parametrize("kept", [True, False])
def test_half_precision_goes_back_by_all_products_at_once(kept, monkeypatch):
    if not kept:
        monkeypatch.setattr(attention, "_KEPT_WEIGHTS", 2 * 3 * 5 * 9 - 1)
    draw = torch.Generator().manual_seed(0)
    inputs = [torch.randn(3, 5, 8, generator=draw) for _ in range(3)]
    others = [torch.randn(3, 4, 8, generator=draw) for _ in range(2)]
    mask = torch.ones(3, 5, dtype=torch.bool)
    mask[1, 3:] = False
    found = {}
    for dtype in (torch.float32, torch.bfloat16):
        leaves = [one.to(dtype, copy=True).requires_grad_() for one in inputs]
        beside = attention.Others(
            *(one.to(dtype) for one in others), torch.ones(3, 4, dtype=torch.bool)
        )
        out = attention.attend(*leaves, n_heads=2, scale=0.5, mask=mask, others=beside)
        nodes, waiting = set(), [out.grad_fn]
        while waiting:
            node = waiting.pop()
            nodes.add(type(node).__name__)
            waiting += [before for before, _ in node.next_functions if before is not None]
        fused = any("FlashAttention" in name for name in nodes)
        assert fused == (dtype == torch.float32 or not kept)
        out.float().square().sum().backward()
        found[dtype] = [out, *(leaf.grad for leaf in leaves)]
    for exact, near in zip(found[torch.float32], found[torch.bfloat16], strict=True):
        assert (exact - near.float()).norm() < 0.02 * exact.norm()
