# Warnings of house style, banned functions, sanitizers. assay_ours(target) applies them to code of ours;
# generated and third-party code is compiled without.
set(ASSAY_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
    -Wformat=2 -Wwrite-strings -Wcast-qual -Wundef)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  list(APPEND ASSAY_WARNINGS
       -Wno-format-truncation    # texts of bounded size are cut on purpose (base/err.c)
       -Wno-maybe-uninitialized) # loses sight of "false, or *out is set"; the analyser of clang-tidy does not
endif()
if(ASSAY_WERROR)
  list(APPEND ASSAY_WARNINGS -Werror)
endif()
if(ASSAY_SANITIZE)
  add_compile_options(-fsanitize=${ASSAY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ASSAY_SANITIZE})
endif()
if(ASSAY_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
# No contraction of a*b+c: the reference's results must not depend on the compiler.
add_compile_options(-ffp-contract=off)

function(assay_ours target)
  target_compile_options(${target} PRIVATE ${ASSAY_WARNINGS})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_BINARY_DIR}/gen)
endfunction()

# Sources that may use POSIX and GNU calls; all others are strict C11.
function(assay_is_system_source path out)
  if(path MATCHES "/src/os/|/src/base/(file|file_remove|file_shared|clock)\\.c$|/src/onnx/eval/matrix\\.c$|/tests/")
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()
