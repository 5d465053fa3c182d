# CMake generated Testfile for 
# Source directory: /tmp/wt/run
# Build directory: /tmp/wt/run/build-asan
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
subdirs("runtime")
subdirs("tools")
subdirs("test")
