# CMake generated Testfile for 
# Source directory: /tmp/wt/run/test
# Build directory: /tmp/wt/run/build-asan/test
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
subdirs("Embedding")
subdirs("Runtime")
subdirs("Tools/cambium-run")
