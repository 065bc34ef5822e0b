"""Makes tests/fixtures/tiny_bert: a BERT with random weights as transformers saves it, and its outputs.

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
from make_tiny_bert_parts import PIECES, moved, padded_batch
from safetensors.torch import save_file

def make_model():
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(PIECES), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
        max_position_embeddings=24, initializer_range=0.25, attn_implementation="eager")
    return moved(transformers.BertForPreTraining(config)).eval()


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
    batch = padded_batch() | {"next_sentence_label": torch.tensor([0, 1, 1])}
    inputs = {name: batch[name] for name in ("input_ids", "token_type_ids", "attention_mask")}
    with torch.no_grad():
        states = model.bert(**inputs, output_hidden_states=True).hidden_states
    batch |= {f"float32.hidden_states.{i}": h.contiguous() for i, h in enumerate(states)}
    made_by = f"transformers {transformers.__version__}, torch {torch.__version__}"
    save_file(batch | expected_of(model.double(), batch), folder + "/expected.safetensors", {"made_by": made_by})


main(sys.argv[1])
