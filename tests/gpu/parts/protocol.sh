# BET's protocol as released, on WikiText-2 (bet/overall_lm_released --profile gpu), as far as the time goes: arms and
# seeds that were done, with what they found.
set -eu
. "$BUNDLE/proof/parts/absent.sh"
[ -d "$RETHINK_DATA/wikitext-2" ] || absent "the bundle has no WikiText-2: make it where RETHINK_DATA has it"
if [ "$REHEARSE" = 1 ]; then profile=smoke steps=; else profile=gpu steps=--max-trials=9; fi
# A driver that is asked to end lets its trials write checkpoints; 40 s are left for that and for the query.
# shellcheck disable=SC2086
timeout --signal=TERM $((LIMIT - 40)) "$RETHINK" run bet/overall_lm_released --profile $profile --store store \
  --device "$DEVICE" $steps -q 2>said || code=$?
[ "${code:-0}" -le 1 ] || [ "${code:-0}" = 124 ] || { tail -n 5 said >&2; exit 1; }
done_now=$("$RETHINK" query "select count(*) from trial where state = 'done'" --store store --format csv | tail -n 1)
echo "$done_now trials done."
[ "$done_now" -gt 0 ] || { echo "none was done in $((LIMIT - 40)) s" >&2; exit 1; }
printf '\n```\n'
"$RETHINK" table bet/table2_wikitext2_released --profile $profile --store store 2>/dev/null ||
  "$RETHINK" query "select * from runs where state = 'done'" --store store
printf '```\n\n```\n'
"$RETHINK" query --store store --format csv "
  select l.value as arm, t.seed, m.split, m.name, m.value from metric m join trial t on t.id = m.trial
  join label l on l.trial = t.id where t.state = 'done' and m.name in ('perplexity@best', 'score@best', 'perplexity')
  group by 1, 2, 3, 4 having m.step = max(m.step)"
printf '```\n'
