# Several sources compiled as one.
include_guard(GLOBAL)

# Sets OUT to what a target compiles for SOURCES (paths from the root of the repository): files that include up to
# RETHINK_BATCH of them each. Reading the headers takes longer than compiling a small source, and a batch reads them
# once. An edit compiles its batch anew, and a new file those behind it in its room: the preset dev, for work on one
# room, has none. CMake's own unity builds do the same with absolute paths, which ccache takes for other sources in
# another clone.
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
