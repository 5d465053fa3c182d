# CAMBIUM_INLINE_LITTLE: the option of code that is no inner loop. A third of the
# compiler's time in release builds went into inlining, which made such code
# larger and no faster.
set(CAMBIUM_INLINE_LITTLE
  "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,Clang>>:SHELL:-mllvm -inline-threshold=25>")
