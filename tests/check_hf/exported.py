"""Loads models that `rethink run` trained and `rethink export` exported in transformers: every head, BERT and DistilBERT.

    build/check_hf/venv/bin/python tests/check_hf/exported.py [--rethink build/release/bin/rethink]

Small encoders are pretrained, and fine-tuned on small files in the form of MNLI, STS-B, SWAG, SQuAD and CoNLL-2003 that
are made here from real lines (compare.py) with random labels. The checks of each exported folder are:
  config      names the class of transformers with this head, and the classes' names; it loads without a warning
              (DistilBERT has no class for a pretraining, so some of its weights are not used)
  logits      of transformers, whose tokenizer read the texts with the folder's vocab.txt, are within 1e-4 of ours and
              within a hundredth of their deviation over texts. Ours are the trial's own after a fine-tuning on labels,
              else those of the program encoder_logits
  loss        on labels, transformers' loss equals that of our logits: it treats a score as a score, and classes as classes
  answers     on questions and tags, the best of transformers' logits are the trial's predictions
  encode      for a pretraining's folder `rethink encode` gives transformers' last hidden states, with the same limits
"""

import argparse
import csv
import inspect
import itertools
import json
import math
import pathlib
import random
import sys
import tempfile

import torch
import torch.nn.functional as F
import transformers
from compare import ROOT, TOLERANCE, Check, real_lines, run, tokenized, worst
from safetensors.torch import load_file, save_file

ONLY_OURS = {f"{name}.{part}" for name in ("pre_classifier", "rethink.nsp") for part in ("weight", "bias")}
CLASSES = ["entailment", "neutral", "contradiction"]  # in the order of transformers' models of MNLI
TAGS = ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"]
# An even number of tokens remains of two texts. For an odd number, if both texts are cut, BERT's released code and ours keep
# one token more of the first text, and transformers' fast tokenizers one more of the longer text.
LONGEST = 49
LONGEST_QUESTION, LONGEST_WINDOW, LONGEST_ANSWER = 32, 96, 30
SWEEP = f"""sweep: check_hf
stages:
  pretrain:
    job: pretrain
    data: {{dataset: pretrain_text, paths: [documents.txt], layout: lines, dev: 0.3}}
    model: {{preset: bert_tiny, max_positions: {LONGEST_WINDOW}}}
    cases:
      family:
        bert: {{}}
        distilbert: {{model.token_types: 0, model.pooled: relu}}
    vocabulary: {{size: 1000}}
    max_length: {LONGEST}
    steps: 20
    batch: 8
  finetune:
    job: finetune
    needs: {{init: pretrain}}
    cases:
      task:
        classes:   {{data.dataset: glue/mnli, max_length: {LONGEST}}}
        score:     {{data.dataset: glue/stsb, max_length: {LONGEST}}}
        choice:    {{data.dataset: swag, max_length: {LONGEST}}}
        questions: {{data.dataset: squad_v1, max_length: {LONGEST_WINDOW}}}
        tags:      {{data.dataset: conll, max_length: {LONGEST}}}
    questions: {{max_question: {LONGEST_QUESTION}, max_answer: {LONGEST_ANSWER}, n_best: {LONGEST_WINDOW}}}
    epochs: 10
    batch: 8
    optimizer: {{lr: 1e-3}}
keep: weights
"""


def words_of(texts, count):
    return " ".join(next(texts).split()[:count])


