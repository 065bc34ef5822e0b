# A table of verbs. `make help` lists them; PRESET chooses the build (release, dev, asan, tsan, cuda).
PRESET ?= release
BUILD = build/$(PRESET)

.PHONY: build programs deps demo test check check-libtorch check-clang check-style check-data fuzz reproduce-smoke check-hf check-bare weights trees format lint bench install bundle release check-release gpu-bundle gpu-rehearsal clean help

build: programs ## the programs and their tests
	sh cmake/build.sh $(BUILD) "the tests" all

programs: ## the programs alone, into build/release/bin
	sh cmake/programs.sh $(PRESET)

deps: ## Debian packages and LibTorch, once; later calls find them and return at once
	sh cmake/deps.sh

demo: programs ## a small real sweep on English text: killed half way, resumed, table and figure
	sh app/demo.sh $(BUILD)/bin

test: build ## every test that needs no GPU and no data set
	ctest --preset $(PRESET) --no-tests=error

check: build ## larger random suites, 200 kills of programs (RETHINK_KILLS), sanitizers, Clang, fuzzing, Hugging Face, format, lint, and builds without batches and with whole rooms, on top of the tests
	cmake --preset release -B build/plain -DCMAKE_BUILD_TYPE=None -DRETHINK_BATCH=1 -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON --log-level=WARNING
	sh cmake/build.sh build/plain "each source by itself" all
	cmake --preset release -B build/rooms -DRETHINK_BATCH=1000 --log-level=WARNING
	sh cmake/build.sh build/rooms "whole rooms" all
	RETHINK_CORRUPTIONS=3000 RETHINK_FAULTS=700 $(BUILD)/bin/test_crash --gtest_filter='Random*'
	RETHINK_KILLS=$${RETHINK_KILLS:-200} $(BUILD)/bin/test_crash --gtest_filter='CommandKill.*'
	RETHINK_MUTATIONS=10000 ctest --preset $(PRESET) -R '\.Mutated' --no-tests=error
	RETHINK_WHOLE_MATRIX=1 $(BUILD)/bin/test_crash --gtest_filter='HostileFiles*'
	$(MAKE) test PRESET=asan
	$(MAKE) test PRESET=tsan
	$(MAKE) check-libtorch check-clang
	cmake -S kernels -B build/asan_kernels -G Ninja -DRETHINK_CUDA=OFF -DRETHINK_SANITIZE=address,undefined --log-level=WARNING
	sh cmake/build.sh build/asan_kernels "the kernels with sanitizers" all
	build/asan_kernels/bin/kernels_check
	$(MAKE) fuzz
	$(MAKE) reproduce-smoke
	$(MAKE) check-hf
	$(MAKE) gpu-rehearsal
	$(MAKE) check-release
	$(MAKE) check-style lint

# LibTorch is built without sanitizers and keeps memory to the end: leaks are not searched for.
check-libtorch: programs ## kernels, models and training under the address and undefined-behaviour sanitizers
	cmake --preset asan_libtorch --log-level=WARNING
	ASAN_OPTIONS=detect_leaks=0 sh cmake/build.sh build/asan_libtorch "the rooms with LibTorch and sanitizers" test_unit_kernels test_unit_models test_unit_train test_contract
	ctest --preset asan_libtorch --no-tests=error

check-clang: programs ## everything built by clang++-16, whose warnings are errors, and the tests without processes
	@command -v clang++-16 >/dev/null || { echo "make check-clang needs clang++-16 (apt-get install clang-16)" >&2; exit 3; }
	cmake --preset clang --log-level=WARNING
	sh cmake/build.sh build/clang "everything by Clang" all
	ctest --preset clang --no-tests=error

