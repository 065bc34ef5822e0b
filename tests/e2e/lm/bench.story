# Benchmarks are in the worker; `rethink` passes the words to it and returns its exit code.
$ rethink bench lm_step --steps 2 --warmup 0 --layers 1 --d_model 8 --ffn 8 --vocabulary 50 --batch 2 --tokens 10
{"benchmark": "lm_step", "options": {"attention":"dense","batch":2,"d_model":8,<any>}, "program": "rethink <n>", "build": "<any>", "processor": "<any>", "backend": "cpu <any>", "libtorch": "<any>", "threads": 1, "steps": 2, "median_ms": <n>, "p10_ms": <n>, "p90_ms": <n>, "peak_mib": <n>, "operators": <n>, "result": <n>}

$ rethink bench encoder_step --steps 2 --warmup 0 --layers 1 --d_model 8 --heads 2 --ffn 8 --vocabulary 50 --batch 2 --tokens 10 --batches 1
{"benchmark": "encoder_step", "options": {<any>}, "program": "rethink <n>", "build": "<any>", "processor": "<any>", "backend": "cpu <any>", "libtorch": "<any>", "threads": 1, "steps": 2, "median_ms": <n>, "p10_ms": <n>, "p90_ms": <n>, "peak_mib": <n>, "operators": <n>, "result": <n>}

$ rethink bench mt_step --steps 2 --warmup 0 --encoder_layers 1 --layers 1 --d_model 8 --heads 2 --ffn 8 --vocabulary 50 --batch 2 --tokens 10 --attention bird_eye
{"benchmark": "mt_step", "options": {<any>}, "program": "rethink <n>", "build": "<any>", "processor": "<any>", "backend": "cpu <any>", "libtorch": "<any>", "threads": 1, "steps": 2, "median_ms": <n>, "p10_ms": <n>, "p90_ms": <n>, "peak_mib": <n>, "operators": <n>, "result": <n>}

$ rethink bench beam_search --steps 1 --warmup 0 --encoder_layers 1 --layers 1 --d_model 8 --heads 2 --ffn 8 --vocabulary 50 --batch 2 --tokens 3
{"benchmark": "beam_search", "options": {<any>}, "program": "rethink <n>", "build": "<any>", "processor": "<any>", "backend": "cpu <any>", "libtorch": "<any>", "threads": 1, "steps": 1, "median_ms": <n>, "p10_ms": <n>, "p90_ms": <n>, "peak_mib": <n>, "operators": <n>, "result": [[<any>],[<any>]]}

$ rethink bench attention --steps 2 --warmup 0 --batch 2 --heads 2 --tokens 8 --width 4 --causal true --padding true --hidden 0.5 --bias true --dropout 0.1 --diagonal halved --precision bfloat16
{"benchmark": "attention", "options": {<any>}, "program": "rethink <n>", "build": "<any>", "processor": "<any>", "backend": "cpu <any>", "libtorch": "<any>", "threads": 1, "steps": 2, "median_ms": <n>, "p10_ms": <n>, "p90_ms": <n>, "peak_mib": <n>, "operators": <n>, "result": <n>}

# In turns with a peer it reads a number of steps, and prints their times and results.
$ echo 2 | rethink bench encoder_step --in_turns true --folder peer --layers 1 --d_model 8 --heads 2 --ffn 8 --vocabulary 50 --batch 2 --tokens 10 --batches 1
{"benchmark": "encoder_step", "options": {<any>}, "program": "rethink <n>", "build": "<any>", "processor": "<any>", "backend": "cpu <any>", "libtorch": "<any>", "threads": 1}
{"ms":[<n>,<n>],"results":[<n>,<n>]}

$ ls peer
batches.safetensors
config.json
model.safetensors
tokenizer_config.json

$ rethink bench attention --steps 1 --folder inputs --batch 2 --heads 2 --tokens 8 --width 4
<any>

$ ls inputs
attention.safetensors

$ echo two | rethink bench encoder_step --in_turns true --layers 1 --d_model 8 --heads 2 --ffn 8 --vocabulary 50 --batch 2 --tokens 10 --batches 1
{"benchmark": "encoder_step", "options": {<any>}, "program": "rethink <n>", "build": "<any>", "processor": "<any>", "backend": "cpu <any>", "libtorch": "<any>", "threads": 1}
standard input: got 'two', expected a number of steps
[exit 2]

$ rethink bench encoder_step --precision half
--precision: error: 'precision': got 'half', expected one of float32, tf32, bfloat16
[exit 2]

$ rethink bench --help
Usage: rethink bench [WHAT [--NAME VALUE]...]

<any>

WHAT: attention, the attention kernel alone

Options:
  --steps VALUE (=30)            steps to time
...
WHAT: beam_search, beam search with a translation model

Options:
  --steps VALUE (=30)            steps to time
...
WHAT: encoder_step, an optimisation step of BERT's pretraining

Options:
  --steps VALUE (=30)            steps to time
...
WHAT: lm_step, an optimisation step of a small language model
...
WHAT: mt_step, an optimisation step of a translation model
...

# These are the shell's completions after it.
$ rethink completion words -- bench ''
attention
beam_search
encoder_step
lm_step
mt_step

$ rethink completion words -- bench lm_step --la
--layers

$ rethink bench lm_stop
bench: got 'lm_stop', expected one of attention, beam_search, encoder_step, lm_step, mt_step, optionally with --steps, --threads, --batch, ...
[exit 2]

$ rethink bench lm_step --layrs 1
--layrs: error: unknown key 'layrs'; did you mean 'layers'?; known: <any>
[exit 2]
