# CMake generated Testfile for 
# Source directory: /tmp/wt/run/tools
# Build directory: /tmp/wt/run/build-asan/tools
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
subdirs("cambium-run")
