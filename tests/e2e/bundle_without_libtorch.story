# What the wrapper of the relocatable bundle says where LibTorch is missing or of another version.
# not under ODD_PLACE, ONE_CORE, BARE: the wrapper is a shell script
=== bin/python3
#!/bin/sh
exit 1
===
=== bundle/bin/rethink
#!/bin/sh
echo "ran: $*"
===
=== bundle/get_libtorch.sh
===
$ chmod +x bin/python3 bundle/bin/rethink; sed -n "/<<'WRAPPER'/,/^WRAPPER/p" "$FIXTURES/../../cmake/bundle.sh" | sed '1d; $d; s/@LIBTORCH@/2.11/g' > bundle/rethink; chmod +x bundle/rethink; printf 'PATH=$PWD/bin:$PATH RETHINK_CACHE=cache; unset RETHINK_LIBTORCH; export PATH RETHINK_CACHE\n' > bare
$ . ./bare; bundle/rethink run x.yaml
rethink: no LibTorch was found: RETHINK_LIBTORCH is not set, python3 has no package torch, and cache has no LibTorch
'rethink run' needs LibTorch 2.11. Do one of these:
  pip install torch==2.11.*   # for the python3 on PATH
  <any>/bundle/get_libtorch.sh libtorch   # downloads it with pip into cache
  export RETHINK_LIBTORCH=/path/to/torch   # the folder torch of an installed PyTorch 2.11
[exit 3]

# What needs no LibTorch works without.
$ . ./bare; bundle/rethink table x
ran: table x

=== torch/lib/libtorch_cpu.so
===
=== torch/include/torch/headeronly/version.h
#define TORCH_VERSION_MAJOR 2
#define TORCH_VERSION_MINOR 7
===
$ . ./bare; RETHINK_LIBTORCH=$PWD/torch bundle/rethink table x --run 2>&1 | head -n 2
rethink: the LibTorch in '<any>/torch' is of version 2.7, expected 2.11
'rethink table' needs LibTorch 2.11. Do one of these:

$ . ./bare; RETHINK_LIBTORCH=$PWD/bin bundle/rethink doctor 2>&1 | head -n 1
rethink: no LibTorch in '<any>/bin': lib/libtorch_cpu.so is missing there

$ . ./bare; sed -i 's/MINOR 7/MINOR 11/' torch/include/torch/headeronly/version.h; RETHINK_LIBTORCH=$PWD/torch bundle/rethink run x
ran: run x
