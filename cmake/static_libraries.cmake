# Libraries that are linked into the programs, which then run where the libraries are not installed. Loading and binding
# them took half of a short command's time: `rethink version` takes 3.1 ms instead of 6.0, and `status` of 1,000 trials 7.7
# instead of 11.0 (docs/performance.md; Debian 12). Debian 12, Debian 13 and Ubuntu 24.04 have these archives.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(OPENSSL_USE_STATIC_LIBS ON)
set(Boost_USE_STATIC_LIBS ON)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)
# Debian has fmt as a shared library, or as headers, with which every file compiles the same functions. Here these are compiled
# once, as in fmt's own library. A batch of core compiles in 13.7 s instead of 15.9, of plan in 19.9 instead
# of 25.2, of results in 21.0 instead of 27.3 (medians in turns, fmt 9.1, GCC 12). Tried with fmt 9.1 of Debian 12 and
# Ubuntu 24.04, and with fmt 10.1 of Debian 13; the names of detail may differ in others.
set(fmt_once ${CMAKE_BINARY_DIR}/fmt_once.cpp)
file(CONFIGURE OUTPUT ${fmt_once} CONTENT "#include <fmt/format-inl.h>
FMT_BEGIN_NAMESPACE
namespace detail {
template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template locale_ref::locale_ref(const std::locale&);
template auto locale_ref::get<std::locale>() const -> std::locale;
template void vformat_to(buffer<char>&, string_view, basic_format_args<buffer_context<char>>, locale_ref);
}
FMT_END_NAMESPACE
")
add_library(rethink_fmt STATIC ${fmt_once})
# It is fmt's own code: GCC 13 warns of an overflow in fmt 9.1 that cannot happen, as on Ubuntu 24.04.
set_source_files_properties(${fmt_once} PROPERTIES COMPILE_OPTIONS -w)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(SQLite3 REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(Boost REQUIRED COMPONENTS program_options)

find_library(YAML_CPP_LIBRARY yaml-cpp REQUIRED) # its package names the shared library alone
add_library(rethink_yaml_cpp INTERFACE)
target_link_libraries(rethink_yaml_cpp INTERFACE ${YAML_CPP_LIBRARY})

# A version of RE2 that is built on Abseil (from 2023-06-01 on, as in Debian 13) is linked as the shared library: its archive would
# ask for seventy others.
find_path(RE2_INCLUDE re2/re2.h REQUIRED)
file(STRINGS ${RE2_INCLUDE}/re2/re2.h re2_on_abseil REGEX "absl/")
if(re2_on_abseil)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .so)
endif()
find_library(RE2_LIBRARY re2 REQUIRED)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
add_library(rethink_re2 INTERFACE)
target_link_libraries(rethink_re2 INTERFACE ${RE2_LIBRARY} Threads::Threads)

# Character classes, case mapping and NFC are in libicuuc itself. The 30 MB beside it are locale data, which nothing
# here uses: empty data takes their place, as in ICU's own builds. Each program is smaller by these 30 MB. Tried with ICU 72 of
# Debian 12, ICU 74 of Ubuntu 24.04 and ICU 76 of Debian 13.
find_package(ICU REQUIRED COMPONENTS uc)
string(REGEX MATCH "^[0-9]+" ICU_MAJOR ${ICU_VERSION})
set(no_data ${CMAKE_BINARY_DIR}/icu_without_data.cpp)
file(CONFIGURE OUTPUT ${no_data} CONTENT "extern \"C\" {\nalignas(16) extern const char icudt@ICU_MAJOR@_dat[64] = {};\n}\n")
add_library(rethink_icu_data STATIC ${no_data})
set_property(TARGET ICU::uc APPEND PROPERTY INTERFACE_LINK_LIBRARIES rethink_icu_data)
set(CMAKE_FIND_LIBRARY_SUFFIXES .so .a)
# Opened on demand, through librethink_sentencepiece.so, since its package has only shared libraries.
find_library(SENTENCEPIECE_LIBRARY sentencepiece REQUIRED)
find_library(SENTENCEPIECE_TRAIN_LIBRARY sentencepiece_train REQUIRED)
