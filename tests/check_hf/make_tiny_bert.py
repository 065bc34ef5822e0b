"""Makes tests/fixtures/tiny_bert: a BERT with random weights as transformers saves it, and what it computes.

    build/check_hf/venv/bin/python tests/check_hf/make_tiny_bert.py tests/fixtures/tiny_bert

model.safetensors, config.json  BertForPreTraining, 2 layers of width 32, float32
vocab.txt                       a made-up vocabulary of 48 pieces
expected.safetensors            of one batch with padding, computed in float64 with these weights: the inputs, every
                                hidden state, the pooled state, MLM and NSP losses and logits, and the gradient of
                                their sum by every parameter (kept as float32); and float32.*, the hidden states in
                                float32
"""

import sys

import torch
import transformers
from safetensors.torch import save_file

LETTERS = "abcdefghijklmnopqrst"
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *("##" + c for c in LETTERS), ".", ",", "?"]
LENGTHS = [11, 7, 4]
MASKED = [3, 8, 13, 14, 24]  # b * T + t


def make_model():
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(PIECES), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
        max_position_embeddings=24, initializer_range=0.25, attn_implementation="eager")
    model = transformers.BertForPreTraining(config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn_like(parameter) * 0.2)  # no bias stays 0, no norm 1
    return model.eval()


def make_batch():
    tokens = max(LENGTHS)
    ids = torch.randint(5, len(PIECES), (len(LENGTHS), tokens))
    keep = torch.arange(tokens) < torch.tensor(LENGTHS).unsqueeze(1)
    types = ((torch.arange(tokens) >= 4) & keep).long()
    labels = torch.randint(5, len(PIECES), (len(MASKED),))
    return {"input_ids": ids * keep, "token_type_ids": types, "attention_mask": keep.long(),
            "masked_positions": torch.tensor(MASKED), "masked_labels": labels,
            "next_sentence_label": torch.tensor([0, 1, 1])}


def expected_of(model, batch):
    every_label = torch.full_like(batch["input_ids"], -100).flatten()
    every_label[batch["masked_positions"]] = batch["masked_labels"]
    inputs = {name: batch[name] for name in ("input_ids", "token_type_ids", "attention_mask")}
    encoded = model.bert(**inputs, output_hidden_states=True)
    scores = model.cls(encoded.last_hidden_state, encoded.pooler_output)
    mlm_loss = torch.nn.functional.cross_entropy(scores[0].flatten(0, 1), every_label)
    nsp_loss = torch.nn.functional.cross_entropy(scores[1], batch["next_sentence_label"])
    both = model(**inputs, labels=every_label.view_as(batch["input_ids"]),
                 next_sentence_label=batch["next_sentence_label"])
    assert torch.allclose(both.loss, mlm_loss + nsp_loss, rtol=1e-12)
    (mlm_loss + nsp_loss).backward()
    expected = {f"hidden_states.{i}": h for i, h in enumerate(encoded.hidden_states)}
    expected |= {"pooler_output": encoded.pooler_output, "mlm_loss": mlm_loss, "nsp_loss": nsp_loss,
                 "mlm_logits": scores[0].flatten(0, 1)[batch["masked_positions"]], "nsp_logits": scores[1]}
    expected |= {f"gradient.{name}": p.grad.float() for name, p in model.named_parameters()}
    return {name: value.detach().contiguous() for name, value in expected.items()}


def main(folder):
    model = make_model()
    model.save_pretrained(folder)
    with open(folder + "/vocab.txt", "w", encoding="utf-8") as file:
        file.write("\n".join(PIECES) + "\n")
    batch = make_batch()
    inputs = {name: batch[name] for name in ("input_ids", "token_type_ids", "attention_mask")}
    with torch.no_grad():
        states = model.bert(**inputs, output_hidden_states=True).hidden_states
    batch |= {f"float32.hidden_states.{i}": h.contiguous() for i, h in enumerate(states)}
    made_by = f"transformers {transformers.__version__}, torch {torch.__version__}"
    save_file(batch | expected_of(model.double(), batch), folder + "/expected.safetensors", {"made_by": made_by})


main(sys.argv[1])
