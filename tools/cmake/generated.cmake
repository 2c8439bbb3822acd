# Generated sources, made in build/<preset>/gen: ASSAY_GENERATED_<folder>.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/gen)

# share/ and py/ compiled into base/.
file(GLOB_RECURSE share_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/share/* ${CMAKE_SOURCE_DIR}/py/*.py)
set(share_rows "")
foreach(file IN LISTS share_files)
  file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${file})
  string(REGEX REPLACE "^share/" "" name ${name})
  string(APPEND share_rows "${name}\t${file}\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/gen/share.list CONTENT "${share_rows}")
add_custom_command(
  OUTPUT ${CMAKE_BINARY_DIR}/gen/share_data.s ${CMAKE_BINARY_DIR}/gen/share_data.c
  COMMAND ${CMAKE_COMMAND} -DOUT=${CMAKE_BINARY_DIR}/gen/share_data
          -DLIST=${CMAKE_BINARY_DIR}/gen/share.list -P ${CMAKE_SOURCE_DIR}/tools/cmake/embed.cmake
  DEPENDS ${share_files} ${CMAKE_BINARY_DIR}/gen/share.list tools/cmake/embed.cmake
  VERBATIM)
set(ASSAY_GENERATED_base ${CMAKE_BINARY_DIR}/gen/share_data.s ${CMAKE_BINARY_DIR}/gen/share_data.c)

# The JSON files below share/rules/, parsed at build (src/lint/packed_p.h).
add_executable(pack_rules tools/cmake/pack_rules.c)
assay_ours(pack_rules)
target_link_libraries(pack_rules PRIVATE assay_base)
set(rule_files ${share_files})
list(FILTER rule_files INCLUDE REGEX "/share/rules/")
add_custom_command(
  OUTPUT ${CMAKE_BINARY_DIR}/gen/rules_packed.c
  COMMAND pack_rules ${CMAKE_BINARY_DIR}/gen/rules_packed.c ${CMAKE_BINARY_DIR}/gen/share.list
  DEPENDS pack_rules ${rule_files} ${CMAKE_BINARY_DIR}/gen/share.list
  VERBATIM)
set(ASSAY_GENERATED_lint ${CMAKE_BINARY_DIR}/gen/rules_packed.c)

# Protobuf messages of the ONNX subset.
if(EXISTS ${CMAKE_SOURCE_DIR}/src/onnx/onnx.proto)
  add_custom_command(
    OUTPUT ${CMAKE_BINARY_DIR}/gen/onnx.pb-c.c ${CMAKE_BINARY_DIR}/gen/onnx.pb-c.h
    COMMAND ${PROTOC_C} --c_out=${CMAKE_BINARY_DIR}/gen -I ${CMAKE_SOURCE_DIR}/src/onnx onnx.proto
    DEPENDS src/onnx/onnx.proto
    VERBATIM)
  set_source_files_properties(${CMAKE_BINARY_DIR}/gen/onnx.pb-c.c PROPERTIES COMPILE_OPTIONS -w)
  set(ASSAY_GENERATED_onnx ${CMAKE_BINARY_DIR}/gen/onnx.pb-c.c)
endif()