def write_data(data, lines):
    """Training and dev splits of every task; returns the examples of dev. A text is a few words of the next line."""
    draw, texts = random.Random(0), itertools.cycle(lines)
    documents = [lines[i : i + 20] for i in range(0, len(lines), 20)]
    (data / "documents.txt").write_text("\n\n".join("\n".join(x) for x in documents) + "\n", encoding="utf-8")
    dev = {}
    for split, count in {"train": 64, "dev": 40}.items():
        dev["classes"] = [((words_of(texts, 20), words_of(texts, 20)), draw.randrange(3)) for _ in range(count)]
        dev["score"] = [((words_of(texts, 9), words_of(texts, 30)), draw.random() * 5) for _ in range(count)]
        dev["choice"] = [(words_of(texts, 12), words_of(texts, 2), [words_of(texts, 8) for _ in range(4)],
                          draw.randrange(4)) for _ in range(count)]
        dev["questions"] = [question(words_of(texts, 10), draw, f"{split}-{i}") for i in range(count)]
        dev["tags"] = [[(word, draw.choice(["O", "B-LOC", "B-PER"])) for word in words_of(texts, 12).split()]
                       for _ in range(count)]
        write_table(data / "glue/MNLI" / ("train.tsv" if split == "train" else "dev_matched.tsv"), "gold_label",
                    [(*texts, CLASSES[label]) for texts, label in dev["classes"]])
        write_table(data / "glue/STS-B" / f"{split}.tsv", "score", [(*texts, score) for texts, score in dev["score"]])
        write_swag(data / "swag" / ("train.csv" if split == "train" else "val.csv"), dev["choice"])
        write_squad(data / "squad" / f"{split}-v1.1.json", dev["questions"])
        write(data / "conll2003" / ("eng.train" if split == "train" else "eng.testa"),
              "\n".join("".join(f"{word} {tag}\n" for word, tag in sentence) for sentence in dev["tags"]))
    (data / "glue/MNLI/dev_mismatched.tsv").write_bytes((data / "glue/MNLI/dev_matched.tsv").read_bytes())
    (data / "conll2003/eng.testb").write_bytes((data / "conll2003/eng.testa").read_bytes())
    return dev


def question(context, draw, name):
    words = context.split()
    first = draw.randrange(len(words))
    return {"id": name, "question": " ".join(draw.sample(words, min(3, len(words)))) + "?", "context": context,
            "answers": [{"text": words[first], "answer_start": len(" ".join([*words[:first], ""]))}]}


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def write_table(file, label, rows):
    header = f"index\tsentence1\tsentence2\t{label}\n"
    write(file, header + "".join("\t".join(map(str, (i, *row))) + "\n" for i, row in enumerate(rows)))


def write_swag(file, rows):
    write(file, "")
    with file.open("w", newline="", encoding="utf-8") as out:
        table = csv.writer(out)
        table.writerow(["sent1", "sent2", *(f"ending{i}" for i in range(4)), "label"])
        table.writerows([first, second, *endings, label] for first, second, endings, label in rows)


def write_squad(file, questions):
    paragraphs = [{"context": q["context"], "qas": [{key: q[key] for key in ("id", "question", "answers")}]}
                  for q in questions]
    write(file, json.dumps({"version": "1.1", "data": [{"title": "made up", "paragraphs": paragraphs}]}))


class Exported:
    """An exported folder, its model in transformers, and ours."""

    def __init__(self, check, args, trial, work):
        self.check, self.args = check, args
        self.name = " ".join([trial["stage"], *trial["labels"].values()])
        self.folder = work / trial["id"]
        self.artifacts = work / "store/trials" / trial["id"] / "artifacts"
        run(args.rethink, "export", trial["id"], self.folder, "--store", work / "store")
        config = json.loads((self.folder / "config.json").read_text())
        self.architecture = config["architectures"][0]
        self.model, loading = getattr(transformers, self.architecture).from_pretrained(
            self.folder, output_loading_info=True)
        # DistilBERT has a class for predicted tokens, but no class with BERT's other head and pooled state.
        extra = loading.pop("unexpected_keys") - (ONLY_OURS if self.architecture == "DistilBertForMaskedLM" else set())
        check.that(f"{self.name}: {self.architecture} loads whole: {loading}, {extra or 'nothing'} left over",
                   not extra and not any(loading.values()))
        self.model.eval()

    def is_for(self, head, labels=None):
        family = "DistilBert" if self.model.config.model_type == "distilbert" else "Bert"
        self.check.that(f"{self.name}: is {family}For{head}", self.architecture == f"{family}For{head}")
        if labels:
            self.check.that(f"{self.name}: its classes are {', '.join(labels)}",
                            self.model.config.id2label == dict(enumerate(labels))
                            and self.model.config.label2id == {label: i for i, label in enumerate(labels)})

    def theirs(self, batch, **more):
        known = inspect.signature(self.model.forward).parameters
        self.check.that(f"{self.name}: takes what its tokenizer gives, {', '.join(batch)}", set(batch) <= set(known))
        with torch.no_grad():
            return self.model(**batch, **more)

    def ours(self, batch):
        """Returns the logits of the program encoder_logits, by head."""
        inputs, out = self.folder / "inputs.safetensors", self.folder / "logits.safetensors"
        types = batch.get("token_type_ids", torch.zeros_like(batch["input_ids"]))
        save_file({"input_ids": batch["input_ids"], "token_type_ids": types,
                   "attention_mask": batch["attention_mask"]}, inputs)
        run(self.args.rethink.parent / "encoder_logits", self.folder, inputs, out)
        return load_file(out)

    def left(self, name):
        return load_file(self.artifacts / "predictions.safetensors")["dev/" + name]

    def are_close(self, what, ours, theirs):
        error, limit, spread = worst(ours, theirs) if ours.shape == theirs.shape else math.inf, TOLERANCE, ""
        if theirs.dim() > 0:  # an encoder with equal output for every text would be close, too
            deviation = theirs.std(0).min().item()
            limit, spread = min(limit, deviation / 100), f", deviation over texts {deviation:.2g}"
        self.check.at_most(f"{self.name}: {what} {list(theirs.shape)}, up to {theirs.abs().max().item():.2g}{spread}",
                           error, limit)


