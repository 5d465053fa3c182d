# The version of Cambium, and of the binary interface of its runtime. When to
# raise which: docs/Compatibility.md.
set(CAMBIUM_VERSION 1.0.0)
# Of libcambium_runtime.so: raised when a program that was linked with an older
# library cannot run with this one.
set(CAMBIUM_RUNTIME_SOVERSION 1)
