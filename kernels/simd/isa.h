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

/// The functions that an _isa.cpp file defines, for both types of elements.
template <template <typename> class Functions>
struct IsaTable {
  Functions<float> of_float;
  Functions<double> of_double;

  template <typename T>
  const Functions<T>& of() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return of_float;
    } else {
      return of_double;
    }
  }
};

/// Declares the table `name` of each instruction set, and name<T>(), the functions of the active one.
#define RETHINK_ISA_TABLE(Functions, name)                   \
  namespace baseline {                                       \
  extern const IsaTable<Functions> name;                     \
  }                                                          \
  namespace avx2 {                                           \
  extern const IsaTable<Functions> name;                     \
  }                                                          \
  namespace avx512 {                                         \
  extern const IsaTable<Functions> name;                     \
  }                                                          \
  template <typename T>                                      \
  const Functions<T>& name() {                               \
    const Isa isa = active_isa();                            \
    const auto& table = isa == Isa::avx512 ? avx512::name    \
                        : isa == Isa::avx2 ? avx2::name      \
                                           : baseline::name; \
    return table.template of<T>();                           \
  }

}  // namespace rethink
