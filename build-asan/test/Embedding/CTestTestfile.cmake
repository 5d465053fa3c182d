# CMake generated Testfile for 
# Source directory: /tmp/wt/run/test/Embedding
# Build directory: /tmp/wt/run/build-asan/test/Embedding
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
add_test([=[Embedding.ProgramsWithModuleByHand]=] "/tmp/wt/run/test/Embedding/run-programs" "/tmp/wt/run/build-asan/test/Embedding/embedding_train" "/tmp/wt/run/build-asan/test/Embedding/embedding_predict" "/tmp/wt/run/build-asan/test/Embedding/embedding_module.so")
set_tests_properties([=[Embedding.ProgramsWithModuleByHand]=] PROPERTIES  _BACKTRACE_TRIPLES "/tmp/wt/run/test/Embedding/CMakeLists.txt;25;add_test;/tmp/wt/run/test/Embedding/CMakeLists.txt;0;")
add_test([=[Embedding.GuideShowsPrograms]=] "/tmp/wt/run/test/Embedding/check-guide" "/tmp/wt/run/test/Embedding/../../docs/Embedding.md" "/tmp/wt/run/test/Embedding")
set_tests_properties([=[Embedding.GuideShowsPrograms]=] PROPERTIES  _BACKTRACE_TRIPLES "/tmp/wt/run/test/Embedding/CMakeLists.txt;29;add_test;/tmp/wt/run/test/Embedding/CMakeLists.txt;0;")
