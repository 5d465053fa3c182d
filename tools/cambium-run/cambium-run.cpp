//===-- tools/cambium-run/cambium-run.cpp - Trains and runs models --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

int main(int argc, char **argv) { return cambium::run::runMain(argc, argv); }
