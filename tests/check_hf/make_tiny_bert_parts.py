"""Common code of the makers of tests/fixtures/tiny_*: a vocabulary, a batch with padding, weights without zeros."""

import torch

LETTERS = "abcdefghijklmnopqrst"
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *("##" + c for c in LETTERS), ".", ",", "?"]
LENGTHS = [11, 7, 4]
MASKED = [3, 8, 13, 14, 24]  # b * T + t


def moved(model):
    """Changes the weights so that no bias stays 0, and no norm 1."""
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn_like(parameter) * 0.2)
    return model


def padded_batch():
    tokens = max(LENGTHS)
    ids = torch.randint(5, len(PIECES), (len(LENGTHS), tokens))
    keep = torch.arange(tokens) < torch.tensor(LENGTHS).unsqueeze(1)
    types = ((torch.arange(tokens) >= 4) & keep).long()
    labels = torch.randint(5, len(PIECES), (len(MASKED),))
    return {"input_ids": ids * keep, "token_type_ids": types, "attention_mask": keep.long(),
            "masked_positions": torch.tensor(MASKED), "masked_labels": labels}
