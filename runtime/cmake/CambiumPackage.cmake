# Debian packages: `cpack --config build/release/CPackConfig.cmake`. One for each
# component, so that a machine that only runs models gets no compiler.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cambium)
set(CPACK_PACKAGE_VERSION ${CAMBIUM_VERSION})
set(CPACK_PACKAGE_VENDOR Cambium)
set(CPACK_PACKAGE_CONTACT "The Cambium developers <cambium@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
# Dependencies on shared libraries are looked up, not written by hand.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

# cambium_package(component name section text [depends])
function(cambium_package component name section text)
  string(TOUPPER ${component} id)
  set(CPACK_DEBIAN_${id}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${id}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_COMPONENT_${id}_DESCRIPTION ${text} PARENT_SCOPE)
  if(ARGN)
    list(JOIN ARGN ", " depends)
    set(CPACK_DEBIAN_${id}_PACKAGE_DEPENDS ${depends} PARENT_SCOPE)
  endif()
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  # Debian wants the license of every package here.
  install(FILES ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../LICENSE
    DESTINATION share/doc/${name} RENAME copyright COMPONENT ${component})
endfunction()

set(CPACK_COMPONENTS_ALL)
set(soname_package libcambium-runtime${CAMBIUM_RUNTIME_SOVERSION})
cambium_package(runtime ${soname_package} libs
  "Runtime of neural models compiled by Cambium
 Loads, runs and trains models whose shape is data. Needs no LLVM.")
cambium_package(runtime-dev libcambium-runtime-dev libdevel
  "Runtime of neural models compiled by Cambium, for development
 Headers, static libraries, readers of data, and the CMake package."
  "${soname_package} (= ${CAMBIUM_VERSION}-1)")
if(TARGET cambium-run)
  cambium_package(tools cambium devel
    "Compiler of neural models whose shape is data
 The tools cambium-compile, cambium-run, cambium-opt and others, and a folder of
 models to start from.")
  # For the scripts of models, and the report on a run.
  set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS
    "python3, python3-matplotlib, python3-numpy")
endif()
if(TARGET cambium-compile)
  cambium_package(compiler libcambium-dev libdevel
    "Compiler of neural models whose shape is data, for development
 Headers and static libraries of the dialects, passes and pipelines."
    "libcambium-runtime-dev (= ${CAMBIUM_VERSION}-1)" libmlir-22-dev
    liblld-22-dev llvm-22-dev)
endif()
include(CPack)
