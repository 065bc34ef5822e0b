# Hashes of the code that computes: of the numbers (experiments/train/numeric_build.h), which a trial's resume and a
# table compare, and of the tokens alone (datasets/files/token_cache.h), which name a cache. A hash that moves without need
# costs a mark, and a hash that stays although numbers move is a wrong claim. So whole rooms count, with their compilation.
include_guard(GLOBAL)

# Core and experiments/attempt also belong to the driver. In them only these files compute: random numbers, characters, stored
# weights, analyses without LibTorch, and the choice among candidates.
set(RETHINK_DATASET_SOURCES datasets core/philox.h core/text core/format/tokenizer_folder core/format/tokenizer_json
  core/format/gutenberg_marks core/format/text_marks)
set(RETHINK_NUMERIC_SOURCES ${RETHINK_DATASET_SOURCES} kernels models experiments/train core/format/safetensors
  experiments/attempt/analyses experiments/attempt/jobs/analyze experiments/attempt/jobs/select)

# rethink_build_hash(numeric_build HEADER x.h ARCHIVE t SOURCES <prefix>... TARGETS t... [LIBRARIES file...]
#                    [FACTS <text>...] [EACH numeric_sources])
#
# Adds to ARCHIVE a source with the function `const char* numeric_build()`, made anew when a source, library, flag or the
# compiler changes. SOURCES: beginnings of paths. TARGETS: those whose flags count. EACH: a function that returns the hash
# of each source.
function(rethink_build_hash name)
  cmake_parse_arguments(arg "" "HEADER;ARCHIVE;EACH" "SOURCES;TARGETS;LIBRARIES;FACTS" ${ARGN})
  set(sources)
  foreach(prefix ${arg_SOURCES})
    set(patterns)
    if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${prefix})
      foreach(ending h cpp cu cuh)
        list(APPEND patterns ${PROJECT_SOURCE_DIR}/${prefix}/*.${ending})
      endforeach()
      file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${patterns})
    elseif(EXISTS ${PROJECT_SOURCE_DIR}/${prefix})
      set(found ${prefix})
    else()
      file(GLOB found CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
        ${PROJECT_SOURCE_DIR}/${prefix}.h ${PROJECT_SOURCE_DIR}/${prefix}.cpp)
    endif()
    if(NOT found)
      message(FATAL_ERROR "${name}: there is no source '${prefix}'")
    endif()
    list(APPEND sources ${found})
  endforeach()
  list(REMOVE_DUPLICATES sources)

  set(list "fact compiler ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_SYSTEM_PROCESSOR}\n")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  rethink_numeric_flags(flags ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} -std=c++${CMAKE_CXX_STANDARD})
  string(APPEND list "fact flags ${flags}\n")
  foreach(target ${arg_TARGETS})
    get_target_property(compile ${target} COMPILE_OPTIONS)
    get_target_property(interface ${target} INTERFACE_COMPILE_OPTIONS)
    get_target_property(definitions ${target} COMPILE_DEFINITIONS)
    rethink_numeric_flags(flags ${compile} ${interface} ${definitions})
    string(APPEND list "fact flags of ${target}: ${flags}\n")
  endforeach()
  foreach(fact ${arg_FACTS})
    string(APPEND list "fact ${fact}\n")
  endforeach()
  set(files)
  foreach(library ${arg_LIBRARIES})
    file(REAL_PATH ${library} real)
    string(APPEND list "library ${real}\n")
    list(APPEND files ${real})
  endforeach()
  foreach(source ${sources})
    string(APPEND list "source ${source}\n")
    list(APPEND files ${PROJECT_SOURCE_DIR}/${source})
  endforeach()
  set(listed ${CMAKE_BINARY_DIR}/builds/${name}.txt)
  set(made ${CMAKE_BINARY_DIR}/builds/${name}.cpp)
  file(CONFIGURE OUTPUT ${listed} CONTENT "${list}" @ONLY)
  add_custom_command(OUTPUT ${made} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMAND build_hash ${listed} ${arg_HEADER} ${name} ${made} ${arg_EACH}
    DEPENDS build_hash ${listed} ${files} COMMENT "Hash of what ${name} says" VERBATIM)
  target_sources(${arg_ARCHIVE} PRIVATE ${made})
endfunction()

# Sets OUT to the flags that may change a number, without warnings, debug information, paths or limits of the compiler.
function(rethink_numeric_flags out)
  set(flags ${ARGN})
  string(REPLACE " " ";" flags "${flags}")
  list(FILTER flags EXCLUDE REGEX "NOTFOUND$|-W|^-g[0-9]?$|-ffile-prefix-map|-fpch-preprocess|--param=ggc|^-fPIC$")
  list(JOIN flags " " joined)
  set(${out} "${joined}" PARENT_SCOPE)
endfunction()
