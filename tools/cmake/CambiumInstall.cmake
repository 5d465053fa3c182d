# What `cmake --install` puts where, for the tools and the compiler's libraries
# (components `tools` and `compiler`). The runtime: runtime/cmake.
include(GNUInstallDirs)
set(CAMBIUM_INSTALL_CMAKE ${CMAKE_INSTALL_LIBDIR}/cmake/Cambium)

set(tools cambium-run)
if(CAMBIUM_COMPILER)
  list(APPEND tools cambium-compile cambium-lsp-server cambium-opt
    cambium-reduce cambium-run-interpret)
endif()
install(TARGETS ${tools} EXPORT CambiumTools RUNTIME COMPONENT tools)
install(EXPORT CambiumTools NAMESPACE Cambium:: FILE CambiumToolsTargets.cmake
  DESTINATION ${CAMBIUM_INSTALL_CMAKE} COMPONENT tools)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/Cambium_tools.cmake
  DESTINATION ${CAMBIUM_INSTALL_CMAKE} COMPONENT tools)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models
  DESTINATION ${CMAKE_INSTALL_DATADIR}/cambium COMPONENT tools
  USE_SOURCE_PERMISSIONS PATTERN "__pycache__" EXCLUDE)

# cambium-run looks for it beside itself.
install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/cambium-tokenize
  DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)

# Scripts look for their modules beside themselves.
foreach(script cambium-tokenize noise report score)
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/${script}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/cambium/tools COMPONENT tools)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/tools/packages.py ${PROJECT_SOURCE_DIR}/tools/scripts.py
  ${PROJECT_SOURCE_DIR}/tools/tensors.py
  DESTINATION ${CMAKE_INSTALL_DATADIR}/cambium/tools COMPONENT tools)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tools/reporting
  ${PROJECT_SOURCE_DIR}/tools/scoring
  DESTINATION ${CMAKE_INSTALL_DATADIR}/cambium/tools COMPONENT tools
  PATTERN "__pycache__" EXCLUDE)

if(CAMBIUM_COMPILER)
  # Beside the runtime's headers, which need no MLIR and are on every path.
  set(headers ${CMAKE_INSTALL_INCLUDEDIR}/cambium-compiler)
  get_property(libraries GLOBAL PROPERTY CAMBIUM_LIBS)
  install(TARGETS CambiumOptions ${libraries} EXPORT CambiumCompiler
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/cambium COMPONENT compiler
    INCLUDES DESTINATION ${headers})
  install(EXPORT CambiumCompiler NAMESPACE Cambium::
    FILE CambiumCompilerTargets.cmake
    DESTINATION ${CAMBIUM_INSTALL_CMAKE} COMPONENT compiler)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/Cambium_compiler.cmake
    DESTINATION ${CAMBIUM_INSTALL_CMAKE} COMPONENT compiler)
  foreach(root ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
    install(DIRECTORY ${root}/include/cambium ${root}/dialects
      DESTINATION ${headers} COMPONENT compiler FILES_MATCHING
      PATTERN "*.h" PATTERN "*.td" PATTERN "*.h.inc"
      PATTERN "CMakeFiles" EXCLUDE)
  endforeach()
endif()
