"""The set encoders against what must be so, over every family of transformers."""

import dataclasses
import itertools

import pytest
import torch
from raising import raises
from small_transformers import N_LAYERS, small_transformer, some_tokens
from torch.utils._python_dispatch import TorchDispatchMode

from subclust.core.exceptions import EncoderError
from subclust.methods.cactus import blocks
from subclust.methods.cactus.networks import load_set_encoder
from subclust.methods.cactus.set_encoder import CONTEXTS
from subclust.methods.cactus.tokens import Tokens
from subclust.text.encoders import HashingEncoder, SentenceEncoder

FAMILIES = ["bert", "roberta", "mpnet", "t5"]
IN_LAYERS = ["sia", "sia-first", "sia-kv-mean", "fia"]
LENGTHS = [[3, 7, 1], [2], [5, 5, 2, 6]]


def met(families, contexts):
    """Each family with every other context, the other ones among the slow tests."""
    return pytest.mark.parametrize(
        "family, context",
        [
            pytest.param(family, context, marks=[pytest.mark.slow] * ((row + column) % 2))
            for row, family in enumerate(families)
            for column, context in enumerate(contexts)
        ],
    )


BOTH = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])


def encode(family, context, tokens, dtype=torch.float64, **options):
    made = load_set_encoder(small_transformer(family, dtype), context=context, **options).to(dtype)
    if made.head is not None:
        generator = torch.Generator().manual_seed(1)
        for parameter in made.head.parameters():
            parameter.data.normal_(0, 0.3, generator=generator)
    with torch.inference_mode():
        return made(tokens)


def only(tokens, rows):
    rows = torch.tensor(rows)
    longest = int(tokens.mask[rows].sum(1).max())
    return Tokens(tokens.ids[rows, :longest], tokens.mask[rows, :longest], tokens.subset[rows])


@pytest.mark.parametrize("family", FAMILIES)
def test_nia_is_the_mean_of_what_the_model_itself_gives(family):
    tokens = some_tokens(LENGTHS)
    found = encode(family, "nia", tokens)
    model = small_transformer(family, torch.float64)
    with torch.inference_mode():
        for row, length in enumerate(tokens.mask.sum(1).tolist()):
            states = model(input_ids=tokens.ids[row : row + 1, :length]).last_hidden_state
            torch.testing.assert_close(found[row], states[0].mean(0))


@BOTH
@met(FAMILIES, IN_LAYERS)
def test_a_subset_of_one_is_the_same_to_all(family, context, dtype):
    tokens = some_tokens([[4], [7], [1]])
    alone = encode(family, "nia", tokens, dtype)
    torch.testing.assert_close(encode(family, context, tokens, dtype), alone)


@BOTH
def test_fia_is_what_the_model_makes_of_all_entities_as_one_text(dtype):
    # Of T5, whose places are distances; in the others each entity begins at place 1 here.
    tokens = some_tokens(LENGTHS)
    found = encode("t5", "fia", tokens, dtype)
    model = small_transformer("t5", dtype)
    for subset in tokens.subset.unique():
        rows = torch.nonzero(tokens.subset == subset).flatten().tolist()
        lengths = tokens.mask[rows].sum(1).tolist()
        pieces = [tokens.ids[row, :n] for row, n in zip(rows, lengths, strict=True)]
        with torch.inference_mode():
            states = model(input_ids=torch.cat(pieces)[None]).last_hidden_state[0]
        means = torch.stack([part.mean(0) for part in states.split(lengths)])
        torch.testing.assert_close(found[rows], means)


@BOTH
@met(FAMILIES, CONTEXTS)
def test_the_order_of_entities_does_not_matter(family, context, dtype):
    if context == "fia" and family in ("mpnet", "t5"):
        pytest.skip("their places are distances in the whole sequence")
    tokens = some_tokens(LENGTHS)
    order = [2, 0, 1, 3, 6, 7, 5, 4]
    whole = encode(family, context, tokens, dtype)
    torch.testing.assert_close(encode(family, context, only(tokens, order), dtype), whole[order])


@met(FAMILIES, CONTEXTS)
def test_subsets_do_not_see_each_other_nor_padding(family, context):
    tokens = some_tokens(LENGTHS)
    whole = encode(family, context, tokens)
    for rows in ([0, 1, 2], [3], [4, 5, 6, 7]):
        torch.testing.assert_close(encode(family, context, only(tokens, rows)), whole[rows])
    longer = Tokens(
        torch.nn.functional.pad(tokens.ids, (0, 3), value=9),
        torch.nn.functional.pad(tokens.mask, (0, 3)),
        tokens.subset,
    )
    # RoBERTa and MPNet count places by the padding piece, so what fills must be it there.
    if family in ("bert", "t5"):
        torch.testing.assert_close(encode(family, context, longer), whole)