FUZZ_SECONDS ?= 600
fuzz: ## readers of YAML, safetensors, CoNLL-U and archives under libFuzzer (clang++-16), FUZZ_SECONDS each
	@command -v clang++-16 >/dev/null || { echo "make fuzz needs clang++-16 (apt-get install clang-16 libclang-rt-16-dev)" >&2; exit 3; }
	cmake --preset fuzz --log-level=WARNING
	sh cmake/build.sh build/fuzz "the fuzz targets" fuzz_yaml fuzz_safetensors fuzz_conllu fuzz_archive
	sh tests/fuzz/run.sh build/fuzz $(FUZZ_SECONDS)

check-style: format-check ## format, house rules, links, banned phrases and layers, in seconds; needs a configured build
	sh cmake/house_rules.sh
	ctest --preset $(PRESET) -L layers --no-tests=error

check-slurm: build ## pilots on a Slurm of two nodes on this machine: installs slurmctld, slurmd and munge, and runs what make test skips too
	sh tests/slurm/install.sh
	RETHINK_CHECK_SLURM=1 ctest --test-dir $(BUILD) -L slurm --output-on-failure --no-tests=error

check-data: build ## the readers against the real data sets that RETHINK_DATA names, and verdicts against a program of their own
	ctest --test-dir $(BUILD) -L data --output-on-failure --no-tests=error
	tests/check_claims/run.sh $(BUILD)/bin

reproduce-smoke: build ## all three papers in minutes, on made-up data where RETHINK_DATA has none
	sh tests/reproduce/smoke.sh $(BUILD)

check-hf: programs ## the encoder and the tokenizer against Hugging Face's, and how-to programs with torch, in a Python environment of its own
	cmake --build --preset $(PRESET) --target encoder_gradients encoder_logits
	sh tests/check_hf/run.sh $(BUILD)/bin

weights: programs ## the pretrained encoders of A3's sweeps, into the folder that RETHINK_DATA names
	sh cmake/weights.sh $(BUILD)/bin

trees: ## dependency trees of WikiText-2 and Multi30k's English, or of TEXT=FILE (WORDS=1: spaces separate its words), into RETHINK_DATA
	sh cmake/trees.sh $(if $(WORDS),--words) $(TEXT)

check-bare: programs ## the programs start with LibTorch alone, any CUDA toolkit hidden
	sh cmake/check_bare.sh $(BUILD)/bin

format: ## rewrite with clang-format 14
	git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs clang-format-14 -i

format-check:
	@command -v clang-format-14 >/dev/null || { echo "make check needs clang-format-14 (apt-get install clang-format-14)" >&2; exit 3; }
	git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs clang-format-14 --dry-run --Werror

lint: ## clang-tidy 16 over the rooms without LibTorch
	sh cmake/lint.sh

bench: build ## prints the figures of docs/performance.md
	sh tests/bench/run.sh $(BUILD)

install: programs ## into PREFIX (default /usr/local)
	cmake --install $(BUILD) --prefix $(or $(PREFIX),/usr/local)

bundle: programs ## one relocatable folder, build/bundle, for machines that have none of our packages
	sh cmake/bundle.sh $(BUILD) build/bundle

release: programs ## build/release_files: a Python wheel, the bundle packed, and the SHA-256 of both
	sh release/make.sh $(BUILD) "$$(sed -n 's/^project(rethink VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)" build/release_files

check-release: release ## each of them installed into an empty HOME, where it runs the demo's sweep
	sh release/try.sh $(BUILD) build/release_files

gpu-bundle: ## build/gpu_bundle and the same packed: all that tests/gpu/prove.sh needs on a GPU machine
	sh cmake/gpu_bundle.sh $(BUILD) build/gpu_bundle

gpu-rehearsal: build ## the proof with the CPU in the GPU's place; PYTHON=... with PyTorch for its comparisons
	sh cmake/gpu_bundle.sh $(BUILD) build/gpu_rehearsal --without-plugin
	rm -rf build/rehearsal
	tests/gpu/prove.sh --rehearse --bundle build/gpu_rehearsal.tar.xz --minutes 20 --out build/rehearsal

clean: ## removes build/, the demo's store too
	rm -rf build

help:
	@grep -hE '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 14
