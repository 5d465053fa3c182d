# cambium_add_tool(name source... [LINK libraries] [STANDALONE]): a tool over the
# compiler. STANDALONE: in builds that users get, with LLVM in the program.
function(cambium_add_tool name)
  cmake_parse_arguments(ARG "STANDALONE" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE CambiumPipelines ${ARG_LINK})
  # The headers that libraries have are for code at any place.
  if(CAMBIUM_PCH)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC)
    target_precompile_headers(${name} REUSE_FROM CambiumPCH)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
    # Debian keeps libMLIR out of the linker's path.
    INSTALL_RPATH ${LLVM_LIBRARY_DIR})
  if(ARG_STANDALONE AND CAMBIUM_STANDALONE_COMPILER)
    set_target_properties(${name} PROPERTIES CAMBIUM_STANDALONE ON)
  endif()
endfunction()
