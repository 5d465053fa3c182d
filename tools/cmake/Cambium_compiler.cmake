# The component `compiler` of the package: libraries over MLIR.
find_dependency(MLIR 22.1 CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
find_dependency(LLD 22.1 CONFIG HINTS /usr/lib/llvm-22/lib/cmake/lld)
include("${CMAKE_CURRENT_LIST_DIR}/CambiumCompilerTargets.cmake")
target_include_directories(Cambium::CambiumOptions SYSTEM INTERFACE
  ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})

# Everything: registerAllDialects, registerAllPasses, compile.
add_library(Cambium::compiler INTERFACE IMPORTED)
target_link_libraries(Cambium::compiler INTERFACE
  Cambium::CambiumPipelines)