def check_encode(exported, texts):
    lines, out = exported.folder / "lines.txt", exported.folder / "encoded.safetensors"
    write(lines, "\n".join(texts) + "\n")
    run(exported.args.rethink, "encode", exported.folder, "--in", lines, "--out", out)
    ours, batch = load_file(out), tokenized(exported.folder, [(text,) for text in texts], LONGEST_WINDOW)
    theirs = exported.theirs(batch, output_hidden_states=True).hidden_states[-1]
    inside = batch["attention_mask"].bool()
    exported.are_close("hidden states of `rethink encode`", ours["hidden_states.2"][inside], theirs[inside])


def check_pretraining(exported, pairs):
    check_encode(exported, [first for first, _ in pairs])
    batch = dict(tokenized(exported.folder, pairs, LONGEST))
    inside = batch["attention_mask"].bool()
    ours, theirs = exported.ours(batch), exported.theirs(batch)
    if exported.model.config.model_type == "distilbert":
        exported.is_for("MaskedLM")
        exported.are_close("logits", ours["mlm"][inside], theirs.logits[inside])
        return
    exported.is_for("PreTraining")
    exported.are_close("prediction_logits", ours["mlm"][inside], theirs.prediction_logits[inside])
    exported.are_close("seq_relationship_logits", ours["nsp"], theirs.seq_relationship_logits)


def check_classes(exported, examples):
    exported.is_for("SequenceClassification", CLASSES)
    labels = torch.tensor([label for _, label in examples])
    theirs = exported.theirs(tokenized(exported.folder, [texts for texts, _ in examples], LONGEST), labels=labels)
    exported.are_close("logits", exported.left("logits"), theirs.logits)
    exported.are_close("loss", F.cross_entropy(exported.left("logits"), labels), theirs.loss)


def check_score(exported, examples):
    exported.is_for("SequenceClassification", ["score"])
    scores = torch.tensor([score for _, score in examples])
    theirs = exported.theirs(tokenized(exported.folder, [texts for texts, _ in examples], LONGEST), labels=scores)
    exported.are_close("logits", exported.left("logits"), theirs.logits)
    exported.are_close("loss", F.mse_loss(exported.left("logits").squeeze(1), scores), theirs.loss)


def check_choice(exported, examples):
    exported.is_for("MultipleChoice")
    pairs = [(first, second + " " + ending) for first, second, endings, _ in examples for ending in endings]
    batch = {name: column.view(len(examples), 4, -1)
             for name, column in tokenized(exported.folder, pairs, LONGEST).items()}
    labels = torch.tensor([label for *_, label in examples])
    theirs = exported.theirs(batch, labels=labels)
    exported.are_close("logits", exported.left("logits"), theirs.logits)
    exported.are_close("loss", F.cross_entropy(exported.left("logits"), labels), theirs.loss)


