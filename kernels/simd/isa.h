// Inner loops on the CPU are compiled once per instruction set and chosen when the program runs. A
// file whose name ends in _isa.cpp is such a file: it includes no LibTorch and no C++ library
// header that defines functions (one compiled for AVX-512 could be the copy that the linker keeps),
// and all it defines lies in namespace rethink::RETHINK_ISA, which the build sets to baseline, avx2
// and avx512 in turn.
#pragma once

namespace rethink {

enum class Isa { baseline, avx2, avx512 };

/// What LibTorch's own CPU kernels use here, so that ATEN_CPU_CAPABILITY and what a trial records
/// of it hold for ours too: results may differ in the last bits between instruction sets.
Isa active_isa();

template <typename Kernels>
const Kernels& pick_isa(const Kernels& baseline, const Kernels& avx2, const Kernels& avx512) {
  const Isa isa = active_isa();
  return isa == Isa::avx512 ? avx512 : isa == Isa::avx2 ? avx2 : baseline;
}

}  // namespace rethink
