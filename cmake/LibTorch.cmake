# Imported target `libtorch` for the CPU part of a LibTorch 2.11+ folder, and the precompiled header
# that every LibTorch room shares. LibTorch's own package file insists on nvcc; this one does not.
#
#   TORCH_DIR   folder with include/ and lib/ (a PyTorch installation's torch/ folder will do);
#               default: what `make deps` unpacked
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/precompiled_header.cmake)

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

add_library(libtorch INTERFACE)
# Without -fopenmp at::parallel_for in our files runs serially, without an error. Clang's -fopenmp would bring a second OpenMP
# beside LibTorch's, so with Clang, which only checks the code, our files are serial.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  target_compile_options(libtorch INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fopenmp>)
endif()
# libtorch_cpu.so finds its CUDA and OpenMP libraries by its own RPATH; the linker need not.
target_link_options(libtorch INTERFACE -Wl,--allow-shlib-undefined)
target_link_libraries(libtorch INTERFACE libtorch::torch_cpu libtorch::c10 "${TORCH_DIR}/lib/libgomp.so.1")

# Compiled once (30 s, 580 MB) for every room with LibTorch.
set(torch_headers <ATen/ATen.h> <torch/csrc/autograd/custom_function.h> <torch/library.h> <torch/nn/module.h>)
precompiled_header(torch_pch LINK libtorch HEADERS ${torch_headers})

# Gives `target` LibTorch and the shared precompiled header, or `header`.
function(use_libtorch target)
  set(header torch_pch)
  if(ARGC GREATER 1)
    set(header ${ARGV1})
  endif()
  target_link_libraries(${target} PUBLIC libtorch)
  use_precompiled_header(${target} ${header})
endfunction()