@pytest.mark.parametrize("context", CONTEXTS[1:])
def test_entities_of_a_subset_do_see_each_other(context):
    tokens = some_tokens(LENGTHS)
    other = dataclasses.replace(tokens, ids=tokens.ids.clone())
    other.ids[0, :3] = torch.tensor([7, 8, 9])
    before, after = (encode("bert", context, given) for given in (tokens, other))
    moved = (after - before).abs().amax(dim=1) > 1e-3
    assert moved.tolist() == [True, True, True, False, False, False, False, False]


@BOTH
@pytest.mark.parametrize("family", FAMILIES)
def test_sia_is_fia_where_every_entity_has_one_token(family, dtype):
    tokens = some_tokens([[1] * 6, [1], [1] * 4])
    model = small_transformer(family, dtype)
    for name, parameter in model.named_parameters():
        if "relative_attention_bias" in name:
            parameter.data.zero_()
    sia, fia, nia = (
        load_set_encoder(model, context=context).to(dtype)(tokens).detach()
        for context in ("sia", "fia", "nia")
    )
    torch.testing.assert_close(sia, fia)
    assert (sia - nia)[:6].abs().max() > 0.05


@met(FAMILIES, CONTEXTS)
def test_blocks_change_nothing(family, context, monkeypatch):
    tokens = some_tokens([[3, 7, 1], [2], [5, 5, 2, 6], [9, 9, 1, 1, 3]])
    whole = encode(family, context, tokens)
    monkeypatch.setattr(blocks, "KEYS_PER_BLOCK", 16)
    made = blocks.entity_blocks(tokens.mask, tokens.subset, context=True)
    assert len(made) > 4
    assert sorted(torch.cat([block.rows for block in made]).tolist()) == list(range(13))
    torch.testing.assert_close(encode(family, context, tokens), whole)


def test_pooled_keys_are_keys_of_the_pooled_unless_a_norm_lies_between():
    tokens = some_tokens(LENGTHS)
    for family in ("bert", "mpnet"):
        torch.testing.assert_close(
            encode(family, "sia-kv-mean", tokens), encode(family, "sia", tokens)
        )
    assert (encode("t5", "sia-kv-mean", tokens) - encode("t5", "sia", tokens)).abs().max() > 1e-2


@met(["bert", "t5"], CONTEXTS)
@pytest.mark.parametrize("tuned, meeting", [(0, None), (1, 2), (2, 1), (1, 0), ("all", 1)])
def test_kept_states_come_to_the_same(family, context, tuned, meeting):
    tokens = some_tokens(LENGTHS)
    made = load_set_encoder(
        small_transformer(family), context=context, tuned_layers=tuned, context_layers=meeting
    )
    with torch.inference_mode():
        states = made.lower_states(tokens)
        found = made.forward_from(states, tokens.mask, tokens.subset)
        torch.testing.assert_close(found, made(tokens))
    if (tuned, meeting) == (1, 2):
        assert made.n_lower == N_LAYERS - (1 if "nia" in context else 2)


@pytest.mark.parametrize("context", IN_LAYERS)
def test_without_layers_to_meet_in_it_is_nia(context):
    tokens = some_tokens(LENGTHS)
    found = encode("t5", context, tokens, context_layers=0)
    if context != "fia":
        torch.testing.assert_close(found, encode("t5", "nia", tokens))
    in_all, in_last = (encode("bert", context, tokens, context_layers=n) for n in (None, 1))
    assert (in_all - in_last).abs().max() > 1e-2


@met(FAMILIES, CONTEXTS)
def test_gradients_reach_all_that_learns(family, context):
    made = load_set_encoder(small_transformer(family), context=context, tuned_layers="all")
    vectors = made.train()(some_tokens(LENGTHS))
    (vectors * torch.randn(vectors.shape, generator=torch.manual_seed(0))).sum().backward()
    unused = {"pooler", "lm_head", "decoder"}
    for name, parameter in made.named_parameters():
        if not unused & set(name.split(".")):
            assert parameter.grad is not None and parameter.grad.abs().max() > 0, name


@met(["bert", "mpnet", "t5"], CONTEXTS)
def test_bfloat16_is_near(family, context):
    tokens = some_tokens(LENGTHS)
    exact = encode(family, context, tokens, torch.float32)
    made = load_set_encoder(
        small_transformer(family), context=context, tuned_layers=1, low_precision=True
    )
    assert {p.dtype for p in made.body.parameters()} == {torch.bfloat16, torch.float32}
    rough = made(tokens)
    assert rough.dtype == torch.float32 and rough.requires_grad
    whole = made.to(torch.bfloat16)(tokens)  # as it may be kept once it has learnt
    torch.testing.assert_close(whole, rough, atol=0.1, rtol=0.1)
    if context != "nia-context":  # whose head begins at random
        assert torch.cosine_similarity(rough, exact).min() > 0.99


