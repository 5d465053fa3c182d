# CMake generated Testfile for 
# Source directory: /tmp/wt/run/runtime/readers
# Build directory: /tmp/wt/run/build-asan/runtime/readers
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
