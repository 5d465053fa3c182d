# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cambium_seal_module(NAME): makes a module that is written in C one that the
# runtime takes. As those of the compiler, it has no constructors (those of the C
# runtime and of sanitizers), shows the query function alone, and has a checksum.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(CAMBIUM_SEAL ${CMAKE_CURRENT_LIST_DIR}/Inputs/seal.py)

function(cambium_seal_module name)
  target_compile_options(${name} PRIVATE -fno-sanitize=all -fvisibility=hidden)
  target_link_options(${name} PRIVATE -fno-sanitize=all -nostartfiles
    -Wl,--hash-style=both)
  add_custom_command(TARGET ${name} POST_BUILD COMMAND Python3::Interpreter -B
    ${CAMBIUM_SEAL} $<TARGET_FILE:${name}> VERBATIM)
endfunction()