def best_answer(context, begins, ends, offsets, parts):
    """Returns the answer, and how much likelier no answer is, as run_squad.py finds them in one window."""
    places = [i for i, part in enumerate(parts) if part == 1]
    pairs = [(begins[a] + ends[b], a, b) for a in places for b in places if a <= b < a + LONGEST_ANSWER]
    score, first, last = max(pairs)
    return context[offsets[first][0] : offsets[last][1]], begins[0] + ends[0] - score


def check_questions(exported, examples):
    exported.is_for("QuestionAnswering")
    tokenizer = transformers.AutoTokenizer.from_pretrained(exported.folder)
    read = tokenizer([x["question"] for x in examples], [x["context"] for x in examples], padding=True,
                     return_tensors="pt", return_offsets_mapping=True)
    offsets = read.pop("offset_mapping").tolist()
    exported.check.that(f"{exported.name}: every context is one window", read["input_ids"].shape[1] <= LONGEST_WINDOW)
    inside, ours, theirs = read["attention_mask"].bool(), exported.ours(read)["span"], exported.theirs(read)
    exported.are_close("start_logits", ours[..., 0][inside], theirs.start_logits[inside])
    exported.are_close("end_logits", ours[..., 1][inside], theirs.end_logits[inside])
    found = [best_answer(x["context"], theirs.start_logits[i].tolist(), theirs.end_logits[i].tolist(), offsets[i],
                         read.sequence_ids(i)) for i, x in enumerate(examples)]
    answers = json.loads((exported.artifacts / "dev.json").read_text())
    exported.check.that(f"{exported.name}: the {len(found)} answers are the trial's",
                        [answers[x["id"]] for x in examples] == [text for text, _ in found])
    exported.are_close("scores of no answer less the best", exported.left("no_answer"),
                       torch.tensor([none for _, none in found], dtype=torch.double))


def check_tags(exported, examples):
    exported.is_for("TokenClassification", TAGS)
    tokenizer = transformers.AutoTokenizer.from_pretrained(exported.folder)
    read = tokenizer([[word for word, _ in x] for x in examples], is_split_into_words=True, padding=True,
                     truncation=True, max_length=LONGEST, return_tensors="pt")
    inside, ours, theirs = read["attention_mask"].bool(), exported.ours(read)["classifier"], exported.theirs(read)
    exported.are_close("logits", ours[inside], theirs.logits[inside])
    best, found = theirs.logits.argmax(2), []
    for row, sentence in enumerate(examples):
        places = read.word_ids(row)
        found += [best[row, places.index(word)].item() if word in places else 0 for word in range(len(sentence))]
    exported.check.that(f"{exported.name}: the {len(found)} tags are the trial's",
                        found == exported.left("predicted").tolist())


CHECKS = {"classes": check_classes, "score": check_score, "choice": check_choice, "questions": check_questions,
          "tags": check_tags}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rethink", type=pathlib.Path, default=ROOT / "build/release/bin/rethink")
    args = parser.parse_args()
    args.rethink = args.rethink.resolve()
    transformers.utils.logging.disable_progress_bar()
    check = Check()
    file, lines = real_lines(400)
    print(f"transformers {transformers.__version__}, torch {torch.__version__}; {len(lines)} lines of {file.name}")
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        write(work / "check_hf.yaml", SWEEP)
        (work / "data").mkdir()
        examples = write_data(work / "data", lines)
        where = ["--data", work / "data", "--store", work / "store"]
        run(args.rethink, "run", work / "check_hf.yaml", "--quiet", *where, cwd=work)
        plan = json.loads(run(args.rethink, "plan", work / "check_hf.yaml", "--format", "json", *where, cwd=work))
        for trial in plan["trials"]:
            exported = Exported(check, args, trial, work)
            if trial["stage"] == "pretrain":
                check_pretraining(exported, [texts for texts, _ in examples["classes"]])
            else:
                CHECKS[trial["labels"]["task"]](exported, examples[trial["labels"]["task"]])
    sys.exit(check.failed > 0)


main()
