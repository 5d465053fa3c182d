# What `cmake --install` puts where, for the runtime. Components: `runtime` (what
# a program needs to run) and `runtime-dev` (what building it needs besides).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(CAMBIUM_INSTALL_CMAKE ${CMAKE_INSTALL_LIBDIR}/cmake/Cambium)

set_target_properties(cambium_runtime PROPERTIES EXPORT_NAME runtime)
set_target_properties(cambium_runtime_static PROPERTIES
  EXPORT_NAME runtime_static)
set_target_properties(cambium_cuda PROPERTIES EXPORT_NAME cuda)
set_target_properties(cambium_cuda_static PROPERTIES EXPORT_NAME cuda_static)
set_target_properties(cambium_data PROPERTIES EXPORT_NAME data)
set_target_properties(cambium_train PROPERTIES EXPORT_NAME train)
install(TARGETS cambium_runtime cambium_runtime_static cambium_cuda
  cambium_cuda_static cambium_data cambium_train
  EXPORT CambiumRuntime
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT runtime-dev
  ARCHIVE COMPONENT runtime-dev
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT CambiumRuntime NAMESPACE Cambium::
  FILE CambiumRuntimeTargets.cmake
  DESTINATION ${CAMBIUM_INSTALL_CMAKE} COMPONENT runtime-dev)
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/../include/cambium
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT runtime-dev)

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/CambiumConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/CambiumConfig.cmake
  INSTALL_DESTINATION ${CAMBIUM_INSTALL_CMAKE})
# A program that asks for 1.2 runs with 1.3, but not with 2.0.
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/CambiumConfigVersion.cmake
  VERSION ${CAMBIUM_VERSION} COMPATIBILITY SameMajorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/CambiumConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/CambiumConfigVersion.cmake
  DESTINATION ${CAMBIUM_INSTALL_CMAKE} COMPONENT runtime-dev)
