# tree-sitter's core and its Python grammar, fetched by tools/fetch-grammar, as one static library that
# only src/python/ may use. As third-party code it is built without our warnings and always optimised, since
# it is not debugged here; sanitizers stay on except where it is fuzzed.
set(TREESITTER_CORE ${CMAKE_SOURCE_DIR}/build/third_party/tree_sitter-0.26.1/tree_sitter/core/lib)
set(TREESITTER_GRAMMAR ${CMAKE_SOURCE_DIR}/build/third_party/tree-sitter-python-0.25.0/src)
add_library(treesitter STATIC ${TREESITTER_CORE}/src/lib.c ${TREESITTER_GRAMMAR}/parser.c
            ${TREESITTER_GRAMMAR}/scanner.c)
# <src/tree.h> is for src/python/tree_walk.c alone.
target_include_directories(treesitter SYSTEM INTERFACE ${TREESITTER_CORE}/include ${TREESITTER_CORE})
target_include_directories(treesitter PRIVATE ${TREESITTER_CORE}/src ${TREESITTER_CORE}/include)
target_compile_options(treesitter PRIVATE -w -g0)
if(ASSAY_FUZZ)
  # An instrumented parser would take nine tenths of the time of an input. The fuzzers look for new paths through our code; the
  # corpora run under the sanitize preset, which instruments the parser too.
  target_compile_options(treesitter PRIVATE -O2 -fno-sanitize=all -fomit-frame-pointer)
elseif(ASSAY_SANITIZE)
  target_compile_options(treesitter PRIVATE -O1) # the compiler takes a minute for -O2 with sanitizers
else()
  target_compile_options(treesitter PRIVATE -O2)
endif()
target_compile_definitions(treesitter PRIVATE _POSIX_C_SOURCE=200112L _DEFAULT_SOURCE NDEBUG)
# The grammar brings its own copy of tree_sitter/parser.h, which must win for its two files.
set_source_files_properties(${TREESITTER_GRAMMAR}/parser.c ${TREESITTER_GRAMMAR}/scanner.c
                            PROPERTIES COMPILE_OPTIONS "-I${TREESITTER_GRAMMAR}")
set(ASSAY_LIBS_python treesitter)
