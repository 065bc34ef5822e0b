# Benchmarks live in the worker; `rethink` hands it the words and takes its exit code.
$ rethink bench lm_step --steps 2 --warmup 0 --layers 1 --d_model 8 --ffn 8 --vocabulary 50 --batch 2 --tokens 10
{"program": "rethink <n>", "build": "<any>", "processor": "<any>", "backend": "cpu <any>", "libtorch": "<any>", "threads": 1, "steps": 2, "median_ms": <n>, "p10_ms": <n>, "p90_ms": <n>}

$ rethink bench --help
Usage: rethink bench [WHAT [--NAME INTEGER]...]

<any>

WHAT: lm_step, an optimisation step of a small language model

Options:
  --steps arg (=30)              steps to time
...

$ rethink bench lm_stop
bench: got 'lm_stop', expected lm_step, maybe with --steps, --threads, --batch, ...
[exit 2]

$ rethink bench lm_step --layrs 1
unknown key 'layrs'; did you mean 'layers'?; known: <any>
[exit 2]
