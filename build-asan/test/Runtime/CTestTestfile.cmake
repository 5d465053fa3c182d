# CMake generated Testfile for 
# Source directory: /tmp/wt/run/test/Runtime
# Build directory: /tmp/wt/run/build-asan/test/Runtime
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
include("/tmp/wt/run/build-asan/test/Runtime/CambiumRuntimeTests[1]_include.cmake")
include("/tmp/wt/run/build-asan/test/Runtime/CambiumDataTests[1]_include.cmake")
add_test([=[Runtime.HeaderIsC11]=] "/tmp/wt/run/build-asan/test/Runtime/CambiumRuntimeHeaderTest")
set_tests_properties([=[Runtime.HeaderIsC11]=] PROPERTIES  _BACKTRACE_TRIPLES "/tmp/wt/run/test/Runtime/CMakeLists.txt;75;add_test;/tmp/wt/run/test/Runtime/CMakeLists.txt;0;")
add_test([=[Runtime.LibraryFootprint]=] "/tmp/wt/run/test/Runtime/check-library" "/tmp/wt/run/build-asan/runtime/libcambium_runtime.so.1.0.0")
set_tests_properties([=[Runtime.LibraryFootprint]=] PROPERTIES  SKIP_RETURN_CODE "77" _BACKTRACE_TRIPLES "/tmp/wt/run/test/Runtime/CMakeLists.txt;78;add_test;/tmp/wt/run/test/Runtime/CMakeLists.txt;0;")
