// Vectors with the width of the instruction set for which a file is compiled. For _isa.cpp files
// only (isa.h).
#pragma once

#include <cstdint>
#include <cstring>

namespace rethink::RETHINK_ISA {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
constexpr int kTileRows = 8,
              kTileVectors = 3;  // tile of a matrix product whose accumulators fit into registers
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
constexpr int kTileRows = 4, kTileVectors = 3;
#else
constexpr int kVectorBytes = 16;
constexpr int kTileRows = 4, kTileVectors = 2;
#endif

template <typename T>
constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));

template <typename T, int lanes>
struct VectorType {
  typedef T type __attribute__((vector_size(sizeof(T) * lanes)));
};
template <typename T, int lanes = kLanes<T>>
using Vector = typename VectorType<T, lanes>::type;

/// Signed integers with the width of T: the element type of a comparison of two Vector<T>.
template <typename T>
struct BitsOf;
template <>
struct BitsOf<float> {
  using type = int32_t;
};
template <>
struct BitsOf<double> {
  using type = int64_t;
};
template <typename T>
using Mask = Vector<typename BitsOf<T>::type, kLanes<T>>;

template <typename T>
inline Vector<T> load(const T* from) {
  Vector<T> vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <typename T>
inline void store(T* to, const Vector<T>& vector) {
  std::memcpy(to, &vector, sizeof vector);
}

template <typename T>
inline Vector<T> splat(T value) {
  return value - Vector<T>{};
}

template <typename T>
inline T sum_of(const Vector<T>& vector) {
  T sum = 0;
  for (int lane = 0; lane < kLanes<T>; ++lane) sum += vector[lane];
  return sum;
}

template <typename T>
inline T max_of(const Vector<T>& vector) {
  T most = vector[0];
  for (int lane = 1; lane < kLanes<T>; ++lane) most = vector[lane] > most ? vector[lane] : most;
  return most;
}

/// Returns lanes [0, count) from memory, and zeros in the other lanes.
template <typename T>
inline Vector<T> load_part(const T* from, int64_t count) {
  if (count >= kLanes<T>) return load(from);
  Vector<T> vector = {};
  for (int64_t lane = 0; lane < count; ++lane) vector[lane] = from[lane];
  return vector;
}

template <typename T>
inline void store_part(T* to, const Vector<T>& vector, int64_t count) {
  if (count >= kLanes<T>) return store(to, vector);
  for (int64_t lane = 0; lane < count; ++lane) to[lane] = vector[lane];
}

/// Returns ones in lanes [0, count), and zeros in the other lanes.
template <typename T>
inline Vector<T> ones_part(int64_t count) {
  Vector<T> vector = splat(T(1));
  for (int64_t lane = count; lane < kLanes<T>; ++lane) vector[lane] = 0;
  return vector;
}

inline int64_t round_up(int64_t n, int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

/// Returns exp of each lane, within 2 units in the last place. Below -87 the result is 0; NaN stays
/// NaN.
inline Vector<float> exp_of(Vector<float> x) {
  const Vector<float> low = splat(-87.0f), high = splat(88.0f);
  const Mask<float> vanishes = x < low;
  x = vanishes ? low : x;
  x = x > high ? high : x;
  // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits.
  const Vector<float> shifted = x * 1.44269504088896341f + 12582912.0f;
  const Vector<float> n = shifted - 12582912.0f;
  Vector<float> r = x - n * 0.693359375f;
  r = r - n * -2.12194440e-4f;
  Vector<float> p = splat(1.9875691500e-4f);
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.0f;
  Mask<float> bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits - 0x4B400000 + 127) << 23;
  Vector<float> power;
  std::memcpy(&power, &bits, sizeof power);
  return vanishes ? Vector<float>{} : p * power;
}

/// float64 is only for checks, where the library's exact bits matter more than speed.
inline Vector<double> exp_of(Vector<double> x) {
  for (int lane = 0; lane < kLanes<double>; ++lane) x[lane] = __builtin_exp(x[lane]);
  return x;
}

}  // namespace rethink::RETHINK_ISA
