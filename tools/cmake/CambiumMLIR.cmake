# Finds MLIR and LLD and defines how the compiler's libraries are built.

find_package(MLIR 22.1 REQUIRED CONFIG)
find_package(LLD 22.1 REQUIRED CONFIG HINTS ${LLVM_LIBRARY_DIR}/cmake/lld)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})

# What mlir_tablegen searches.
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})

# All that a compiler target needs: include paths, definitions, warnings.
add_library(CambiumOptions INTERFACE)
# Users of the installed libraries get the definitions and the libraries only.
foreach(folder ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  target_include_directories(CambiumOptions INTERFACE
    $<BUILD_INTERFACE:${folder}> $<BUILD_INTERFACE:${folder}/include>)
endforeach()
foreach(folder ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_include_directories(CambiumOptions SYSTEM INTERFACE
    $<BUILD_INTERFACE:${folder}>)
endforeach()
target_compile_definitions(CambiumOptions INTERFACE ${LLVM_DEFINITIONS_LIST})
foreach(option ${CAMBIUM_INLINE_LITTLE} -fno-exceptions -Wall -Wextra -Werror -Wno-unused-parameter)
  target_compile_options(CambiumOptions INTERFACE $<BUILD_INTERFACE:${option}>)
endforeach()
# With the shared libraries of MLIR, no MLIRxxx static library may be named, but by a
# tool that has them all (CambiumStandalone.cmake).
set(standalone $<BOOL:$<TARGET_PROPERTY:CAMBIUM_STANDALONE>>)
target_link_libraries(CambiumOptions INTERFACE
  $<BUILD_INTERFACE:$<IF:${standalone},CambiumStandalone,MLIR>>
  $<BUILD_INTERFACE:$<$<NOT:${standalone}>:LLVM>>
  $<INSTALL_INTERFACE:MLIR> $<INSTALL_INTERFACE:LLVM>)

# Collects every generated header, so that libraries can depend on all of them.
add_custom_target(CambiumTableGen)

if(CAMBIUM_PCH)
  add_library(CambiumPCH OBJECT ${PROJECT_SOURCE_DIR}/tools/cmake/Precompiled.cpp)
  target_link_libraries(CambiumPCH PRIVATE CambiumOptions)
  set(headers ${PROJECT_SOURCE_DIR}/tools/cmake/Precompiled.h)
  if(CAMBIUM_PCH_DIALECTS)
    list(APPEND headers ${PROJECT_SOURCE_DIR}/tools/cmake/PrecompiledDialects.h)
    add_dependencies(CambiumPCH mlir-headers CambiumTableGen)
  endif()
  target_precompile_headers(CambiumPCH PRIVATE ${headers})
endif()

define_property(GLOBAL PROPERTY CAMBIUM_LIBS BRIEF_DOCS "All compiler libraries")

# cambium_add_library(Name sources... [DEPENDS targets] [LINK libraries])
function(cambium_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC CambiumOptions ${ARG_LINK})
  add_dependencies(${name} mlir-headers CambiumTableGen ${ARG_DEPENDS})
  if(CAMBIUM_PCH)
    target_precompile_headers(${name} REUSE_FROM CambiumPCH)
  endif()
  set_property(GLOBAL APPEND PROPERTY CAMBIUM_LIBS ${name})
endfunction()

# cambium_tablegen(File.td OUT1 -gen-a OUT2 -gen-b ... [DIALECT name])
function(cambium_tablegen td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(args ${ARGN})
  list(LENGTH args n)
  math(EXPR last "${n} - 1")
  foreach(i RANGE 0 ${last} 2)
    list(GET args ${i} out)
    math(EXPR j "${i} + 1")
    list(GET args ${j} flags)
    separate_arguments(flags)
    mlir_tablegen(${out} ${flags} -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include)
  endforeach()
  string(MAKE_C_IDENTIFIER "${CMAKE_CURRENT_SOURCE_DIR}_${td}" id)
  string(REPLACE "-" "_" id ${id})
  add_public_tablegen_target(Tbl${id})
  add_dependencies(CambiumTableGen Tbl${id})
endfunction()
