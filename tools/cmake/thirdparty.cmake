# Libraries, each wrapped by exactly one folder (ARCHITECTURE.md, "Dependencies"): ASSAY_LIBS_<folder>.
# Static archives where Debian has them, so that the program starts fast and runs anywhere.
function(assay_archive out name)
  find_library(${out} NAMES lib${name}.a ${ARGN} REQUIRED)
endfunction()

assay_archive(JANSSON_A jansson)
assay_archive(PROTOBUF_C_A protobuf-c)
assay_archive(SQLITE_A sqlite3)
assay_archive(SECCOMP_A seccomp)
find_library(OPENBLAS_A NAMES libopenblas.a PATHS /usr/lib/x86_64-linux-gnu/openblas-serial
             /usr/lib/aarch64-linux-gnu/openblas-serial NO_DEFAULT_PATH REQUIRED)
find_path(OPENBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas-serial x86_64-linux-gnu/openblas-serial
          aarch64-linux-gnu/openblas-serial REQUIRED)
find_program(PROTOC_C protoc-c REQUIRED)

set(ASSAY_LIBS_base ${JANSSON_A} m)
set(ASSAY_LIBS_os ${SECCOMP_A} ${CMAKE_DL_LIBS})
set(ASSAY_LIBS_onnx ${PROTOBUF_C_A} m)
set(ASSAY_LIBS_onnx_eval ${OPENBLAS_A} m)
set(ASSAY_LIBS_store ${SQLITE_A} m)

# tree-sitter comes as source (tools/fetch-grammar); without it python/ and the layers above it do not link.
if(EXISTS ${CMAKE_SOURCE_DIR}/build/third_party/tree-sitter-python-0.25.0/src/parser.c)
  include(tools/cmake/treesitter.cmake)
endif()
