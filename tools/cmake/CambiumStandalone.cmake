# MLIR and LLVM for a tool that starts for a second of work: from their archives, of
# which nothing is relocated at each start and no call goes through a table, and with an
# allocator that suits what allocates little things from several threads.
set(without "or configure with -DCAMBIUM_STANDALONE_COMPILER=OFF")
find_package(mimalloc QUIET CONFIG)
if(NOT mimalloc_FOUND)
  message(FATAL_ERROR "expected mimalloc for the compiler, but found none: install "
    "libmimalloc-dev (tools/setup does), ${without}")
endif()
foreach(archive MLIRIR LLVMCore)
  if(NOT EXISTS ${LLVM_LIBRARY_DIR}/lib${archive}.a)
    message(FATAL_ERROR "expected the archives of MLIR and LLVM, but found no "
      "${LLVM_LIBRARY_DIR}/lib${archive}.a: install them, ${without}")
  endif()
endforeach()
file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
# Tests of MLIR, and its interface for C, which has other names for the same.
list(FILTER archives EXCLUDE REGEX "(Test|CAPI)[^/]*$")
# LLD begins with all machines of LLVM, of which models need two: with the others the
# program would have 184 MB instead of 112.
set(others ${LLVM_TARGETS_TO_BUILD})
list(REMOVE_ITEM others ${LLVM_NATIVE_ARCH} NVPTX)
set(absent "")
foreach(machine ${others})
  list(FILTER archives EXCLUDE REGEX "/libLLVM${machine}[A-Z][A-Za-z]*[.]a$")
  string(APPEND absent "ABSENT(${machine}) ")
endforeach()
add_library(CambiumStandalone STATIC ${CMAKE_CURRENT_LIST_DIR}/AbsentParts.cpp)
target_include_directories(CambiumStandalone SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(CambiumStandalone PRIVATE ${LLVM_DEFINITIONS_LIST}
  "CAMBIUM_ABSENT_MACHINES=${absent}")
target_compile_options(CambiumStandalone PRIVATE -fno-exceptions)
set_target_properties(CambiumStandalone PROPERTIES UNITY_BUILD OFF)
target_link_libraries(CambiumStandalone INTERFACE mimalloc ${archives} z zstd)
# LLD names the shared library.
foreach(library lldCommon lldELF)
  get_target_property(others ${library} INTERFACE_LINK_LIBRARIES)
  list(REMOVE_ITEM others LLVM)
  set_target_properties(${library} PROPERTIES INTERFACE_LINK_LIBRARIES "${others}")
endforeach()
# At a fixed place, so that nothing is relocated.
target_link_options(CambiumStandalone INTERFACE
  -no-pie -static-libstdc++ -static-libgcc LINKER:--gc-sections)
