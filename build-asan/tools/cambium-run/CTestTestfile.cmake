# CMake generated Testfile for 
# Source directory: /tmp/wt/run/tools/cambium-run
# Build directory: /tmp/wt/run/build-asan/tools/cambium-run
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
