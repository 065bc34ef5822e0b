# Rooms and tests.
include_guard(GLOBAL)

# These options are only for the tests' own files, which then compile in three quarters of the time. The code that takes time
# in a test is in the rooms.
set(RETHINK_TEST_OPTIONS -O1)

# rethink_library(experiments/train DEPENDS models core [LINK x...] [MAY_INCLUDE "ATen/" ...] [NESTED experiments/x] [LIBTORCH])
#
# A room has every .cpp below its folder, without the rooms nested in it. DEPENDS is both the link line and the
# rule: the ctest `layers.<room>` fails if a file includes another room, or a restricted library that
# MAY_INCLUDE does not list (cmake/check_layers.cmake has these libraries).
function(rethink_library room)
  cmake_parse_arguments(arg "LIBTORCH" "" "DEPENDS;LINK;MAY_INCLUDE;NESTED" ${ARGN})
  string(REPLACE "/" "_" target ${room})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${room}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${room}/*.h)
  foreach(nested ${arg_NESTED})
    list(FILTER sources EXCLUDE REGEX "^${nested}/")
    list(FILTER headers EXCLUDE REGEX "^${nested}/")
  endforeach()
  rethink_batches(batches ${target} ${sources})
  add_library(${target}_archive STATIC ${batches})
  target_sources(${target}_archive PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  target_link_libraries(${target}_archive PUBLIC rethink_warnings ${arg_LINK} PRIVATE rethink_strict_warnings)
  if(arg_LIBTORCH)
    use_libtorch(${target}_archive)
  else()
    use_precompiled_header(${target}_archive rooms_pch)
  endif()
  foreach(dependency ${arg_DEPENDS})
    string(REPLACE "/" "_" dependency ${dependency})
    target_link_libraries(${target}_archive PUBLIC rethink::${dependency})
  endforeach()
  add_library(rethink_${target} INTERFACE)
  add_library(rethink::${target} ALIAS rethink_${target})
  # Without WHOLE_ARCHIVE the linker drops files that only register themselves.
  target_link_libraries(rethink_${target} INTERFACE "$<LINK_LIBRARY:WHOLE_ARCHIVE,${target}_archive>")
  rethink_layer_check(${room} DEPENDS ${arg_DEPENDS} MAY_INCLUDE ${arg_MAY_INCLUDE} NESTED ${arg_NESTED})
endfunction()

# Adds the ctest `layers.<room>`; rooms with a separate CMake project (kernels) call it themselves.
function(rethink_layer_check room)
  cmake_parse_arguments(arg "" "" "DEPENDS;MAY_INCLUDE;NESTED" ${ARGN})
  string(REPLACE "/" "_" target ${room})
  add_test(NAME layers.${target}
           COMMAND ${CMAKE_COMMAND} -DROOM=${room} "-DROOMS=${arg_DEPENDS}" "-DLIBRARIES=${arg_MAY_INCLUDE}"
                   "-DNESTED=${arg_NESTED}" -P ${PROJECT_SOURCE_DIR}/cmake/check_layers.cmake
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(layers.${target} PROPERTIES LABELS layers)
endfunction()

# rethink_test(unit/core DEPENDS core [LIBTORCH] [TIMEOUT s] [PROPERTIES name value...])
#
# One binary of tests/<folder>/*.cpp; its ctest names start with the folder and its label is the folder's
# first part. A LibTorch test takes 0.3 s to start, so such a binary is one ctest entry per suite.
function(rethink_test folder)
  cmake_parse_arguments(arg "LIBTORCH" "TIMEOUT" "DEPENDS;LINK;PROPERTIES" ${ARGN})
  string(REPLACE "/" "_" target ${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests/${folder}/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(RETHINK_SANITIZE)
    math(EXPR arg_TIMEOUT "4 * ${arg_TIMEOUT}")
  endif()
  string(REGEX MATCH "^[a-z0-9_]+" label ${folder})
  rethink_batches(batches test_${target} ${sources})
  add_executable(test_${target} ${batches})
  target_compile_definitions(test_${target} PRIVATE RETHINK_SOURCE_DIR="${PROJECT_SOURCE_DIR}" RETHINK_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_link_libraries(test_${target} PRIVATE rethink_warnings test_support ${arg_LINK})
  foreach(dependency ${arg_DEPENDS})
    string(REPLACE "/" "_" dependency ${dependency})
    target_link_libraries(test_${target} PRIVATE rethink::${dependency})
  endforeach()
  if(arg_LIBTORCH)
    use_libtorch(test_${target} torch_test_pch)
    file(STRINGS /dev/null suites)
    foreach(source ${sources})
      file(STRINGS ${PROJECT_SOURCE_DIR}/${source} lines REGEX "^(TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\\(")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${source})
      foreach(line ${lines})
        string(REGEX REPLACE "^[A-Z_]+\\(([A-Za-z0-9_]+).*" "\\1" suite "${line}")
        list(APPEND suites ${suite})
      endforeach()
    endforeach()
    list(REMOVE_DUPLICATES suites)
    foreach(suite ${suites})
      add_test(NAME ${folder}.${suite} COMMAND test_${target} --gtest_filter=${suite}.*:*/${suite}.*:*/${suite}/*.*)
      # An empty selection must fail: gtest itself exits 0 on it. One thread: beside other tests, threads that wait for
      # each other took eight times the processor's time, and up to the time limit.
      set_tests_properties(${folder}.${suite} PROPERTIES LABELS ${label} TIMEOUT ${arg_TIMEOUT}
        FAIL_REGULAR_EXPRESSION "Running 0 tests" ENVIRONMENT OMP_NUM_THREADS=1)
    endforeach()
  else()
    use_precompiled_header(test_${target} test_pch)
    gtest_discover_tests(test_${target} TEST_PREFIX ${folder}. PROPERTIES LABELS ${label}
      TIMEOUT ${arg_TIMEOUT} ${arg_PROPERTIES} DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
