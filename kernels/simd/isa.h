// Selection of inner loops by the CPU's instruction set at run time. The build compiles each file
// whose name ends in _isa.cpp once per instruction set. All its definitions are in the namespace
// rethink::RETHINK_ISA, which is baseline, avx2 or avx512. Such a file includes neither LibTorch
// nor a header of the C++ library that defines functions, since the linker might keep the copy that
// was compiled for AVX-512.
#pragma once

namespace rethink {

enum class Isa { baseline, avx2, avx512 };

/// Returns the instruction set of LibTorch's own CPU kernels, so that ATEN_CPU_CAPABILITY and the
/// capability that a trial records also apply to ours. The last bits of results may differ between
/// instruction sets.
Isa active_isa();

/// Table of the functions that an _isa.cpp file defines, for both element types.
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

/// Declares the table `name` of each instruction set, and name<T>(), the functions of the active
/// one.
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
