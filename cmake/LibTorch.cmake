# Imported target `libtorch` for the CPU part of a LibTorch 2.11+ folder, and the precompiled header
# every LibTorch room and test shares. LibTorch's own package file insists on nvcc; this one does not.
#
#   TORCH_DIR   folder with include/ and lib/ (a PyTorch installation's torch/ folder will do);
#               default: what `make deps` unpacked
include_guard(GLOBAL)

if(NOT TORCH_DIR)
  set(cache "$ENV{RETHINK_CACHE}")
  if(NOT cache)
    set(cache "$ENV{XDG_CACHE_HOME}")
    if(NOT cache)
      set(cache "$ENV{HOME}/.cache")
    endif()
    string(APPEND cache "/rethink")
  endif()
  set(TORCH_DIR "$ENV{TORCH_DIR}")
  if(NOT TORCH_DIR)
    set(TORCH_DIR "${cache}/libtorch-2.11.0/torch")
  endif()
endif()
set(TORCH_DIR "${TORCH_DIR}" CACHE PATH "LibTorch folder with include/ and lib/")

if(NOT EXISTS "${TORCH_DIR}/lib/libtorch_cpu.so")
  message(FATAL_ERROR "no LibTorch in '${TORCH_DIR}': run `make deps`, or name a folder with -DTORCH_DIR=")
endif()
foreach(library torch_cpu c10)
  add_library(libtorch::${library} SHARED IMPORTED GLOBAL)
  set_target_properties(libtorch::${library} PROPERTIES
    IMPORTED_LOCATION "${TORCH_DIR}/lib/lib${library}.so"
    INTERFACE_INCLUDE_DIRECTORIES "${TORCH_DIR}/include;${TORCH_DIR}/include/torch/csrc/api/include")
endforeach()
find_package(OpenMP REQUIRED COMPONENTS CXX)

add_library(libtorch INTERFACE)
# Without -fopenmp at::parallel_for in our files runs serially, in silence.
target_compile_options(libtorch INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fopenmp -Winvalid-pch -Werror=invalid-pch>)
# libtorch_cpu.so finds its CUDA and OpenMP libraries by its own RPATH; the linker need not.
target_link_options(libtorch INTERFACE -Wl,--allow-shlib-undefined)
target_link_libraries(libtorch INTERFACE libtorch::torch_cpu libtorch::c10 "${TORCH_DIR}/lib/libgomp.so.1")

# One header for the rooms and one for their tests, each compiled once (30 s, 500 MB). A target that reuses it must have
# the same flags; a difference is an error here, since it would silently make every file three times slower to compile.
function(torch_header name)
  cmake_parse_arguments(arg "" "" "OPTIONS;LINK;HEADERS" ${ARGN})
  file(WRITE "${CMAKE_BINARY_DIR}/${name}.cpp" "// Carries the precompiled header.\n")
  add_library(${name} OBJECT "${CMAKE_BINARY_DIR}/${name}.cpp")
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  target_link_libraries(${name} PRIVATE libtorch ${arg_LINK})
  target_precompile_headers(${name} PRIVATE <ATen/ATen.h> <torch/csrc/autograd/custom_function.h> <torch/library.h>
    <torch/nn/module.h> ${arg_HEADERS})
endfunction()
torch_header(torch_pch)
torch_header(torch_test_pch OPTIONS ${RETHINK_TEST_OPTIONS} LINK GTest::gmock nlohmann_json::nlohmann_json
  HEADERS <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp>)

# Gives `target` LibTorch and the shared precompiled header, or `header`.
function(use_libtorch target)
  set(header torch_pch)
  if(ARGC GREATER 1)
    set(header ${ARGV1})
  endif()
  target_link_libraries(${target} PUBLIC libtorch)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  # For a program CMake would say -fPIE, which the header's -fPIC does not match.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fPIC>)
  target_precompile_headers(${target} REUSE_FROM ${header})
endfunction()
