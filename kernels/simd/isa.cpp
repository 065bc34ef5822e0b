#include "kernels/simd/isa.h"

#include <ATen/Version.h>

namespace rethink {

Isa active_isa() {
  static const Isa isa = [] {
    const std::string capability = at::get_cpu_capability();
    return capability == "AVX512" ? Isa::avx512 : capability == "AVX2" ? Isa::avx2 : Isa::baseline;
  }();
  return isa;
}

}  // namespace rethink
