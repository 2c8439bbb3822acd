# The program. build/assay is a copy of the release preset's (Makefile).
if(EXISTS ${CMAKE_SOURCE_DIR}/src/cli/main.c)
  add_executable(assay src/cli/main.c)
  assay_ours(assay)
  target_link_libraries(assay PRIVATE assay_cli)
endif()
