# Headers that many files share, compiled once. The common header takes 5 s and saves 1.7 s in each of 25 compilations. With
# the header of LibTorch's rooms a source takes 3.3 s before its first line, without it 13 s (docs/performance.md; GCC 12). Tried
# with GCC 12, 13 and 14 of Debian 12, Ubuntu 24.04 and Debian 13, and with Clang 16.
include_guard(GLOBAL)

# precompiled_header(name HEADERS <a.h>... [LINK x...] [OPTIONS -O1...]): an object library that carries the header.
function(precompiled_header name)
  cmake_parse_arguments(arg "" "" "HEADERS;LINK;OPTIONS" ${ARGN})
  file(WRITE "${CMAKE_BINARY_DIR}/${name}.cpp" "// Carries the precompiled header.\n")
  add_library(${name} OBJECT "${CMAKE_BINARY_DIR}/${name}.cpp")
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

# Gives `target` the header and its OPTIONS. The flags of both must be equal: most differences are errors, since every file
# would otherwise compile several times slower without an error; on another -O, GCC 12 crashes.
function(use_precompiled_header target header)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  get_target_property(options ${header} COMPILE_OPTIONS)
  if(options)
    target_compile_options(${target} PRIVATE ${options})
  endif()
  # For a program CMake would say -fPIE, which the header's -fPIC does not match. Clang refuses another header by itself.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fPIC>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Winvalid-pch -Werror=invalid-pch>)
  target_precompile_headers(${target} REUSE_FROM ${header})
endfunction()
