#!/bin/sh
# Lists places that the house rules speak of: each is a place to look, not a verdict.
set -eu
git ls-files '*.h' | while read -r file; do
  lines=$(wc -l <"$file"); [ "$lines" -le 150 ] || echo "$file: $lines lines (headers: 150)"
done
git ls-files '*.cpp' '*.cu' '*.cuh' | while read -r file; do
  lines=$(wc -l <"$file"); [ "$lines" -le 400 ] || echo "$file: $lines lines (sources: 400)"
done
# A function begins with a line that ends in "{" at column 0 or 2 and ends with "}" at the same column.
git ls-files '*.cpp' '*.h' '*.cu' '*.cuh' | xargs awk '
  FNR == 1 { begin[0] = begin[2] = 0 }
  /^(  )?[^ #\/}].*[^=] [{]$/ && !/(namespace|class|struct|enum|union)/ { begin[/^  / ? 2 : 0] = FNR }
  function close_at(column) {
    if (begin[column] && FNR - begin[column] >= 60)
      printf "%s:%d: %d lines (functions: 60)\n", FILENAME, begin[column], FNR - begin[column] + 1
    begin[column] = 0
  }
  /^}/ { close_at(0) }
  /^  }/ { close_at(2) }'
git grep -nE '\b(TODO|FIXME|XXX|HACK)\b' -- '*.cpp' '*.h' '*.cu' '*.cuh' '*.cmake' || true
git grep -nE 'torch/torch\.h' -- '*.cpp' '*.h' '*.cu' '*.cuh' || true
git grep -nE 'if *\((name|kind|type|variant) *== *"' -- '*.cpp' '*.h' || true