def test_trained_weights_go_into_a_new_one():
    tokens = some_tokens(LENGTHS)
    first, second = (
        load_set_encoder(small_transformer("t5"), context="nia-context", tuned_layers=1)
        for _ in range(2)
    )
    with torch.no_grad():
        for parameter in first.parameters():
            if parameter.requires_grad:
                parameter.add_(0.1)
    state = first.trainable_state()
    assert {name.split(".")[0] for name in state} == {"body", "head"}
    assert any("final_layer_norm" in name for name in state)
    assert all(values.dtype == "float16" for values in state.values())
    assert (first(tokens) - second(tokens)).abs().max() > 0.1
    second.load_trainable_state(state)
    torch.testing.assert_close(first(tokens), second(tokens), atol=5e-3, rtol=5e-3)
    for wrong in ({}, {**state, "more": state["head.out.bias"]}):
        with raises(EncoderError, context="nia-context"):
            second.load_trainable_state(wrong)


def test_over_the_embedded_encoder_nia_is_that_encoder():
    texts = ["ants", "", "a longer text about rivers and the towns beside them " * 9, "taxes"]
    encoder = SentenceEncoder(precision="float32", max_seq_length=40)
    made = load_set_encoder(encoder, context="nia", tuned_layers=0)
    assert made.trainable_state() == {}
    with torch.inference_mode():
        vectors = torch.nn.functional.normalize(made(made.tokenize([texts[:1], texts[1:]])))
    torch.testing.assert_close(vectors, torch.from_numpy(encoder.encode(texts)), atol=1e-5, rtol=0)
    sizes = [
        sum(v.nbytes for v in load_set_encoder(
            encoder, context="sia", tuned_layers=n).trainable_state().values())
        for n in (1, 4)
    ]  # fmt: skip
    assert sizes[0] == 2 * 1_774_464 and sizes[1] < 15e6


def test_what_cannot_be_is_one_sentence():
    model = small_transformer("bert")
    with raises(EncoderError, context="all"):
        load_set_encoder(model, context="all")
    with raises(EncoderError, what="tuned_layers", number=4, n_layers=3):
        load_set_encoder(model, context="sia", tuned_layers=4)
    with raises(EncoderError, number=-1, what="context_layers", n_layers=3):
        load_set_encoder(model, context="sia", context_layers=-1)
    with raises(EncoderError, name="Linear", family="Linear"):
        load_set_encoder(torch.nn.Linear(2, 2), context="sia")
    with raises(EncoderError, inner="hashing"):
        load_set_encoder(HashingEncoder(), context="sia")


def test_a_batch_that_is_not_one_is_refused():
    tokens = some_tokens([[2, 2], [2]])
    for change, match in (
        ({"subset": torch.tensor([0, 1, 0])}, "side by side"),
        ({"mask": tokens.mask & False}, "must have a token"),
        ({"mask": torch.tensor([[True, True], [True, False], [False, True]])}, "a token"),
        ({"ids": tokens.ids[:, :1]}, "must be the same"),
        ({"mask": tokens.mask.long()}, "Boolean"),
    ):
        with pytest.raises(ValueError, match=match):
            dataclasses.replace(tokens, **change)
    gap = Tokens(tokens.ids.new_zeros(1, 3), torch.ones(1, 3, dtype=torch.bool), torch.tensor([0]))
    with pytest.raises(ValueError, match="on the right"):
        dataclasses.replace(gap, mask=torch.tensor([[True, False, True]]))


def test_all_pairs_of_contexts_differ_where_they_should():
    tokens = some_tokens(LENGTHS)
    found = {context: encode("t5", context, tokens) for context in CONTEXTS}
    for one, other in itertools.combinations(CONTEXTS, 2):
        assert (found[one] - found[other]).abs().max() > 1e-2, (one, other)


class LargestTensor(TorchDispatchMode):
    """Notes how many numbers the largest tensor holds that is made under it."""

    def __init__(self):
        super().__init__()
        self.size = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        made = func(*args, **(kwargs or {}))
        for tensor in made if isinstance(made, tuple | list) else [made]:
            if isinstance(tensor, torch.Tensor):
                self.size = max(self.size, tensor.numel())
        return made


@pytest.mark.parametrize("family", ["bert", "t5"])
def test_sia_makes_no_tensor_of_all_pairs_of_tokens(family):
    n_entities, n_tokens, n_heads = 60, 20, 2
    tokens = some_tokens([[n_tokens] * n_entities])
    largest = {}
    for context in ("nia", "sia", "fia"):
        made = load_set_encoder(small_transformer(family), context=context)
        with LargestTensor() as noted, torch.no_grad():
            made(tokens)
        largest[context] = noted.size
    allowed = n_heads * n_entities * n_tokens * (n_tokens + n_entities)
    assert largest["sia"] <= allowed
    if family == "t5":  # whose places are a bias that has to be written down
        assert largest["fia"] >= n_heads * (n_entities * n_tokens) ** 2 > 10 * allowed
