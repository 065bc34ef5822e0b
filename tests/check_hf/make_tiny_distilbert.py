"""Makes tests/fixtures/tiny_distilbert: a DistilBERT with random weights under transformers' names, and its outputs.

    build/check_hf/venv/bin/python tests/check_hf/make_tiny_distilbert.py tests/fixtures/tiny_distilbert

model.safetensors, config.json  the weights of DistilBertForMaskedLM and, in the same file, the head of
                                DistilBertForSequenceClassification with 3 classes; 2 layers of width 32, float32
vocab.txt                       a made-up vocabulary of 48 pieces
expected.safetensors            of one batch with padding, computed in float64 with these weights: the inputs, every
                                hidden state, MLM loss and logits, class logits, and the gradient of the sum of MLM
                                loss and squared class logits by every parameter (kept as float32)
"""

import sys

import torch
import transformers
from make_tiny_bert_parts import MASKED, PIECES, moved, padded_batch
from safetensors.torch import save_file


def make_models():
    torch.manual_seed(2)
    config = transformers.DistilBertConfig(
        vocab_size=len(PIECES), dim=32, n_layers=2, n_heads=4, hidden_dim=48, max_position_embeddings=24,
        initializer_range=0.25, num_labels=3, attn_implementation="eager")
    language = transformers.DistilBertForMaskedLM(config)
    classifier = transformers.DistilBertForSequenceClassification(config)
    classifier.distilbert = language.distilbert
    moved(language)
    moved(classifier.pre_classifier)
    moved(classifier.classifier)
    return language.eval(), classifier.eval()


def main(folder):
    language, classifier = make_models()
    language.save_pretrained(folder)
    weights = {name: value for name, value in language.state_dict().items() if name != "vocab_projector.weight"}
    weights |= {name: value for name, value in classifier.state_dict().items() if "classifier" in name}
    save_file({name: value.contiguous() for name, value in weights.items()}, folder + "/model.safetensors",
              {"format": "pt"})
    with open(folder + "/vocab.txt", "w", encoding="utf-8") as file:
        file.write("\n".join(PIECES) + "\n")
    batch = padded_batch()
    inputs = {name: batch[name] for name in ("input_ids", "attention_mask")}
    language.double()
    classifier.double()
    encoded = language.distilbert(**inputs, output_hidden_states=True)
    every_label = torch.full_like(batch["input_ids"], -100).flatten()
    every_label[batch["masked_positions"]] = batch["masked_labels"]
    answer = language(**inputs, labels=every_label.view_as(batch["input_ids"]))
    classes = classifier(**inputs).logits
    (answer.loss + classes.square().sum()).backward()
    expected = {f"hidden_states.{i}": h for i, h in enumerate(encoded.hidden_states)}
    expected |= {"mlm_loss": answer.loss, "mlm_logits": answer.logits.flatten(0, 1)[MASKED], "class_logits": classes}
    gradients = dict(language.named_parameters()) | dict(classifier.named_parameters())
    expected |= {f"gradient.{name}": p.grad.float() for name, p in gradients.items() if name in weights}
    made_by = f"transformers {transformers.__version__}, torch {torch.__version__}"
    save_file({name: value.detach().contiguous() for name, value in (batch | expected).items()},
              folder + "/expected.safetensors", {"made_by": made_by})


main(sys.argv[1])
