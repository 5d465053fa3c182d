# CMake generated Testfile for 
# Source directory: /tmp/wt/run/test/Tools/cambium-run
# Build directory: /tmp/wt/run/build-asan/test/Tools/cambium-run
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
include("/tmp/wt/run/build-asan/test/Tools/cambium-run/CambiumRunTests[1]_include.cmake")
