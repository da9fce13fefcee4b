"""The formulas of QS3M and attn-QS3M in the papers' own words: one pair, one sentence at a time."""

import torch


def score_pairs(model, query, passages):
    """Before symmetrising."""
    q, p = model.theta(query), model.theta(passages)
    rows = []
    for first in p:
        row = []
        for second in p:
            parts = [first, second]
            if model.use_query:
                parts += [(first - q).abs(), (second - q).abs()]
            row.append(model.phi(torch.cat([*parts, (first - second).abs()]))[0])
        rows.append(torch.stack(row))
    return torch.stack(rows)


def pool(attention, query, passages):
    """Passages are lists of sentences, without padding."""
    asked, read = attention.of_query.weight, attention.of_sentence.weight
    rows = []
    for sentences in passages:
        energies = [
            attention.v.weight[0] @ torch.tanh(asked @ query + read @ sentence)
            for sentence in sentences
        ]
        total = sum(energy.exp() for energy in energies)
        shares = [energy.exp() / total for energy in energies]
        rows.append(torch.stack([a * s for a, s in zip(shares, sentences, strict=True)]).sum(dim=0))
    return torch.stack(rows)
