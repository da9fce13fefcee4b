"""Instance-level contrastive loss of SCCL and RSTC: two wordings of a text against all others.

Source: Zhang et al., Supporting clustering with contrastive learning, NAACL 2021, section 3.1.
"""

import torch
from torch import Tensor, nn


def instance_contrast(z1: Tensor, z2: Tensor, temperature: float) -> Tensor:
    r"""Average the losses of all wordings, each with the other wording of its text.

    .. math:: \ell_i = -\log \frac{\exp(\mathrm{sim}(z_i, z_{i'}) / \tau)}
        {\sum_{j \ne i} \exp(\mathrm{sim}(z_i, z_j) / \tau)}

    where i runs over the 2N wordings, i' is the other one of the same text, and sim is the cosine.
    Other than AECL's equation 6, the denominator holds the pair itself.

    Parameters
    ----------
    z1, z2 : Tensor of shape (n_texts, latent_dim)
    temperature : float
        Tau, above 0.

    Returns
    -------
    Tensor
        A scalar, at least 0; lower is better.
    """
    n_texts = len(z1)
    unit = nn.functional.normalize(torch.cat([z1, z2]), dim=1)
    itself = torch.eye(2 * n_texts, dtype=torch.bool, device=unit.device)
    scores = (unit @ unit.T / temperature).masked_fill(itself, -torch.inf)
    partners = torch.arange(2 * n_texts, device=unit.device).roll(n_texts)
    return nn.functional.cross_entropy(scores, partners)
