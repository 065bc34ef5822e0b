# Several sources compiled as one.
include_guard(GLOBAL)

# Sets OUT to the files that a target compiles for SOURCES (paths from the root of the repository). Each file includes up to
# RETHINK_BATCH sources. Reading the headers takes longer than compiling a small source, and a batch reads them
# once: both programs take 542 s of processor time in batches of 16, and 722 s in batches of 8 (docs/performance.md; GCC 12,
# without ccache). A source by itself takes 3 to 10 s, a batch 10 to 25 s. An edit recompiles its batch, and a new file all later
# batches of its room, so the preset dev, for work on one room, has no batches. CMake's own unity builds use absolute paths,
# which are other sources for ccache in another clone.
function(rethink_batches out name)
  set(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..)
  if(NOT RETHINK_BATCH GREATER 1)
    list(TRANSFORM ARGN PREPEND ${root}/ OUTPUT_VARIABLE files)
    set(${out} ${files} PARENT_SCOPE)
    return()
  endif()
  list(LENGTH ARGN count)
  math(EXPR batches "(${count} + ${RETHINK_BATCH} - 1) / ${RETHINK_BATCH}")
  set(files)
  set(begin 0)
  foreach(batch RANGE 1 ${batches})
    math(EXPR end "${count} * ${batch} / ${batches}")  # batches of one size, give or take one
    math(EXPR length "${end} - ${begin}")
    list(SUBLIST ARGN ${begin} ${length} sources)
    list(TRANSFORM sources REPLACE "(.+)" "#include \"\\1\"")
    list(JOIN sources "\n" includes)
    set(file ${CMAKE_BINARY_DIR}/batches/${name}_${batch}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${includes}\n" @ONLY)
    list(APPEND files ${file})
    set(begin ${end})
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()
