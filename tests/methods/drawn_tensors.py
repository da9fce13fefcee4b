"""Tensors and weights drawn from a seed, the same in each precision."""

import torch


def unit(*shape, seed=0, dtype=torch.float32):
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(*shape, generator=generator, dtype=torch.float64)
    return torch.nn.functional.normalize(values, dim=-1).to(dtype)


def random_weights(model, dtype=torch.float32, seed=0, std=0.3):
    generator = torch.Generator().manual_seed(seed)
    model = model.to(dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, std, generator=generator)
    return model.eval()
