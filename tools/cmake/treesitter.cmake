# tree-sitter's core and its Python grammar, fetched by tools/fetch-grammar, as one static library that
# only src/python/ may use. Third-party code: without our warnings, optimised in every build type, because
# nothing in it is debugged here; sanitizers stay on but where it is fuzzed.
set(TREESITTER_CORE ${CMAKE_SOURCE_DIR}/build/third_party/tree_sitter-0.26.1/tree_sitter/core/lib)
set(TREESITTER_GRAMMAR ${CMAKE_SOURCE_DIR}/build/third_party/tree-sitter-python-0.25.0/src)
add_library(treesitter STATIC ${TREESITTER_CORE}/src/lib.c ${TREESITTER_GRAMMAR}/parser.c
            ${TREESITTER_GRAMMAR}/scanner.c)
# <src/tree.h> is for src/python/tree_walk.c alone.
target_include_directories(treesitter SYSTEM INTERFACE ${TREESITTER_CORE}/include ${TREESITTER_CORE})
target_include_directories(treesitter PRIVATE ${TREESITTER_CORE}/src ${TREESITTER_CORE}/include)
target_compile_options(treesitter PRIVATE -w -O2)
if(ASSAY_FUZZ)
  # Nine tenths of an input's time went into watching the parser. The fuzzers look for new ways through our code; the
  # corpora run under the sanitize preset, where the parser is watched too.
  target_compile_options(treesitter PRIVATE -fno-sanitize=all -fomit-frame-pointer)
endif()
target_compile_definitions(treesitter PRIVATE _POSIX_C_SOURCE=200112L _DEFAULT_SOURCE NDEBUG)
# The grammar brings its own copy of tree_sitter/parser.h, which must win for its two files.
set_source_files_properties(${TREESITTER_GRAMMAR}/parser.c ${TREESITTER_GRAMMAR}/scanner.c
                            PROPERTIES COMPILE_OPTIONS "-I${TREESITTER_GRAMMAR}")
set(ASSAY_LIBS_python treesitter)
