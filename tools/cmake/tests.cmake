# test_<folder>: all of tests/unit/<folder>/**.c in one cmocka program, which may link that folder and the layers
# below it; inner folders as in src/. fuzz_<x>: fuzz/fuzz_<x>.c; without ASSAY_FUZZ it is linked to a driver that runs a corpus.
enable_testing()
find_library(CMOCKA NAMES cmocka REQUIRED)
# Planted faults, and the small nets with them: for unit tests of judge/ and of folders that use
# it, and for benches.
file(GLOB planted CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/planted/*.c)
if(planted)
  add_library(assay_planted STATIC ${planted})
  assay_ours(assay_planted)
  target_include_directories(assay_planted PUBLIC ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(assay_planted PUBLIC assay_case assay_onnx_eval)
  foreach(folder judge reduce hunt)
    set(ASSAY_TEST_LIBS_${folder} assay_planted)
  endforeach()
endif()

# A native double of an engine, for tests and benches of whole campaigns.
add_library(assay_double STATIC tests/double/double.c)
assay_ours(assay_double)
target_include_directories(assay_double PUBLIC ${CMAKE_SOURCE_DIR}/tests)
target_link_libraries(assay_double PUBLIC assay_target assay_onnx_infer assay_onnx_eval)
list(APPEND ASSAY_TEST_LIBS_hunt assay_double)

# Facts of models, reports of made-up bugs and verdicts on them, for recorded output.
foreach(name facts reports verdicts)
  add_executable(model_${name} tests/facts/main.c tests/facts/${name}.c)
  assay_ours(model_${name})
  target_include_directories(model_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(model_${name} PRIVATE $<TARGET_NAME_IF_EXISTS:assay_planted> assay_report assay_judge assay_onnx_infer)
endforeach()

set(ASSAY_TEST_LIBS_onnx_eval assay_onnx_infer) # its models get their shapes by inference
foreach(folder IN LISTS ASSAY_FOLDERS)
  string(REPLACE "/" "_" id ${folder})
  assay_folder_sources(tests/unit ${folder} sources)
  if(sources)
    add_executable(test_${id} ${sources} tests/unit/main.c)
    assay_ours(test_${id})
    target_compile_definitions(test_${id} PRIVATE _GNU_SOURCE ASSAY_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                               SUITES_DEF="unit/${folder}/suites.def")
    target_include_directories(test_${id} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    target_link_libraries(test_${id} PRIVATE ${ASSAY_TEST_LIBS_${id}} assay_${id}
                          ${CMOCKA})
    add_test(NAME unit/${folder} COMMAND test_${id})
  endif()
endforeach()

file(GLOB fuzzers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/fuzz/fuzz_*.c)
foreach(source IN LISTS fuzzers)
  get_filename_component(name ${source} NAME_WE)
  if(ASSAY_FUZZ)
    add_executable(${name} ${source})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    add_executable(${name} ${source} fuzz/driver.c)
    string(REPLACE "fuzz_" "" corpus ${name})
    add_test(NAME corpus/${corpus} COMMAND ${name} ${CMAKE_SOURCE_DIR}/fuzz/corpus/${corpus})
  endif()
  assay_ours(${name})
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
  if(name MATCHES "^fuzz_(lint|python)$") # built alone by tools/fuzz, in a third of the time
    target_link_libraries(${name} PRIVATE assay_lint)
  else()
    target_link_libraries(${name} PRIVATE assay_cli)
  endif()
endforeach()

file(GLOB benches CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/*.c)
foreach(source IN LISTS benches)
  get_filename_component(name ${source} NAME_WE)
  add_executable(bench_${name} ${source})
  assay_ours(bench_${name})
  target_compile_definitions(bench_${name} PRIVATE _GNU_SOURCE)
  target_link_libraries(bench_${name} PRIVATE assay_double assay_cli $<TARGET_NAME_IF_EXISTS:assay_planted>)
endforeach()
